//! Which captures must be chosen.

use super::board::Role;
use super::capture::Capture;
use super::params::Precedence;

/// The captures that no criterion puts behind another one.
pub fn preferred(precedence: &[Precedence], mut captures: Vec<Capture>) -> Vec<Capture> {
    for criterion in precedence {
        let best = captures.iter().map(|capture| merit(*criterion, capture)).max();
        captures.retain(|capture| Some(merit(*criterion, capture)) == best);
    }
    captures
}

/// How well a capture does by one criterion; merits compare as lists do, item by item.
fn merit(criterion: Precedence, capture: &Capture) -> Vec<usize> {
    let kings = &capture.kings;
    match criterion {
        Precedence::Most => vec![kings.len()],
        Precedence::WithKing => vec![usize::from(capture.role_before == Role::King)],
        Precedence::MostKings => vec![kings.iter().filter(|&&king| king).count()],
        Precedence::KingEarliest => {
            // "Compare the sequences one by one: king before man" (rules.md 3.17.5 d). What comes
            // after the last king is left out, or the longer of two captures that meet their
            // kings alike would win by its length.
            let end = kings.iter().rposition(|&king| king).map_or(0, |last| last + 1);
            kings[..end].iter().map(|&king| usize::from(king)).collect()
        }
    }
}
