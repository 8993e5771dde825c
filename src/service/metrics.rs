//! What is counted, for Prometheus. The names of calls are those of go-grpc-middleware, which dashboards know.

use super::methods::{Method, Methods};
use super::told::Told;
use crate::rules::RULES_VERSION;
use prometheus_client::encoding::prometheus_text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{self, Registry};
use std::time::Duration;
use tonic::Code;

/// What [`Metrics::text`] is.
pub(super) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Upper bounds in seconds, as gRFC A66 has them: a call takes some ten microseconds.
const BUCKETS: [f64; 23] = [
    0.00001, 0.00005, 0.0001, 0.0003, 0.0006, 0.0008, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 0.008, 0.01,
    0.013, 0.016, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0,
];

/// The codes in their order, as Go spells them.
const CODES: [&str; 17] = [
    "OK",
    "Canceled",
    "Unknown",
    "InvalidArgument",
    "DeadlineExceeded",
    "NotFound",
    "AlreadyExists",
    "PermissionDenied",
    "ResourceExhausted",
    "FailedPrecondition",
    "Aborted",
    "OutOfRange",
    "Unimplemented",
    "Internal",
    "Unavailable",
    "DataLoss",
    "Unauthenticated",
];

/// Names and values of labels.
type Labels = Vec<(&'static str, String)>;

/// Everything that is counted. Handles are looked up once, not at each call.
pub(super) struct Metrics {
    registry: Registry,
    by_method: Vec<OfMethod>,
    /// By reason, in the order of [`Shed::ALL`].
    shed: [Counter; Shed::ALL.len()],
    positions: Counter,
    moves: Counter,
    /// Panics that were caught.
    pub(super) panics: Counter,
    in_flight: Gauge,
    heavy: Gauge,
    connections: Gauge,
    /// Connections that were accepted.
    pub(super) accepted: Counter,
    /// Connections that the system would not give us.
    pub(super) refused: Counter,
    /// 1 while the server drains.
    pub(super) draining: Gauge,
}

/// What is counted of one method.
pub(super) struct OfMethod {
    pub(super) started: Counter,
    pub(super) received: Counter,
    pub(super) sent: Counter,
    handled: Vec<Counter>,
    seconds: Histogram,
}

impl OfMethod {
    /// A call came to its end.
    pub(super) fn end(&self, code: Code, took: Duration) {
        if let Some(handled) = self.handled.get(code as usize) {
            handled.inc();
        }
        self.seconds.observe(took.as_secs_f64());
    }
}

/// Why a call was refused before its work began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shed {
    /// Too many calls are under way.
    Calls,
    /// Too much heavy work runs or waits.
    HeavyCalls,
    /// Too many imports are open.
    Imports,
    /// Too many perfts are counted.
    Perft,
}

impl Shed {
    const ALL: [Shed; 4] = [Shed::Calls, Shed::HeavyCalls, Shed::Imports, Shed::Perft];

    /// Its name in errors and metrics.
    pub(super) fn name(self) -> &'static str {
        match self {
            Shed::Calls => "calls",
            Shed::HeavyCalls => "heavy_calls",
            Shed::Imports => "imports",
            Shed::Perft => "perft",
        }
    }
}

impl Metrics {
    pub(super) fn new(methods: &Methods) -> Metrics {
        let mut registry = Registry::default();
        let by_method = calls(&mut registry, methods);
        let own = registry.sub_registry_with_prefix("draughts");
        let build = vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("rules_version", RULES_VERSION.to_string()),
        ];
        own.register("build", "What is running", Info::new(build));
        let shed: Family<Labels, Counter> =
            registered(own, "shed", "Calls that were refused before their work began");
        let shed =
            Shed::ALL.map(|reason| shed.get_or_create_owned(&vec![("reason", reason.name().to_owned())]));
        let positions = registered(own, "positions", "Positions that were answered about");
        let moves = registered(own, "moves", "Moves that were listed or played");
        let panics = registered(own, "panics", "Panics that were caught, each a fault of the server");
        let accepted = registered(own, "connections_accepted", "Connections that were accepted");
        let refused = registered(own, "accept_errors", "Connections that the system would not give us");
        let in_flight = registered(own, "calls_in_flight", "Calls that are under way");
        let heavy = registered(own, "heavy_calls", "Heavy work that runs, waits, or has an answer to send");
        let connections = registered(own, "connections", "Connections that are open");
        let draining = registered(own, "draining", "1 while the server drains");
        Metrics {
            registry,
            by_method,
            shed,
            positions,
            moves,
            panics,
            in_flight,
            heavy,
            connections,
            accepted,
            refused,
            draining,
        }
    }

    /// What is counted of the method with this index.
    pub(super) fn of(&self, method: usize) -> &OfMethod {
        &self.by_method[method]
    }

    /// An answer was made.
    pub(super) fn told(&self, answer: &impl Told) {
        self.positions.inc_by(answer.positions() as u64);
        self.moves.inc_by(answer.moves() as u64);
    }

    /// One more call is under way, until this is dropped.
    pub(super) fn in_flight(&self) -> OneMore {
        OneMore::of(&self.in_flight)
    }

    /// One more piece of heavy work runs or waits, until this is dropped.
    pub(super) fn heavy(&self) -> OneMore {
        OneMore::of(&self.heavy)
    }

    /// One more connection is open, until this is dropped.
    pub(super) fn connections(&self) -> OneMore {
        OneMore::of(&self.connections)
    }

    /// A call was refused before its work began.
    pub(super) fn shed(&self, reason: Shed) {
        self.shed[reason as usize].inc();
    }

    /// All of it, in the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = prometheus_text::encode(&mut text, &self.registry);
        text
    }
}

/// One of the things that a gauge counts.
pub(super) struct OneMore(Gauge);

impl OneMore {
    fn of(gauge: &Gauge) -> OneMore {
        gauge.inc();
        OneMore(gauge.clone())
    }
}

impl Drop for OneMore {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// A new metric of a registry.
fn registered<M: registry::Metric + Clone + Default>(registry: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    registry.register(name, help, metric.clone());
    metric
}

/// Registers what is counted of calls, for every method and code at zero.
fn calls(registry: &mut Registry, methods: &Methods) -> Vec<OfMethod> {
    let server = registry.sub_registry_with_prefix("grpc_server");
    type Counters = Family<Labels, Counter>;
    let started: Counters = registered(server, "started", "Calls that were started");
    let handled: Counters =
        registered(server, "handled", "Calls that were completed, whatever their outcome");
    let received: Counters = registered(server, "msg_received", "Messages of requests that were received");
    let sent: Counters = registered(server, "msg_sent", "Messages of answers that were sent");
    let seconds = Family::<Labels, Histogram>::new_with_constructor(|| Histogram::new(BUCKETS));
    server.register(
        "handling_seconds",
        "Time from the head of a call to the end of its answer",
        seconds.clone(),
    );
    let of_method = |method: &Method| {
        let labels = vec![
            ("grpc_type", method.kind.to_owned()),
            ("grpc_service", method.service.clone()),
            ("grpc_method", method.name.clone()),
        ];
        let with_code = |code: &&str| {
            let labels = labels.iter().cloned().chain([("grpc_code", (*code).to_owned())]).collect();
            handled.get_or_create_owned(&labels)
        };
        OfMethod {
            started: started.get_or_create_owned(&labels),
            received: received.get_or_create_owned(&labels),
            sent: sent.get_or_create_owned(&labels),
            handled: CODES.iter().map(with_code).collect(),
            seconds: seconds.get_or_create_owned(&labels),
        }
    };
    methods.all().iter().map(of_method).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_and_code_is_there_from_the_beginning() {
        let methods = Methods::new();
        let metrics = Metrics::new(&methods);
        let handled =
            |text: &str| text.lines().filter(|line| line.starts_with("grpc_server_handled_total{")).count();
        assert_eq!(handled(&metrics.text()), methods.all().len() * CODES.len());
        metrics.of(0).end(Code::NotFound, Duration::from_micros(20));
        assert_eq!(handled(&metrics.text()), methods.all().len() * CODES.len());
        assert!(metrics.text().contains("grpc_code=\"NotFound\"} 1\n"));
        metrics.shed(Shed::Imports);
        assert!(metrics.text().contains("draughts_shed_total{reason=\"imports\"} 1\n"));
    }
}
