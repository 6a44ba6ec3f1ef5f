//! When a group's time is up.

use std::fs;

use annon_contract::code::Code;
use serde_json::json;

use crate::rooms::group::{GONE, Group, server};
use crate::rooms::member::{Member, try_open};
use crate::rooms::pictures::{png, upload};
use crate::support::far_end::Heard;
use crate::support::patience::{timed, wait_until};

/// 3.6 seconds, which counts as three.
const SHORT: &[&str] = &["--room-lifetime-hours", "0.001"];
/// Ten seconds: what is to happen before the end happens also on a machine
/// that is busy with others.
const LONGER: &[&str] = &["--room-lifetime-hours", "0.003"];

#[test]
fn a_group_ends_in_time_and_nothing_of_it_stays() {
    let server = server(LONGER);
    let group = Group::new(&server);
    let [a, b] = group.seats(&server);
    let expires = group.data(&server, &a)["expire_at"].as_u64().unwrap();
    let (mut first, mut second) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    let picture = upload(&server, &group, &a, &png(30, 20)).message();
    first.say("event.image", &json!({ "id": "abcdefghij00001", "image_src": picture, "caption": "x" }));
    second.await_event("event.image");
    let album = server.folder.data().join("images").join(&group.id);
    assert_eq!(fs::read_dir(&album).unwrap().count(), 1);

    first.is_closed(Code::GroupExpired, 4410, "the group has expired");
    // Within a second; one more is for a machine that is busy with others.
    let late = since_1970() - expires as f64;
    assert!((0.0..2.0).contains(&late), "{late} s late");
    second.is_closed(Code::GroupExpired, 4410, "the group has expired");
    group.view(&server, Some(&a), "").says(404, GONE);
    group.knock(&server, Some(&a.cookie)).says(404, GONE);
    server.get(&format!("/api/room/valid/{}", group.id)).send().says(404, GONE);
    server.get(&picture).header("Cookie", &a.cookie).send().says(404, GONE);
    assert_eq!(try_open(&server, &group.id, &[("Cookie", &a.cookie)]).map(drop), Err(404));
    assert_eq!(group.creator.get(&server, "/api/rooms").json()["data"], json!([]));
    group.command(&server, "DELETE", "").send().says(404, GONE);
    wait_until("the pictures' end", || !album.exists());
}

#[test]
fn a_group_nobody_is_in_ends_as_well() {
    let server = server(SHORT);
    let group = Group::new(&server);
    let seat = group.seat(&server);
    drop(Member::open(&server, &group, &seat));
    let valid = || server.get(&format!("/api/room/valid/{}", group.id)).send();
    let ((), time) = timed(|| wait_until("the end", || valid().status == 404));
    assert!(time.as_secs_f64() < 5.0, "{time:?}");
}

#[test]
fn a_server_that_stops_asks_everybody_to_come_again() {
    let mut server = server(&[]);
    let group = Group::new(&server);
    let mut member = Member::open(&server, &group, &group.seat(&server));
    member.chat("before");
    assert!(server.stop().success());
    assert_eq!(member.rest().pop(), Some(Heard::closed(1012, "restarting")));
}

#[expect(clippy::disallowed_methods, reason = "a test stands outside the server and its clock")]
fn since_1970() -> f64 {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs_f64()
}
