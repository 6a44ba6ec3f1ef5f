//! The wire: how nodes that share a record tell each other what the record doesn't have,
//! such as who is connected where. What goes over it may be lost, or come late, twice or
//! in another order. So whatever is said is said again, or can be read in the record.

use std::pin::Pin;

use futures_util::Stream;
use uuid::Uuid;

use crate::account::AccountId;
use crate::room::RoomId;

/// One start of a node. It has another one after the next start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub Uuid);

/// What something is said about, and so whom it concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    Room(RoomId),
    Inbox(AccountId),
    Everybody,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Heard {
    /// Another node has said this.
    Said { from: NodeId, bytes: Vec<u8> },
    /// Something may have been missed.
    Stale,
    /// This node isn't heard any more: it has stopped, hangs, or is cut off.
    Silent(NodeId),
}

/// What other nodes say about a subject.
pub type Listening = Pin<Box<dyn Stream<Item = Heard> + Send>>;

pub trait Wire: Send + Sync {
    /// Tells the other nodes. This never waits: what finds no space is dropped, and
    /// those who listen are told that they may have missed something.
    fn say(&self, subject: Subject, bytes: Vec<u8>);
    /// What other nodes say about a subject from here on.
    fn listen(&self, subject: Subject) -> Listening;
    /// How often a node that is alive was not heard, as far as this node knows; `None`
    /// while it is so. Between two equal answers every node was heard.
    fn gaps(&self) -> Option<u64>;
    /// How many nodes are alive, as far as this one knows: itself, and the others.
    fn nodes(&self) -> usize;
}
