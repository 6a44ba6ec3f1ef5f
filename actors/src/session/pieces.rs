//! Messages that come in pieces: libraries and proxies may send them so.

use actix_http::ws::Item;
use annon_contract::limits::FRAME_MAX_BYTES;
use bytes::{Bytes, BytesMut};

use super::Goodbye;
use super::incoming::FRAME_HEAD;

/// What there is of a message so far. Most never are in pieces, so that a
/// session keeps no more than a pointer for them.
#[derive(Default)]
pub(super) struct Pieces(Option<Box<PartialText>>);

#[derive(Default)]
struct PartialText {
    text: BytesMut,
    /// What it took to send that, so that empty pieces come to an end, too.
    sent: usize,
}

impl Pieces {
    /// The whole message, when this was its last piece. That they come in
    /// order the codec has seen to.
    pub(super) fn add(&mut self, piece: Item) -> Result<Option<Bytes>, Goodbye> {
        let (bytes, is_last) = match piece {
            Item::FirstText(bytes) | Item::Continue(bytes) => (bytes, false),
            Item::Last(bytes) => (bytes, true),
            Item::FirstBinary(_) => return Err(Goodbye::NotText),
        };
        let so_far = self.0.get_or_insert_default();
        so_far.sent += FRAME_HEAD + bytes.len();
        if so_far.sent > FRAME_HEAD + FRAME_MAX_BYTES {
            self.0 = None;
            return Err(Goodbye::TooLarge);
        }
        so_far.text.extend_from_slice(&bytes);
        Ok(if is_last { self.0.take().map(|whole| whole.text.freeze()) } else { None })
    }
}
