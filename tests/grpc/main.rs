//! A real server on a port of its own, asked by the generated client.
#![allow(clippy::panic)] // a failed test says what it found

mod admin;
mod batch;
mod calls;
mod connections;
mod games;
mod invalid;
mod options;
mod perft;
mod server;
mod service;
#[path = "../support/mod.rs"]
mod support;
mod wire;
