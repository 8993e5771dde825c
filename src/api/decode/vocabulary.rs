//! The words of a rule set: each enum of the messages as that of the rules.

use crate::api::proto as pb;
use crate::rules::row::{
    Headings, Landing, NoMove, Obligation, Precedence, Prey, PromotionInCapture, Range, Removal, SquareText,
    Steps, Stopping, Turning,
};
use crate::rules::{Direction, Lines, Numbering, Playing};

/// An enum of the messages with its counterpart in the rules.
pub(super) trait Word: TryFrom<i32> {
    type Meaning;
    /// What it means; the absent value means nothing.
    fn meaning(self) -> Option<Self::Meaning>;
}

/// Gives each value of an enum its counterpart, which has the same name.
macro_rules! words {
    ($($word:ident: $($value:ident)*;)*) => {$(
        impl Word for pb::$word {
            type Meaning = $word;

            fn meaning(self) -> Option<$word> {
                match self {
                    pb::$word::Unspecified => None,
                    $(pb::$word::$value => Some($word::$value),)*
                }
            }
        }
    )*};
}

words! {
    Direction: North NorthEast East SouthEast South SouthWest West NorthWest;
    Headings: Apart BothUp;
    Landing: Any WhereItGoesOn DirectlyBehind;
    Lines: Eight DiagonalsLikeA1;
    NoMove: Loses Wins;
    Numbering: FromUpperLeft FromLowerRight;
    Obligation: MustCapture MayCapture;
    Playing: All LikeA1 UnlikeA1;
    Precedence: MostPieces WithKing MostKings KingEarliest;
    Prey: Any NoKings;
    PromotionInCapture: Stop Pass GoOnAsKing;
    Range: Short Flying;
    Removal: AtEnd AtOnce;
    SquareText: Numbers Names;
    Steps: Single Lines;
    Stopping: NotWhileItGoesOn AtWill;
    Turning: Free NotBack Never;
}
