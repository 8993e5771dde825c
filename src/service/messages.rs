//! Counts the messages that go by in a body, without keeping any.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use prometheus_client::metrics::counter::Counter;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

/// Bytes before each message: whether it is compressed, and its length. Source: "gRPC over HTTP2".
const PREFIX: usize = 5;

/// How far the bytes of a body have been followed.
#[derive(Debug, Default)]
pub(super) struct Messages {
    /// The prefix that is being read.
    prefix: [u8; PREFIX],
    /// How much of it there is.
    read: usize,
    /// Bytes of the message that are still to come.
    left: usize,
}

impl Messages {
    /// Follows more bytes, and counts each message that is complete.
    pub(super) fn follow(&mut self, mut bytes: &[u8], counter: &Counter) {
        while !bytes.is_empty() {
            if self.left > 0 {
                let passed = self.left.min(bytes.len());
                self.left -= passed;
                bytes = &bytes[passed..];
                if self.left == 0 {
                    counter.inc();
                }
                continue;
            }
            let taken = (PREFIX - self.read).min(bytes.len());
            self.prefix[self.read..self.read + taken].copy_from_slice(&bytes[..taken]);
            self.read += taken;
            bytes = &bytes[taken..];
            if self.read == PREFIX {
                let [_, length @ ..] = self.prefix;
                (self.read, self.left) = (0, u32::from_be_bytes(length) as usize);
                if self.left == 0 {
                    counter.inc();
                }
            }
        }
    }
}

/// The body of a request, whose messages are counted.
pub(super) struct Followed<B> {
    body: B,
    messages: Messages,
    received: Counter,
    /// Set if it does not come to its proper end.
    broken: Arc<AtomicBool>,
}

impl<B> Followed<B> {
    pub(super) fn new(body: B, received: Counter, broken: Arc<AtomicBool>) -> Followed<B> {
        Followed { body, messages: Messages::default(), received, broken }
    }
}

impl<B: Body<Data = Bytes> + Unpin> Body for Followed<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        let Followed { messages, received, broken, .. } = &mut *self;
        match &frame {
            Some(Ok(frame)) => frame.data_ref().into_iter().for_each(|data| messages.follow(data, received)),
            Some(Err(_)) => broken.store(true, Ordering::Relaxed),
            None => {}
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::{BodyExt, StreamBody};

    /// Whoever reads a body in a task of its own, as reflection does, must be told that it broke: it would wait for ever.
    #[tokio::test]
    async fn a_broken_body_is_noted_and_told_to_its_reader() {
        let frames = [Ok(Frame::data(Bytes::from_static(&[0; PREFIX]))), Err("reset")];
        let (received, broken) = (Counter::default(), Arc::new(AtomicBool::new(false)));
        let body = StreamBody::new(tokio_stream::iter(frames));
        let mut followed = Followed::new(body, received.clone(), Arc::clone(&broken));
        assert!(matches!(followed.frame().await, Some(Ok(_))));
        assert_eq!((received.get(), broken.load(Ordering::Relaxed)), (1, false));
        assert!(matches!(followed.frame().await, Some(Err("reset"))));
        assert!(broken.load(Ordering::Relaxed));
    }

    #[test]
    fn messages_are_counted_however_they_are_cut() {
        let bytes = [&[0, 0, 0, 0, 3][..], b"abc", &[1, 0, 0, 0, 0], &[0, 0, 0, 0, 1], b"d"].concat();
        for size in 1..=bytes.len() {
            let (counter, mut messages) = (Counter::default(), Messages::default());
            bytes.chunks(size).for_each(|chunk| messages.follow(chunk, &counter));
            assert_eq!(counter.get(), 3, "in pieces of {size}");
        }
    }
}
