//! Why a move is refused.

use super::moves::one_move;
use super::numbers;
use crate::api::limits::MAX_DETAILS;
use crate::api::proto as pb;
use crate::rules::notation::move_text;
use crate::rules::{IllegalMove, IllegalReason, MoveList, Position, Square};

pub(in crate::api) fn illegal(position: &Position, illegal: &IllegalMove) -> pb::IllegalMove {
    let (reason, sentence) = illegal_reason(illegal.reason);
    let mut explanation = sentence.to_owned();
    if let (Some(required), Some(offered)) = (illegal.required, illegal.offered) {
        explanation += &format!(": {required} instead of {offered}");
    }
    if !illegal.squares.is_empty() {
        let name = |square: &Square| move_text::square(position.ruleset(), *square);
        let shown = illegal.squares.iter().take(MAX_DETAILS).map(name).collect::<Vec<_>>();
        explanation += &format!(" ({})", shown.join(", "));
    }
    pb::IllegalMove {
        reason: reason as i32,
        explanation,
        required: illegal.required,
        offered: illegal.offered,
        squares: numbers(illegal.squares.iter().copied().take(MAX_DETAILS)),
        ..near(position, &illegal.legal_moves, Some(illegal.from))
    }
}

/// What would be legal instead, the moves from this square first.
pub(super) fn near(position: &Position, legal_moves: &MoveList, from: Option<Square>) -> pb::IllegalMove {
    let near = legal_moves.iter().filter(|legal| Some(legal.from()) == from);
    let far = legal_moves.iter().filter(|legal| Some(legal.from()) != from);
    let candidates = near.chain(far).take(MAX_DETAILS);
    pb::IllegalMove {
        candidates: candidates.map(|legal| one_move(position, legal, legal_moves)).collect(),
        legal_move_count: legal_moves.len() as u32,
        ..Default::default()
    }
}

pub(in crate::api) fn ambiguous(
    position: &Position,
    candidates: &MoveList,
    legal_moves: &MoveList,
) -> pb::IllegalMove {
    let shown = candidates.iter().take(MAX_DETAILS);
    pb::IllegalMove {
        reason: pb::IllegalMoveReason::Ambiguous as i32,
        explanation: format!("{} legal moves fit", candidates.len()),
        candidates: shown.map(|fitting| one_move(position, fitting, legal_moves)).collect(),
        legal_move_count: legal_moves.len() as u32,
        ..Default::default()
    }
}

/// A reason on the wire and in words; the squares it is about follow in brackets.
fn illegal_reason(reason: IllegalReason) -> (pb::IllegalMoveReason, &'static str) {
    use IllegalReason as R;
    use pb::IllegalMoveReason as W;
    match reason {
        R::GameOver => (W::GameOver, "the side to move has no legal move"),
        R::EmptySquare => (W::EmptySquare, "no piece stands there"),
        R::NotYourPiece => (W::NotYourPiece, "the piece belongs to the other side"),
        R::MustCapture => (W::MustCapture, "a capture is possible, so one must be made"),
        R::MustCaptureMore => (W::MustCaptureMore, "the capture of the most pieces must be made"),
        R::MustCaptureWithKing => (W::MustCaptureWithKing, "a king must make the capture"),
        R::MustCaptureMoreKings => (W::MustCaptureMoreKings, "the capture of the most kings must be made"),
        R::MustCaptureKingEarlier => {
            (W::MustCaptureKingEarlier, "the capture that meets a king first must be made")
        }
        R::MustContinue => (W::MustContinue, "the capture must go on"),
        R::MustLandWhereCaptureContinues => {
            (W::MustLandWhereCaptureContinues, "the piece must land where the capture goes on")
        }
        R::MustLandDirectlyBehind => {
            (W::MustLandDirectlyBehind, "the piece must land directly behind the captured one")
        }
        R::MayNotTurn => (W::MayNotTurn, "the capture may not turn in this way"),
        R::PromotionEndsMove => (W::PromotionEndsMove, "the man is promoted on the way, which ends the move"),
        R::StaysMan => (W::StaysMan, "the man is not promoted on the way and goes on as a man"),
        R::MayNotCaptureKing => (W::MayNotCaptureKing, "a man may not capture a king"),
        R::CapturedPieceBlocks => {
            (W::CapturedPieceBlocks, "a captured piece stays until the move ends and is in the way")
        }
        R::NoStepFromHere => (W::NoStepFromHere, "a man makes no step from its square"),
        R::NotRemovable => (W::NotRemovable, "one of these pieces must be removed now"),
        R::NoEndSquare => (W::NoEndSquare, "the move names one square only, and no piece is removed now"),
        R::Occupied => (W::Occupied, "the square is occupied"),
        R::WrongDirection => (W::WrongDirection, "the piece does not move or capture in this direction"),
        R::TooFar => (W::TooFar, "the piece moves or jumps one step at a time"),
        R::LineBroken => (W::LineBroken, "only an unbroken line of own men moves together"),
        R::CapturesOtherPieces => {
            (W::CapturesOtherPieces, "the moves with these squares capture other pieces or none")
        }
        R::OtherPath => (W::OtherPath, "the moves between these squares go another way"),
        R::Unreachable => (W::Unreachable, "the piece cannot get there"),
    }
}
