//! Subscriptions to web push. All of one subscriber are a row, sealed with the key of the account or the conversation,
//! so that they go with it. Those of a seat are sealed with the key of the account whose group it is; other rows begin
//! with the day on which a group ends that has any.

use async_trait::async_trait;

use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::conversation::{ConversationId, Door};
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::nouns::conversation::door_of;
use crate::push::{Pushes, Seated, Subscriber, Subscription, SubscriptionId, Subscriptions};
use crate::room::RoomId;
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, Wants};
use crate::seals::keyring::Owner;
use crate::table::{Table, account_key, id_after_day, key, push_key, seat_push_key, sender_push_key};

const DAY: Timestamp = 24 * 60 * 60;
/// Rooms whose seats are looked at together.
const SOME: usize = 64;

fn at(subscriber: Subscriber) -> Vec<u8> {
    match subscriber {
        Subscriber::Account(id) => push_key(id),
        Subscriber::Sender(id) => sender_push_key(id),
        Subscriber::Seat { owner, room, member } => seat_push_key(owner, room, Some(member)),
    }
}

fn end_key(ends: Timestamp, owner: AccountId, room: RoomId) -> Vec<u8> {
    let day = u32::try_from(ends / DAY).unwrap_or(u32::MAX);
    key(Table::SeatPushEnd, &[&day.to_be_bytes(), owner.0.as_bytes(), room.0.as_bytes()])
}

async fn of<R: Reads>(rows: &R, subscriber: Subscriber) -> Result<Subscriptions> {
    Ok(rows.sealed(&at(subscriber)).await?.unwrap_or_default())
}

/// Stores what is left; nothing is left of none.
async fn put<R: Rows>(rows: &mut R, subscriber: Subscriber, all: &Subscriptions) -> Result<()> {
    if all.all().is_empty() {
        rows.remove(at(subscriber));
        return Ok(());
    }
    // An account or a conversation that is gone has no key. A seat has none of its own.
    let owner = match subscriber {
        Subscriber::Account(id) | Subscriber::Seat { owner: id, .. } => Owner::Account(id.0),
        Subscriber::Sender(id) => Owner::Conversation(id.0),
    };
    rows.put_sealed(owner, at(subscriber), all).await
}

/// The subscriptions of a conversation's sender, before its key is replaced.
pub(super) async fn of_sender<R: Reads>(rows: &R, id: ConversationId) -> Result<Subscriptions> {
    of(rows, Subscriber::Sender(id)).await
}

/// Seals them anew, with the new key.
pub(super) async fn put_of_sender<R: Rows>(rows: &mut R, id: ConversationId, all: &Subscriptions) -> Result<()> {
    if all.all().is_empty() { Ok(()) } else { put(rows, Subscriber::Sender(id), all).await }
}

/// Locks what a subscriber's row belongs to. `NotFound` if it is a conversation that has ended, or has another door.
async fn lock<R: Rows>(rows: &mut R, subscriber: Subscriber, through: Option<Door>) -> Result<()> {
    let Subscriber::Sender(id) = subscriber else { return Ok(()) };
    let door = door_of(rows, id).await?.ok_or(StoreError::NotFound)?;
    if through.is_some_and(|through| through != door) {
        return Err(StoreError::NotFound);
    }
    rows.lock(vec![account_key(door.owner)]).await
}

fn locks(subscriber: Subscriber) -> Vec<Vec<u8>> {
    match subscriber {
        Subscriber::Account(_) | Subscriber::Seat { .. } => vec![at(subscriber)],
        Subscriber::Sender(_) => Vec::new(),
    }
}

struct Subscribe {
    subscriber: Subscriber,
    through: Option<Door>,
    /// When the room ends in which the subscriber has a seat.
    ends: Option<Timestamp>,
    subscription: Subscription,
}

impl Call for Subscribe {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Grows;

    fn locks(&self) -> Vec<Vec<u8>> {
        locks(self.subscriber)
    }

    fn wants(&self) -> Wants {
        Wants::rows([at(self.subscriber)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        lock(rows, self.subscriber, self.through).await?;
        let mut all = of(rows, self.subscriber).await?;
        all.add(self.subscription.clone());
        if let (Subscriber::Seat { owner, room, .. }, Some(ends)) = (self.subscriber, self.ends) {
            rows.put(end_key(ends, owner, room), Vec::new());
        }
        put(rows, self.subscriber, &all).await
    }
}

struct Unsubscribe {
    subscriber: Subscriber,
    id: SubscriptionId,
}

impl Call for Unsubscribe {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        locks(self.subscriber)
    }

    fn wants(&self) -> Wants {
        Wants::rows([at(self.subscriber)])
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        lock(rows, self.subscriber, None).await?;
        let mut all = of(rows, self.subscriber).await?;
        if !all.remove(self.id) {
            return Err(StoreError::NotFound);
        }
        put(rows, self.subscriber, &all).await
    }
}

/// Removes all subscriptions of a subscriber.
struct End(Subscriber);

impl Call for End {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        locks(self.0)
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        lock(rows, self.0, None).await?;
        rows.remove(at(self.0));
        Ok(())
    }
}

/// Removes the subscriptions of all seats of a room, and of the day on which it ends, if that is known.
struct EndSeats {
    owner: AccountId,
    room: RoomId,
    end: Option<Vec<u8>>,
}

impl Call for EndSeats {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Shrinks;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![push_key(self.owner)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for at in rows.keys(Span::under(&seat_push_key(self.owner, self.room, None))).await? {
            rows.remove(at);
        }
        self.end.iter().for_each(|at| rows.remove(at.clone()));
        Ok(())
    }
}

/// Removes those of all seats in rooms of an account that is being deleted.
pub(super) async fn drop_seats_of<R: Rows>(rows: &mut R, owner: AccountId) -> Result<()> {
    for at in rows.keys(Span::under(&key(Table::SeatPush, &[owner.0.as_bytes()]))).await? {
        rows.remove(at);
    }
    Ok(())
}

/// Removes those of seats in rooms that have ended on a day before this one.
pub(super) async fn drop_old<K: Keep>(keep: &K, now: Timestamp) -> Result<()> {
    let today = u32::try_from(now / DAY).unwrap_or(u32::MAX);
    let over = Span::new(key(Table::SeatPushEnd, &[]), key(Table::SeatPushEnd, &[&today.to_be_bytes()]));
    loop {
        let some = keep.look().range(over.clone(), SOME).await?;
        let is_last = some.len() < SOME;
        for (at, _) in some {
            let room = at.get(21..).and_then(|id| Uuid::from_slice(id).ok()).ok_or(StoreError::Corrupt)?;
            let owner = AccountId(id_after_day(&at)?);
            keep.call(EndSeats { owner, room: RoomId(room), end: Some(at) }).await?;
        }
        if is_last {
            return Ok(());
        }
    }
}

#[async_trait]
impl<K: Keep> Pushes for Nouns<K> {
    async fn of(&self, subscriber: Subscriber) -> Result<Subscriptions> {
        of(&self.0.look(), subscriber).await
    }

    async fn subscribe(&self, account: AccountId, subscription: Subscription) -> Result<()> {
        let subscriber = Subscriber::Account(account);
        self.0.call(Subscribe { subscriber, through: None, ends: None, subscription }).await
    }

    async fn subscribe_sender(&self, id: ConversationId, door: Door, subscription: Subscription) -> Result<()> {
        let subscriber = Subscriber::Sender(id);
        self.0.call(Subscribe { subscriber, through: Some(door), ends: None, subscription }).await
    }

    async fn subscribe_seat(&self, seat: Seated, subscription: Subscription) -> Result<()> {
        let Seated { owner, room, member, ends } = seat;
        let subscriber = Subscriber::Seat { owner, room, member };
        self.0.call(Subscribe { subscriber, through: None, ends: Some(ends), subscription }).await
    }

    async fn end(&self, subscriber: Subscriber) -> Result<()> {
        self.0.call(End(subscriber)).await
    }

    async fn end_seats(&self, owner: AccountId, room: RoomId) -> Result<()> {
        self.0.call(EndSeats { owner, room, end: None }).await
    }

    async fn unsubscribe(&self, subscriber: Subscriber, id: SubscriptionId) -> Result<()> {
        self.0.call(Unsubscribe { subscriber, id }).await
    }
}
