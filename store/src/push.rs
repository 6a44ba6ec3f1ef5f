//! Web push: where somebody's browsers are told while no page is open. A subscription is an address at a push
//! service, which tells a device and nothing else, with what it takes to encrypt for it.

use annon_contract::limits::SUBSCRIPTIONS;
use async_trait::async_trait;
use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};

use crate::account::{AccountId, Timestamp};
use crate::conversation::{ConversationId, Door};
use crate::error::Result;
use crate::room::{MemberId, RoomId};
use crate::text::unprintable;

/// Who is told: the owner of an account; or somebody without one: the sender of a conversation, or whoever has a seat
/// in a group of this owner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Subscriber {
    Account(AccountId),
    Sender(ConversationId),
    Seat { owner: AccountId, room: RoomId, member: MemberId },
}

/// A seat in a room of this owner's that ends at `ends`.
#[derive(Clone, Copy)]
pub struct Seated {
    pub owner: AccountId,
    pub room: RoomId,
    pub member: MemberId,
    pub ends: Timestamp,
}

/// The address at a push service to which a message for one browser is sent.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint(pub String);

/// The public key of a browser, an uncompressed point of P-256.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserKey(pub Vec<u8>);

/// The secret that a browser shares with whoever may send it messages.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserSecret(pub [u8; 16]);

unprintable!(Subscriber, Endpoint, BrowserKey, BrowserSecret);

/// The id of a subscription, by which a browser finds its own: half of the digest of its address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SubscriptionId(pub [u8; 16]);

impl Endpoint {
    pub fn id(&self) -> SubscriptionId {
        let digest = digest(&SHA256, self.0.as_bytes());
        SubscriptionId(digest.as_ref().first_chunk().copied().unwrap_or_default())
    }
}

/// What somebody can be told of. The numbers are on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Kind {
    Note = 1,
    Answer = 2,
    Knock = 4,
    Group = 8,
}

impl Kind {
    pub const ALL: [Self; 4] = [Self::Note, Self::Answer, Self::Knock, Self::Group];
}

/// Some kinds, each a bit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kinds(u8);

impl Kinds {
    pub fn has(self, kind: Kind) -> bool {
        self.0 & kind as u8 != 0
    }

    pub fn iter(self) -> impl Iterator<Item = Kind> {
        Kind::ALL.into_iter().filter(move |kind| self.has(*kind))
    }
}

impl FromIterator<Kind> for Kinds {
    fn from_iter<I: IntoIterator<Item = Kind>>(kinds: I) -> Self {
        Self(kinds.into_iter().fold(0, |all, kind| all | kind as u8))
    }
}

const MINUTES_OF_DAY: u64 = 24 * 60;

/// The hours of a day in which nothing is sent: minutes since midnight, UTC, without the last one. If they end before
/// they begin, they go over midnight; if both are the same minute, nothing is ever quiet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    pub from: u16,
    pub to: u16,
}

impl Quiet {
    /// `None` if one of them is no minute of a day.
    pub fn new(from: u16, to: u16) -> Option<Self> {
        let is_minute = |minute: u16| u64::from(minute) < MINUTES_OF_DAY;
        (is_minute(from) && is_minute(to)).then_some(Self { from, to })
    }

    pub fn covers(self, now: Timestamp) -> bool {
        let (minute, from, to) = (now / 60 % MINUTES_OF_DAY, u64::from(self.from), u64::from(self.to));
        if from <= to { (from..to).contains(&minute) } else { minute >= from || minute < to }
    }
}

/// In which language a browser is told. The order is on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    En,
    De,
}

/// A subscription. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscription {
    pub endpoint: Endpoint,
    pub key: BrowserKey,
    pub secret: BrowserSecret,
    pub kinds: Kinds,
    pub quiet: Option<Quiet>,
    pub language: Language,
    /// The day on which it was made, since 1970.
    pub added: u32,
}

/// The subscriptions of one subscriber, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subscriptions(Vec<Subscription>);

#[cfg(test)]
impl FromIterator<Subscription> for Subscriptions {
    fn from_iter<I: IntoIterator<Item = Subscription>>(all: I) -> Self {
        Self(all.into_iter().collect())
    }
}

impl Subscriptions {
    pub fn all(&self) -> &[Subscription] {
        &self.0
    }

    pub fn by_id(&self, id: SubscriptionId) -> Option<&Subscription> {
        self.0.iter().find(|one| one.endpoint.id() == id)
    }

    /// Adds one, which takes the place of that with its address. Of more than there may be the oldest go.
    pub(crate) fn add(&mut self, new: Subscription) {
        self.0.retain(|other| other.endpoint != new.endpoint);
        self.0.push(new);
        let too_many = self.0.len().saturating_sub(SUBSCRIPTIONS);
        self.0.drain(..too_many);
    }

    /// Removes one. Returns whether it was there.
    pub(crate) fn remove(&mut self, id: SubscriptionId) -> bool {
        let before = self.0.len();
        self.0.retain(|one| one.endpoint.id() != id);
        self.0.len() < before
    }
}

/// The subscriptions of all. They end with the account, the conversation or the seat, and those of an account also with
/// its password.
#[async_trait]
pub trait Pushes: Send + Sync {
    async fn of(&self, subscriber: Subscriber) -> Result<Subscriptions>;
    /// Adds a subscription, or replaces that with its address. `NotFound` when the account is gone.
    async fn subscribe(&self, account: AccountId, subscription: Subscription) -> Result<()>;
    /// Does the same for the sender of a conversation that has this door. `NotFound` when it has ended.
    async fn subscribe_sender(&self, id: ConversationId, door: Door, subscription: Subscription) -> Result<()>;
    /// Does the same for whoever has a seat. `NotFound` when the room's owner is gone.
    async fn subscribe_seat(&self, seat: Seated, subscription: Subscription) -> Result<()>;
    /// Removes all subscriptions of a subscriber. There may be none.
    async fn end(&self, subscriber: Subscriber) -> Result<()>;
    /// Removes those of all seats of a room.
    async fn end_seats(&self, owner: AccountId, room: RoomId) -> Result<()>;
    /// Removes a subscription. `NotFound` when it isn't there.
    async fn unsubscribe(&self, subscriber: Subscriber, id: SubscriptionId) -> Result<()>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_go_over_midnight() {
        let covered = |from, to, minutes: [u64; 4]| {
            minutes.map(|minute| Quiet::new(from, to).unwrap().covers(20_000 * 86_400 + minute * 60 + 59))
        };
        assert_eq!(covered(60, 120, [59, 60, 119, 120]), [false, true, true, false]);
        assert_eq!(covered(22 * 60, 7 * 60, [22 * 60 - 1, 22 * 60, 7 * 60 - 1, 7 * 60]), [false, true, true, false]);
        assert_eq!(covered(1439, 0, [1438, 1439, 0, 1]), [false, true, false, false]);
        assert_eq!(covered(5, 5, [4, 5, 6, 1439]), [false; 4]);
        assert!(Quiet::new(1440, 0).is_none() && Quiet::new(0, 1440).is_none());
    }

    #[test]
    fn kinds_are_what_they_were_made_of() {
        let kinds: Kinds = [Kind::Group, Kind::Note, Kind::Note].into_iter().collect();
        assert_eq!(kinds.iter().collect::<Vec<_>>(), [Kind::Note, Kind::Group]);
        assert!(!kinds.has(Kind::Answer) && Kinds::default().iter().next().is_none());
    }
}
