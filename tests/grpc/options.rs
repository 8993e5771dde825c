//! Every option, by flag and by environment: what is taken, what is refused, and what the refusal says.

use crate::server::Server;
use crate::wire::Wire;
use clap::CommandFactory;
use draughts_rules::service::config::Options;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::net::TcpListener;
use std::process::Command;

/// What the values of an option are.
struct Kind {
    /// The least and the greatest, or two of a few.
    ends: [&'static str; 2],
    /// Just below, just above, and of another kind.
    wrong: &'static [&'static str],
    /// What the refusal says.
    needed: &'static str,
}

const ADDRESS: Kind = Kind {
    ends: ["127.0.0.1:0", "[::1]:65535"],
    wrong: &["127.0.0.1:-1", "127.0.0.1:65536", "127.0.0.1", "50051", "localhost:50051"],
    needed: "an IP address and a port are needed",
};
const TO_256: Kind = Kind {
    ends: ["1", "256"],
    wrong: &["0", "257", "-1", "1.5", "many"],
    needed: "a number from 1 to 256 is needed",
};
const TO_65_536: Kind = Kind {
    ends: ["1", "65536"],
    wrong: &["0", "65537", "-1", "1.5", "many"],
    needed: "a number from 1 to 65536 is needed",
};
const TO_1_048_576: Kind = Kind {
    ends: ["1", "1048576"],
    wrong: &["0", "1048577", "-1", "18446744073709551616", "many"],
    needed: "a number from 1 to 1048576 is needed",
};
const TIME: Kind = Kind {
    ends: ["0", "86400"],
    wrong: &["-0.001", "86400.001", "inf", "NaN", "5s"],
    needed: "a number of seconds from 0 to 86400 is needed",
};
const SOME_TIME: Kind = Kind {
    ends: ["0.000000001", "86400"],
    wrong: &["0", "0.0000000001", "86400.001", "-1", "NaN", "5s"],
    needed: "a number of seconds above 0, up to 86400, is needed",
};
const TRUTH: Kind =
    Kind { ends: ["false", "true"], wrong: &["0", "1", "True", "yes"], needed: "true, false" };
const FORMAT: Kind = Kind { ends: ["plain", "json"], wrong: &["0", "JSON", "text"], needed: "plain, json" };
const LEVEL: Kind = Kind {
    ends: ["error", "trace"],
    wrong: &["0", "INFO", "off"],
    needed: "error, warn, info, debug, trace",
};

const OPTIONS: [(&str, Kind); 24] = [
    ("listen", ADDRESS),
    ("admin-listen", ADDRESS),
    ("slow-seconds", TIME),
    ("threads", TO_256),
    ("max-calls", TO_1_048_576),
    ("max-deadline-seconds", SOME_TIME),
    ("heavy-calls", TO_65_536),
    ("imports", TO_65_536),
    ("perft", TRUTH),
    ("perft-calls", TO_256),
    ("max-connections", TO_1_048_576),
    ("max-streams", TO_65_536),
    ("preface-seconds", SOME_TIME),
    ("max-idle-seconds", TIME),
    ("max-age-seconds", TIME),
    ("grace-seconds", TIME),
    ("keepalive-seconds", SOME_TIME),
    ("keepalive-timeout-seconds", SOME_TIME),
    ("max-pending-resets", TO_65_536),
    ("drain-wait-seconds", TIME),
    ("drain-seconds", TIME),
    ("reflection", TRUTH),
    ("log-format", FORMAT),
    ("log", LEVEL),
];

fn variable(option: &str) -> String {
    format!("DRAUGHTS_{}", option.to_uppercase().replace('-', "_"))
}

/// How the binary ended, and what it wrote.
struct End {
    code: Option<i32>,
    out: String,
    err: String,
}

/// Both addresses are taken: whoever tries to listen ends with 1, so that 64 comes from before.
fn run(arguments: &[&str], variables: &[(&str, &str)]) -> End {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it is bound").to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_draughts-rules"));
    command.envs(["DRAUGHTS_LISTEN", "DRAUGHTS_ADMIN_LISTEN"].map(|name| (name, &address)));
    let output = command.envs(variables.iter().copied()).args(arguments).output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    End { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// An option given by its flag, and by its variable.
fn both_ways(option: &str, value: &str) -> [End; 2] {
    [run(&[&format!("--{option}"), value], &[]), run(&[], &[(&variable(option), value)])]
}

#[test]
fn every_option_has_a_row_here_a_variable_and_help() {
    let command = Options::command();
    let mut found = BTreeSet::new();
    for option in command.get_arguments() {
        let name = option.get_long().expect("a flag");
        assert_eq!(option.get_env(), Some(OsStr::new(&variable(name))), "{name}");
        assert!(option.get_help().is_some_and(|help| !help.to_string().is_empty()), "{name}");
        assert!(option.is_global_set(), "{name} may stand after a subcommand too");
        found.insert(name.to_owned());
    }
    assert_eq!(found, OPTIONS.iter().map(|(name, _)| (*name).to_owned()).collect());
}

#[test]
fn wrong_values_are_refused_before_anything_is_bound() {
    for (option, kind) in &OPTIONS {
        for value in kind.wrong.iter().chain(&[""]) {
            for end in both_ways(option, value) {
                assert_eq!(end.code, Some(64), "{option} {value:?}: {}", end.err);
                // With what follows the name: others begin with the same words.
                assert!(end.err.contains(&format!("'--{option} <")), "{option} {value:?}: {}", end.err);
                assert!(end.err.contains(kind.needed), "{option} {value:?}: {}", end.err);
                assert_eq!(end.out, "", "{option} {value:?}");
            }
        }
    }
}

#[test]
fn both_ends_of_every_option_are_taken() {
    for (option, kind) in &OPTIONS {
        for value in kind.ends {
            for end in both_ways(option, value) {
                assert_eq!(end.code, Some(1), "{option} {value}: {}", end.err);
                assert!(end.err.contains("cannot serve"), "{option} {value}: {}", end.err);
            }
        }
    }
}

#[test]
fn what_is_no_option_is_refused_by_name() {
    for (arguments, says) in [
        (&["--no-such-option"][..], "--no-such-option"),
        (&["serve", "--no-such-option"], "--no-such-option"),
        (&["dance"], "dance"),
        (&["serve", "dance"], "dance"),
        (&["--threads"], "a value is required for '--threads <N>'"),
        (&["serve", "--threads", "257"], "1 to 256"),
        (&["healthcheck", "--threads", "257"], "1 to 256"),
        (&["--threads", "1", "--threads", "2"], "'--threads <N>' cannot be used multiple times"),
    ] {
        let end = run(arguments, &[]);
        assert_eq!((end.code, end.out.as_str()), (Some(64), ""), "{arguments:?}: {}", end.err);
        assert!(end.err.contains(says), "{arguments:?}: {}", end.err);
    }
}

#[test]
fn a_flag_goes_before_its_variable() {
    assert_eq!(run(&["--threads", "1"], &[("DRAUGHTS_THREADS", "0")]).code, Some(1));
    assert_eq!(run(&["--threads", "0"], &[("DRAUGHTS_THREADS", "1")]).code, Some(64));
}

#[test]
fn help_and_version_are_answers_and_not_errors() {
    let version = concat!("draughts-rules ", env!("CARGO_PKG_VERSION"), "\n");
    for (arguments, says) in [
        (&["--help"][..], "DRAUGHTS_LISTEN"),
        (&["-h"], "DRAUGHTS_LISTEN"),
        (&["help"], "DRAUGHTS_LISTEN"),
        (&["serve", "--help"], "DRAUGHTS_LISTEN"),
        (&["--version"], version),
        (&["-V"], version),
    ] {
        let end = run(arguments, &[]);
        assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(end.out.contains(says), "{arguments:?}: {}", end.out);
    }
}

#[test]
fn an_address_that_is_taken_is_named_and_nothing_is_served() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("it is bound").to_string();
    let free = "127.0.0.1:0";
    for (listen, admin_listen) in [(address.as_str(), free), (free, &address)] {
        let end = run(&["--listen", listen, "--admin-listen", admin_listen], &[]);
        assert_eq!((end.code, end.out.as_str()), (Some(1), ""), "{}", end.err);
        let failures = end.err.lines().filter(|line| line.contains("cannot serve")).collect::<Vec<_>>();
        assert!(failures.len() == 1 && failures[0].contains(&address), "{}", end.err);
        assert!(!end.err.contains("listening on"), "{}", end.err);
    }
}

/// A server with all its limits at one end.
fn start_at(end: usize) -> Server {
    let limits = OPTIONS.iter().filter(|(_, kind)| kind.needed.starts_with("a number"));
    let limits = limits.flat_map(|(name, kind)| [format!("--{name}"), kind.ends[end].to_owned()]);
    let limits = limits.collect::<Vec<_>>();
    // Each thread needs four descriptors; 256 of them more than the usual 1,024.
    Server::start_with_descriptors(2_048, &limits.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn a_server_starts_with_the_least_limits() {
    let server = start_at(0);
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn a_server_answers_with_the_greatest_limits() {
    let server = start_at(1);
    let mut wire = Wire::open(&server.address);
    wire.begin_call(1);
    wire.end_call(1);
    assert!(wire.answer(1) > 0);
    server.signal("TERM");
    server.signal("INT"); // it would wait for a day
    assert_eq!(server.wait(), Some(0));
}
