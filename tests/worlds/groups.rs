//! What members and visitors of a group must not learn of those who were not let in.

use serde_json::json;

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::server::{NO_LIMITS, Server};
use crate::worlds::watcher::Watcher;
use crate::worlds::world::{World, worlds};

/// Says something under an id that is the same in both worlds.
fn says(member: &mut Member, n: u32, words: &str) {
    member.send_event("event.chat", &json!({ "id": format!("word{n:011}"), "message": words }));
}

/// What a member can ask about the group.
fn asks(group: &Group, member: &Member, watcher: &mut Watcher<'_>) {
    let cookie = Some(&*member.seat.cookie);
    watcher.sees(watcher.server.get(&group.path("")).cookie(cookie));
    watcher.sees(watcher.server.get(&format!("/api/room-emoji/{}", group.id)).cookie(cookie));
    watcher.sees(watcher.server.get(&format!("/api/room/valid/{}", group.id)));
}

/// Two members of a group that asks first. The watcher is one of them.
fn inside(world: &World<'_>, watcher: &mut Watcher<'_>) -> (Group, [Member; 2]) {
    let group = Group::asking(world.here, world.person());
    watcher.knows(&group.creator.username, "creator");
    // The numbers of events have gaps also where somebody came, reacted, or was away for long.
    watcher.numbers(&["seq", "last_seq"]);
    let members = [world.here, watcher.server].map(|server| {
        let visitor = group.visitor(server);
        group.answer(server, &visitor, true).assert(200, "Admitted");
        let seat = group.enters(server, &visitor).unwrap();
        Member::open(server, &group, &seat)
    });
    for (member, name) in members.iter().zip(["the other", "the watcher"]) {
        watcher.knows(&member.seat.emoji, name);
    }
    (group, members)
}

#[test]
fn nobody_inside_learns_that_a_knock_was_declined() {
    let server = Server::with(NO_LIMITS);
    worlds("a knock was declined or never was × member", &server, |world, watcher| {
        let (group, [mut other, mut member]) = inside(world, watcher);
        says(&mut other, 1, "before anybody knocked");
        member.await_where(|frame| frame["message"] == "before anybody knocked");
        if world.secret {
            for _ in 0..2 {
                let visitor = group.visitor(world.here);
                group.answer(world.here, &visitor, false).assert(200, "Declined");
            }
        }
        says(&mut other, 2, "after somebody knocked, or not");
        watcher.hears(&mut member, |frame| frame["message"] == "after somebody knocked, or not");
        asks(&group, &member, watcher);
    });
}

#[test]
fn a_visitor_does_not_learn_that_another_was_declined() {
    let server = Server::with(NO_LIMITS);
    worlds("a knock was declined or never was × visitor", &server, |world, watcher| {
        let (group, _inside) = inside(world, watcher);
        if world.secret {
            let visitor = group.visitor(world.here);
            group.answer(world.here, &visitor, false).assert(200, "Declined");
        }
        let knocks = watcher.server.post(&group.path("/knock"));
        let answer = knocks.clone().send();
        let cookie = answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let knock = answer.json()["knock"].as_str().unwrap().to_owned();
        watcher.knows(answer.json()["emoji"].as_str().unwrap(), "the visitor");
        watcher.numbers(&["seconds_left"]);
        watcher.sees(knocks.cookie(Some(&cookie)));
        watcher.sees(watcher.server.get(&group.path(&format!("/knock/{knock}"))));
        watcher.sees(watcher.server.get(&group.path("")));
        watcher.sees(watcher.server.get(&format!("/api/room/valid/{}", group.id)));
        watcher.sees(watcher.server.get(&format!("/api/room-emoji/{}", group.id)).cookie(Some(&cookie)));
    });
}

#[test]
fn a_stranger_does_not_learn_that_an_old_link_led_to_a_group() {
    let server = Server::with(NO_LIMITS);
    worlds("an old link led to a group or never did × stranger", &server, |world, watcher| {
        let group = Group::of(world.here, world.person());
        let second = group.renewed(world.here);
        second.renewed(world.here);
        let nowhere = |n: u32| Group { id: format!("00000000-0000-4000-8000-{n:012}"), ..group.clone() };
        let old = if world.secret { [group.clone(), second] } else { [nowhere(1), nowhere(2)] };
        let stranger = world.person();
        watcher.knows(&stranger.username, "the stranger");
        let (server, knock) = (watcher.server, "/knock/0123456789abcdef0123456789abcdef");
        for (n, link) in old.iter().enumerate() {
            watcher.knows(&link.id, &format!("the old link {n}"));
            watcher.sees(server.get(&format!("/room/{}", link.id)));
            watcher.sees(server.get(&link.path("")));
            watcher.sees(server.get(&format!("/api/room/valid/{}", link.id)));
            watcher.sees(server.get(&format!("/api/room-emoji/{}", link.id)));
            watcher.sees(server.post(&link.path("/seat")));
            watcher.sees(server.delete(&link.path("/seat")));
            watcher.sees(server.post(&link.path("/knock")));
            watcher.sees(server.get(&link.path(knock)));
            watcher.sees(server.get(&link.path("/image/00000000-0000-4000-8000-000000000000")));
            watcher.sees(server.get(&link.path("/socket")));
            watcher.sees(server.get(&link.path("/push")));
            let form = json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/x", "keys": { "p256dh": "B", "auth": "A" },
                "quiet": null, "language": "en" });
            watcher.sees(server.call("PUT", &link.path("/push")).json(&form));
            watcher.sees(server.delete(&link.path("/push")));
            watcher.sees(stranger.call(server, "POST", &link.path("/link")));
            watcher.sees(stranger.call(server, "PATCH", &link.path("")).json(&json!({ "locked": true })));
            watcher.sees(stranger.call(server, "DELETE", &link.path("")));
            watcher.sees(stranger.call(server, "POST", &link.path(knock)).json(&json!({ "admit": true })));
        }
    });
}
