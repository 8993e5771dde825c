//! Counts the messages that go by in a body, without keeping any.

use prometheus_client::metrics::counter::Counter;

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
    /// Follows more bytes, and counts each message that begins.
    pub(super) fn follow(&mut self, mut bytes: &[u8], counter: &Counter) {
        while !bytes.is_empty() {
            if self.left > 0 {
                let passed = self.left.min(bytes.len());
                self.left -= passed;
                bytes = &bytes[passed..];
                continue;
            }
            let taken = (PREFIX - self.read).min(bytes.len());
            self.prefix[self.read..self.read + taken].copy_from_slice(&bytes[..taken]);
            self.read += taken;
            bytes = &bytes[taken..];
            if self.read == PREFIX {
                let [_, length @ ..] = self.prefix;
                (self.read, self.left) = (0, u32::from_be_bytes(length) as usize);
                counter.inc();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
