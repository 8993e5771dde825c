//! A real server: the binary, on a port of its own, ended when the test ends.

use draughts_rules::api::proto::rules_service_client::RulesServiceClient;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use tonic::transport::Channel;

pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_draughts-rules"))
            .args(["--listen", "127.0.0.1:0"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut log = BufReader::new(process.stderr.take().expect("its log is piped")).lines();
        let address = log
            .find_map(|line| line.ok()?.split_once("listening on ").map(|(_, rest)| rest.to_owned()))
            .and_then(|rest| rest.split_whitespace().next().map(str::to_owned))
            .expect("the server says where it listens");
        // Whoever does not read a pipe stops its writer.
        std::thread::spawn(move || log.for_each(drop));
        Server { process, address }
    }

    pub(crate) async fn client(&self) -> RulesServiceClient<Channel> {
        RulesServiceClient::new(self.channel().await)
    }

    pub(crate) async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).expect("an address");
        endpoint.connect().await.expect("the server listens")
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.process.id().to_string()]).status();
        assert!(sent.expect("kill runs").success());
    }

    pub(crate) fn wait(mut self) -> Option<i32> {
        self.process.wait().expect("the server ends").code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
