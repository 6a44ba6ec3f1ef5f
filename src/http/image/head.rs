//! Finds out which room a picture is for from the beginning of its body, so
//! that the caller's seat is checked before megabytes are read.

use std::fmt;

use serde::Deserializer as _;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};

/// How many bytes of a body are searched. If the picture comes before the
/// room's id, these bytes don't have the id.
pub(super) const LOOKED_AT: usize = 4 * 1024;

/// Whether the search is over: the room is found, or isn't in these bytes.
pub(super) fn is_enough(bytes: &[u8]) -> bool {
    bytes.len() >= LOOKED_AT || room(bytes).is_some()
}

/// The id of the room, if the beginning of the body has it.
pub(super) fn room(bytes: &[u8]) -> Option<String> {
    let head = bytes.get(..LOOKED_AT).unwrap_or(bytes);
    let mut found = None;
    // Parsing stops with an error once it has the id, or where the bytes end.
    let _ = serde_json::Deserializer::from_slice(head).deserialize_map(RoomIdVisitor(&mut found));
    found
}

struct RoomIdVisitor<'a>(&'a mut Option<String>);

impl<'de> Visitor<'de> for RoomIdVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(name) = fields.next_key::<String>()? {
            if name == "room_id" {
                *self.0 = Some(fields.next_value()?);
                return Err(A::Error::custom("that was all we wanted to know"));
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_is_known_as_soon_as_it_is_named() {
        let body = br#" {"other": [1, {"room_id": "not this"}], "room_id": "r\u0031", "image_b64": "AAAA"#;
        let named = body.windows(6).position(|window| window == b"u0031\"").unwrap() + 6;
        for length in 0..body.len() {
            let expected = (length >= named).then(|| "r1".to_owned());
            assert_eq!(room(&body[..length]), expected, "after {length} bytes");
            assert_eq!(is_enough(&body[..length]), length >= named);
        }
    }

    #[test]
    fn what_names_none_is_looked_at_only_so_far() {
        let picture_first = [br#"{"image_b64": ""#.as_slice(), &[b'A'; LOOKED_AT], br#"", "room_id": "x"}"#].concat();
        assert_eq!(room(&picture_first), None);
        assert!(is_enough(&picture_first) && !is_enough(&picture_first[..LOOKED_AT - 1]));
        for odd in [&b""[..], b"[]", b"nonsense", b"{}", br#"{"room_id": 7}"#, b"\xff\xfe", br#"{"room_id": "x"#] {
            assert_eq!(room(odd), None);
        }
    }
}
