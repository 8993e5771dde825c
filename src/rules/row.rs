//! The vocabulary of the table of rules: what a row can say. Cases name mechanisms, never variants.

use super::board::{Board, BoardFacts};
use super::draws::DrawClause;
use super::square::{Color, Directions, Role, Square, SquareSet};

/// One row of the table: every fact about how a variant is played. A value of it is all that the engine needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The board.
    pub board: BoardFacts,
    /// The start position.
    pub start: Start,
    /// The side that begins.
    pub first_mover: Color,
    /// Where each side's men head.
    pub heading: Headings,
    /// How men move.
    pub man: Mobility,
    /// How kings move, if there are any.
    pub king: Option<Mobility>,
    /// How parachutists move, if there are any.
    pub parachutist: Option<Parachutist>,
    /// Whether capturing is compulsory.
    pub obligation: Obligation,
    /// Which captures are preferred: the first criterion that tells two captures apart decides.
    pub precedence: [Option<Precedence>; 4],
    /// When captured pieces leave the board.
    pub removal: Removal,
    /// Where a flying piece lands.
    pub landing: Landing,
    /// How a capture may turn.
    pub turning: Turning,
    /// Whether a capture may stop early.
    pub stopping: Stopping,
    /// Where men are promoted.
    pub promotion: Zone,
    /// What happens on a promotion square during a capture.
    pub promotion_in_capture: PromotionInCapture,
    /// From which squares men make no step.
    pub no_step_from: Zone,
    /// What moves without capturing.
    pub steps: Steps,
    /// How the game begins.
    pub opening: Opening,
    /// What it means that the side to move has no legal move.
    pub no_move: NoMove,
    /// When the game is a draw, or may be claimed to be one.
    pub draws: &'static [DrawClause],
    /// How moves are written.
    pub prints: Prints,
}

impl Rules {
    /// How the pieces of a role move, if the variant has that role.
    #[must_use]
    pub const fn mobility(&self, role: Role) -> Option<&Mobility> {
        match role {
            Role::Man => Some(&self.man),
            Role::King => self.king.as_ref(),
            Role::Parachutist => match &self.parachutist {
                Some(parachutist) => Some(&parachutist.mobility),
                None => None,
            },
        }
    }
}

/// How the pieces of a role move. Directions are those of a side that heads up; for one that heads down they are
/// turned upside down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// Where it steps.
    pub steps: Directions,
    /// Where it begins a capture.
    pub first_jumps: Directions,
    /// Where it goes on capturing.
    pub later_jumps: Directions,
    /// How far it steps and from how far it jumps.
    pub range: Range,
    /// What it may capture.
    pub prey: Prey,
}

/// The third role: pieces that make one move and become men by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parachutist {
    /// How it moves.
    pub mobility: Mobility,
    /// Where it waits; it stands nowhere else.
    pub home: Zone,
}

/// How far a piece moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// One step; a jump goes over a neighbor and lands directly behind it.
    Short,
    /// Any distance over empty squares.
    Flying,
}

/// What a piece may capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prey {
    /// Every enemy piece.
    Any,
    /// Every enemy piece but a king.
    NoKings,
}

/// Whether a side that can capture must.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obligation {
    /// No step is legal while a capture is.
    MustCapture,
    /// Steps and captures are both legal.
    MayCapture,
}

/// A criterion by which one capture is preferred to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precedence {
    /// More captured pieces.
    MostPieces,
    /// Made by a king.
    WithKing,
    /// More captured kings.
    MostKings,
    /// Meets a king earlier.
    KingEarliest,
}

/// When captured pieces leave the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// When the move is over; until then they are in the way and may not be jumped again.
    AtEnd,
    /// As each is jumped.
    AtOnce,
}

/// Where a flying piece lands behind the piece it jumped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any empty square of the line.
    Any,
    /// On any, but if the capture goes on from some of them, on one of those.
    WhereItGoesOn,
    /// On the first square.
    DirectlyBehind,
}

/// In which directions a capture may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
    /// In any.
    Free,
    /// In any but straight back.
    NotBack,
    /// Straight on.
    Never,
}

/// Whether a capture that can go on may stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopping {
    /// No.
    NotWhileItGoesOn,
    /// On every landing square.
    AtWill,
}

/// What a man does that lands on a promotion square during a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromotionInCapture {
    /// It is promoted and the move ends.
    Stop,
    /// It goes on as a man if it can, and is promoted only where the move ends.
    Pass,
    /// It is promoted at once and goes on as a king if it can.
    GoOnAsKing,
}

/// What moves without capturing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// One piece.
    Single,
    /// One piece, or an unbroken line of men one square along itself: its rear man goes to the empty square in front.
    Lines,
}

/// How the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opening {
    /// With an ordinary move.
    None,
    /// Each side takes a piece of its own off the full board: the first mover from one of these squares, the other
    /// side from a square next to the hole.
    Removals(SquareSet),
}

/// What it means that the side to move has no legal move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// It loses.
    Loses,
    /// It wins.
    Wins,
}

/// Where the men of one side head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heading {
    /// To higher ranks.
    Up,
    /// To lower ranks.
    Down,
}

/// Where each side's men head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Headings {
    /// White's up, Black's down.
    Apart,
    /// Both up.
    BothUp,
}

impl Headings {
    /// Where this side's men head.
    #[must_use]
    pub const fn of(self, color: Color) -> Heading {
        match (self, color) {
            (Headings::Apart | Headings::BothUp, Color::White) | (Headings::BothUp, Color::Black) => {
                Heading::Up
            }
            (Headings::Apart, Color::Black) => Heading::Down,
        }
    }
}

/// Some squares for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// None.
    Nowhere,
    /// The last row in the direction in which the side's men head.
    FarRow,
    /// These for White and these for Black.
    Squares(SquareSet, SquareSet),
}

impl Zone {
    /// The squares for one side.
    #[must_use]
    pub const fn squares(self, board: &Board, headings: Headings, color: Color) -> SquareSet {
        match (self, color) {
            (Zone::Nowhere, _) => SquareSet::EMPTY,
            (Zone::FarRow, _) => match headings.of(color) {
                Heading::Up => board.row_set(board.facts().height - 1),
                Heading::Down => board.row_set(0),
            },
            (Zone::Squares(white, _), Color::White) => white,
            (Zone::Squares(_, black), Color::Black) => black,
        }
    }
}

/// How the variant's squares are written by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareText {
    /// By number.
    Numbers,
    /// By name.
    Names,
}

/// How moves are written by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prints {
    /// How squares are written.
    pub squares: SquareText,
    /// The sign between the squares of a capture.
    pub capture_sign: char,
}

/// A start position: the squares of each color's pieces by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    pub(super) pieces: [[SquareSet; 3]; 2],
}

impl Start {
    /// Reads a picture: a line a rank from the highest, `w` and `b` men, `p` and `q` white and black parachutists,
    /// `.` an empty playing square, a space or `-` a square that does not play; other spaces do not count.
    ///
    /// # Panics
    /// If the picture does not fit the board. In constants this is a compile error.
    #[must_use]
    #[allow(clippy::panic)] // when it compiles
    pub const fn picture<const RANKS: usize>(facts: BoardFacts, picture: [&str; RANKS]) -> Start {
        let board = Board::new(facts);
        assert!(RANKS == facts.height as usize);
        let mut pieces = [[SquareSet::EMPTY; 3]; 2];
        let mut line = 0;
        while line < RANKS {
            let rank = picture[line].as_bytes();
            assert!(rank.len() == facts.width as usize);
            let mut column = 0;
            while column < rank.len() {
                match (board.square_at(column as u8, (RANKS - 1 - line) as u8), rank[column]) {
                    (None, b'-') | (Some(_), b'.') => {}
                    (Some(square), b'w') => pieces[0][0] = pieces[0][0].with(square),
                    (Some(square), b'b') => pieces[1][0] = pieces[1][0].with(square),
                    (Some(square), b'p') => pieces[0][2] = pieces[0][2].with(square),
                    (Some(square), b'q') => pieces[1][2] = pieces[1][2].with(square),
                    _ => panic!("this character does not fit this square"),
                }
                column += 1;
            }
            line += 1;
        }
        Start { pieces }
    }

    /// The start with these pieces.
    #[must_use]
    pub fn of(pieces: impl IntoIterator<Item = (Color, Role, Square)>) -> Start {
        let mut start = Start { pieces: [[SquareSet::EMPTY; 3]; 2] };
        for (color, role, square) in pieces {
            let set = &mut start.pieces[color as usize][role as usize];
            *set = set.with(square);
        }
        start
    }

    /// The squares of a side's pieces of one role.
    #[must_use]
    pub const fn squares(&self, color: Color, role: Role) -> SquareSet {
        self.pieces[color as usize][role as usize]
    }
}

/// The set of named squares of a board.
///
/// # Panics
/// If a name is no playing square. In constants this is a compile error.
#[must_use]
#[allow(clippy::panic)] // when it compiles
pub const fn named(facts: BoardFacts, names: &[&str]) -> SquareSet {
    let board = Board::new(facts);
    let mut set = SquareSet::EMPTY;
    let mut i = 0;
    while i < names.len() {
        let [file, rank] = *names[i].as_bytes() else { panic!("a name is a letter and a digit") };
        match board.square_at(file - b'a', rank - b'1') {
            Some(square) => set = set.with(square),
            None => panic!("no such square"),
        }
        i += 1;
    }
    set
}
