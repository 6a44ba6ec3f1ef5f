//! What the windows of a room's owner are told of it.

use std::sync::Arc;

use annon_store::account::TokenId;
use serde_json::{Value, json};

use super::*;
use crate::inbox::Watcher;
use crate::session::{Outbox, Role};

/// The owner of all rooms of the store.
pub(super) const OWNER: AccountId = AccountId(Uuid::from_u128(9));
const OTHER: AccountId = AccountId(Uuid::from_u128(8));
const SECOND: Duration = Duration::from_secs(1);

pub(super) struct OpenWindow(Watcher, Arc<Outbox>);

impl OpenWindow {
    pub(super) fn of(setup: &RoomSetup, owner: AccountId) -> Self {
        let outbox = Outbox::new(None);
        let mut watcher = Watcher::new(setup.inboxes.clone(), owner, (TokenId(Uuid::nil()), 0), 0);
        watcher.opened(outbox.clone());
        assert_eq!(outbox.texts(), [json!({ "event": "event.ready" })]);
        Self(watcher, outbox)
    }

    /// What it was told since the last call.
    pub(super) fn told(&self) -> Vec<Value> {
        self.1.texts()
    }
}

pub(super) fn stands(seats: usize, active: usize, messages: u64) -> Value {
    let standing = json!({ "seats": seats, "active": active, "message_count": messages });
    json!({ "event": "event.room", "id": room(1).0.to_string(), "standing": standing })
}

pub(super) fn over() -> Value {
    json!({ "event": "event.room", "id": room(1).0.to_string() })
}

#[actix::test]
async fn the_owner_is_told_at_most_once_a_second_and_nobody_else() {
    let setup = RoomSetup::new();
    let [window, other] = [OWNER, OTHER].map(|owner| OpenWindow::of(&setup, owner));
    let [a, b] = setup.guests().await;
    setup.pass(SECOND).await;
    assert_eq!(window.told().last(), Some(&stands(2, 2, 0)));
    setup.pass(SECOND).await;
    setup.store.faults().holds_appends = true;
    a.post(1).await;
    assert_eq!(window.told(), [] as [Value; 0], "what is not on disk is not told");
    setup.release(AppendFault::None).await;
    assert_eq!(window.told(), [stands(2, 2, 1)]);
    a.post_all(2..40).await;
    b.tear_away();
    run_until_idle().await;
    setup.pass(SECOND - Duration::from_millis(1)).await;
    assert_eq!(window.told(), [] as [Value; 0]);
    setup.pass(Duration::from_millis(1)).await;
    assert_eq!(window.told(), [stands(2, 1, 39)], "only the newest");
    // Nothing of a member's typing, or of a message that was taken back.
    a.send_and_wait("event.typing", &[]).await;
    a.retract(3).await;
    setup.pass(SECOND * 3).await;
    assert_eq!([window.told(), other.told()], [[], []] as [[Value; 0]; 2]);
}

#[actix::test]
async fn a_window_is_told_of_what_came_after_it_was_opened() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    a.post(1).await;
    let mut window = OpenWindow::of(&setup, OWNER);
    setup.pass(SECOND).await;
    assert_eq!(window.told(), [] as [Value; 0]);
    a.post(2).await;
    assert_eq!(window.told(), [stands(1, 1, 2)]);
    // What comes while no window is open is in the list that the next one reads.
    a.post(3).await;
    window.0.closed();
    setup.pass(SECOND).await;
    let window = OpenWindow::of(&setup, OWNER);
    setup.pass(SECOND).await;
    assert_eq!(window.told(), [] as [Value; 0]);
    a.tear_away();
    run_until_idle().await;
    assert_eq!(window.told(), [stands(1, 0, 3)]);
}

#[actix::test]
async fn the_end_is_told_at_once_and_is_the_last_word() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    let window = OpenWindow::of(&setup, OWNER);
    a.post(1).await;
    a.post(2).await;
    setup.command(Command::Close).await.unwrap();
    assert_eq!(window.told(), [stands(1, 1, 1), over()]);
    setup.pass(SECOND * 2).await;
    assert_eq!(window.told(), [] as [Value; 0]);
}

#[actix::test]
async fn a_room_whose_time_is_up_has_ended_for_its_owner_too() {
    let (setup, [_a]) = RoomSetup::with_guests().await;
    let window = OpenWindow::of(&setup, OWNER);
    setup.pass(Duration::from_secs(LIFETIME)).await;
    assert_eq!(window.told(), [over()]);
}

#[actix::test]
async fn nobody_is_in_a_room_that_broke() {
    let (setup, [a, _b]) = RoomSetup::with_guests().await;
    let window = OpenWindow::of(&setup, OWNER);
    setup.store.faults().next_append = AppendFault::Panics;
    a.post(1).await;
    assert_eq!(window.told(), [stands(2, 0, 0)]);
}
