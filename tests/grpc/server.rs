//! A real server: the binary, on a port of its own, ended when the test ends.

use draughts_rules::api::proto::rules_service_client::RulesServiceClient;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use tonic::transport::Channel;

const BINARY: &str = env!("CARGO_BIN_EXE_draughts-rules");

pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
    log: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(arguments: &[&str]) -> Server {
        Server::run(Command::new(BINARY), arguments)
    }

    /// A server that the system gives only so many descriptors.
    pub(crate) fn start_with_descriptors(descriptors: usize, arguments: &[&str]) -> Server {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit -n {descriptors} && exec \"$0\" \"$@\""), BINARY]);
        Server::run(command, arguments)
    }

    fn run(mut command: Command, arguments: &[&str]) -> Server {
        command.args(["--listen", "127.0.0.1:0"]).args(arguments).stderr(Stdio::piped());
        let mut process = command.spawn().expect("the server starts");
        let mut lines = BufReader::new(process.stderr.take().expect("its log is piped")).lines();
        let mut first = Vec::new();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .inspect(|line| first.push(line.clone()))
            .find_map(|line| line.split_once("listening on ").map(|(_, rest)| rest.to_owned()))
            .and_then(|rest| rest.split_whitespace().next().map(str::to_owned))
            .expect("the server says where it listens");
        let log = Arc::new(Mutex::new(first));
        let kept = Arc::clone(&log);
        // Whoever does not read a pipe stops its writer.
        let reader = std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .for_each(|line| kept.lock().unwrap_or_else(PoisonError::into_inner).push(line));
        });
        Server { process, address, log, reader: Some(reader) }
    }

    /// The lines of the log so far in which a text occurs.
    pub(crate) fn said(&self, text: &str) -> Vec<String> {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().filter(|line| line.contains(text)).cloned().collect()
    }

    /// Ends the server, so that the log is whole.
    pub(crate) fn end(&mut self) {
        self.signal("TERM");
        self.process.wait().expect("the server ends");
        self.reader.take().expect("it is ended once").join().expect("no panic");
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

    /// Leaves a running server only so many descriptors.
    pub(crate) fn take_descriptors(&self, descriptors: usize) {
        let arguments = [format!("--pid={}", self.process.id()), format!("--nofile={descriptors}:")];
        assert!(Command::new("prlimit").args(arguments).status().expect("prlimit runs").success());
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
