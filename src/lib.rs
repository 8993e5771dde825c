//! The rules of draughts: which moves are legal, what a move leads to, and whether the game is over; as a library
//! without dependencies, and as a stateless gRPC service around it.
//!
//! | module | what it is | what it must not know |
//! |---|---|---|
//! | [`rules`] | positions, legal moves, results, notation | protobuf, tonic, tokio, time, files |
//! | `pdn` | texts of games, read and written | messages, sockets |
//! | `api` | messages to rules and back, pure functions | sockets, threads, the inside of the engine |
//! | `service` | the RPCs, connections, options | what a rule or a position is |
//!
//! Glossary: a *man* becomes a *king* on a *promotion square*; a *step* moves without capturing; a *jump* passes over
//! one piece and captures it; a *capture* is the whole turn of jumps; a *move* is what a side does in one turn; a *ply*
//! is one move of one side.
//!
//! ```
//! use draughts_rules::rules::notation::{fen, move_text};
//! use draughts_rules::rules::{Budget, Position, Variant};
//!
//! let ruleset = Variant::Russian.ruleset();
//! let position = Position::new(ruleset, &fen::parse("W:Wf6:Bb6,e7")?)?;
//! let moves = position.legal_moves(&mut Budget::new(1_000))?;
//! let texts: Vec<String> = moves.iter().map(|legal| move_text::write(ruleset, legal, &moves)).collect();
//! assert_eq!(texts, ["f6:a5"]); // over e7 and, a king by then, over b6
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "server")]
pub mod api;
#[cfg(feature = "server")]
pub mod pdn;
pub mod rules;
#[cfg(feature = "server")]
pub mod service;
