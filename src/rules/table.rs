//! The table of rules: one row a variant, every field stated, every rule with its source.
//!
//! Sources are named as in the project's rules note: BK-n is BrainKing's rule page n, BK-tab the table printed on those
//! pages; WCDF, FMJD, FMJD64, FID are the federations' rules by article; PDN is the notation standard. Rows are in the
//! order of the enum, or the crate does not compile.

use super::board::{BoardFacts, Lines, Numbering, Playing};
use super::row::{
    Headings, Landing, Mobility, NoMove, Obligation, Opening, Precedence, Prey, Prints, PromotionInCapture,
    Range, Removal, Rules, SquareText, Start, Steps, Stopping, Turning, Zone,
};
use super::ruleset::Ruleset;
use super::square::{Color, Direction, Directions};
use super::variant::{About, Variant};

/// A row and what there is to say about it.
pub(super) struct Entry {
    pub(super) variant: Variant,
    pub(super) about: About,
    pub(super) rules: Rules,
}

const FORWARD_DIAGONALS: Directions = Directions::of(&[Direction::NorthEast, Direction::NorthWest]);
const DIAGONALS: Directions = FORWARD_DIAGONALS.and(FORWARD_DIAGONALS.upside_down());

/// Steps and captures diagonally forward.
const FORWARD_MAN: Mobility = Mobility {
    steps: FORWARD_DIAGONALS,
    first_jumps: FORWARD_DIAGONALS,
    later_jumps: FORWARD_DIAGONALS,
    range: Range::Short,
    prey: Prey::Any,
};
/// Steps diagonally forward, captures in all four diagonals.
const ALL_ROUND_MAN: Mobility = Mobility {
    steps: FORWARD_DIAGONALS,
    first_jumps: DIAGONALS,
    later_jumps: DIAGONALS,
    range: Range::Short,
    prey: Prey::Any,
};
/// One step in the four diagonals.
const SHORT_KING: Mobility = Mobility {
    steps: DIAGONALS,
    first_jumps: DIAGONALS,
    later_jumps: DIAGONALS,
    range: Range::Short,
    prey: Prey::Any,
};
/// Any distance in the four diagonals.
const FLYING_KING: Mobility = Mobility {
    steps: DIAGONALS,
    first_jumps: DIAGONALS,
    later_jumps: DIAGONALS,
    range: Range::Flying,
    prey: Prey::Any,
};

const FREE_CHOICE: [Option<Precedence>; 4] = [None; 4];
const MOST_PIECES: [Option<Precedence>; 4] = [Some(Precedence::MostPieces), None, None, None];

const NUMBERS: Prints = Prints { squares: SquareText::Numbers, capture_sign: 'x' };

/// 8×8, the squares like a1 play, 1 = b8.
const DARK_8X8: BoardFacts = BoardFacts {
    width: 8,
    height: 8,
    playing: Playing::LikeA1,
    lines: Lines::Eight,
    numbering: Numbering::FromUpperLeft,
};
/// 8×8, the squares unlike a1 play, 1 = a8.
const MIRRORED_8X8: BoardFacts = BoardFacts { playing: Playing::UnlikeA1, ..DARK_8X8 };
const DARK_10X10: BoardFacts = BoardFacts { width: 10, height: 10, ..DARK_8X8 };
const DARK_12X12: BoardFacts = BoardFacts { width: 12, height: 12, ..DARK_8X8 };

/// Three rows of men each.
const TWELVE_EACH: Start = Start::picture(
    DARK_8X8,
    [
        "-b-b-b-b", //
        "b-b-b-b-", "-b-b-b-b", ".-.-.-.-", "-.-.-.-.", "w-w-w-w-", "-w-w-w-w", "w-w-w-w-",
    ],
);

/// The rows.
pub(super) const TABLE: [Entry; Variant::ALL.len()] = [
    Entry {
        variant: Variant::Checkers,
        about: About {
            number: 1,
            name: "Checkers",
            aliases: &["American checkers", "English draughts", "Draughts"],
            summary: "8×8, men capture forward, short kings, any capture",
            pdn_game_type: Some("21,B,8,8,N1,0"), // PDN
        },
        rules: Rules {
            board: DARK_8X8,                                // BK-7, WCDF 1.4; PDN 21
            start: TWELVE_EACH,                             // BK-7
            first_mover: Color::Black,                      // rules 2.6; WCDF, PDN
            heading: Headings::Apart,                       // BK-7
            man: FORWARD_MAN,                               // BK-7, WCDF 1.18
            king: Some(SHORT_KING),                         // BK-7
            parachutist: None,                              // BK-7
            obligation: Obligation::MustCapture,            // BK-7, WCDF 1.20
            precedence: FREE_CHOICE,                        // BK-7, BK-tab, WCDF 1.20
            removal: Removal::AtEnd,                        // immaterial: rules 2.3
            landing: Landing::DirectlyBehind,               // BK-7
            turning: Turning::Free,                         // rules 3.1 item 6
            stopping: Stopping::NotWhileItGoesOn,           // BK-7, WCDF 1.20
            promotion: Zone::FarRow,                        // rules 3.1 item 7
            promotion_in_capture: PromotionInCapture::Stop, // BK-F1, WCDF 1.19
            no_step_from: Zone::Nowhere,                    // BK-7
            steps: Steps::Single,                           // BK-7
            opening: Opening::None,                         // BK-7
            no_move: NoMove::Loses,                         // BK-7
            prints: NUMBERS,                                // PDN 21
        },
    },
    Entry {
        variant: Variant::International,
        about: About {
            number: 11,
            name: "International",
            aliases: &["International draughts", "Polish draughts"],
            summary: "10×10, men capture in all diagonals, flying kings, most pieces",
            pdn_game_type: Some("20,W,10,10,N2,0"), // PDN
        },
        rules: Rules {
            board: DARK_10X10, // BK-115, PDN 20, FMJD
            start: Start::picture(
                DARK_10X10, // BK-115, FMJD
                [
                    "-b-b-b-b-b",
                    "b-b-b-b-b-",
                    "-b-b-b-b-b",
                    "b-b-b-b-b-",
                    "-.-.-.-.-.",
                    ".-.-.-.-.-",
                    "-w-w-w-w-w",
                    "w-w-w-w-w-",
                    "-w-w-w-w-w",
                    "w-w-w-w-w-",
                ],
            ),
            first_mover: Color::White,                      // FMJD
            heading: Headings::Apart,                       // BK-115
            man: ALL_ROUND_MAN,                             // BK-115
            king: Some(FLYING_KING),                        // BK-115, FMJD 4.3
            parachutist: None,                              // BK-115
            obligation: Obligation::MustCapture,            // BK-115
            precedence: MOST_PIECES,                        // BK-115, BK-tab, FMJD 4.13, 4.14
            removal: Removal::AtEnd,                        // BK-115, BK-F2, FMJD 4.8
            landing: Landing::Any,                          // BK-115, FMJD 4.3
            turning: Turning::Free,                         // FMJD 4.11
            stopping: Stopping::NotWhileItGoesOn,           // BK-115
            promotion: Zone::FarRow,                        // BK-115, FMJD 4.15
            promotion_in_capture: PromotionInCapture::Pass, // BK-115, FMJD 4.15
            no_step_from: Zone::Nowhere,                    // BK-115
            steps: Steps::Single,                           // BK-115
            opening: Opening::None,                         // BK-115
            no_move: NoMove::Loses,                         // BK-F2, FMJD 7.2.2
            prints: NUMBERS,                                // PDN 20
        },
    },
    Entry {
        variant: Variant::Russian,
        about: About {
            number: 12,
            name: "Russian",
            aliases: &["Russian draughts", "Shashki"],
            summary: "8×8, men capture in all diagonals and go on as kings, flying kings, any capture",
            pdn_game_type: Some("25,W,8,8,A0,0"), // PDN
        },
        rules: Rules {
            board: DARK_8X8,                                                  // PDN 25
            start: TWELVE_EACH,                                               // BK-117
            first_mover: Color::White,                                        // FMJD64
            heading: Headings::Apart,                                         // BK-117
            man: ALL_ROUND_MAN,                                               // BK-117
            king: Some(FLYING_KING),                                          // BK-117
            parachutist: None,                                                // BK-117
            obligation: Obligation::MustCapture,                              // BK-117
            precedence: FREE_CHOICE,                                          // BK-117, FMJD64 4.13
            removal: Removal::AtEnd,                                          // BK-117 by BK-115
            landing: Landing::WhereItGoesOn,                                  // rules 2.2; FMJD64 4.6
            turning: Turning::Free,                                           // BK-117 by BK-115
            stopping: Stopping::NotWhileItGoesOn,                             // BK-117
            promotion: Zone::FarRow,                                          // BK-117
            promotion_in_capture: PromotionInCapture::GoOnAsKing, // BK-117, BK-tab, BK-F1, FMJD64 4.14
            no_step_from: Zone::Nowhere,                          // BK-117
            steps: Steps::Single,                                 // BK-117
            opening: Opening::None,                               // BK-117
            no_move: NoMove::Loses,                               // rules 3.12 item 8
            prints: Prints { squares: SquareText::Names, capture_sign: ':' }, // PDN 25
        },
    },
    Entry {
        variant: Variant::Canadian,
        about: About {
            number: 13,
            name: "Canadian",
            aliases: &["Canadian checkers", "Canadian draughts"],
            summary: "12×12, otherwise as International",
            pdn_game_type: Some("27,W,12,12,N2,0"), // PDN
        },
        rules: Rules {
            board: DARK_12X12, // PDN 27, WD-C
            start: Start::picture(
                DARK_12X12, // CCH, PDN
                [
                    "-b-b-b-b-b-b",
                    "b-b-b-b-b-b-",
                    "-b-b-b-b-b-b",
                    "b-b-b-b-b-b-",
                    "-b-b-b-b-b-b",
                    ".-.-.-.-.-.-",
                    "-.-.-.-.-.-.",
                    "w-w-w-w-w-w-",
                    "-w-w-w-w-w-w",
                    "w-w-w-w-w-w-",
                    "-w-w-w-w-w-w",
                    "w-w-w-w-w-w-",
                ],
            ),
            first_mover: Color::White,                      // CCH, PDN
            heading: Headings::Apart,                       // WD-C
            man: ALL_ROUND_MAN,                             // BK-tab, WD-C
            king: Some(FLYING_KING),                        // WD-C
            parachutist: None,                              // WD-C
            obligation: Obligation::MustCapture,            // BK-tab, WD-C
            precedence: MOST_PIECES,                        // BK-tab, WD-C
            removal: Removal::AtEnd,                        // rules 3.13 item 6
            landing: Landing::Any,                          // WD-C
            turning: Turning::Free,                         // rules 3.13 item 6
            stopping: Stopping::NotWhileItGoesOn,           // BK-tab, WD-C
            promotion: Zone::FarRow,                        // BK-F1, WD-C
            promotion_in_capture: PromotionInCapture::Pass, // BK-F1, WD-C
            no_step_from: Zone::Nowhere,                    // WD-C
            steps: Steps::Single,                           // WD-C
            opening: Opening::None,                         // WD-C
            no_move: NoMove::Loses,                         // WD-C
            prints: NUMBERS,                                // PDN 27
        },
    },
    Entry {
        variant: Variant::Italian,
        about: About {
            number: 17,
            name: "Italian",
            aliases: &["Italian draughts", "Dama italiana"],
            summary: "8×8 mirrored, men may not take kings, short kings, four orders of precedence",
            pdn_game_type: Some("22,W,8,8,N2,1"), // PDN
        },
        rules: Rules {
            board: MIRRORED_8X8, // BK-122, FID; PDN 22
            start: Start::picture(
                MIRRORED_8X8, // FID
                [
                    "b-b-b-b-", //
                    "-b-b-b-b", "b-b-b-b-", "-.-.-.-.", ".-.-.-.-", "-w-w-w-w", "w-w-w-w-", "-w-w-w-w",
                ],
            ),
            first_mover: Color::White,                            // FID
            heading: Headings::Apart,                             // BK-122
            man: Mobility { prey: Prey::NoKings, ..FORWARD_MAN }, // BK-122, FID 5.3
            king: Some(SHORT_KING),                               // BK-122, FID 5.3
            parachutist: None,                                    // BK-122
            obligation: Obligation::MustCapture,                  // BK-122
            precedence: [
                Some(Precedence::MostPieces),   // FID 6.6
                Some(Precedence::WithKing),     // FID 6.7
                Some(Precedence::MostKings),    // FID 6.8
                Some(Precedence::KingEarliest), // FID 6.9
            ],
            removal: Removal::AtEnd,                        // FID 3.5
            landing: Landing::DirectlyBehind,               // BK-122
            turning: Turning::Free,                         // FID 5.8, 5.9
            stopping: Stopping::NotWhileItGoesOn,           // BK-122
            promotion: Zone::FarRow,                        // FID
            promotion_in_capture: PromotionInCapture::Stop, // FID, BK-F1
            no_step_from: Zone::Nowhere,                    // BK-122
            steps: Steps::Single,                           // BK-122
            opening: Opening::None,                         // BK-122
            no_move: NoMove::Loses,                         // FID
            prints: NUMBERS,                                // PDN 22
        },
    },
];

/// The rows with everything that follows from them, by [`Variant`].
pub(super) static RULESETS: [Ruleset; Variant::ALL.len()] = {
    const FIRST: Ruleset = Ruleset::new(TABLE[0].rules);
    let mut rulesets = [FIRST; Variant::ALL.len()];
    let mut i = 0;
    while i < TABLE.len() {
        assert!(TABLE[i].variant as usize == i); // each row at its own place, or it does not compile
        rulesets[i] = Ruleset::built_in(TABLE[i].variant, TABLE[i].rules);
        i += 1;
    }
    rulesets
};
