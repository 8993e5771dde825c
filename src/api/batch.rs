//! Many requests in one call, each with an answer or an error of its own.

use super::answer;
use super::decode::within;
use super::fault::Fault;
use super::limits::{MAX_BATCH, MAX_RESPONSE_BYTES, MAX_STEPS};
use super::proto as pb;
use crate::rules::Budget;
use prost::Message;
use tonic_types::pb as rpc;

/// The legal moves of many games. The budget is that of the whole batch.
///
/// # Errors
/// [`Fault`] if there are too many requests, or the answers are too large together.
pub fn generate_legal_moves(
    request: &pb::BatchGenerateLegalMovesRequest,
    budget: &mut Budget,
) -> Result<pb::BatchGenerateLegalMovesResponse, Fault> {
    use pb::generate_legal_moves_outcome::Outcome::{Error, Response};
    let outcome = |answered: Result<_, rpc::Status>| pb::GenerateLegalMovesOutcome {
        outcome: Some(answered.map_or_else(Error, Response)),
    };
    let outcomes = each(&request.requests, budget, answer::generate_legal_moves, outcome)?;
    Ok(pb::BatchGenerateLegalMovesResponse { outcomes })
}

/// What becomes of many moves, each of its own game. The budget is that of the whole batch.
///
/// # Errors
/// [`Fault`] if there are too many requests, or the answers are too large together.
pub fn apply_move(
    request: &pb::BatchApplyMoveRequest,
    budget: &mut Budget,
) -> Result<pb::BatchApplyMoveResponse, Fault> {
    use pb::apply_move_outcome::Outcome::{Error, Response};
    let outcome = |answered: Result<_, rpc::Status>| pb::ApplyMoveOutcome {
        outcome: Some(answered.map_or_else(Error, Response)),
    };
    let outcomes = each(&request.requests, budget, answer::apply_move, outcome)?;
    Ok(pb::BatchApplyMoveResponse { outcomes })
}

/// The outcomes of all requests in their order. It ends with the first one that makes the answer too large, so that no more
/// than that is ever held.
fn each<Q, A, O: Message>(
    requests: &[Q],
    budget: &mut Budget,
    compute: fn(&Q, &mut Budget) -> Result<A, Fault>,
    outcome: impl Fn(Result<A, rpc::Status>) -> O,
) -> Result<Vec<O>, Fault> {
    within("max_batch", MAX_BATCH, requests.len())?;
    let mut outcomes = Vec::with_capacity(requests.len());
    let mut bytes = 0;
    for request in requests {
        if budget.is_stopped() {
            return Err(Fault::TooComplex); // nobody hears it
        }
        let answered = shared(budget, |share| compute(request, share));
        let outcome = outcome(answered.map_err(|fault| (&fault).into()));
        bytes += encoded_len(&outcome);
        if bytes > MAX_RESPONSE_BYTES {
            return Err(Fault::ResponseTooLarge { maximum: MAX_RESPONSE_BYTES, actual: bytes });
        }
        outcomes.push(outcome);
    }
    Ok(outcomes)
}

/// One request with its share of the steps of a batch: as many as it may have alone, if there are so many left.
fn shared<A>(budget: &mut Budget, compute: impl FnOnce(&mut Budget) -> Result<A, Fault>) -> Result<A, Fault> {
    let left = budget.left();
    let share = left.min(MAX_STEPS);
    budget.renew(share);
    let answered = compute(budget);
    budget.renew(left - (share - budget.left()));
    match answered {
        Err(Fault::TooComplex) if share < MAX_STEPS => Err(Fault::BatchTooComplex),
        answered => answered,
    }
}

/// What an outcome takes in the answer, in bytes: itself, its length, and the tag of the list.
fn encoded_len(outcome: &impl Message) -> usize {
    let length = outcome.encoded_len();
    1 + prost::length_delimiter_len(length) + length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::TooComplex;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    /// A request that takes so many steps.
    fn spend(steps: &u64, budget: &mut Budget) -> Result<pb::GenerateLegalMovesResponse, Fault> {
        let left = budget.left().checked_sub(*steps);
        budget.renew(left.unwrap_or(0));
        left.map(|_| pb::GenerateLegalMovesResponse::default()).ok_or(TooComplex.into())
    }

    /// For each request the limit that it met, if any.
    fn limits_met(requests: &[u64], steps: u64) -> Vec<Option<&'static str>> {
        let limit = |fault: &rpc::Status| {
            if fault.message.contains("max_batch_engine_steps") { "batch" } else { "one" }
        };
        let answered: Vec<pb::ApplyMoveOutcome> =
            each(requests, &mut Budget::new(steps), spend, |answered| {
                let error = answered.err().map(pb::apply_move_outcome::Outcome::Error);
                pb::ApplyMoveOutcome { outcome: error }
            })
            .expect("a batch that fits");
        let met = answered.into_iter().map(|answered| match answered.outcome {
            Some(pb::apply_move_outcome::Outcome::Error(error)) => Some(limit(&error)),
            Some(pb::apply_move_outcome::Outcome::Response(_)) | None => None,
        });
        met.collect()
    }

    #[test]
    fn requests_share_the_steps_of_the_batch_and_none_has_more_than_alone() {
        let most = MAX_STEPS;
        assert_eq!(limits_met(&[most, most + 1, 1], 4 * most), [None, Some("one"), None]);
        assert_eq!(limits_met(&[most, most, 1, 0], 2 * most), [None, None, Some("batch"), None]);
        assert_eq!(
            limits_met(&[most - 1, 3, 2, 1], most),
            [None, Some("batch"), Some("batch"), Some("batch")]
        );
    }

    /// Easy requests take no steps, so that a search alone would never look.
    #[test]
    fn a_batch_ends_when_its_caller_has_left() {
        let request =
            pb::BatchGenerateLegalMovesRequest { requests: vec![pb::GenerateLegalMovesRequest::default()] };
        let answer = |has_left| {
            generate_legal_moves(&request, &mut Budget::until(1, Arc::new(AtomicBool::new(has_left))))
        };
        assert!(answer(false).is_ok());
        assert!(matches!(answer(true), Err(Fault::TooComplex)));
    }

    #[test]
    fn an_answer_is_as_large_as_it_may_be_and_no_larger() {
        // A request of so many bytes; an outcome has 2 × 4 bytes of tags and lengths around it, and 4 or 5 within.
        let answer = |bytes: &usize, _: &mut Budget| {
            Ok(pb::GenerateLegalMovesResponse { next_squares: vec![1; *bytes], ..Default::default() })
        };
        let outcome = |answered: Result<_, rpc::Status>| pb::GenerateLegalMovesOutcome {
            outcome: answered.ok().map(pb::generate_legal_moves_outcome::Outcome::Response),
        };
        let all = |sizes: &[usize]| each(sizes, &mut Budget::new(0), answer, outcome);
        let half = MAX_RESPONSE_BYTES / 2;
        let fits = all(&[half - 12, half - 12]).expect("exactly as large as allowed");
        let response = |outcomes| pb::BatchGenerateLegalMovesResponse { outcomes };
        assert_eq!(response(fits).encoded_len(), MAX_RESPONSE_BYTES);
        let refused = all(&[half - 12, half - 11, 1]);
        assert!(matches!(refused, Err(Fault::ResponseTooLarge { actual: 4_000_001, maximum: 4_000_000 })));
    }
}
