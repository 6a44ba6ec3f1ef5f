//! Rooms that ask first: what visitors who wait, the owner's windows and members are told.

use annon_contract::limits::KNOCK_LASTS;
use annon_store::room::KnockId;
use serde_json::{Value, json};

use super::owner::{OWNER, OpenWindow};
use super::*;
use crate::room::KnockSeen;
use crate::room::door::KnockState;

fn knock(n: u8) -> KnockId {
    KnockId([n; 16])
}

impl RoomSetup {
    async fn knocks(&self, n: u8) -> KnockSeen {
        let seen = self.rooms.knock(room(1), member(n), knock(n), u64::from(n)).await.unwrap();
        run_until_idle().await;
        seen
    }

    async fn state(&self, n: u8) -> KnockState {
        self.rooms.knock_seen(room(1), knock(n), true).await.unwrap().state
    }

    async fn answers(&self, n: u8, admits: bool) -> Result<(), RoomError> {
        self.command(Command::AnswerKnock { knock: knock(n), admits }).await
    }
}

/// The knocks of the last list that a window was told; `None` if it was told none.
fn listed(window: &OpenWindow) -> Option<Value> {
    let told = window.told();
    let mut lists = told.iter().filter(|frame| frame["event"] == "event.knocks");
    assert!(lists.clone().all(|frame| frame["id"] == room(1).0.to_string()));
    lists.next_back().map(|frame| frame["knocks"].clone())
}

fn entry(seen: &KnockSeen, left: u64) -> Value {
    json!({ "knock": seen.id.text(), "emoji": seen.emoji.as_str(), "seconds_left": left })
}

#[actix::test]
async fn the_owner_hears_of_each_knock_when_it_is_on_disk_and_members_of_none() {
    let (setup, [guest]) = RoomSetup::with_guests().await;
    let window = OpenWindow::of(&setup, OWNER);
    setup.command(Command::AskFirst(true)).await.unwrap();
    window.told();
    setup.store.faults().holds_appends = true;
    let asked = setup.asks(async |rooms| rooms.knock(room(1), member(2), knock(2), 2).await).await;
    assert_eq!((listed(&window), asked.is_finished()), (None, false), "what is not on disk is not told");
    setup.release(AppendFault::None).await;
    let mut first = asked.await.unwrap().unwrap();
    assert_eq!(listed(&window), Some(json!([entry(&first, 600)])));
    setup.pass(MINUTE).await;
    let second = setup.knocks(3).await;
    assert_eq!(listed(&window), Some(json!([entry(&first, 540), entry(&second, 600)])));
    assert!(first.door.has_changed().unwrap(), "whoever waits looks again");

    first.door.mark_unchanged();
    setup.answers(2, false).await.unwrap();
    assert_eq!((listed(&window), setup.state(2).await), (Some(json!([entry(&second, 600)])), KnockState::Declined));
    setup.answers(3, true).await.unwrap();
    assert_eq!((listed(&window), setup.state(3).await), (Some(json!([])), KnockState::Admitted));
    assert!(first.door.has_changed().unwrap());
    assert_eq!(guest.frames(), [] as [Value; 0], "members hear nothing");
    setup.rooms.claim(room(1), member(3), 1, false).await.unwrap();
    let refused = setup.rooms.claim(room(1), member(2), 1, false).await;
    assert_eq!(refused, Err(RoomError::Rejected(Code::AsksFirst)));
}

#[actix::test]
async fn a_knock_lapses_after_ten_minutes_also_in_a_room_that_left_memory() {
    let mut setup = RoomSetup::new();
    setup.command(Command::AskFirst(true)).await.unwrap();
    setup.knocks(2).await;
    setup.pass(KNOCK_LASTS - Duration::from_secs(1)).await;
    setup.restart().await;
    assert_eq!(setup.state(2).await, KnockState::Waiting);
    let left = setup.rooms.knock_seen(room(1), knock(2), true).await.unwrap().left;
    assert_eq!(left, Duration::from_secs(1));
    setup.pass(left).await;
    assert_eq!(setup.state(2).await, KnockState::Lapsed);
    assert_eq!(setup.rooms.knocks(room(1)).await.unwrap().knocks, []);
    assert_eq!(setup.answers(2, true).await, Err(RoomError::Rejected(Code::NoSuchKnock)));
    assert!(setup.rooms.knock_seen(room(1), knock(9), true).await.is_err_and(|why| why == Code::NoSuchKnock.into()));
}

#[actix::test]
async fn a_knock_that_the_disk_refuses_is_none() {
    let setup = RoomSetup::new();
    let window = OpenWindow::of(&setup, OWNER);
    setup.command(Command::AskFirst(true)).await.unwrap();
    setup.store.faults().is_full = true;
    assert!(setup.rooms.knock(room(1), member(2), knock(2), 2).await.is_err());
    setup.store.faults().is_full = false;
    assert_eq!(listed(&window), Some(json!([])));
    assert_eq!(setup.rooms.knocks(room(1)).await.unwrap().knocks, []);
}

#[actix::test]
async fn whoever_waits_is_let_go_when_the_server_ends() {
    let setup = RoomSetup::new();
    setup.command(Command::AskFirst(true)).await.unwrap();
    let mut seen = setup.knocks(2).await;
    setup.rooms.farewells().into_iter().for_each(|farewell| farewell());
    run_until_idle().await;
    assert!(seen.door.changed().await.is_err());
}
