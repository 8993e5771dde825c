//! The bounds of a request, each with its reason.

/// Largest request message, in bytes. A game of [`MAX_PLIES`] listed moves takes about 60 KB.
pub const MAX_REQUEST_BYTES: usize = 256 * 1024;
/// Largest answer, in bytes: below the 4 MiB that clients accept by default.
pub const MAX_RESPONSE_BYTES: usize = 4_000_000;
/// Most moves in a game: longer than any game played, and replayed in a few milliseconds.
pub const MAX_PLIES: usize = 2_000;
/// Longest FEN or move text, in bytes: a full 14×14 board of kings by name takes 600.
pub const MAX_TEXT_BYTES: usize = 2_048;
/// Most squares in a path: no capture visits more squares than a board has.
pub const MAX_PATH_SQUARES: usize = 128;
/// Most pieces in a placement: twice the squares of the largest board, so that doubled squares are still explained.
pub const MAX_PIECES: usize = crate::rules::MAX_CLAIMS;
/// Most values in a list of parts or of counts: more than there are parts, or clauses in a profile.
pub const MAX_PARTS: usize = 16;
/// Most engine steps for one request, history included: some tens of milliseconds. A king among men at every other
/// square of a 12×12 board takes 170,000; no position of a real game comes near.
pub const MAX_STEPS: u64 = 250_000;
/// Most requests in a batch: as many placements, or FENs of 40 pieces, fit in [`MAX_REQUEST_BYTES`].
pub const MAX_BATCH: usize = 1_024;
/// Most engine steps for a batch: four times those of one request, so that the time is bounded too. Each of [`MAX_BATCH`]
/// requests may use almost a thousand; with all parts and the next moves, those of random games use 5, in Hawaiian 60.
pub const MAX_BATCH_STEPS: u64 = 4 * MAX_STEPS;
/// Greatest depth of perft: nobody will ever count so far, and lines are counted with a stack that grows by depth.
pub const MAX_PERFT_DEPTH: u32 = 64;
/// Engine steps that a call may take on the thread that serves its connection: well below a millisecond. A call that
/// needs more moves to the pool for heavy work.
pub const INLINE_STEPS: u64 = 10_000;
/// Moves of history that a call may replay on the thread that serves its connection.
pub const INLINE_PLIES: usize = 64;
/// Most violations and candidates in an error: larger trailers break clients.
pub const MAX_DETAILS: usize = 20;
/// Largest error details, in bytes.
pub const MAX_DETAIL_BYTES: usize = 4_000;
/// Most positions in a draw state: four times as many reversible moves in a row as any clause counts.
pub const MAX_DRAW_STATE_POSITIONS: usize = crate::rules::MAX_POSITIONS;
/// Most tags of a game: three times as many as the PDN standard names.
pub const MAX_TAGS: usize = 64;
