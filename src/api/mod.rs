//! From messages to the rules and back: pure functions, and the only place that names generated types.
//!
//! A request goes through three stages: `decode` proves that it makes sense, the rules compute, `encode` writes the
//! answer. Whatever goes wrong is a [`Fault`](fault::Fault).

pub mod answer;
pub mod batch;
mod decode;
mod encode;
pub mod fault;
pub mod limits;
pub mod perft;
pub mod replay;

pub use decode::rule_set;

/// The generated messages and services of `proto/draughts/v1`.
#[allow(missing_docs, clippy::all, clippy::pedantic, clippy::restriction, unreachable_pub)]
pub mod proto {
    tonic::include_proto!("draughts.v1");

    /// The compiled .proto files with their comments, for reflection.
    pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));
}
