//! Pictures of a room: which may be shown, and which are removed.

use annon_store::image::{Album, ImageId};
use annon_store::room::{Millis, SeatNumber};
use serde_json::Value;

use super::*;
use crate::room::frame::image_path;

impl RoomSetup {
    async fn upload(&self, n: u128) -> ImageId {
        let image = ImageId(Uuid::from_u128(n));
        self.store.images().put(Album::Room(room(1).0), image, vec![0; 10]).await.unwrap();
        self.rooms.add_picture(room(1), image, 10).await.unwrap();
        image
    }

    async fn pictures(&self) -> Vec<u128> {
        let listed = self.store.images().list(Album::Room(room(1).0)).await.unwrap();
        let mut listed: Vec<_> = listed.iter().map(|kept| kept.id.0.as_u128()).collect();
        listed.sort_unstable();
        listed
    }
}

fn shows(of: RoomId, image: ImageId) -> (&'static str, Value) {
    ("image_src", image_path(of, image).into())
}

#[actix::test]
async fn a_picture_no_message_refers_to_goes_after_ten_minutes() {
    let (mut setup, [a, _b]) = RoomSetup::with_guests().await;
    let [sent, tiny, _unused] = [setup.upload(1).await, setup.upload(2).await, setup.upload(3).await];
    let low = ("image_low", image_path(room(1), tiny).into());
    a.send_and_wait("event.image", &[("id", id(1).into()), shows(room(1), sent), low, ("caption", "look".into())])
        .await;
    setup.pass(Duration::from_secs(599)).await;
    assert_eq!(a.of("event.image").len(), 1);
    assert_eq!(setup.pictures().await, [1, 2, 3]);
    setup.pass(Duration::from_secs(21)).await;
    assert_eq!(setup.pictures().await, [1, 2]);
    a.send_and_wait("event.image", &[("id", id(2).into()), shows(room(1), ImageId(Uuid::from_u128(3)))]).await;
    assert_eq!(a.refusals(), ["That photo is not one of this group's."]);

    // The server stops just after a picture was uploaded.
    setup.upload(4).await;
    setup.restart().await;
    let _a = setup.guest_again(1).await;
    setup.pass(Duration::from_secs(621)).await;
    assert_eq!(setup.pictures().await, [1, 2]);
}

#[actix::test]
async fn a_picture_that_is_taken_back_goes_also_when_the_server_has_ended_meanwhile() {
    let (mut setup, [a, b]) = RoomSetup::with_guests().await;
    for (n, guest) in [(1, &a), (2, &b)] {
        let image = setup.upload(n).await;
        guest.send_and_wait("event.image", &[("id", id(n as usize).into()), shows(room(1), image)]).await;
    }
    setup.restart().await;
    let a = setup.guest_again(1).await;
    a.retract(1).await;
    assert_eq!(setup.pictures().await, [2]);

    // The server stops after a picture was taken back and before its text was erased.
    let seq = setup.log().iter().find_map(|(seq, event)| match event {
        RoomEvent::Posted { id: posted, .. } if posted.as_str() == id(2) => Some(*seq),
        _ => None,
    });
    setup.restart().await;
    let at = Millis(setup.clock.timestamp() * 1000);
    let retracted = RoomEvent::Retracted { seat: SeatNumber(1), message: seq.unwrap(), at };
    setup.store.room_log().append(room(1), Seq(setup.end()), vec![retracted]).await.unwrap();
    setup.rooms.view(room(1), Some(member(1)), None, 10).await.unwrap();
    run_until_idle().await;
    assert_eq!((setup.pictures().await, setup.store.faults().seen().redacted.last().copied()), (vec![], seq));
}

#[actix::test]
async fn a_picture_nobody_sent_goes_also_when_everybody_has_gone() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    setup.upload(1).await;
    a.tear_away();
    run_until_idle().await;
    setup.pass(Duration::from_secs(580)).await;
    assert_eq!((setup.pictures().await, setup.rooms.open()), (vec![1], 1));
    setup.pass(Duration::from_secs(61)).await;
    assert_eq!((setup.pictures().await, setup.rooms.open()), (vec![], 0));
}

#[actix::test]
async fn only_pictures_this_room_gave_out_are_shown() {
    let (setup, [a]) = RoomSetup::with_guests().await;
    let image = setup.upload(1).await;
    let path = image_path(room(1), image);
    let elsewhere = [
        image_path(room(2), image),
        image_path(room(1), ImageId(Uuid::from_u128(9))),
        format!("https://evil.example{path}"),
        format!("//evil.example{path}"),
        format!("{path}?x"),
        path.to_uppercase(),
        "data:image/png;base64,AAAA".to_owned(),
    ];
    for (n, bad) in elsewhere.iter().enumerate() {
        a.send_and_wait("event.image", &[("id", id(n).into()), ("image_src", bad.as_str().into())]).await;
        let low = ("image_low", bad.as_str().into());
        a.send_and_wait("event.image", &[("id", id(n).into()), shows(room(1), image), low]).await;
    }
    assert_eq!(a.refusals(), vec!["That photo is not one of this group's."; 2 * elsewhere.len()]);
    assert_eq!(setup.log().len(), 2);
}
