//! Pictures of groups in reports: a copy that the operator sees, and that goes with the report.

use std::fs;
use std::path::Path;

use annon_contract::limits::REPORT_PICTURES;
use serde_json::json;

use crate::api::operator::done;
use crate::api::operator_lists::objects;
use crate::rooms::group::Group;
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{png, upload};
use crate::support::client::Answer;
use crate::support::server::{NO_LIMITS, Server, annon, files_below, holds};

/// Posts a picture, and returns its message's `seq` and its path.
fn post(server: &Server, group: &Group, member: &mut Member, side: u32) -> (u64, String) {
    let path = upload(server, group, &member.seat.clone(), &png(side, 20)).message();
    let id = fresh_id();
    member.send_event("event.image", &json!({ "id": id, "image_src": path, "caption": "a caption" }));
    (member.await_where(|frame| frame["id"] == *id)["seq"].as_u64().unwrap(), path)
}

fn report(server: &Server, group: &Group, member: &Member, lines: &[u64]) -> Answer {
    let form = json!({ "about": "room", "id": group.id, "lines": lines });
    server.post("/api/report").cookie(Some(&*member.seat.cookie)).json(&form).send()
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let name = |path: std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    files_below(folder).into_iter().map(|(path, bytes)| (name(path), bytes)).collect()
}

#[test]
fn the_operator_sees_the_pictures_of_the_messages_that_were_chosen_also_when_they_are_gone() {
    let (server, group) = Group::with(&[]);
    let [mut fox, mut dog] = group.members(&server);
    let words = fox.chat("what fox says")["seq"].as_u64().unwrap();
    let (first, path) = post(&server, &group, &mut dog, 40);
    let (other, _) = post(&server, &group, &mut dog, 50);
    let (second, _) = post(&server, &group, &mut dog, 60);
    let whole = server.get(&path).header("Cookie", &fox.seat.cookie).send().body;
    report(&server, &group, &fox, &[second, words, first]).assert_reported();
    // What its sender takes back later is still in the report.
    let said = group.command(&server, "DELETE", &format!("/message/{first}")).send();
    said.assert(200, "Message removed");
    assert_eq!(server.get(&path).header("Cookie", &fox.seat.cookie).send().status, 404);
    let id = objects(&server.folder, &["report", "list", "--json"])[0]["id"].as_str().unwrap().to_owned();

    let shown = done(&server.folder, &["report", "show", &id]);
    assert!(shown.contains("(a photo) a caption  [1.jpg]") && shown.contains("[2.jpg]"), "{shown}");
    assert!(!shown.contains("[3.jpg]") && shown.contains(&format!("report show {id} --pictures FOLDER")), "{shown}");
    let to = server.folder.file("pictures");
    let shown = done(&server.folder, &["report", "show", &id, "--pictures", to.to_str().unwrap()]);
    assert!(!shown.contains("FOLDER") && shown.contains("pictures/2.jpg"), "{shown}");
    let saved = files(&to);
    let names: Vec<_> = saved.iter().map(|(name, _)| &**name).collect();
    assert_eq!((names, &saved[0].1), (vec!["1.jpg", "2.jpg"], &whole), "in the order of the messages");
    assert!(saved[1].1.starts_with(b"\xff\xd8") && saved[1].1 != whole);
    let _ = other;

    // A backup has them, and no file of the server has them as they are.
    for (name, bytes) in files_below(&server.folder.data()) {
        assert!(!holds(&bytes, &whole), "{}", name.display());
    }
    let backup = server.folder.file("backup");
    done(&server.folder, &["backup", backup.to_str().unwrap()]);
    let restored = crate::support::server::Folder::new();
    let output = annon().arg("restore").arg(&backup).arg("--data-dir").arg(restored.data()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let again = Server::on(&restored, NO_LIMITS);
    let to = restored.file("pictures");
    done(&again.folder, &["report", "show", &id, "--pictures", to.to_str().unwrap()]);
    assert_eq!(files(&to), saved);
    // What is there is not overwritten.
    let output = again.folder.annon(&["report", "show", &id, "--pictures", to.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_dir(&to).unwrap().count(), 2);
}

#[test]
fn a_report_shows_messages_that_stand_far_apart_and_a_few_pictures() {
    let (server, group) = Group::with(&["--sends-per-second", "0"]);
    let [mut member] = group.members(&server);
    let first = member.chat("the first")["seq"].as_u64().unwrap();
    let many: Vec<_> = (0..520).map(|n| member.chat(&format!("message {n}"))["seq"].as_u64().unwrap()).collect();
    let last = member.chat("the last")["seq"].as_u64().unwrap();
    report(&server, &group, &member, &[last, first, many[7]]).assert_reported();
    let listed = objects(&server.folder, &["report", "list", "--json"]);
    let said: Vec<_> = listed[0]["words"].as_array().unwrap().iter().map(|one| one["text"].clone()).collect();
    assert_eq!(said, ["the first", "message 7", "the last"]);
    report(&server, &group, &member, &many[..50]).assert_reported();

    let pictures: Vec<_> = (0..=REPORT_PICTURES as u32).map(|n| post(&server, &group, &mut member, 20 + n).0).collect();
    let refused = report(&server, &group, &member, &pictures);
    refused.assert(422, "Choose at most 10 messages with a photo to show.");
    report(&server, &group, &member, &pictures[1..]).assert_reported();
    let id = objects(&server.folder, &["report", "list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    let shown = done(&server.folder, &["report", "show", &id]);
    assert!(shown.contains("[10.jpg]") && !shown.contains("[11.jpg]"), "{shown}");
}
