//! From messages to the rules. Everything is checked here, once.

use super::encode::{self, Parts};
use super::fault::{Fault, FieldFault};
use super::limits::{MAX_DETAILS, MAX_PARTS, MAX_PATH_SQUARES, MAX_PIECES, MAX_PLIES, MAX_TEXT_BYTES};
use super::proto as pb;
use crate::rules::notation::{fen, move_text};
use crate::rules::{
    Budget, ChooseError, Chosen, Claim, Color, MoveClaim, Place, Position, Role, Ruleset, Setup, Square,
    SquareSet, Variant, Way, choose,
};

/// A limit of `Limits` that a request keeps.
fn within(limit: &'static str, maximum: usize, actual: usize) -> Result<(), Fault> {
    if actual <= maximum { Ok(()) } else { Err(Fault::LimitExceeded { limit, maximum, actual }) }
}

/// The position that a game is about: after all of its moves. What is wrong with other fields of the request is told
/// together with what is wrong here.
pub(super) fn game(
    game: Option<&pb::Game>,
    mut faults: Vec<FieldFault>,
    budget: &mut Budget,
) -> Result<Position<'static>, Fault> {
    let Some(game) = game else {
        faults.push(FieldFault::required("game"));
        return Err(Fault::InvalidFields(faults));
    };
    let mut position = before_moves(game, faults)?;
    within("max_plies", MAX_PLIES, game.moves.len())?;
    for (index, input) in game.moves.iter().enumerate() {
        let chosen = self::chosen(&position, Some(input), &format!("game.moves[{index}]"), budget)
            .map_err(|fault| with_ply(fault, index))?;
        position = position.play(chosen.get());
    }
    Ok(position)
}

/// An illegal move within a game says which one it is.
fn with_ply(mut fault: Fault, index: usize) -> Fault {
    if let Fault::IllegalMove { illegal, .. } | Fault::AmbiguousMove { illegal, .. } = &mut fault {
        illegal.ply = u32::try_from(index + 1).ok();
    }
    fault
}

/// The position that the moves of a game begin from.
fn before_moves(game: &pb::Game, mut faults: Vec<FieldFault>) -> Result<Position<'static>, Fault> {
    let variant = match game.rules {
        Some(pb::game::Rules::Variant(number)) => variant_number(number, "game.variant", &mut faults),
        None => {
            faults.push(FieldFault::required("game.variant"));
            None
        }
    };
    if pb::DrawPolicy::try_from(game.draw_policy).is_err() {
        faults.push(FieldFault::unknown("game.draw_policy", game.draw_policy));
    }
    let setup = match &game.position {
        None => None,
        Some(position) => claimed(position, &mut faults)?,
    };
    if !faults.is_empty() {
        return Err(Fault::InvalidFields(faults));
    }
    if game.draw_state.is_some() {
        return Err(Fault::NotImplemented { field: "game.draw_state".to_owned() });
    }
    let ruleset = implemented(variant, "game.variant")?.ruleset();
    match setup {
        None => Ok(Position::start(ruleset)),
        Some((setup, fields)) => valid(ruleset, &setup, &fields),
    }
}

/// The variant of a request that names nothing else.
pub(super) fn variant(number: i32) -> Result<Variant, Fault> {
    let mut faults = Vec::new();
    let variant = variant_number(number, "variant", &mut faults);
    if faults.is_empty() { implemented(variant, "variant") } else { Err(Fault::InvalidFields(faults)) }
}

fn variant_number(number: i32, field: &str, faults: &mut Vec<FieldFault>) -> Option<pb::Variant> {
    match pb::Variant::try_from(number) {
        Ok(pb::Variant::Unspecified) => faults.push(FieldFault::required(field)),
        Ok(variant) => return Some(variant),
        Err(_) => faults.push(FieldFault::unknown(field, number)),
    }
    None
}

fn implemented(variant: Option<pb::Variant>, field: &str) -> Result<Variant, Fault> {
    let known = variant.and_then(|variant| Variant::from_number(variant as i32));
    known.ok_or_else(|| Fault::NotImplemented { field: field.to_owned() })
}

/// Where in the request each claimed piece stands.
enum Fields {
    Fen,
    /// For each claim the index of its group and its index there.
    Placement(Vec<(usize, usize)>),
}

impl Fields {
    fn path(&self, claim: Option<usize>) -> String {
        match (self, claim) {
            (Fields::Fen, _) => "game.position.fen".to_owned(),
            (Fields::Placement(places), Some(claim)) => {
                let (group, index) = places.get(claim).copied().unwrap_or_default();
                format!("game.position.placement.pieces[{group}].squares[{index}]")
            }
            (Fields::Placement(_), None) => "game.position.placement".to_owned(),
        }
    }
}

fn claimed(position: &pb::Position, faults: &mut Vec<FieldFault>) -> Result<Option<(Setup, Fields)>, Fault> {
    match &position.form {
        None => {
            faults.push(FieldFault::required("game.position"));
            Ok(None)
        }
        Some(pb::position::Form::Fen(text)) => {
            within("max_text_bytes", MAX_TEXT_BYTES, text.len())?;
            let field = "game.position.fen".to_owned();
            let setup = fen::parse(text).map_err(|error| Fault::MalformedFen { field, error })?;
            Ok(Some((setup, Fields::Fen)))
        }
        Some(pb::position::Form::Placement(placement)) => placed(placement, faults),
    }
}

fn placed(placement: &pb::Placement, faults: &mut Vec<FieldFault>) -> Result<Option<(Setup, Fields)>, Fault> {
    let path = "game.position.placement";
    within("max_pieces", MAX_PIECES, placement.pieces.len())?;
    within("max_pieces", MAX_PIECES, placement.pieces.iter().map(|pieces| pieces.squares.len()).sum())?;
    let turn = color(placement.turn, || format!("{path}.turn"), faults);
    let mut claims = Vec::new();
    let mut fields = Vec::new();
    for (group, pieces) in placement.pieces.iter().enumerate() {
        let color = color(pieces.color, || format!("{path}.pieces[{group}].color"), faults);
        let role = role(pieces.role, || format!("{path}.pieces[{group}].role"), faults);
        let (Some(color), Some(role)) = (color, role) else { continue };
        for (index, &number) in pieces.squares.iter().enumerate() {
            claims.push(Claim { color, role, place: Place::Number(number) });
            fields.push((group, index));
        }
    }
    Ok(turn.map(|turn| (Setup { turn, claims }, Fields::Placement(fields))))
}

fn color(number: i32, field: impl FnOnce() -> String, faults: &mut Vec<FieldFault>) -> Option<Color> {
    match pb::Color::try_from(number) {
        Ok(pb::Color::White) => return Some(Color::White),
        Ok(pb::Color::Black) => return Some(Color::Black),
        Ok(pb::Color::Unspecified) => faults.push(FieldFault::required(field())),
        Err(_) => faults.push(FieldFault::unknown(field(), number)),
    }
    None
}

fn role(number: i32, field: impl FnOnce() -> String, faults: &mut Vec<FieldFault>) -> Option<Role> {
    match pb::Role::try_from(number) {
        Ok(pb::Role::Man) => return Some(Role::Man),
        Ok(pb::Role::King) => return Some(Role::King),
        Ok(pb::Role::Parachutist) => return Some(Role::Parachutist),
        Ok(pb::Role::Unspecified) => faults.push(FieldFault::required(field())),
        Err(_) => faults.push(FieldFault::unknown(field(), number)),
    }
    None
}

fn valid(ruleset: &'static Ruleset, setup: &Setup, fields: &Fields) -> Result<Position<'static>, Fault> {
    Position::new(ruleset, setup).map_err(|error| {
        let violations = error.violations.iter().take(MAX_DETAILS);
        let encoded = violations
            .map(|violation| encode::violation(ruleset, setup, *violation, fields.path(violation.claim)));
        Fault::InvalidPosition { violations: encoded.collect(), count: error.violations.len() }
    })
}

/// A move that the request must have.
pub(super) fn require_move(input: Option<&pb::MoveInput>, field: &str, faults: &mut Vec<FieldFault>) {
    if input.and_then(|input| input.form.as_ref()).is_none() {
        faults.push(FieldFault::required(field));
    }
}

/// The legal move that an input means.
pub(super) fn chosen(
    position: &Position,
    input: Option<&pb::MoveInput>,
    path: &str,
    budget: &mut Budget,
) -> Result<Chosen, Fault> {
    let form = input.and_then(|input| input.form.as_ref());
    let required = |field: String| Fault::InvalidFields(vec![FieldFault::required(field)]);
    let (claim, field) = match form.ok_or_else(|| required(path.to_owned()))? {
        pb::move_input::Form::Move(listed) => {
            let field = format!("{path}.move");
            (listed_claim(position.ruleset(), listed, &field)?, field)
        }
        pb::move_input::Form::Text(text) => {
            let field = format!("{path}.text");
            (text_claim(position.ruleset(), text, &field)?, field)
        }
        pb::move_input::Form::Path(squares) => {
            let field = format!("{path}.path.squares");
            let squares = self::squares(position.ruleset(), &squares.squares, &field)?;
            (MoveClaim::along(&squares).ok_or_else(|| required(field.clone()))?, field)
        }
    };
    choose(position, &claim, budget).map_err(|error| refused(position, error, field))
}

fn listed_claim(ruleset: &Ruleset, listed: &pb::Move, field: &str) -> Result<MoveClaim, Fault> {
    let to = listed.to_square.map(|to| square(ruleset, to, || format!("{field}.to_square"))).transpose()?;
    let captured = squares(ruleset, &listed.captured, &format!("{field}.captured"))?;
    let mut landings = squares(ruleset, &listed.landings, &format!("{field}.landings"))?;
    let way = match landings.pop() {
        None => Way::Through(Vec::new()),
        Some(last) if Some(last) == to => Way::Exactly(landings),
        Some(_) => {
            let fault = FieldFault {
                description: format!("{field}.landings must end at {field}.to_square"),
                reason: "MISMATCH",
                field: format!("{field}.landings"),
            };
            return Err(Fault::InvalidFields(vec![fault]));
        }
    };
    Ok(MoveClaim {
        from: square(ruleset, listed.from_square, || format!("{field}.from_square"))?,
        to,
        way,
        captured: (!captured.is_empty()).then(|| captured.into_iter().collect::<SquareSet>()),
        is_capture: false,
    })
}

fn text_claim(ruleset: &Ruleset, text: &str, field: &str) -> Result<MoveClaim, Fault> {
    within("max_text_bytes", MAX_TEXT_BYTES, text.len())?;
    let parsed =
        move_text::parse(text).map_err(|error| Fault::MalformedMove { field: field.to_owned(), error })?;
    within("max_path_squares", MAX_PATH_SQUARES, parsed.places.len())?;
    parsed.on(ruleset).map_err(|place| no_such_square(field.to_owned(), place))
}

fn no_such_square(field: String, place: Place) -> Fault {
    Fault::NoSuchSquare { field, square: place.to_string() }
}

fn square(ruleset: &Ruleset, number: u32, field: impl FnOnce() -> String) -> Result<Square, Fault> {
    ruleset.board().square(number).ok_or_else(|| no_such_square(field(), Place::Number(number)))
}

/// The squares of a path.
pub(super) fn squares(ruleset: &Ruleset, numbers: &[u32], field: &str) -> Result<Vec<Square>, Fault> {
    within("max_path_squares", MAX_PATH_SQUARES, numbers.len())?;
    let numbered = numbers.iter().enumerate();
    numbered.map(|(index, &number)| square(ruleset, number, || format!("{field}[{index}]"))).collect()
}

fn refused(position: &Position, error: ChooseError, field: String) -> Fault {
    match error {
        ChooseError::TooComplex(_) => Fault::TooComplex,
        ChooseError::Illegal(illegal) => {
            Fault::IllegalMove { field, illegal: Box::new(encode::illegal(position, &illegal)) }
        }
        ChooseError::Ambiguous { candidates, legal_move_count } => Fault::AmbiguousMove {
            field,
            matches: candidates.len(),
            illegal: Box::new(encode::ambiguous(position, &candidates, legal_move_count)),
        },
    }
}

/// The parts that a request names.
pub(super) fn parts(numbers: &[i32], field: &str, faults: &mut Vec<FieldFault>) -> Result<Parts, Fault> {
    within("max_parts", MAX_PARTS, numbers.len())?;
    let mut parts = Parts::default();
    for (index, &number) in numbers.iter().enumerate() {
        match pb::MovePart::try_from(number) {
            Ok(pb::MovePart::Notation) => parts.notation = true,
            Ok(pb::MovePart::Landings) => parts.landings = true,
            Ok(pb::MovePart::Paths) => parts.paths = true,
            Ok(pb::MovePart::PositionAfter) => parts.position_after = true,
            Ok(pb::MovePart::Unspecified) | Err(_) => {
                faults.push(FieldFault::unknown(format!("{field}[{index}]"), number));
            }
        }
    }
    Ok(parts)
}
