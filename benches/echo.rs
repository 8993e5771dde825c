//! A bare echo, to measure the service against: the same crates, allocator, runtime and HTTP/2 settings, one thread, and
//! nothing between the wire and the answer, which is the same for every call.
//!
//! `echo ADDRESS FILE`, where FILE holds the message to answer with.
#![allow(clippy::print_stdout)]

use bytes::{Buf, BufMut, Bytes};
use hyper::server::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::ready;
use std::time::Duration;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::{Request, Response, Status};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(address), Some(file)) = (arguments.next(), arguments.next()) else {
        return Err("echo ADDRESS FILE".into());
    };
    let answer = Bytes::from(std::fs::read(file)?);
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("listening on {}", listener.local_addr()?);
    let mut settings = http2::Builder::new(TokioExecutor::new());
    settings
        .timer(TokioTimer::new())
        .max_concurrent_streams(128)
        .max_send_buf_size(16 * 1024)
        .max_header_list_size(16 * 1024)
        .max_pending_accept_reset_streams(128)
        .keep_alive_interval(Duration::from_secs(30))
        .keep_alive_timeout(Duration::from_secs(20))
        .initial_stream_window_size(1 << 18)
        .initial_connection_window_size(1 << 18);
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        let answer = answer.clone();
        let service = hyper::service::service_fn(move |request| answer_with(answer.clone(), request));
        tokio::spawn(settings.clone().serve_connection(TokioIo::new(socket), service));
    }
}

async fn answer_with(
    answer: Bytes,
    request: http::Request<hyper::body::Incoming>,
) -> Result<http::Response<Body>, Infallible> {
    let handler =
        tower::service_fn(|_: Request<Bytes>| ready(Ok::<_, Status>(Response::new(answer.clone()))));
    Ok(tonic::server::Grpc::new(Raw).unary(handler, request).await)
}

/// Messages as they are.
#[derive(Clone, Copy)]
struct Raw;

impl Codec for Raw {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Raw;
    type Decoder = Raw;

    fn encoder(&mut self) -> Raw {
        *self
    }

    fn decoder(&mut self) -> Raw {
        *self
    }
}

impl Encoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(message);
        Ok(())
    }
}

impl Decoder for Raw {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(buffer.copy_to_bytes(buffer.remaining())))
    }
}
