//! A real server on a port of its own, asked by the generated client.

mod invalid;
mod server;
mod service;
