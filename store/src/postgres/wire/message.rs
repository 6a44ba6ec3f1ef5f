//! What one node sends to the others looks like this: a version, a kind, the node that sends it, and what it
//! is about, in base64. A room's id is its invitation, so rooms and inboxes are named by
//! keyed hashes, and what is said of them is sealed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use uuid::Uuid;

use crate::seals::{Blinder, KeyId, SealKey};
use crate::wire::{NodeId, Subject};

/// Whoever reads another version ignores it: what it says can be read in the record, or is
/// said again.
const VERSION: u8 = 1;
/// PostgreSQL takes payloads that are shorter than 8,000 bytes; NATS would take more.
const LONGEST: usize = 7_999;
/// Rooms in one poke.
pub(super) const POKED_AT_ONCE: usize = 300;
const MARK: usize = 8;
const HEAD: usize = 2 + 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Kind {
    /// These rooms have something new.
    Poke = 1,
    /// Something is said about a subject.
    Said = 2,
    /// The node is alive.
    Alive = 3,
    /// The node may have failed to say something.
    Missed = 4,
    /// The node stops.
    Farewell = 5,
}

/// A short keyed hash of a subject.
pub(super) type Mark = [u8; MARK];

/// Makes marks, and seals what is said.
pub(in crate::postgres) struct Marks {
    blinder: Blinder,
    key: SealKey,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Message {
    pub(super) from: NodeId,
    pub(super) what: What,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum What {
    Poke(Vec<Mark>),
    Said(Mark, Vec<u8>),
    Alive,
    Missed,
    Farewell,
}

/// A mark as text.
pub(super) fn hex(mark: Mark) -> String {
    format!("{:016x}", u64::from_be_bytes(mark))
}

fn place(kind: Kind, mark: Mark) -> Vec<u8> {
    [b"wire".as_slice(), &[kind as u8], &mark].concat()
}

impl Marks {
    pub(in crate::postgres) fn new(secret: &[u8; 32]) -> Self {
        let blinder = Blinder::new(secret);
        let key = SealKey::new(KeyId(0), &blinder.blind("key"));
        Self { blinder, key }
    }

    pub(super) fn mark(&self, subject: Subject) -> Mark {
        let word = match subject {
            Subject::Room(room) => format!("room {}", room.0),
            Subject::Inbox(owner) => format!("inbox {}", owner.0),
            Subject::Everybody => "everybody".to_owned(),
        };
        self.hash(&word)
    }

    fn hash(&self, word: &str) -> Mark {
        let blinded = self.blinder.blind(word);
        std::array::from_fn(|at| blinded[at])
    }

    /// What a cluster is called on the wire: one server may carry those of several.
    pub(in crate::postgres) fn cluster(&self, cluster: Uuid) -> String {
        hex(self.hash(&format!("channel {cluster}")))
    }

    /// What the node sends; `None` if it is too long.
    pub(super) fn payload(&self, from: NodeId, kind: Kind, mark: Mark, plain: &[u8]) -> Option<String> {
        let mut body = Vec::new();
        if kind == Kind::Said {
            body.extend_from_slice(&mark);
            body.extend(self.key.seal(&place(kind, mark), plain).ok()?);
        }
        write(from, kind, &body)
    }

    pub(super) fn poke(from: NodeId, marks: &[Mark]) -> Option<String> {
        write(from, Kind::Poke, &marks.concat())
    }

    /// Reads a payload; `None` if it is of another version or was changed.
    pub(super) fn read(&self, payload: &str) -> Option<Message> {
        let bytes = BASE64_STANDARD_NO_PAD.decode(payload).ok()?;
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let (version, kind) = (head[0], head[1]);
        let from = NodeId(Uuid::from_slice(&head[2..]).ok()?);
        if version != VERSION {
            return None;
        }
        let is = |expected: Kind| kind == expected as u8;
        let what = if is(Kind::Poke) {
            What::Poke(body.as_chunks::<MARK>().0.to_vec())
        } else if is(Kind::Said) {
            let (mark, sealed) = body.split_first_chunk::<MARK>()?;
            What::Said(*mark, self.key.open(&place(Kind::Said, *mark), sealed).ok()?)
        } else if is(Kind::Alive) {
            What::Alive
        } else if is(Kind::Missed) {
            What::Missed
        } else if is(Kind::Farewell) {
            What::Farewell
        } else {
            return None;
        };
        Some(Message { from, what })
    }
}

fn write(from: NodeId, kind: Kind, body: &[u8]) -> Option<String> {
    let bytes = [&[VERSION, kind as u8], from.0.as_bytes().as_slice(), body].concat();
    let payload = BASE64_STANDARD_NO_PAD.encode(bytes);
    if payload.len() > LONGEST {
        tracing::debug!(bytes = body.len(), "what is too long for the wire is not said");
        return None;
    }
    Some(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::RoomId;

    const NODE: NodeId = NodeId(Uuid::from_u128(7));

    #[test]
    fn what_is_said_can_be_read_with_the_same_secret_and_about_the_same_subject() {
        let (marks, others) = (Marks::new(&[1; 32]), Marks::new(&[2; 32]));
        let room = RoomId(Uuid::from_u128(5));
        let mark = marks.mark(Subject::Room(room));
        let payload = marks.payload(NODE, Kind::Said, mark, b"words").unwrap();
        let said = Message { from: NODE, what: What::Said(mark, b"words".to_vec()) };
        assert_eq!((marks.read(&payload), others.read(&payload)), (Some(said), None));
        let mut bytes = BASE64_STANDARD_NO_PAD.decode(&payload).unwrap();
        for hidden in [b"words".as_slice(), room.0.as_bytes()] {
            assert!(!bytes.windows(hidden.len()).any(|part| part == hidden));
        }
        bytes[HEAD] ^= 1;
        assert_eq!(marks.read(&BASE64_STANDARD_NO_PAD.encode(&bytes)), None, "about another subject");
        for at in [0, 1] {
            let mut other = BASE64_STANDARD_NO_PAD.decode(&payload).unwrap();
            other[at] = 99;
            assert_eq!(marks.read(&BASE64_STANDARD_NO_PAD.encode(other)), None, "of a later version");
        }
    }

    #[test]
    fn the_longest_poke_fits_and_what_is_too_long_is_not_said() {
        let marks = Marks::new(&[1; 32]);
        let poked = [[9; MARK]; POKED_AT_ONCE];
        let payload = Marks::poke(NODE, &poked).unwrap();
        assert_eq!(marks.read(&payload), Some(Message { from: NODE, what: What::Poke(poked.to_vec()) }));
        let said = |len| marks.payload(NODE, Kind::Said, Mark::default(), &vec![0; len]).map(|payload| payload.len());
        assert_eq!((said(5_900).is_some(), said(6_000)), (true, None));
    }
}
