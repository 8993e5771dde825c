//! Health: what this process says of itself, and the client half for probes that have no other client.

use crate::api::proto::rules_service_server::SERVICE_NAME;
use std::net::SocketAddr;
use std::time::Duration;
use tonic::transport::Endpoint;
use tonic_health::ServingStatus;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

/// `grpc.health.v1.Health`.
pub(super) type Server = HealthServer<HealthService>;

/// Tells the health of the process as a whole and of the service alike.
#[derive(Clone)]
pub(super) struct Reporter(HealthReporter);

impl Reporter {
    /// Not serving until [`set_serving`](Reporter::set_serving).
    pub(super) async fn new() -> (Reporter, Server) {
        let reporter = Reporter(HealthReporter::new());
        reporter.set(ServingStatus::NotServing).await;
        let server = HealthServer::new(HealthService::from_health_reporter(reporter.0.clone()));
        (reporter, server)
    }

    pub(super) async fn set_serving(&self) {
        self.set(ServingStatus::Serving).await;
    }

    pub(super) async fn set_not_serving(&self) {
        self.set(ServingStatus::NotServing).await;
    }

    async fn set(&self, status: ServingStatus) {
        for service in ["", SERVICE_NAME] {
            self.0.set_service_status(service, status).await;
        }
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
