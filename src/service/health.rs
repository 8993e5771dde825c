//! Health: what this process says of itself, and the client half for probes that have no other client.

use crate::api::proto::rules_service_server::SERVICE_NAME;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::Endpoint;
use tonic::{Request, Response, Status};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

/// Largest request, in bytes: the name of a service. Health is told at any load, so it must cost nearly nothing.
const MAX_REQUEST_BYTES: usize = 1_024;

/// `grpc.health.v1.Health`.
pub(super) type Server = HealthServer<Answers>;

/// The life of the process; it goes one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Starting,
    Serving,
    Draining,
}

/// Tells the health of the process as a whole and of the service alike.
pub(super) struct Reporter(watch::Sender<Stage>);

impl Reporter {
    /// Not serving until [`set_serving`](Reporter::set_serving).
    pub(super) fn new() -> Reporter {
        Reporter(watch::Sender::new(Stage::Starting))
    }

    /// Answers on one listener. When its `draining` becomes true, nobody can watch there any longer.
    pub(super) fn server(&self, draining: watch::Receiver<bool>) -> Server {
        HealthServer::new(Answers { stage: self.0.subscribe(), draining })
            .max_decoding_message_size(MAX_REQUEST_BYTES)
    }

    /// Who only asks whether it is serving.
    pub(super) fn probe(&self) -> Probe {
        Probe(self.0.subscribe())
    }

    /// It serves, unless it drains already.
    pub(super) fn set_serving(&self) {
        self.go_on_to(Stage::Serving);
    }

    /// It will not serve again.
    pub(super) fn set_draining(&self) {
        self.go_on_to(Stage::Draining);
    }

    fn go_on_to(&self, next: Stage) {
        self.0.send_if_modified(|stage| {
            let is_new = *stage < next;
            *stage = next.max(*stage);
            is_new
        });
    }
}

/// Knows whether the process is serving.
#[derive(Clone)]
pub(super) struct Probe(watch::Receiver<Stage>);

impl Probe {
    pub(super) fn is_serving(&self) -> bool {
        *self.0.borrow() == Stage::Serving
    }
}

/// Answers about health.
#[derive(Clone)]
pub(super) struct Answers {
    stage: watch::Receiver<Stage>,
    draining: watch::Receiver<bool>,
}

impl Answers {
    /// The health of a service; of the whole process if its name is empty.
    fn of(stage: Stage, service: &str) -> ServingStatus {
        match stage {
            _ if !["", SERVICE_NAME].contains(&service) => ServingStatus::ServiceUnknown,
            Stage::Serving => ServingStatus::Serving,
            Stage::Starting | Stage::Draining => ServingStatus::NotServing,
        }
    }
}

#[tonic::async_trait]
impl Health for Answers {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        let status = Answers::of(*self.stage.borrow(), &request.get_ref().service);
        if status == ServingStatus::ServiceUnknown {
            return Err(Status::not_found("there is no such service"));
        }
        Ok(Response::new(HealthCheckResponse { status: status.into() }))
    }

    type WatchStream = ReceiverStream<Result<HealthCheckResponse, Status>>;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let (answers, stream) = mpsc::channel(1);
        let (mut stage, mut draining) = (self.stage.clone(), self.draining.clone());
        let service = request.into_inner().service;
        tokio::spawn(async move {
            let mut told = None;
            loop {
                let status = Answers::of(*stage.borrow_and_update(), &service);
                if told.replace(status) != Some(status)
                    && answers.send(Ok(HealthCheckResponse { status: status.into() })).await.is_err()
                {
                    return;
                }
                tokio::select! {
                    changed = stage.changed() => if changed.is_err() { return },
                    // The drain waits for calls, and this one would not end.
                    _ = draining.wait_for(|&draining| draining) => return,
                    () = answers.closed() => return,
                }
            }
        });
        Ok(Response::new(ReceiverStream::new(stream)))
    }
}

/// Asks a server for its health.
///
/// # Errors
/// If it does not answer within two seconds, or answers anything but SERVING.
pub async fn check(address: SocketAddr) -> Result<(), Box<dyn std::error::Error>> {
    const PATIENCE: Duration = Duration::from_secs(2);
    let endpoint =
        Endpoint::try_from(format!("http://{address}"))?.connect_timeout(PATIENCE).timeout(PATIENCE);
    let mut client = HealthClient::new(endpoint.connect().await?);
    let request = HealthCheckRequest { service: SERVICE_NAME.to_owned() };
    let status = client.check(request).await?.into_inner().status();
    match status.as_str_name() {
        "SERVING" => Ok(()),
        other => Err(other.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drain_is_for_good() {
        let reporter = Reporter::new();
        let stage = reporter.0.subscribe();
        reporter.set_draining();
        reporter.set_serving();
        assert_eq!(*stage.borrow(), Stage::Draining);
    }
}
