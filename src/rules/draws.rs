//! Draw clauses: when a game is a draw, or may be claimed to be one. They never change what is legal.

use super::position::Position;
use super::square::{Color, Role};

/// One clause of a profile: what it counts, how far, and who says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawClause {
    /// Its name in the rules note, for example `F2`. Unique within a profile.
    pub id: &'static str,
    /// One sentence for people.
    pub summary: &'static str,
    /// What is counted.
    pub counts: Counts,
    /// The count at which it is a draw.
    pub limit: u16,
    /// Whether the draw comes by itself.
    pub effect: Effect,
    /// The article of its source.
    pub article: &'static str,
    /// How well the source is known.
    pub certainty: Certainty,
}

/// What a clause counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// How often the position has occurred, with the same side to move.
    Occurrences,
    /// Plies since counting began; the ply with which it begins is ply 0.
    Plies(PlyCount),
}

/// When plies are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlyCount {
    /// Counting begins when this is on the board.
    pub pattern: Pattern,
    /// What the end of the pattern does.
    pub persistence: Persistence,
    /// Which moves restart it while the pattern is on the board.
    pub restart: Restart,
    /// Whose ply it starts with.
    pub start: CountStart,
    /// The clause, earlier in the profile, that takes its place: while that one counts, this one does not.
    pub yields_to: Option<&'static str>,
}

/// What must be on the board, either color being the stronger side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Anything.
    Anything,
    /// One side has a king and nothing else, the other so many kings and men.
    LoneKing {
        /// The kings of the stronger side.
        kings: Span,
        /// Its men.
        men: Span,
        /// All its pieces.
        pieces: Span,
        /// Who must hold the main road.
        road: Road,
    },
    /// Both sides have a king; so many pieces are on the board.
    KingsOnBothSides {
        /// All pieces of both sides.
        pieces: Span,
        /// The most pieces that one side may have.
        each_at_most: u8,
    },
    /// Each side has one piece.
    OneEach,
    /// Each side has one piece, a king, and the side to move cannot capture.
    OneQuietKingEach,
}

/// How many: from the first number to the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span(pub u8, pub u8);

impl Span {
    fn contains(self, count: usize) -> bool {
        (usize::from(self.0)..=usize::from(self.1)).contains(&count)
    }
}

/// Who holds the main road, the diagonal from corner to corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Road {
    /// No matter.
    Any,
    /// The lone king, and no other piece stands on it.
    LoneKingAlone,
    /// A king of the stronger side.
    Stronger,
}

/// What the end of a pattern does to the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// Stops it.
    WhileItHolds,
    /// Nothing: once started, it goes on for good.
    ForGood,
}

/// After which moves counting begins anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    /// None.
    Never,
    /// Captures.
    Capture,
    /// Captures and promotions.
    CaptureOrPromotion,
    /// Captures and moves of men, promotions included.
    CaptureOrManMove,
}

/// Whose ply counting begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountStart {
    /// Anyone's: it starts at 0.
    Zero,
    /// The weaker side's: if the stronger side is to move, it starts at 1, so that an even limit is reached by a move of
    /// the stronger side.
    WeakerSideFirst,
}

/// Whether a draw comes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It does.
    Automatic,
    /// A player has to claim it.
    Claim,
    /// A player has to claim it, and may do so before the move that would complete it.
    ClaimBeforeMove,
}

/// How well the source of a clause is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// The text of a federation says so.
    Sure,
    /// Several secondary sources agree, or the text leaves a detail open.
    Likely,
    /// A borrowed clause, a house rule, or a text that can be read in two ways.
    Uncertain,
}

impl Pattern {
    /// The side that is stronger in this pattern, if the pattern is on the board; White where both are alike.
    pub(super) fn stronger_side(&self, position: &Position) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.is_met_by(position, color))
    }

    /// Whether it may have been on the board before: pieces only become fewer, so not while there are more than it allows.
    pub(super) fn may_have_held_before(&self, position: &Position) -> bool {
        let most = match self {
            Pattern::Anything => return true,
            Pattern::LoneKing { pieces, .. } => 1 + usize::from(pieces.1),
            Pattern::KingsOnBothSides { pieces, .. } => usize::from(pieces.1),
            Pattern::OneEach | Pattern::OneQuietKingEach => 2,
        };
        count(position, Color::White, &Role::ALL) + count(position, Color::Black, &Role::ALL) <= most
    }

    fn is_met_by(&self, position: &Position, stronger: Color) -> bool {
        let weaker = stronger.other();
        let pieces_of = |color| count(position, color, &Role::ALL);
        let kings_of = |color| count(position, color, &[Role::King]);
        let has_one_king = |color| pieces_of(color) == 1 && kings_of(color) == 1;
        match self {
            Pattern::Anything => true,
            Pattern::LoneKing { kings, men, pieces, road } => {
                has_one_king(weaker)
                    && kings.contains(kings_of(stronger))
                    && men.contains(count(position, stronger, &[Role::Man]))
                    && pieces.contains(pieces_of(stronger))
                    && road.is_held(position, stronger)
            }
            Pattern::KingsOnBothSides { pieces, each_at_most } => {
                let most = usize::from(*each_at_most);
                kings_of(stronger) > 0
                    && kings_of(weaker) > 0
                    && pieces.contains(pieces_of(stronger) + pieces_of(weaker))
                    && pieces_of(stronger) <= most
                    && pieces_of(weaker) <= most
            }
            Pattern::OneEach => pieces_of(stronger) == 1 && pieces_of(weaker) == 1,
            Pattern::OneQuietKingEach => {
                has_one_king(stronger) && has_one_king(weaker) && !position.can_capture()
            }
        }
    }
}

impl Road {
    fn is_held(self, position: &Position, stronger: Color) -> bool {
        let road = position.ruleset().board().main_road();
        let on_road = |color, role| position.squares(color, role).only(road).len();
        match self {
            Road::Any => true,
            Road::LoneKingAlone => {
                let strangers = Role::ALL.into_iter().map(|role| on_road(stronger, role)).sum::<usize>();
                on_road(stronger.other(), Role::King) == 1 && strangers == 0
            }
            Road::Stronger => on_road(stronger, Role::King) > 0,
        }
    }
}

fn count(position: &Position, color: Color, roles: &[Role]) -> usize {
    roles.iter().map(|&role| position.squares(color, role).len()).sum()
}
