//! Tests: a record that can't be read hides no other, and keeps none from
//! being cleared away.

use uuid::Uuid;

use crate::account::{AccountId, Timestamp};
use crate::feedback::{Feedback, FeedbackId};
use crate::inbox::place::NotePlace;
use crate::local::committer::Effect::Shrinks;
use crate::local::committer::tests::{account, deliver, store};
use crate::local::rooms::room_key;
use crate::local::table::{Table, key};
use crate::local::transaction::Transaction;
use crate::room::{RoomCard, RoomId, RoomName};
use crate::seals::keyring::Owner;
use crate::{Engine, Store, Swept};

const NOW: Timestamp = 2_000_000_000;

async fn noise_at<const N: usize>(store: &Store, keys: [Vec<u8>; N]) {
    let noise = |transaction: &mut Transaction<'_>| {
        keys.into_iter().for_each(|key| transaction.put_bytes(key, b"noise".to_vec()));
    };
    store.base.change(Shrinks, noise).await.unwrap();
}

#[tokio::test]
async fn what_cant_be_read_keeps_nothing_else_from_being_cleared_away() {
    let (_folder, store) = store();
    let owner = AccountId(Uuid::from_u128(9));
    let rooms: Vec<_> = (1..=3).map(|n| RoomId(Uuid::from_u128(n))).collect();
    let home = key(Table::Account, &[owner.0.as_bytes()]);
    store.base.change(Shrinks, |transaction| transaction.put_bytes(home, Vec::new())).await.unwrap();
    for (room, expires) in rooms.iter().zip(NOW + 1..) {
        let (name, creator) = (RoomName::try_from("tacos").unwrap(), "some-body".to_owned().try_into().unwrap());
        let card = RoomCard { id: *room, name, owner, creator, created: NOW, expires };
        store.rooms().create(card, NOW).await.unwrap();
    }
    noise_at(&store, [room_key(rooms[0]), key(Table::Reset, &[&[1; 32]])]).await;
    assert_eq!(store.rooms().of_owner(owner).await.unwrap().len(), 2);

    let swept = store.sweep(NOW + 2).await.unwrap();
    assert_eq!(swept, Swept { links: 1, rooms: 2, ..Swept::default() });
    assert_eq!(store.sweep(NOW + 2).await.unwrap(), Swept::default());
    assert_eq!(store.rooms().by_id(rooms[0]).await, Ok(None));
    let left: Vec<_> = store.rooms().of_owner(owner).await.unwrap().iter().map(|card| card.id).collect();
    assert_eq!(left, rooms[2..]);
    let keyring = store.base.keyring.read().unwrap();
    let keys = |room: &RoomId| keyring.keys_of(Owner::Room(room.0)).len();
    assert_eq!(rooms.iter().map(keys).collect::<Vec<_>>(), [0, 0, 1]);
}

#[tokio::test]
async fn a_record_that_cant_be_read_hides_no_other() {
    let (_folder, store) = store();
    let ids: [_; 3] = std::array::from_fn(|n| Uuid::from_u128(n as u128 + 1));
    let mut notes = Vec::new();
    for id in ids {
        store.accounts().create(account(id.as_u128())).await.unwrap();
        notes.push(deliver(&*store.inbox(), AccountId(ids[0]), 7).await.unwrap().1);
        let text = "some words of feedback".to_owned().try_into().unwrap();
        store.feedback().add(Feedback { id: FeedbackId(id), text, date: NOW, has_picture: false }).await.unwrap();
    }
    let damaged = [
        key(Table::Account, &[ids[1].as_bytes()]),
        key(Table::Note, &[ids[0].as_bytes(), NotePlace::new(2, 7).bytes()]),
        key(Table::Feedback, &[ids[1].as_bytes()]),
    ];
    noise_at(&store, damaged).await;

    let accounts = store.accounts().list(None, 10).await.unwrap();
    assert_eq!(accounts.iter().map(|account| account.id.0).collect::<Vec<_>>(), [ids[0], ids[2]]);
    let page = store.inbox().page(AccountId(ids[0]), None, 10, NOW).await.unwrap();
    assert_eq!(page.notes.iter().map(|note| note.id).collect::<Vec<_>>(), [notes[2], notes[0]]);
    let feedback = store.feedback().page(None, 10).await.unwrap();
    assert_eq!(feedback.iter().map(|feedback| feedback.id.0).collect::<Vec<_>>(), [ids[2], ids[0]]);
}
