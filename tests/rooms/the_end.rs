//! What happens when a group's time is up.

use std::fs;

use annon_contract::code::Code;
use serde_json::json;

use crate::rooms::group::{GONE, Group};
use crate::rooms::member::try_open;
use crate::rooms::pictures::{png, upload};
use crate::support::patience::{since_1970, wait_until};

#[test]
fn a_group_ends_in_time_and_nothing_of_it_stays() {
    // The group lives 18 seconds, so that a busy machine has time for what comes before the end.
    let (server, group) = Group::with(&["--room-lifetime-hours", "0.005"]);
    let [mut first, mut second] = group.members(&server);
    let a = first.seat.clone();
    let expires = group.data(&server, &a)["expire_at"].as_u64().unwrap();
    let picture = upload(&server, &group, &a, &png(30, 20)).message();
    first.send_event("event.image", &json!({ "id": "abcdefghij00001", "image_src": picture, "caption": "x" }));
    second.await_event("event.image");
    let album = server.folder.data().join("images").join(&group.id);
    assert_eq!(fs::read_dir(&album).unwrap().count(), 1);

    first.assert_closed(Code::GroupExpired, 4410, "the group has expired");
    // The server ends the group within a second; a busy machine may need longer.
    let late = since_1970().as_secs_f64() - expires as f64;
    assert!((0.0..15.0).contains(&late), "{late} s late");
    second.assert_closed(Code::GroupExpired, 4410, "the group has expired");
    group.view(&server, Some(&a), "").assert(404, GONE);
    group.try_seat(&server, Some(&a.cookie)).assert(404, GONE);
    server.get(&format!("/api/room/valid/{}", group.id)).send().assert(404, GONE);
    server.get(&picture).header("Cookie", &a.cookie).send().assert(404, GONE);
    assert_eq!(try_open(&server, &group.id, &[("Cookie", &a.cookie)]).map(drop), Err(404));
    assert_eq!(group.creator.get(&server, "/api/rooms").json()["data"], json!([]));
    group.command(&server, "DELETE", "").send().assert(404, GONE);
    wait_until("the pictures' end", || !album.exists());
}
