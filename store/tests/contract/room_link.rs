//! Links of rooms: which of them leads where, how many there are, and with what they go.

use annon_contract::limits::ROOM_LINKS;
use annon_store::StoreError;
use annon_store::room::RoomId;
use annon_store::room_link::RoomLink;
use uuid::Uuid;

use crate::contract::engine::{Engine, ONE, with_accounts};
use crate::support::people::*;

on_every_engine! {
    a_new_link_ends_the_one_before_and_all_lead_to_the_room,
    a_room_gets_so_many_and_no_more,
    links_go_with_the_room_with_its_time_and_with_the_account,
}

fn link(n: usize) -> RoomId {
    RoomId(Uuid::from_u128(0x1000 + n as u128))
}

const ROOM: RoomId = RoomId(Uuid::from_u128(1));
const OTHER: RoomId = RoomId(Uuid::from_u128(2));

async fn follows(engine: &Engine, at: RoomId) -> Option<RoomLink> {
    engine.room_links().follow(at).await.unwrap()
}

fn leads(room: RoomId, has_ended: bool) -> Option<RoomLink> {
    Some(RoomLink { room, has_ended })
}

async fn a_new_link_ends_the_one_before_and_all_lead_to_the_room(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (one, two) = (account_id(ONE), account_id(2));
    let newest = async |engine: &Engine, owner| engine.room_links().newest(owner, &[OTHER, ROOM]).await.unwrap();
    assert_eq!((follows(&engine, ROOM).await, follows(&engine, link(1)).await), (None, None));
    assert_eq!(newest(&engine, one).await, [OTHER, ROOM]);

    engine.room_links().renew(one, ROOM, link(1), NOW + 100).await.unwrap();
    engine.step().await;
    assert_eq!(follows(&engine, ROOM).await, leads(ROOM, true));
    assert_eq!(follows(&engine, link(1)).await, leads(ROOM, false));
    engine.room_links().renew(one, ROOM, link(2), NOW + 100).await.unwrap();
    engine.step().await;
    for (at, has_ended) in [(ROOM, true), (link(1), true), (link(2), false)] {
        assert_eq!(follows(&engine, at).await, leads(ROOM, has_ended), "{at:?}");
    }
    assert_eq!(newest(&engine, one).await, [OTHER, link(2)]);
    assert_eq!(newest(&engine, two).await, [OTHER, ROOM], "they are another account's");
    assert_eq!(follows(&engine, OTHER).await, None);

    let taken = engine.room_links().renew(one, OTHER, link(1), NOW + 100).await;
    assert_eq!(taken, Err(StoreError::Conflict));
    let nobody = engine.room_links().renew(account_id(7), OTHER, link(3), NOW + 100).await;
    assert_eq!(nobody, Err(StoreError::NotFound));
    assert_eq!(follows(&engine, OTHER).await, None);
}

async fn a_room_gets_so_many_and_no_more(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let one = account_id(ONE);
    for n in 1..=ROOM_LINKS {
        engine.room_links().renew(one, ROOM, link(n), NOW + 100).await.unwrap();
    }
    engine.step().await;
    let more = engine.room_links().renew(one, ROOM, link(0), NOW + 100).await;
    assert_eq!(more, Err(StoreError::Full));
    assert_eq!(follows(&engine, link(ROOM_LINKS)).await, leads(ROOM, false), "the newest stays the newest");
    engine.room_links().renew(one, OTHER, link(0), NOW + 100).await.unwrap();
}

async fn links_go_with_the_room_with_its_time_and_with_the_account(engine: Engine) {
    let mut engine = with_accounts(engine).await;
    let (one, two) = (account_id(ONE), account_id(2));
    // PostgreSQL sweeps by its own clock.
    let long = NOW + 24 * 60 * 60;
    for (n, owner, room, ends) in
        [(1, one, ROOM, long), (2, one, ROOM, long), (3, one, OTHER, 100), (4, two, RoomId(Uuid::from_u128(3)), long)]
    {
        engine.room_links().renew(owner, room, link(n), ends).await.unwrap();
    }
    engine.step().await;
    engine.sweep(NOW).await.unwrap();
    engine.step().await;
    assert_eq!((follows(&engine, OTHER).await, follows(&engine, link(3)).await), (None, None), "its time is up");
    assert_eq!(follows(&engine, link(2)).await, leads(ROOM, false));

    engine.room_links().forget(one, ROOM).await.unwrap();
    engine.room_links().forget(one, ROOM).await.unwrap();
    engine.accounts().delete(two).await.unwrap();
    engine.step().await;
    for gone in [ROOM, link(1), link(2), RoomId(Uuid::from_u128(3)), link(4)] {
        assert_eq!(follows(&engine, gone).await, None, "{gone:?}");
    }
    engine.room_links().renew(one, ROOM, link(2), long).await.unwrap();
}
