//! WebSocket frames as a client reads and writes them: whole ones only, not
//! compressed, and as little work for each as there can be.

/// What kind of frame it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    Binary,
    Close,
    Ping,
    Pong,
}

impl Kind {
    fn parse(code: u8) -> Option<Self> {
        Some(match code {
            1 => Self::Text,
            2 => Self::Binary,
            8 => Self::Close,
            9 => Self::Ping,
            10 => Self::Pong,
            _ => return None,
        })
    }

    fn code(self) -> u8 {
        match self {
            Self::Text => 1,
            Self::Binary => 2,
            Self::Close => 8,
            Self::Ping => 9,
            Self::Pong => 10,
        }
    }
}

/// A frame at the beginning of what was received.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    pub(crate) kind: Kind,
    pub(crate) payload: &'a [u8],
    /// Bytes it takes with its head.
    pub(crate) length: usize,
}

/// The bytes are no frame that a client of ours could have asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a whole, plain WebSocket frame")]
pub(crate) struct NoFrame;

const WHOLE: u8 = 0x80;
const MASKED: u8 = 0x80;
/// Nobody sends us more in one frame.
const PAYLOAD_MAX: u64 = 16 * 1024 * 1024;
/// A client has to mask. Any key will do where nothing between the two ends
/// could mistake the bytes for a request.
const MASK: [u8; 4] = [0x6b, 0x21, 0xd9, 0x9c];

/// What stands before a payload.
struct Head {
    kind: Kind,
    is_masked: bool,
    /// Where the payload begins, without the mask.
    start: usize,
    payload: usize,
}

impl Head {
    /// Nothing while there is more of it to come.
    fn parse(bytes: &[u8]) -> Result<Option<Self>, NoFrame> {
        let [first, second, rest @ ..] = bytes else { return Ok(None) };
        let kind = Kind::parse(first & 0x0f).ok_or(NoFrame)?;
        if first & 0xf0 != WHOLE {
            return Err(NoFrame);
        }
        let (payload, start) = match (second & 0x7f, rest) {
            (length @ 0..126, _) => (u64::from(length), 2),
            (126, [a, b, ..]) => (u64::from(u16::from_be_bytes([*a, *b])), 4),
            (127, [a, b, c, d, e, f, g, h, ..]) => (u64::from_be_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), 10),
            _ => return Ok(None),
        };
        if payload > PAYLOAD_MAX {
            return Err(NoFrame);
        }
        Ok(Some(Self { kind, is_masked: second & MASKED != 0, start, payload: payload as usize }))
    }
}

impl<'a> Frame<'a> {
    /// The first frame of a server; nothing while there is more of it to come.
    pub(crate) fn first(bytes: &'a [u8]) -> Result<Option<Self>, NoFrame> {
        let Some(Head { kind, is_masked, start, payload }) = Head::parse(bytes)? else { return Ok(None) };
        if is_masked {
            return Err(NoFrame);
        }
        let length = start + payload;
        Ok(bytes.get(start..length).map(|payload| Self { kind, payload, length }))
    }
}

fn write_head(kind: Kind, length: usize, mask: u8, out: &mut Vec<u8>) {
    out.push(WHOLE | kind.code());
    match length {
        0..126 => out.push(mask | length as u8),
        126..0x1_0000 => {
            out.push(mask | 126);
            out.extend_from_slice(&(length as u16).to_be_bytes());
        }
        _ => {
            out.push(mask | 127);
            out.extend_from_slice(&(length as u64).to_be_bytes());
        }
    }
}

/// Appends a frame of a client.
pub(crate) fn write(kind: Kind, payload: &[u8], out: &mut Vec<u8>) {
    write_head(kind, payload.len(), MASKED, out);
    out.extend_from_slice(&MASK);
    out.extend(payload.iter().zip(MASK.iter().cycle()).map(|(byte, mask)| byte ^ mask));
}

/// The code and the words of a close frame.
pub(crate) fn goodbye(payload: &[u8]) -> String {
    match payload {
        [a, b, words @ ..] => {
            let code = u16::from_be_bytes([*a, *b]);
            format!("{code} {}", String::from_utf8_lossy(words)).trim_end().to_owned()
        }
        _ => "no reason given".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unmasked(payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_head(Kind::Text, payload.len(), 0, &mut bytes);
        bytes.extend_from_slice(payload);
        bytes
    }

    #[test]
    fn frames_of_every_length_are_read_back_and_only_when_whole() {
        for length in [0, 1, 125, 126, 127, 65_535, 65_536, 70_000] {
            let payload = vec![b'x'; length];
            let bytes = unmasked(&payload);
            let frame = Frame::first(&bytes).unwrap().unwrap();
            assert_eq!((frame.kind, frame.payload, frame.length), (Kind::Text, payload.as_slice(), bytes.len()));
            for cut in [0, 1, 2, 3, 9, bytes.len() - 1] {
                let part = bytes.get(..cut).filter(|part| part.len() < bytes.len());
                assert!(part.is_none_or(|part| Frame::first(part) == Ok(None)), "{length} {cut}");
            }
        }
    }

    #[test]
    fn a_client_s_frame_is_masked() {
        let mut bytes = Vec::new();
        write(Kind::Text, b"hello", &mut bytes);
        assert_eq!(bytes[..2], [0x81, 0x85]);
        assert_eq!(bytes[2..6], MASK);
        assert_eq!(bytes[6] ^ MASK[0], b'h');
        assert_eq!(Frame::first(&bytes), Err(NoFrame), "servers don't mask");
    }

    #[test]
    fn pieces_and_compressed_frames_are_refused() {
        for first in [0x01, 0x80, 0xc1, 0x83] {
            assert_eq!(Frame::first(&[first, 0]), Err(NoFrame), "{first:#x}");
        }
        assert_eq!(Frame::first(&[0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255]), Err(NoFrame));
    }

    #[test]
    fn a_goodbye_has_a_code_and_words() {
        assert_eq!(goodbye(&[0x03, 0xf0, b'a', b'b']), "1008 ab");
        assert_eq!(goodbye(&[0x03, 0xe8]), "1000");
        assert_eq!(goodbye(b""), "no reason given");
    }
}
