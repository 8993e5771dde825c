//! The server's command line.

use clap::Parser;
use draughts_rules::service::config::{Command, Options};
use draughts_rules::service::{connections, healthcheck, start_logs};
use std::io::IsTerminal;
use std::net::SocketAddr;
use std::process::ExitCode;
use tracing::{error, info};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Wrong options, as in sysexits.h.
const USAGE: u8 = 64;

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            // Help and version are errors too, of the kind that goes to standard output.
            let _ = error.print();
            return if error.use_stderr() { USAGE.into() } else { ExitCode::SUCCESS };
        }
    };
    start_logs(options.log_format, options.log);
    let command = options.command.unwrap_or(Command::Serve);
    let done = match command {
        Command::Serve => connections::serve(&options.config, say_where).map_err(Into::into),
        Command::Healthcheck => check(options.config.listen),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let failed = match command {
                Command::Serve => "cannot serve",
                Command::Healthcheck => "not healthy",
            };
            error!(%error, listen = %options.config.listen, "{failed}");
            ExitCode::FAILURE
        }
    }
}

fn say_where(address: SocketAddr) {
    info!(version = env!("CARGO_PKG_VERSION"), "listening on {address}");
    if std::io::stderr().is_terminal() {
        info!("try: cargo run --release --example client -- http://{address}");
    }
}

fn check(address: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(healthcheck(address))
}
