//! Subscriptions to web push. All of one subscriber are a row, sealed with the key of the account or the conversation,
//! so that they go with it.

use async_trait::async_trait;

use crate::account::AccountId;
use crate::conversation::{ConversationId, Door};
use crate::error::{Result, StoreError};
use crate::nouns::Nouns;
use crate::nouns::conversation::door_of;
use crate::push::{Pushes, Subscriber, Subscription, SubscriptionId, Subscriptions};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Wants};
use crate::seals::keyring::Owner;
use crate::table::{account_key, push_key, sender_push_key};

fn at(subscriber: Subscriber) -> Vec<u8> {
    match subscriber {
        Subscriber::Account(id) => push_key(id),
        Subscriber::Sender(id) => sender_push_key(id),
    }
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
    // An account or a conversation that is gone has no key.
    let owner = match subscriber {
        Subscriber::Account(id) => Owner::Account(id.0),
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
        Subscriber::Account(id) => vec![push_key(id)],
        Subscriber::Sender(_) => Vec::new(),
    }
}

struct Subscribe {
    subscriber: Subscriber,
    through: Option<Door>,
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

#[async_trait]
impl<K: Keep> Pushes for Nouns<K> {
    async fn of(&self, subscriber: Subscriber) -> Result<Subscriptions> {
        of(&self.0.look(), subscriber).await
    }

    async fn subscribe(&self, account: AccountId, subscription: Subscription) -> Result<()> {
        self.0.call(Subscribe { subscriber: Subscriber::Account(account), through: None, subscription }).await
    }

    async fn subscribe_sender(&self, id: ConversationId, door: Door, subscription: Subscription) -> Result<()> {
        self.0.call(Subscribe { subscriber: Subscriber::Sender(id), through: Some(door), subscription }).await
    }

    async fn unsubscribe(&self, subscriber: Subscriber, id: SubscriptionId) -> Result<()> {
        self.0.call(Unsubscribe { subscriber, id }).await
    }
}
