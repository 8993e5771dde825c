//! What an answer holds until it has been sent.

use std::sync::Arc;

/// A place that is given back when the last copy is dropped. It goes along with an answer, among its extensions.
#[derive(Clone)]
pub(super) struct Held(#[expect(dead_code, reason = "to be dropped")] Arc<dyn Send + Sync>);

impl Held {
    pub(super) fn new(place: impl Send + Sync + 'static) -> Held {
        Held(Arc::new(place))
    }
}
