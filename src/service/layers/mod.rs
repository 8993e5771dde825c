//! What happens to every call before and after its RPC, one layer a file.

mod explain;

pub(super) use explain::explain;
