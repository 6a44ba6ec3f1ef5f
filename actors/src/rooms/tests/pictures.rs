//! Pictures of a room: which may be shown, and which are removed.

use annon_store::StoreError;
use annon_store::image::{Album, ImageId};
use serde_json::Value;

use super::*;
use crate::room::frame::image_path;

impl RoomSetup {
    pub(super) async fn upload(&self, n: u128) -> ImageId {
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
async fn pictures_go_in_the_append_that_takes_them_back_and_are_shown_no_more() {
    for stays in [0, 200] {
        let setup = RoomSetup::of_memory(usize::MAX, stays);
        let [a, b]: [Guest; 2] = setup.guests().await;
        let show = async |guest: &Guest, n: usize, image| {
            guest.send_and_wait("event.image", &[("id", id(n).into()), shows(room(1), image)]).await;
        };
        let [one, shared, of_b] = [setup.upload(1).await, setup.upload(2).await, setup.upload(3).await];
        let low = ("image_low", image_path(room(1), setup.upload(4).await).into());
        a.send_and_wait("event.image", &[("id", id(1).into()), shows(room(1), one), low]).await;
        show(&a, 2, shared).await;
        show(&b, 3, shared).await;
        show(&b, 4, of_b).await;
        setup.make_way().await;
        let before = (a.of("event.unsend").len(), setup.end());
        a.retract(1).await;
        assert_eq!(setup.pictures().await, [2, 3], "both sizes");
        show(&b, 5, one).await;
        assert_eq!(b.refusals(), ["That photo is not one of this group's."]);
        a.retract(2).await;
        assert_eq!(setup.pictures().await, [2, 3], "another message shows it");
        assert_eq!((a.of("event.unsend").len(), setup.end()), (before.0 + 2, before.1 + 2));
        let emoji = setup.rooms.seat(room(1), member(2)).await.unwrap();
        setup.command(Command::Kick { emoji, with_messages: true }).await.unwrap();
        assert_eq!(setup.pictures().await, []);
        let is_gone =
            |(_, event): (_, RoomEvent)| !matches!(event, RoomEvent::Posted { body, .. } if body != Body::Gone);
        assert!(setup.log().into_iter().all(is_gone));
    }
}

#[actix::test]
async fn a_picture_whose_retraction_the_disk_refuses_can_be_shown_and_taken_back_later() {
    let (setup, [a, b]) = RoomSetup::with_guests().await;
    let image = setup.upload(1).await;
    a.send_and_wait("event.image", &[("id", id(1).into()), shows(room(1), image)]).await;
    setup.store.faults().next_append = AppendFault::Fails(StoreError::DiskFull);
    a.retract(1).await;
    assert_eq!((a.refusals().len(), setup.pictures().await), (1, vec![1]));
    b.send_and_wait("event.image", &[("id", id(2).into()), shows(room(1), image)]).await;
    a.retract(1).await;
    assert_eq!((b.refusals().len(), setup.pictures().await), (0, vec![1]));
    b.retract(2).await;
    assert_eq!(setup.pictures().await, []);
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
