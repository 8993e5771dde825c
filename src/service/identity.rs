//! Who asks: the id of a request and the trace that it belongs to, in, out and in logs.

use http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
/// Longest id that is taken over from a client.
const MOST_BYTES: usize = 64;

/// The id of a request, and its place in a trace (W3C Trace Context) if the client sent one.
#[derive(Clone, Debug)]
pub(super) struct Identity {
    request_id: HeaderValue,
    trace: Option<Trace>,
}

#[derive(Clone, Debug)]
struct Trace {
    /// What goes out: the same trace, with this call as the parent.
    parent: HeaderValue,
}

impl Identity {
    /// Takes over what the client sent, if it makes sense. A request without an id gets one.
    pub(super) fn of(headers: &HeaderMap) -> Identity {
        let request_id = headers.get(REQUEST_ID).filter(|id| is_sound(id)).cloned();
        let trace = headers.get(TRACE_PARENT).and_then(|parent| parent.to_str().ok()).and_then(continued);
        Identity { request_id: request_id.unwrap_or_else(new_id), trace }
    }

    /// Says it in the head or the trailers of an answer.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        headers.insert(REQUEST_ID, self.request_id.clone());
        if let Some(trace) = &self.trace {
            headers.insert(TRACE_PARENT, trace.parent.clone());
        }
    }

    /// For logs.
    pub(super) fn request_id(&self) -> &str {
        self.request_id.to_str().unwrap_or_default()
    }

    /// For logs: the id of the trace in 32 hexadecimal digits; empty without one.
    pub(super) fn trace_id(&self) -> &str {
        let parent = self.trace.as_ref().and_then(|trace| trace.parent.to_str().ok());
        parent.and_then(|parent| parent.get(3..35)).unwrap_or_default()
    }
}

/// Letters, digits and a few signs: nothing that could break a log.
fn is_sound(id: &HeaderValue) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:+/=".contains(byte);
    (1..=MOST_BYTES).contains(&id.len()) && id.as_bytes().iter().all(is_plain)
}

/// Unique here by its counter and among processes by its first half.
fn new_id() -> HeaderValue {
    static PROCESS: LazyLock<u32> = LazyLock::new(|| RandomState::new().hash_one(0) as u32);
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut id = String::with_capacity(24);
    let _ = write!(id, "{:08x}-{:x}", *PROCESS, NEXT.fetch_add(1, Ordering::Relaxed));
    HeaderValue::from_str(&id).unwrap_or(HeaderValue::from_static("none"))
}

/// The trace goes on with this call as the parent. Source: W3C Trace Context, section 3.2.
fn continued(parent: &str) -> Option<Trace> {
    let mut parts = parent.split('-');
    let (version, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits
            && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
    // Later versions may append parts; ours has none.
    let is_version = is_hex(version, 2) && version != "ff" && (version != "00" || parts.next().is_none());
    let is_sound =
        is_hex(trace, 32) && !is_zero(trace) && is_hex(span, 16) && !is_zero(span) && is_hex(flags, 2);
    if !is_version || !is_sound {
        return None;
    }
    let here = RandomState::new().hash_one(trace) | 1; // not zero
    let parent = HeaderValue::from_str(&format!("00-{trace}-{here:016x}-{flags}")).ok()?;
    Some(Trace { parent })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    fn identity(name: HeaderName, value: &str) -> Identity {
        let value = HeaderValue::from_str(value).expect("a header");
        Identity::of(&HeaderMap::from_iter([(name, value)]))
    }

    #[test]
    fn sound_ids_are_kept_and_others_replaced() {
        assert_eq!(identity(REQUEST_ID, "a-1_b").request_id(), "a-1_b");
        for odd in ["", "a b", "a\"b", &"x".repeat(MOST_BYTES + 1)] {
            assert_ne!(identity(REQUEST_ID, odd).request_id(), odd);
        }
        let new = || Identity::of(&HeaderMap::new()).request_id().to_owned();
        assert_ne!(new(), new());
    }

    #[test]
    fn a_trace_goes_on_and_nonsense_is_none() {
        let identity_of = |parent| identity(TRACE_PARENT, parent);
        let known = identity_of(PARENT);
        assert_eq!(known.trace_id(), "0af7651916cd43dd8448eb211c80319c");
        let mut headers = HeaderMap::new();
        known.tell(&mut headers);
        let told = headers[&TRACE_PARENT].to_str().expect("text");
        assert!(
            told.starts_with(&PARENT[..36])
                && told.ends_with("-01")
                && told.len() == PARENT.len()
                && told != PARENT
        );
        assert_eq!(
            identity_of("cc-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more").trace_id().len(),
            32
        );
        for odd in [
            "",
            "00",
            "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        ] {
            assert_eq!(identity_of(odd).trace_id(), "", "{odd}");
        }
    }
}
