//! The table of rules: one row a variant, every field stated, every rule with its source.
//!
//! Sources are named as in the project's rules note: BK-n is BrainKing's rule page n, BK-tab the table printed on those
//! pages; WCDF, FMJD, FMJD64, FID are the federations' rules by article; PDN is the notation standard. Rows are in the
//! order of the enum, or the crate does not compile.

use super::board::{BoardFacts, Lines, Numbering, Playing};
use super::profiles;
use super::row::{
    Headings, Landing, Mobility, NoMove, Obligation, Opening, Parachutist, Precedence, Prey, Prints,
    PromotionInCapture, Range, Removal, Rules, SquareText, Start, Steps, Stopping, Turning, Zone, named,
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
const FORWARD_AND_SIDEWAYS: Directions =
    Directions::of(&[Direction::North, Direction::East, Direction::West]);
const ORTHOGONALS: Directions = FORWARD_AND_SIDEWAYS.and(FORWARD_AND_SIDEWAYS.upside_down());
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

const WITH_KING: [Option<Precedence>; 4] = [Some(Precedence::WithKing), None, None, None];

const NAMES: Prints = Prints { squares: SquareText::Names, capture_sign: 'x' };
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
/// 8×8, all squares play, 1 = a8.
const FULL_8X8: BoardFacts = BoardFacts { playing: Playing::All, ..DARK_8X8 };
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
            draws: profiles::ENGLISH,                       // rules 2.5; WCDF 1.32
            prints: NUMBERS,                                // PDN 21
        },
    },
    Entry {
        variant: Variant::Anti,
        about: About {
            number: 2,
            name: "Anti",
            aliases: &["Anti checkers", "Giveaway checkers", "Suicide checkers", "Losing draughts"],
            summary: "Checkers in which the side without a move wins",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: DARK_8X8,                                // BK-tab, E2: as Checkers
            start: TWELVE_EACH,                             // BK-tab, E2
            first_mover: Color::Black,                      // rules 2.6: as Checkers
            heading: Headings::Apart,                       // E2
            man: FORWARD_MAN,                               // E2
            king: Some(SHORT_KING),                         // BK-tab
            parachutist: None,                              // BK-tab
            obligation: Obligation::MustCapture,            // BK-tab, E2
            precedence: FREE_CHOICE,                        // BK-tab, E2
            removal: Removal::AtEnd,                        // immaterial: rules 2.3
            landing: Landing::DirectlyBehind,               // E2
            turning: Turning::Free,                         // rules 3.1 item 6
            stopping: Stopping::NotWhileItGoesOn,           // BK-tab, E2
            promotion: Zone::FarRow,                        // E2
            promotion_in_capture: PromotionInCapture::Stop, // rules 3.2 item 7
            no_step_from: Zone::Nowhere,                    // E2
            steps: Steps::Single,                           // E2
            opening: Opening::None,                         // E2
            no_move: NoMove::Wins,                          // rules 3.2 item 8; FAN, LID; rules 5.14
            draws: profiles::ENGLISH_BORROWED,              // rules 2.5
            prints: NAMES,                                  // rules 1.3
        },
    },
    Entry {
        variant: Variant::Czech,
        about: About {
            number: 3,
            name: "Czech",
            aliases: &["Czech checkers", "Czech draughts", "Česká dáma"],
            summary: "8×8, men capture forward, flying kings, a capturing king has priority",
            pdn_game_type: Some("29,W,8,8,A0,0"), // PDN
        },
        rules: Rules {
            board: DARK_8X8,                                // FMJD-CZ, PDN 29
            start: TWELVE_EACH,                             // FMJD-CZ
            first_mover: Color::White,                      // HRJ, KLB
            heading: Headings::Apart,                       // FMJD-CZ
            man: FORWARD_MAN,                               // BK-tab, FMJD-CZ
            king: Some(FLYING_KING),                        // BK-29, FMJD-CZ
            parachutist: None,                              // BK-29
            obligation: Obligation::MustCapture,            // BK-29, FMJD-CZ
            precedence: WITH_KING,                          // BK-29, BK-tab, BK-F3, FMJD-CZ
            removal: Removal::AtEnd,                        // FMJD-CZ, BK-F10; rules 5.1
            landing: Landing::WhereItGoesOn,                // rules 2.2, 5.7; BK-F6
            turning: Turning::Free,                         // FMJD-CZ
            stopping: Stopping::NotWhileItGoesOn,           // FMJD-CZ
            promotion: Zone::FarRow,                        // HRJ
            promotion_in_capture: PromotionInCapture::Stop, // HRJ, BK-F1, BK-F2
            no_step_from: Zone::Nowhere,                    // FMJD-CZ
            steps: Steps::Single,                           // FMJD-CZ
            opening: Opening::None,                         // FMJD-CZ
            no_move: NoMove::Loses,                         // FMJD-CZ
            draws: profiles::CZECH,                         // rules 2.5; FMJD-CZ
            prints: NAMES,                                  // PDN 29
        },
    },
    Entry {
        variant: Variant::Corner,
        about: About {
            number: 4,
            name: "Corner",
            aliases: &["Corner checkers"],
            summary: "Czech from one corner to the other, promotion in the corner only",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: DARK_8X8, // BK-30
            start: Start::picture(
                DARK_8X8,
                [
                    "-b-b-b-.", //
                    "b-b-b-.-", "-b-b-.-w", "b-b-.-w-", "-b-.-w-w", "b-.-w-w-", "-.-w-w-w", ".-w-w-w-",
                ],
            ), // PPDF, PIR, HCH
            first_mover: Color::White, // rules 3.4 item 2
            heading: Headings::Apart, // BK-30
            man: FORWARD_MAN, // BK-30
            king: Some(FLYING_KING), // BK-30
            parachutist: None, // BK-30
            obligation: Obligation::MustCapture, // BK-30
            precedence: WITH_KING, // BK-tab
            removal: Removal::AtEnd, // rules 5.1
            landing: Landing::WhereItGoesOn, // rules 2.2, 5.7; BK-F6
            turning: Turning::Free, // BK-30 by BK-29
            stopping: Stopping::NotWhileItGoesOn, // BK-30 by BK-29
            promotion: Zone::Squares(named(DARK_8X8, &["a7", "b8"]), named(DARK_8X8, &["g1", "h2"])), // BK-30; rules 5.9
            promotion_in_capture: PromotionInCapture::Stop, // rules 3.4 item 7, 5.10
            no_step_from: Zone::Nowhere,                    // BK-30
            steps: Steps::Single,                           // BK-30
            opening: Opening::None,                         // BK-30
            no_move: NoMove::Loses,                         // BK-30 by BK-29
            draws: profiles::CZECH_BORROWED,                // rules 2.5
            prints: NAMES,                                  // rules 1.3
        },
    },
    Entry {
        variant: Variant::OneWay,
        about: About {
            number: 5,
            name: "One Way",
            aliases: &["One way checkers"],
            summary: "Czech in which the men of both sides go up the board",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: DARK_8X8, // BK-31
            start: Start::picture(
                DARK_8X8,
                [
                    "-.-.-.-.", //
                    ".-.-.-.-", "-w-w-b-b", "w-w-b-b-", "-w-w-b-b", "w-w-b-b-", "-w-w-b-b", "w-w-b-b-",
                ],
            ), // PPDF, PIR; White left: rules 5.2
            first_mover: Color::White, // rules 3.5 item 2
            heading: Headings::BothUp, // BK-31, BK-tab
            man: FORWARD_MAN, // BK-tab
            king: Some(FLYING_KING), // BK-31 by BK-29
            parachutist: None, // BK-31
            obligation: Obligation::MustCapture, // BK-31
            precedence: WITH_KING, // BK-tab
            removal: Removal::AtEnd, // rules 5.1
            landing: Landing::WhereItGoesOn, // rules 2.2, 5.7; BK-F6
            turning: Turning::Free, // BK-31 by BK-29
            stopping: Stopping::NotWhileItGoesOn, // BK-31 by BK-29
            promotion: Zone::FarRow, // rules 3.5 item 7: rank 8 for both
            promotion_in_capture: PromotionInCapture::Stop, // rules 3.5 item 7
            no_step_from: Zone::Nowhere, // BK-31
            steps: Steps::Single, // BK-31
            opening: Opening::None, // BK-31
            no_move: NoMove::Loses, // BK-31 by BK-29
            draws: profiles::CZECH_BORROWED, // rules 2.5
            prints: NAMES,   // rules 1.3
        },
    },
    Entry {
        variant: Variant::Parachute,
        about: About {
            number: 6,
            name: "Parachute",
            aliases: &["Parachute checkers"],
            summary: "Czech with four parachutists behind the enemy lines",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: DARK_8X8, // BK-32
            start: Start::picture(
                DARK_8X8,
                [
                    "-p-p-p-p", //
                    "b-b-b-b-", "-b-b-b-b", ".-.-.-.-", "-.-.-.-.", "w-w-w-w-", "-w-w-w-w", "q-q-q-q-",
                ],
            ), // BK-32, CCH; PIR
            first_mover: Color::White, // rules 3.6 item 2
            heading: Headings::Apart, // BK-32
            man: FORWARD_MAN, // BK-32 by BK-29
            king: Some(FLYING_KING), // BK-32 by BK-29
            parachutist: Some(Parachutist {
                mobility: Mobility {
                    steps: Directions::NONE,                      // BK-32
                    first_jumps: FORWARD_DIAGONALS.upside_down(), // BK-32: toward its own side
                    later_jumps: Directions::NONE,                // rules 5.3: it turns and stops
                    range: Range::Short,                          // BK-32
                    prey: Prey::Any,                              // rules 3.6 item 3
                },
                home: Zone::FarRow,
            }), // BK-32, rules 2.7
            obligation: Obligation::MustCapture, // BK-tab; rules 5.3: a parachutist too
            precedence: WITH_KING, // BK-tab: no priority for parachutists
            removal: Removal::AtEnd, // rules 5.1
            landing: Landing::WhereItGoesOn, // rules 2.2, 5.7; BK-F6
            turning: Turning::Free, // BK-32 by BK-29
            stopping: Stopping::NotWhileItGoesOn, // BK-32 by BK-29
            promotion: Zone::FarRow, // BK-32 by BK-29
            promotion_in_capture: PromotionInCapture::Stop, // BK-32 by BK-29
            no_step_from: Zone::Nowhere, // BK-32
            steps: Steps::Single, // BK-32
            opening: Opening::None, // BK-32
            no_move: NoMove::Loses, // rules 3.6 item 8
            draws: profiles::CZECH_BORROWED, // rules 2.5
            prints: NAMES,   // rules 1.3
        },
    },
    Entry {
        variant: Variant::Gothic,
        about: About {
            number: 7,
            name: "Gothic",
            aliases: &["Gothic checkers"],
            summary: "8×8 on all squares, men go in five directions, short kings in eight",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: FULL_8X8, // BK-35
            start: Start::picture(
                FULL_8X8,
                [
                    "bbbbbbbb", //
                    "bbbbbbbb", "........", "........", "........", "........", "wwwwwwww", "wwwwwwww",
                ],
            ), // BK-35; PPDF, PIR
            first_mover: Color::White, // rules 3.7 item 2
            heading: Headings::Apart, // BK-35
            man: Mobility {
                steps: FORWARD_AND_SIDEWAYS.and(FORWARD_DIAGONALS),
                first_jumps: FORWARD_AND_SIDEWAYS.and(FORWARD_DIAGONALS),
                later_jumps: FORWARD_AND_SIDEWAYS.and(FORWARD_DIAGONALS),
                range: Range::Short,
                prey: Prey::Any,
            }, // BK-35; rules 5.12
            king: Some(Mobility {
                steps: Directions::EIGHT,
                first_jumps: Directions::EIGHT,
                later_jumps: Directions::EIGHT,
                range: Range::Short,
                prey: Prey::Any,
            }), // BK-35
            parachutist: None, // BK-35
            obligation: Obligation::MustCapture, // BK-35
            precedence: FREE_CHOICE, // BK-35, BK-tab
            removal: Removal::AtEnd, // immaterial: rules 2.3
            landing: Landing::DirectlyBehind, // BK-35
            turning: Turning::Free, // BK-35
            stopping: Stopping::NotWhileItGoesOn, // BK-35
            promotion: Zone::FarRow, // BK-35
            promotion_in_capture: PromotionInCapture::Stop, // rules 3.7 item 7
            no_step_from: Zone::Nowhere, // BK-35
            steps: Steps::Single, // BK-35
            opening: Opening::None, // BK-35
            no_move: NoMove::Loses, // BK-35 by BK-7
            draws: profiles::HOUSE, // rules 2.5
            prints: NAMES,   // rules 1.3
        },
    },
    Entry {
        variant: Variant::Turkish,
        about: About {
            number: 8,
            name: "Turkish",
            aliases: &["Turkish checkers", "Turkish draughts", "Dama"],
            summary: "8×8 on all squares, straight moves, flying kings, most pieces, removed at once",
            pdn_game_type: Some("30,W,8,8,A0,0"), // PDN
        },
        rules: Rules {
            board: FULL_8X8, // BK-36, PDN 30
            start: Start::picture(
                FULL_8X8,
                [
                    "........", //
                    "bbbbbbbb", "bbbbbbbb", "........", "........", "wwwwwwww", "wwwwwwww", "........",
                ],
            ), // BK-36, PPDF, HCH
            first_mover: Color::White, // ALE
            heading: Headings::Apart, // BK-36
            man: Mobility {
                steps: FORWARD_AND_SIDEWAYS,
                first_jumps: FORWARD_AND_SIDEWAYS,
                later_jumps: FORWARD_AND_SIDEWAYS,
                range: Range::Short,
                prey: Prey::Any,
            }, // BK-36
            king: Some(Mobility {
                steps: ORTHOGONALS,
                first_jumps: ORTHOGONALS,
                later_jumps: ORTHOGONALS,
                range: Range::Flying,
                prey: Prey::Any,
            }), // BK-36, ALE, DGI
            parachutist: None, // BK-36
            obligation: Obligation::MustCapture, // BK-36
            precedence: MOST_PIECES, // BK-tab, ALE, DTR, KES
            removal: Removal::AtOnce, // ALE, DGI, WP-TR, BK-F5, BK-F3
            landing: Landing::Any, // BK-36, ALE, DGI
            turning: Turning::NotBack, // TÜD, DGI, WP-TR, BK-F5
            stopping: Stopping::NotWhileItGoesOn, // ALE
            promotion: Zone::FarRow, // BK-36
            promotion_in_capture: PromotionInCapture::Pass, // TÜD, HCH, KISH; rules 5.4
            no_step_from: Zone::Nowhere, // BK-36
            steps: Steps::Single, // BK-36
            opening: Opening::None, // BK-36
            no_move: NoMove::Loses, // ALE
            draws: profiles::TURKISH, // rules 2.5; TÜD
            prints: NAMES,   // PDN 30
        },
    },
    Entry {
        variant: Variant::Alquerque,
        about: About {
            number: 9,
            name: "Alquerque",
            aliases: &[],
            summary: "25 points and their lines, no kings",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: BoardFacts {
                width: 5,
                height: 5,
                playing: Playing::All,
                lines: Lines::DiagonalsLikeA1,
                numbering: Numbering::FromUpperLeft,
            }, // LUD, OMK; BK-53
            start: Start::picture(
                BoardFacts {
                    width: 5,
                    height: 5,
                    playing: Playing::All,
                    lines: Lines::DiagonalsLikeA1,
                    numbering: Numbering::FromUpperLeft,
                },
                [
                    "bbbbb", //
                    "bbbbb", "bb.ww", "wwwww", "wwwww",
                ],
            ), // OMK, LUD; rules 5.11
            first_mover: Color::White, // OMK
            heading: Headings::Apart,  // BK-53
            man: Mobility {
                steps: FORWARD_AND_SIDEWAYS.and(FORWARD_DIAGONALS),
                first_jumps: FORWARD_AND_SIDEWAYS.and(FORWARD_DIAGONALS), // rules 5.11
                later_jumps: Directions::EIGHT,
                range: Range::Short,
                prey: Prey::Any,
            }, // BK-53
            king: None,                // BK-tab
            parachutist: None,         // BK-53
            obligation: Obligation::MustCapture, // BK-53
            precedence: FREE_CHOICE,   // BK-53, BK-tab
            removal: Removal::AtEnd,   // immaterial: rules 2.3
            landing: Landing::DirectlyBehind, // BK-53
            turning: Turning::Free,    // BK-53
            stopping: Stopping::NotWhileItGoesOn, // BK-53
            promotion: Zone::Nowhere,  // BK-tab
            promotion_in_capture: PromotionInCapture::Stop, // immaterial: no promotion
            no_step_from: Zone::FarRow, // BK-53, OMK
            steps: Steps::Single,      // BK-53
            opening: Opening::None,    // BK-53
            no_move: NoMove::Loses,    // BK-53
            draws: profiles::HOUSE,    // rules 2.5
            prints: NAMES,             // rules 1.3
        },
    },
    Entry {
        variant: Variant::Hawaiian,
        about: About {
            number: 10,
            name: "Hawaiian",
            aliases: &["Hawaiian checkers", "Konane"],
            summary: "A full 8×8 board from which each side jumps the other off",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: FULL_8X8, // BK-94
            start: Start::picture(
                FULL_8X8,
                [
                    "bwbwbwbw", //
                    "wbwbwbwb", "bwbwbwbw", "wbwbwbwb", "bwbwbwbw", "wbwbwbwb", "bwbwbwbw", "wbwbwbwb",
                ],
            ), // BK-94
            first_mover: Color::Black, // BK-94, VCH, MS-K
            heading: Headings::Apart, // immaterial: no direction is forward
            man: Mobility {
                steps: Directions::NONE,
                first_jumps: ORTHOGONALS,
                later_jumps: ORTHOGONALS,
                range: Range::Short,
                prey: Prey::Any,
            }, // BK-94
            king: None,      // BK-tab
            parachutist: None, // BK-94
            obligation: Obligation::MustCapture, // BK-94
            precedence: FREE_CHOICE, // BK-94
            removal: Removal::AtEnd, // immaterial: rules 2.3
            landing: Landing::DirectlyBehind, // BK-94
            turning: Turning::Never, // BK-94, BK-tab, VCH, MS-K
            stopping: Stopping::AtWill, // BK-94, BK-tab, VCH, MS-K
            promotion: Zone::Nowhere, // BK-tab
            promotion_in_capture: PromotionInCapture::Stop, // immaterial: no promotion
            no_step_from: Zone::Nowhere, // immaterial: no steps
            steps: Steps::Single, // immaterial: no steps
            opening: Opening::Removals(named(FULL_8X8, &["a8", "h1", "d5", "e4"])), // BK-94
            no_move: NoMove::Loses, // BK-94
            draws: profiles::NONE, // rules 3.10: every move takes a piece
            prints: NAMES,   // rules 1.3
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
            draws: profiles::FMJD_100,                      // rules 2.5; FMJD 6
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
            draws: profiles::FMJD_64,                             // rules 2.5; FMJD64 7.2
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
            draws: profiles::CANADIAN,                      // rules 2.5
            prints: NUMBERS,                                // PDN 27
        },
    },
    Entry {
        variant: Variant::Thai,
        about: About {
            number: 14,
            name: "Thai",
            aliases: &["Thai checkers", "Makhos", "Mak-hot"],
            summary: "8×8, eight men, flying kings that land directly behind",
            pdn_game_type: Some("31,B,8,8,N2,0"), // PDN
        },
        rules: Rules {
            board: DARK_8X8, // CCH, PDN 31
            start: Start::picture(
                DARK_8X8,
                [
                    "-b-b-b-b", //
                    "b-b-b-b-", "-.-.-.-.", ".-.-.-.-", "-.-.-.-.", ".-.-.-.-", "-w-w-w-w", "w-w-w-w-",
                ],
            ), // BK-tab
            first_mover: Color::Black, // rules 2.6; PDN
            heading: Headings::Apart, // BK-tab
            man: FORWARD_MAN, // BK-tab, MS-T, CCH
            king: Some(FLYING_KING), // BK-tab, MS-T, FAN
            parachutist: None, // BK-tab
            obligation: Obligation::MustCapture, // BK-tab, MS-T, CCH
            precedence: FREE_CHOICE, // BK-tab, MS-T, CCH
            removal: Removal::AtOnce, // FAN, UCK, EIG; rules 5.5
            landing: Landing::DirectlyBehind, // BK-tab, MS-T, FAN
            turning: Turning::Free, // rules 5.5: it may turn back
            stopping: Stopping::NotWhileItGoesOn, // MS-T, CCH
            promotion: Zone::FarRow, // MS-T
            promotion_in_capture: PromotionInCapture::Stop, // BK-F1, MS-T
            no_step_from: Zone::Nowhere, // MS-T
            steps: Steps::Single, // MS-T
            opening: Opening::None, // MS-T
            no_move: NoMove::Loses, // CCH
            draws: profiles::HOUSE, // rules 2.5
            prints: Prints { squares: SquareText::Numbers, capture_sign: '-' }, // PDN 31
        },
    },
    Entry {
        variant: Variant::Brazilian,
        about: About {
            number: 15,
            name: "Brazilian",
            aliases: &["Brazilian checkers", "Brazilian draughts"],
            summary: "International on 8×8",
            pdn_game_type: Some("26,W,8,8,A0,0"), // PDN
        },
        rules: Rules {
            board: DARK_8X8,                                // CBD, PDN 26
            start: TWELVE_EACH,                             // BK-120
            first_mover: Color::White,                      // CBD
            heading: Headings::Apart,                       // BK-120
            man: ALL_ROUND_MAN,                             // BK-120, CBD
            king: Some(FLYING_KING),                        // BK-120, CBD
            parachutist: None,                              // BK-120
            obligation: Obligation::MustCapture,            // BK-120, CBD
            precedence: MOST_PIECES,                        // BK-120, BK-tab, CBD
            removal: Removal::AtEnd,                        // BK-120, CBD
            landing: Landing::Any,                          // BK-120, CBD
            turning: Turning::Free,                         // BK-120, CBD
            stopping: Stopping::NotWhileItGoesOn,           // BK-120, CBD
            promotion: Zone::FarRow,                        // BK-120, CBD
            promotion_in_capture: PromotionInCapture::Pass, // BK-120, CBD
            no_step_from: Zone::Nowhere,                    // BK-120
            steps: Steps::Single,                           // BK-120
            opening: Opening::None,                         // BK-120
            no_move: NoMove::Loses,                         // BK-120 by BK-F2
            draws: profiles::FMJD_64,                       // rules 2.5; FMJD64 7.2
            prints: NAMES,                                  // PDN 26
        },
    },
    Entry {
        variant: Variant::Portuguese,
        about: About {
            number: 16,
            name: "Portuguese",
            aliases: &["Portuguese checkers", "Damas clássicas"],
            summary: "8×8 mirrored, men capture forward, flying kings, most pieces, then most kings",
            pdn_game_type: Some("28,W,8,8,N1,1"), // PDN
        },
        rules: Rules {
            board: BoardFacts { numbering: Numbering::FromLowerRight, ..MIRRORED_8X8 }, // BK-121, FPD, PDN 28
            start: Start::picture(
                BoardFacts { numbering: Numbering::FromLowerRight, ..MIRRORED_8X8 },
                [
                    "b-b-b-b-", //
                    "-b-b-b-b", "b-b-b-b-", "-.-.-.-.", ".-.-.-.-", "-w-w-w-w", "w-w-w-w-", "-w-w-w-w",
                ],
            ), // FPD
            first_mover: Color::White,                                                  // FPD
            heading: Headings::Apart,                                                   // BK-121
            man: FORWARD_MAN,                                                           // BK-121
            king: Some(FLYING_KING),                                                    // BK-121
            parachutist: None,                                                          // BK-121
            obligation: Obligation::MustCapture,                                        // BK-121
            precedence: [Some(Precedence::MostPieces), Some(Precedence::MostKings), None, None], // BK-121, BK-tab, FPD
            removal: Removal::AtEnd,                                                             // BK-121
            landing: Landing::Any,                                                               // BK-121
            turning: Turning::Free,                         // BK-121; rules 5.15
            stopping: Stopping::NotWhileItGoesOn,           // BK-121
            promotion: Zone::FarRow,                        // FPD
            promotion_in_capture: PromotionInCapture::Stop, // FPD, BK-F1
            no_step_from: Zone::Nowhere,                    // BK-121
            steps: Steps::Single,                           // BK-121
            opening: Opening::None,                         // BK-121
            no_move: NoMove::Loses,                         // FPD
            draws: profiles::PORTUGUESE,                    // rules 2.5; FPD 3.8, 5.3
            prints: NUMBERS,                                // PDN 28
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
            draws: profiles::ITALIAN,                       // rules 2.5; FID 9.3, 10.4
            prints: NUMBERS,                                // PDN 22
        },
    },
    Entry {
        variant: Variant::Dameo,
        about: About {
            number: 18,
            name: "Dameo",
            aliases: &[],
            summary: "8×8 on all squares, lines of men move together, straight captures, most pieces",
            pdn_game_type: None, // PDN has none
        },
        rules: Rules {
            board: FULL_8X8, // BK-123, MS-D
            start: Start::picture(
                FULL_8X8,
                [
                    "bbbbbbbb", //
                    ".bbbbbb.", "..bbbb..", "........", "........", "..wwww..", ".wwwwww.", "wwwwwwww",
                ],
            ), // MS-D, IGG
            first_mover: Color::White, // MS-D
            heading: Headings::Apart, // BK-123
            man: Mobility {
                steps: FORWARD_DIAGONALS.and(Directions::of(&[Direction::North])),
                first_jumps: ORTHOGONALS,
                later_jumps: ORTHOGONALS,
                range: Range::Short,
                prey: Prey::Any,
            }, // BK-123, MS-D
            king: Some(Mobility {
                steps: Directions::EIGHT,
                first_jumps: ORTHOGONALS,
                later_jumps: ORTHOGONALS,
                range: Range::Flying,
                prey: Prey::Any,
            }), // BK-123, MS-D
            parachutist: None, // BK-123
            obligation: Obligation::MustCapture, // BK-123
            precedence: MOST_PIECES, // BK-123, BK-tab, MS-D
            removal: Removal::AtEnd, // BK-123, MS-D
            landing: Landing::Any, // BK-123, MS-D
            turning: Turning::Free, // BK-123, MS-D
            stopping: Stopping::NotWhileItGoesOn, // BK-123, MS-D
            promotion: Zone::FarRow, // BK-123
            promotion_in_capture: PromotionInCapture::Pass, // BK-123
            no_step_from: Zone::Nowhere, // BK-123
            steps: Steps::Lines, // BK-123, MS-D
            opening: Opening::None, // MS-D
            no_move: NoMove::Loses, // MS-D
            draws: profiles::DAMEO, // rules 2.5
            prints: NAMES,   // rules 1.3
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
