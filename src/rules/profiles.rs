//! The profiles of draw clauses, each clause with its article. Limits are in plies: a text's moves of each side, doubled.
//!
//! The clauses and their names are those of the rules note, section 2.8; which variant has which profile, section 2.5.

use super::draws::{
    Certainty, CountStart, Counts, DrawClause, Effect, Pattern, Persistence, PlyCount, Restart, Road, Span,
};

/// Plies in a row in which nothing was captured and no man moved.
const QUIET: PlyCount = PlyCount {
    pattern: Pattern::Anything,
    persistence: Persistence::WhileItHolds,
    restart: Restart::CaptureOrManMove,
    start: CountStart::Zero,
    yields_to: None,
};
/// A lone king against three pieces, at least one of them a king.
const ONE_AGAINST_THREE: Pattern = lone_king(Span(1, 3), Span(0, 2), Span(3, 3), Road::Any);
/// A lone king against one or two pieces, at least one of them a king.
const ONE_AGAINST_FEW: Pattern = lone_king(Span(1, 2), Span(0, 1), Span(1, 2), Road::Any);
/// A lone king against so many kings and men.
const fn lone_king(kings: Span, men: Span, pieces: Span, road: Road) -> Pattern {
    Pattern::LoneKing { kings, men, pieces, road }
}
/// Every ply counts, whatever happens then.
const fn for_good(pattern: Pattern) -> PlyCount {
    PlyCount { pattern, persistence: Persistence::ForGood, restart: Restart::Never, ..QUIET }
}
/// Plies while the pattern is on the board.
const fn while_on_board(pattern: Pattern, restart: Restart) -> PlyCount {
    PlyCount { pattern, restart, ..QUIET }
}

const REPETITION: DrawClause = DrawClause {
    id: "",
    summary: "The same position has occurred for the third time with the same side to move.",
    counts: Counts::Occurrences,
    limit: 3,
    effect: Effect::Automatic,
    article: "",
    certainty: Certainty::Sure,
};

/// Rules of the World Checkers Draughts Federation.
pub(super) const ENGLISH: &[DrawClause] = &[
    DrawClause { id: "E1", effect: Effect::ClaimBeforeMove, article: "WCDF 1.32.1", ..REPETITION },
    DrawClause {
        id: "E2",
        summary: "40 moves of each side without a capture and without the advance of a man.",
        counts: Counts::Plies(QUIET),
        limit: 80,
        effect: Effect::Claim,
        article: "WCDF 1.32.2",
        certainty: Certainty::Sure,
    },
];

/// The same, borrowed: Anti has no federation.
pub(super) const ENGLISH_BORROWED: &[DrawClause] = &[
    DrawClause { certainty: Certainty::Uncertain, ..ENGLISH[0] },
    DrawClause { certainty: Certainty::Uncertain, ..ENGLISH[1] },
];

/// Rules of the Fédération Mondiale du Jeu de Dames for the board of 100 squares.
pub(super) const FMJD_100: &[DrawClause] = &[
    DrawClause { id: "F1", article: "FMJD 6.1", ..REPETITION },
    DrawClause {
        id: "F2",
        summary: "25 moves of each side with kings only and without a capture.",
        counts: Counts::Plies(QUIET),
        limit: 50,
        effect: Effect::Automatic,
        article: "FMJD 6.2",
        certainty: Certainty::Sure,
    },
    DrawClause {
        id: "F3",
        summary: "16 moves of each side since a lone king faced three pieces, at least one of them a king.",
        counts: Counts::Plies(for_good(ONE_AGAINST_THREE)),
        limit: 32,
        effect: Effect::Automatic,
        article: "FMJD 6.3",
        certainty: Certainty::Likely, // that captures do not stop it is from the edition of 2024
    },
    DrawClause {
        id: "F4",
        summary: "5 moves of each side since a lone king faced one or two pieces, at least one of them a king.",
        counts: Counts::Plies(for_good(ONE_AGAINST_FEW)),
        limit: 10,
        effect: Effect::Automatic,
        article: "FMJD 6.4",
        certainty: Certainty::Sure,
    },
];

/// The same, borrowed for the board of 144 squares.
pub(super) const CANADIAN: &[DrawClause] = &[
    DrawClause { id: "N1", certainty: Certainty::Uncertain, ..FMJD_100[0] },
    DrawClause { id: "N2", certainty: Certainty::Uncertain, ..FMJD_100[1] },
    DrawClause { id: "N3", certainty: Certainty::Uncertain, ..FMJD_100[2] },
    DrawClause { id: "N4", certainty: Certainty::Uncertain, ..FMJD_100[3] },
];

/// Rules of the same federation for the board of 64 squares, Russian and Brazilian.
pub(super) const FMJD_64: &[DrawClause] = &[
    DrawClause { id: "R1", article: "FMJD64 7.2.3", ..REPETITION },
    DrawClause {
        id: "R2",
        summary: "15 moves of each side with three kings or more, and nothing else, against a lone king; a capture \
                  starts the count anew.",
        counts: Counts::Plies(while_on_board(
            lone_king(Span(3, u8::MAX), Span(0, 0), Span(3, u8::MAX), Road::Any),
            Restart::Capture,
        )),
        limit: 30,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.4",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "R3",
        summary: "15 moves of each side with kings only and without a capture.",
        counts: Counts::Plies(QUIET),
        limit: 30,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.5",
        certainty: Certainty::Sure,
    },
    DrawClause {
        id: "R4",
        summary: "30 moves of each side without a capture and without a promotion, both having a king and 4 or 5 \
                  pieces being on the board.",
        counts: Counts::Plies(while_on_board(
            Pattern::KingsOnBothSides { pieces: Span(4, 5), each_at_most: u8::MAX },
            Restart::CaptureOrPromotion,
        )),
        limit: 60,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.6",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "R5",
        summary: "60 moves of each side without a capture and without a promotion, both having a king and 6 or 7 \
                  pieces being on the board.",
        counts: Counts::Plies(while_on_board(
            Pattern::KingsOnBothSides { pieces: Span(6, 7), each_at_most: u8::MAX },
            Restart::CaptureOrPromotion,
        )),
        limit: 120,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.6",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "R6",
        summary: "5 moves of each side with three pieces, at least one of them a king, against a lone king that is \
                  alone on the main road.",
        counts: Counts::Plies(while_on_board(
            lone_king(Span(1, 3), Span(0, 2), Span(3, 3), Road::LoneKingAlone),
            Restart::Never,
        )),
        limit: 10,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.7",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "R7",
        summary: "5 moves of each side with one or two pieces, at least one of them a king, against a lone king; a \
                  capture starts the count anew.",
        counts: Counts::Plies(while_on_board(ONE_AGAINST_FEW, Restart::Capture)),
        limit: 10,
        effect: Effect::Automatic,
        article: "FMJD64 7.2.8",
        certainty: Certainty::Sure,
    },
];

/// The federation's rules in brief for Czech draughts.
pub(super) const CZECH: &[DrawClause] = &[
    DrawClause { id: "C1", effect: Effect::Claim, article: "FMJD-CZ, rules in brief", ..REPETITION },
    DrawClause {
        id: "C2",
        summary: "15 moves of each side without a capture and without a move of a man.",
        counts: Counts::Plies(QUIET),
        limit: 30,
        effect: Effect::Claim,
        article: "FMJD-CZ, rules in brief",
        certainty: Certainty::Uncertain, // that 15 means each side is our reading
    },
];

/// The same, borrowed: Corner, One Way and Parachute have no federation.
pub(super) const CZECH_BORROWED: &[DrawClause] =
    &[DrawClause { certainty: Certainty::Uncertain, ..CZECH[0] }, CZECH[1]];

/// Rules of the Federazione Italiana Dama.
pub(super) const ITALIAN: &[DrawClause] = &[
    DrawClause {
        id: "I1",
        summary: "The same position has occurred for the fourth time with the same side to move.",
        limit: 4,
        effect: Effect::Claim,
        article: "FID 9.3 (b1)",
        certainty: Certainty::Uncertain, // the course of the federation says three
        ..REPETITION
    },
    DrawClause {
        id: "I2",
        summary: "40 moves of each side without a capture and without a move of a man.",
        counts: Counts::Plies(QUIET),
        limit: 80,
        effect: Effect::Claim,
        article: "FID 10.4",
        certainty: Certainty::Likely,
    },
];

/// Rules of the Federação Portuguesa de Damas.
pub(super) const PORTUGUESE: &[DrawClause] = &[
    DrawClause {
        id: "P1",
        effect: Effect::Claim,
        article: "FPD 5.3",
        certainty: Certainty::Likely,
        ..REPETITION
    },
    DrawClause {
        id: "P3",
        summary: "12 moves of each side since three kings, one of them on the main road, faced a lone king.",
        counts: Counts::Plies(PlyCount {
            start: CountStart::WeakerSideFirst,
            ..for_good(lone_king(Span(3, 3), Span(0, 0), Span(3, 3), Road::Stronger))
        }),
        limit: 24,
        effect: Effect::Automatic,
        article: "FPD 3.8.a",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "P2",
        summary: "20 moves of each side without a capture and without a move of a man, both having a king and at \
                  most four pieces.",
        counts: Counts::Plies(PlyCount {
            yields_to: Some("P3"),
            ..while_on_board(
                Pattern::KingsOnBothSides { pieces: Span(2, 8), each_at_most: 4 },
                Restart::CaptureOrManMove,
            )
        }),
        limit: 40,
        effect: Effect::Automatic,
        article: "FPD 3.8.b",
        certainty: Certainty::Likely,
    },
];

/// Rules of the Türkiye Dama Federasyonu.
pub(super) const TURKISH: &[DrawClause] = &[
    DrawClause {
        id: "T1",
        summary: "Each side has one piece left.",
        counts: Counts::Plies(while_on_board(Pattern::OneEach, Restart::Never)),
        limit: 0,
        effect: Effect::Automatic,
        article: "TÜD, draws",
        certainty: Certainty::Sure,
    },
    DrawClause { id: "T2", article: "TÜD, repetition", certainty: Certainty::Likely, ..REPETITION },
];

/// What programs do: Dameo has no federation.
pub(super) const DAMEO: &[DrawClause] = &[
    DrawClause { id: "D1", article: "programs", certainty: Certainty::Likely, ..REPETITION },
    DrawClause {
        id: "D2",
        summary: "25 moves of each side with kings only and without a capture.",
        counts: Counts::Plies(QUIET),
        limit: 50,
        effect: Effect::Automatic,
        article: "programs",
        certainty: Certainty::Likely,
    },
    DrawClause {
        id: "D3",
        summary: "Each side has one piece left, a king, and no capture is possible.",
        counts: Counts::Plies(while_on_board(Pattern::OneQuietKingEach, Restart::Never)),
        limit: 0,
        effect: Effect::Automatic,
        article: "programs",
        certainty: Certainty::Uncertain,
    },
];

/// Our own, for variants without the text of a federation.
pub(super) const HOUSE: &[DrawClause] = &[DrawClause {
    id: "H1",
    effect: Effect::Claim,
    article: "house rule",
    certainty: Certainty::Uncertain,
    ..REPETITION
}];

/// Where no draw is possible: every move takes a piece.
pub(super) const NONE: &[DrawClause] = &[];
