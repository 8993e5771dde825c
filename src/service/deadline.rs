//! How long a call may take: what its client says, and no longer than the server allows.

use http::{HeaderMap, HeaderName};
use std::time::Duration;

pub(super) const GRPC_TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");

/// A `grpc-timeout` that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// What a client says.
///
/// # Errors
/// [`Malformed`] if it is not at most eight digits and a unit.
pub(super) fn of(headers: &HeaderMap) -> Result<Option<Duration>, Malformed> {
    headers.get(GRPC_TIMEOUT).map(|value| parse(value.as_bytes()).ok_or(Malformed)).transpose()
}

/// Source: "gRPC over HTTP2", `Timeout`.
fn parse(value: &[u8]) -> Option<Duration> {
    let (unit, digits) = value.split_last()?;
    if !(1..=8).contains(&digits.len()) || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0, |number: u64, digit| number * 10 + u64::from(digit - b'0'));
    Some(match unit {
        b'H' => Duration::from_secs(number * 3_600),
        b'M' => Duration::from_secs(number * 60),
        b'S' => Duration::from_secs(number),
        b'm' => Duration::from_millis(number),
        b'u' => Duration::from_micros(number),
        b'n' => Duration::from_nanos(number),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_is_read_and_nothing_else() {
        let read = |text: &str| parse(text.as_bytes());
        assert_eq!(read("2H"), Some(Duration::from_secs(7_200)));
        assert_eq!(read("99999999S"), Some(Duration::from_secs(99_999_999)));
        assert_eq!(read("2010m"), Some(Duration::from_millis(2_010)));
        assert_eq!(read("3M"), Some(Duration::from_secs(180)));
        assert_eq!(read("7u"), Some(Duration::from_micros(7)));
        assert_eq!(read("0n"), Some(Duration::ZERO));
        for odd in ["", "S", "1", "1s", "-1S", "1.5S", "123456789S", " 1S", "1 S"] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
