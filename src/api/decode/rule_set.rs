//! Rule sets of clients: a variant with changes, made into the same row that the table holds.

use super::position::{Fields, refused};
use super::vocabulary::Word;
use super::{implemented, variant_number, within};
use crate::api::fault::{Fault, FieldFault};
use crate::api::limits::{MAX_PARTS, MAX_PATH_SQUARES, MAX_TEXT_BYTES};
use crate::api::proto as pb;
use crate::rules::draws::DrawClause;
use crate::rules::notation::fen;
use crate::rules::row::{Mobility, Opening, Parachutist, Precedence, Prints, Start, Zone};
use crate::rules::{
    Board, BoardFacts, Claim, Color, Contradiction, Directions, Position, Role, Rules, Ruleset, Setup,
    SquareSet, contradictions,
};

/// The version of the message that this server knows.
pub(in crate::api) const VOCABULARY: u32 = 1;

/// The rules of a game.
pub(in crate::api) enum RulesOfGame {
    /// A variant's.
    BuiltIn(&'static Ruleset),
    /// The game's own.
    Own(Box<Ruleset>),
    /// None that can be read. It is told together with what is wrong with the rest of the game.
    Unreadable(FieldFault),
}

impl RulesOfGame {
    /// What a game says of its rules.
    pub(in crate::api) fn of(game: Option<&pb::Game>) -> Result<RulesOfGame, Fault> {
        const VARIANT: &str = "game.variant";
        let number = match game.and_then(|game| game.rules.as_ref()) {
            Some(pb::game::Rules::RuleSet(told)) => {
                return Ok(RulesOfGame::Own(Box::new(rule_set(told, "game.rule_set")?)));
            }
            Some(pb::game::Rules::Variant(number)) => *number,
            None => 0,
        };
        let mut faults = Vec::new();
        let variant = variant_number(number, VARIANT, &mut faults);
        match faults.pop() {
            Some(fault) => Ok(RulesOfGame::Unreadable(fault)),
            None => Ok(RulesOfGame::BuiltIn(implemented(variant, VARIANT)?.ruleset())),
        }
    }
}

/// The rules that a rule set describes.
///
/// # Errors
/// [`Fault`] with everything that is wrong, each with its field below `path`.
pub fn rule_set(told: &pb::RuleSet, path: &str) -> Result<Ruleset, Fault> {
    if told.vocabulary > VOCABULARY {
        return Err(Fault::NotImplemented { field: format!("{path}.vocabulary") });
    }
    let mut reader = Reader { path: path.to_owned(), faults: Vec::new() };
    let base = variant_number(told.base, &reader.at("base"), &mut reader.faults);
    let base = base.map(|base| implemented(Some(base), &reader.at("base"))).transpose()?;
    within("max_text_bytes", MAX_TEXT_BYTES, told.start_fen.len())?;
    let Some(base) = base else { return Err(reader.refused()) };
    let base = base.ruleset().rules();
    let facts = reader.board(told, base)?;
    let board = Board::new(facts);
    let setup = start(told, &reader)?;
    let rules = reader.rules(told, base, &board, setup.as_ref())?;
    if !reader.faults.is_empty() {
        return Err(reader.refused());
    }
    let ruleset = Ruleset::of_rules(rules).map_err(|found| reader.contradicted(&found))?;
    let setup = setup.unwrap_or_else(|| Position::start(&ruleset).to_setup());
    match Position::new(&ruleset, &setup) {
        Ok(_) => Ok(ruleset),
        Err(error) => Err(refused(&ruleset, &setup, &error, &Fields::Text(reader.at("start_fen")))),
    }
}

fn start(told: &pb::RuleSet, reader: &Reader) -> Result<Option<Setup>, Fault> {
    if told.start_fen.is_empty() {
        return Ok(None);
    }
    let setup = fen::parse(&told.start_fen);
    setup.map(Some).map_err(|error| Fault::MalformedFen { field: reader.at("start_fen"), error })
}

/// Reads the fields of a rule set, and notes what is wrong with each.
struct Reader {
    path: String,
    faults: Vec<FieldFault>,
}

impl Reader {
    fn at(&self, field: &str) -> String {
        format!("{}.{field}", self.path)
    }

    fn refused(&mut self) -> Fault {
        Fault::InvalidFields(std::mem::take(&mut self.faults))
    }

    fn mismatch(&mut self, field: &str, problem: &str) {
        let field = self.at(field);
        let description = format!("{field} {problem}");
        self.faults.push(FieldFault { field, reason: "MISMATCH", description });
    }

    fn required(&mut self, field: &str) {
        let field = self.at(field);
        self.faults.push(FieldFault::required(field));
    }

    /// What a word means; none if it is absent.
    fn word<W: Word>(&mut self, number: i32, field: &str) -> Option<W::Meaning> {
        match W::try_from(number) {
            Ok(word) => word.meaning(),
            Err(_) => {
                let field = self.at(field);
                self.faults.push(FieldFault::unknown(field, number));
                None
            }
        }
    }

    /// What a word means that must be there.
    fn needed<W: Word>(&mut self, number: i32, field: &str) -> Option<W::Meaning> {
        if number == 0 {
            self.required(field);
        }
        self.word::<W>(number, field)
    }

    /// The whole row.
    fn rules(
        &mut self,
        told: &pb::RuleSet,
        base: &Rules,
        board: &Board,
        setup: Option<&Setup>,
    ) -> Result<Rules, Fault> {
        let parachutist = self.parachutist(told, base, board)?;
        Ok(Rules {
            board: board.facts(),
            start: setup.map_or(base.start, |setup| placed(setup, board)),
            first_mover: self.first_mover(told, base, setup),
            heading: self.word::<pb::Headings>(told.headings, "headings").unwrap_or(base.heading),
            man: match &told.man {
                None => base.man,
                Some(man) => self.movement(man, Some(&base.man), "man").unwrap_or(base.man),
            },
            king: self.king(told, base),
            parachutist,
            obligation: self.word::<pb::Obligation>(told.obligation, "obligation").unwrap_or(base.obligation),
            precedence: self.precedence(told, base)?,
            removal: self.word::<pb::Removal>(told.removal, "removal").unwrap_or(base.removal),
            landing: self.word::<pb::Landing>(told.landing, "landing").unwrap_or(base.landing),
            turning: self.word::<pb::Turning>(told.turning, "turning").unwrap_or(base.turning),
            stopping: self.word::<pb::Stopping>(told.stopping, "stopping").unwrap_or(base.stopping),
            promotion: self.zone(told.promotion.as_ref(), base.promotion, told, board, "promotion")?,
            promotion_in_capture: self
                .word::<pb::PromotionInCapture>(told.promotion_in_capture, "promotion_in_capture")
                .unwrap_or(base.promotion_in_capture),
            no_step_from: self.zone(
                told.no_step_from.as_ref(),
                base.no_step_from,
                told,
                board,
                "no_step_from",
            )?,
            steps: self.word::<pb::Steps>(told.steps, "steps").unwrap_or(base.steps),
            opening: self.opening(told, base, board)?,
            no_move: self.word::<pb::NoMove>(told.no_move, "no_move").unwrap_or(base.no_move),
            draws: self.draws(told, base)?,
            prints: self.prints(told, base),
        })
    }

    /// The board. If it is none, nothing else can be read.
    fn board(&mut self, told: &pb::RuleSet, base: &Rules) -> Result<BoardFacts, Fault> {
        let Some(shape) = &told.board else { return Ok(base.board) };
        let playing = self.needed::<pb::Playing>(shape.playing, "board.playing");
        let lines = self.needed::<pb::Lines>(shape.lines, "board.lines");
        let numbering = self.needed::<pb::Numbering>(shape.numbering, "board.numbering");
        if told.start_fen.is_empty() {
            self.required("start_fen");
        }
        let (Some(playing), Some(lines), Some(numbering)) = (playing, lines, numbering) else {
            return Err(self.refused());
        };
        let side = |length: u32| u8::try_from(length).unwrap_or(u8::MAX);
        let facts =
            BoardFacts { width: side(shape.width), height: side(shape.height), playing, lines, numbering };
        // Of a board that is none nothing but that is told.
        let found = contradictions(&Rules { board: facts, ..*base });
        let of_board =
            found.into_iter().filter(|found| field_of(*found).starts_with("board")).collect::<Vec<_>>();
        if of_board.is_empty() && self.faults.is_empty() {
            Ok(facts)
        } else {
            Err(self.contradicted(&of_board))
        }
    }

    fn first_mover(&mut self, told: &pb::RuleSet, base: &Rules, setup: Option<&Setup>) -> Color {
        let named = match pb::Color::try_from(told.first_mover) {
            Ok(pb::Color::Unspecified) => None,
            Ok(pb::Color::White) => Some(Color::White),
            Ok(pb::Color::Black) => Some(Color::Black),
            Err(_) => {
                let field = self.at("first_mover");
                self.faults.push(FieldFault::unknown(field, told.first_mover));
                None
            }
        };
        match (named, setup) {
            (Some(named), Some(setup)) if named != setup.turn => {
                self.mismatch("first_mover", "is not the side to move in start_fen");
                named
            }
            (Some(named), _) => named,
            (None, Some(setup)) => setup.turn,
            (None, None) => base.first_mover,
        }
    }

    fn king(&mut self, told: &pb::RuleSet, base: &Rules) -> Option<Mobility> {
        match &told.king {
            None => base.king,
            Some(pb::rule_set::King::NoKings(none)) => base.king.filter(|_| !none),
            Some(pb::rule_set::King::Kings(kings)) => self.movement(kings, base.king.as_ref(), "kings"),
        }
    }

    fn parachutist(
        &mut self,
        told: &pb::RuleSet,
        base: &Rules,
        board: &Board,
    ) -> Result<Option<Parachutist>, Fault> {
        let mobility = match &told.parachutist {
            None => base.parachutist.map(|base| base.mobility),
            Some(pb::rule_set::Parachutist::NoParachutists(none)) => {
                base.parachutist.filter(|_| !none).map(|base| base.mobility)
            }
            Some(pb::rule_set::Parachutist::Parachutists(movement)) => {
                let base = base.parachutist.map(|base| base.mobility);
                self.movement(movement, base.as_ref(), "parachutists")
            }
        };
        let base_home = base.parachutist.map_or(Zone::Nowhere, |base| base.home);
        let Some(mobility) = mobility else { return Ok(None) };
        let home = self.zone(told.parachutist_home.as_ref(), base_home, told, board, "parachutist_home")?;
        Ok(Some(Parachutist { mobility, home }))
    }

    /// How the pieces of a role move. Where base has no such role, everything must be said.
    fn movement(&mut self, told: &pb::Movement, base: Option<&Mobility>, role: &str) -> Option<Mobility> {
        let mut directions = |told: Option<&pb::Directions>, base: Option<Directions>, name: &str| {
            let field = format!("{role}.{name}");
            match told {
                Some(told) => self.directions(told, &field),
                None if base.is_none() => {
                    self.required(&field);
                    None
                }
                None => base,
            }
        };
        let steps = directions(told.steps.as_ref(), base.map(|base| base.steps), "steps");
        let first = directions(told.first_jumps.as_ref(), base.map(|base| base.first_jumps), "first_jumps");
        let later = directions(told.later_jumps.as_ref(), base.map(|base| base.later_jumps), "later_jumps");
        let range = match base {
            None => self.needed::<pb::Range>(told.range, &format!("{role}.range")),
            Some(base) => self.word::<pb::Range>(told.range, &format!("{role}.range")).or(Some(base.range)),
        };
        let prey = match base {
            None => self.needed::<pb::Prey>(told.prey, &format!("{role}.prey")),
            Some(base) => self.word::<pb::Prey>(told.prey, &format!("{role}.prey")).or(Some(base.prey)),
        };
        Some(Mobility { steps: steps?, first_jumps: first?, later_jumps: later?, range: range?, prey: prey? })
    }

    fn directions(&mut self, told: &pb::Directions, field: &str) -> Option<Directions> {
        let mut all = Directions::NONE;
        let mut is_sound = true;
        for (index, &number) in told.directions.iter().enumerate().take(MAX_PARTS) {
            let field = format!("{field}.directions[{index}]");
            match self.needed::<pb::Direction>(number, &field) {
                Some(direction) if all.contains(direction) => {
                    let field = self.at(&field);
                    self.faults.push(FieldFault::duplicate(field));
                }
                Some(direction) => all = all.and(Directions::of(&[direction])),
                None => is_sound = false,
            }
        }
        is_sound.then_some(all)
    }

    fn precedence(&mut self, told: &pb::RuleSet, base: &Rules) -> Result<[Option<Precedence>; 4], Fault> {
        let Some(told) = &told.precedence else { return Ok(base.precedence) };
        within("max_parts", MAX_PARTS, told.criteria.len())?;
        let mut precedence = [None; 4];
        for (index, &number) in told.criteria.iter().enumerate() {
            let field = format!("precedence.criteria[{index}]");
            let criterion = self.needed::<pb::Precedence>(number, &field);
            if criterion.is_some() && told.criteria[..index].contains(&number) {
                let field = self.at(&field);
                self.faults.push(FieldFault::duplicate(field));
            } else if let Some(place) = precedence.get_mut(index) {
                *place = criterion;
            }
        }
        Ok(precedence)
    }

    fn zone(
        &mut self,
        zone: Option<&pb::Zone>,
        base: Zone,
        told: &pb::RuleSet,
        board: &Board,
        name: &str,
    ) -> Result<Zone, Fault> {
        let Some(zone) = zone else {
            if told.board.is_some() && matches!(base, Zone::Squares(..)) {
                self.required(name); // its squares are those of another board
            }
            return Ok(base);
        };
        let lists = [("white_squares", &zone.white_squares), ("black_squares", &zone.black_squares)];
        let [mut white, mut black] = [SquareSet::EMPTY; 2];
        for ((list, numbers), set) in lists.into_iter().zip([&mut white, &mut black]) {
            *set = self.squares(numbers, board, &format!("{name}.{list}"))?;
        }
        let is_named = !(zone.white_squares.is_empty() && zone.black_squares.is_empty());
        match pb::ZoneKind::try_from(zone.kind) {
            Ok(pb::ZoneKind::Squares) => return Ok(Zone::Squares(white, black)),
            Ok(pb::ZoneKind::Nowhere | pb::ZoneKind::FarRow) if is_named => {
                self.mismatch(name, "has squares, which only belong to ZONE_KIND_SQUARES");
            }
            Ok(pb::ZoneKind::Nowhere) => return Ok(Zone::Nowhere),
            Ok(pb::ZoneKind::FarRow) => return Ok(Zone::FarRow),
            Ok(pb::ZoneKind::Unspecified) => self.required(&format!("{name}.kind")),
            Err(_) => {
                let field = self.at(&format!("{name}.kind"));
                self.faults.push(FieldFault::unknown(field, zone.kind));
            }
        }
        Ok(base)
    }

    fn squares(&mut self, numbers: &[u32], board: &Board, field: &str) -> Result<SquareSet, Fault> {
        within("max_path_squares", MAX_PATH_SQUARES, numbers.len())?;
        let mut set = SquareSet::EMPTY;
        for (index, &number) in numbers.iter().enumerate() {
            let field = self.at(&format!("{field}[{index}]"));
            match board.square(number) {
                None => self.faults.push(FieldFault::unknown(field, number)),
                Some(square) if set.contains(square) => self.faults.push(FieldFault::duplicate(field)),
                Some(square) => set = set.with(square),
            }
        }
        Ok(set)
    }

    fn opening(&mut self, told: &pb::RuleSet, base: &Rules, board: &Board) -> Result<Opening, Fault> {
        let Some(rule) = &told.opening else {
            if told.board.is_some() && matches!(base.opening, Opening::Removals(_)) {
                self.required("opening"); // its squares are those of another board
            }
            return Ok(base.opening);
        };
        let first = self.squares(&rule.first_removal_squares, board, "opening.first_removal_squares")?;
        match pb::Opening::try_from(rule.opening) {
            Ok(pb::Opening::Removals) => return Ok(Opening::Removals(first)),
            Ok(pb::Opening::None) if first.is_empty() => return Ok(Opening::None),
            Ok(pb::Opening::None) => {
                self.mismatch("opening", "has squares, which only belong to OPENING_REMOVALS");
            }
            Ok(pb::Opening::Unspecified) => self.required("opening.opening"),
            Err(_) => {
                let field = self.at("opening.opening");
                self.faults.push(FieldFault::unknown(field, rule.opening));
            }
        }
        Ok(base.opening)
    }

    fn draws(&mut self, told: &pb::RuleSet, base: &Rules) -> Result<&'static [DrawClause], Fault> {
        let Some(draws) = &told.draws else { return Ok(base.draws) };
        if draws.as_in == 0 {
            return Ok(&[]);
        }
        let field = self.at("draws.as_in");
        let Some(variant) = variant_number(draws.as_in, &field, &mut self.faults) else { return Ok(&[]) };
        Ok(implemented(Some(variant), &field)?.ruleset().rules().draws)
    }

    fn prints(&mut self, told: &pb::RuleSet, base: &Rules) -> Prints {
        let squares = self.word::<pb::SquareText>(told.square_text, "square_text");
        let capture_sign = match told.capture_sign.as_str() {
            "" => base.prints.capture_sign,
            "x" => 'x',
            ":" => ':',
            "-" => '-',
            _ => {
                self.mismatch("capture_sign", "is none of x, : and -");
                base.prints.capture_sign
            }
        };
        Prints { squares: squares.unwrap_or(base.prints.squares), capture_sign }
    }

    /// What contradicts itself, field by field.
    fn contradicted(&mut self, found: &[Contradiction]) -> Fault {
        for &found in found {
            let field = self.at(field_of(found));
            let description = format!("{field}: {}", words_of(found));
            self.faults.push(FieldFault { field, reason: "CONTRADICTION", description });
        }
        self.refused()
    }
}

/// Pieces of a setup, as far as the board has their squares.
fn placed(setup: &Setup, board: &Board) -> Start {
    let on_board = |claim: &Claim| Some((claim.color, claim.role, claim.place.on(board)?));
    Start::of(setup.claims.iter().filter_map(on_board))
}

/// The field that is to blame.
fn field_of(found: Contradiction) -> &'static str {
    match found {
        Contradiction::SideOutOfRange | Contradiction::TooManySquares => "board",
        Contradiction::OddWidth => "board.width",
        Contradiction::StartWithout(_) | Contradiction::OpeningOnBoardWithHoles => "start_fen",
        Contradiction::NeverMoves(role) | Contradiction::NeverBeginsToCapture(role) => match role {
            Role::Man => "man",
            Role::King => "kings",
            Role::Parachutist => "parachutists",
        },
        Contradiction::PromotionWithoutKings => "promotion",
        Contradiction::PrecedenceWithoutKings(_) | Contradiction::PrecedenceTwice(_) => "precedence",
        Contradiction::LinesOfFlyingMen => "steps",
        Contradiction::ParachutistsWithoutHome => "parachutist_home",
        Contradiction::OpeningOffPieces => "opening.first_removal_squares",
    }
}

fn words_of(found: Contradiction) -> &'static str {
    match found {
        Contradiction::SideOutOfRange => "a side has 4 to 14 squares",
        Contradiction::OddWidth => "where half of the squares play, the width is even",
        Contradiction::TooManySquares => "the board has too many squares: 128 is the most",
        Contradiction::StartWithout(Color::White) => "White begins without pieces",
        Contradiction::StartWithout(Color::Black) => "Black begins without pieces",
        Contradiction::NeverMoves(_) => "it neither steps nor jumps in any direction",
        Contradiction::NeverBeginsToCapture(_) => "it goes on capturing, but never begins to",
        Contradiction::PromotionWithoutKings => "men are promoted, and there are no kings",
        Contradiction::PrecedenceWithoutKings(_) => "a criterion is about kings, and there are none",
        Contradiction::PrecedenceTwice(_) => "a criterion stands twice",
        Contradiction::LinesOfFlyingMen => "lines of men step, and a man flies",
        Contradiction::ParachutistsWithoutHome => "parachutists have no square to wait on",
        Contradiction::OpeningOnBoardWithHoles => {
            "the opening takes pieces off a full board, and this one has holes"
        }
        Contradiction::OpeningOffPieces => {
            "the first mover has no piece of its own on some square, or none is named"
        }
    }
}
