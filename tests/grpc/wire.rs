//! A client that speaks HTTP/2 frame by frame, so that it can do what a well-made client never does.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub(crate) const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// Long enough for a loaded machine: a test that waits as long as this fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// Kinds of frames (RFC 9113, section 6).
pub(crate) const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
pub(crate) const SETTINGS: u8 = 4;
pub(crate) const PING: u8 = 6;
pub(crate) const GOAWAY: u8 = 7;

const ACK: u8 = 1;
pub(crate) const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) kind: u8,
    pub(crate) flags: u8,
    pub(crate) stream: u32,
    pub(crate) payload: Vec<u8>,
}

pub(crate) struct Wire {
    socket: TcpStream,
    /// Whether pings are answered.
    pub(crate) is_polite: bool,
    /// What is to be said later, all at once.
    held: Option<Vec<u8>>,
}

impl Wire {
    /// A connection on which nothing has been said.
    pub(crate) fn silent(address: &str) -> Wire {
        let socket = TcpStream::connect(address).expect("the server listens");
        socket.set_read_timeout(Some(PATIENCE)).expect("a time that is not zero");
        Wire { socket, is_polite: true, held: None }
    }

    /// A connection after the preface and the settings of both sides.
    pub(crate) fn open(address: &str) -> Wire {
        let mut wire = Wire::silent(address);
        wire.say(PREFACE);
        wire.send(SETTINGS, 0, 0, &[]);
        wire
    }

    pub(crate) fn say(&mut self, bytes: &[u8]) {
        match &mut self.held {
            Some(held) => held.extend(bytes),
            None => self.socket.write_all(bytes).expect("the connection is open"),
        }
    }

    /// Says at once, and not one by one, what is said in between.
    pub(crate) fn at_once(&mut self, talk: impl FnOnce(&mut Wire)) {
        self.held = Some(Vec::new());
        talk(self);
        let held = self.held.take().unwrap_or_default();
        self.say(&held);
    }

    pub(crate) fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) {
        let length = u32::try_from(payload.len()).expect("a small frame").to_be_bytes();
        let frame = [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat();
        self.say(&frame);
    }

    /// The head of a call of GetServerInfo.
    pub(crate) fn begin_call(&mut self, stream: u32) {
        self.begin_call_with(stream, "/draughts.v1.RulesService/GetServerInfo", &[]);
    }

    /// The head of a call with more fields in it. Nothing is compressed (RFC 7541, section 6.2.2).
    pub(crate) fn begin_call_with(&mut self, stream: u32, path: &str, more: &[(&str, &str)]) {
        let mut block = vec![0x83, 0x86]; // :method POST, :scheme http
        block.extend([0x04, u8::try_from(path.len()).expect("short")]);
        block.extend(path.as_bytes());
        let usual = [("content-type", "application/grpc"), ("te", "trailers")];
        for (name, value) in usual.iter().chain(more) {
            block.push(0);
            for text in [name, value] {
                block.push(u8::try_from(text.len()).expect("short"));
                block.extend(text.as_bytes());
            }
        }
        self.send(HEADERS, END_HEADERS, stream, &block);
    }

    /// An empty message, with which the call is complete.
    pub(crate) fn end_call(&mut self, stream: u32) {
        self.end_call_with(stream, &[]);
    }

    /// A message, with which the call is complete.
    pub(crate) fn end_call_with(&mut self, stream: u32, message: &[u8]) {
        let length = u32::try_from(message.len()).expect("a small message").to_be_bytes();
        self.send(DATA, END_STREAM, stream, &[&[0], &length[..], message].concat());
    }

    pub(crate) fn reset(&mut self, stream: u32) {
        const CANCEL: [u8; 4] = 8u32.to_be_bytes();
        self.send(RST_STREAM, 0, stream, &CANCEL);
    }

    /// The next frame; none at the end of the connection.
    pub(crate) fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        if !self.fill(&mut head) {
            return None;
        }
        let [a, b, c, kind, flags, stream @ ..] = head;
        let mut payload = vec![0; u32::from_be_bytes([0, a, b, c]) as usize];
        if !self.fill(&mut payload) {
            return None;
        }
        if self.is_polite && kind == PING && flags & ACK == 0 {
            self.send(PING, ACK, 0, &payload);
        }
        Some(Frame { kind, flags, stream: u32::from_be_bytes(stream), payload })
    }

    fn fill(&mut self, bytes: &mut [u8]) -> bool {
        match self.socket.read_exact(bytes) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("nothing in {PATIENCE:?}"),
            Err(_) => false,
        }
    }

    /// The frames up to the first that is asked for.
    pub(crate) fn until(&mut self, wanted: impl Fn(&Frame) -> bool) -> Frame {
        loop {
            let frame = self.next().expect("the connection is open");
            if wanted(&frame) {
                return frame;
            }
        }
    }

    /// The frames up to the end of an answer: its messages, and whether it came to an end.
    pub(crate) fn answer(&mut self, stream: u32) -> usize {
        let mut bytes = 0;
        loop {
            let frame = self.until(|frame| frame.stream == stream);
            assert_ne!(frame.kind, RST_STREAM, "the call was cut");
            if frame.kind == DATA {
                bytes += frame.payload.len();
            }
            if frame.flags & END_STREAM != 0 {
                return bytes;
            }
        }
    }

    /// The kinds of frames up to the end of the connection.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let begin = Instant::now();
        let kinds = std::iter::from_fn(|| self.next()).map(|frame| frame.kind).collect();
        assert!(begin.elapsed() < PATIENCE, "it goes on for ever");
        kinds
    }

    /// The value of a setting that the server sends.
    pub(crate) fn setting(&mut self, id: u16) -> Option<u32> {
        let frame = self.until(|frame| frame.kind == SETTINGS && frame.flags & ACK == 0);
        let settings = frame.payload.chunks_exact(6).map(|entry| {
            let [a, b, value @ ..] = entry else { unreachable!("six bytes") };
            let value = value.try_into().expect("four bytes");
            (u16::from_be_bytes([*a, *b]), u32::from_be_bytes(value))
        });
        settings.filter(|(found, _)| *found == id).map(|(_, value)| value).next()
    }
}
