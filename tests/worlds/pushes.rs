//! What a push service, or whoever looks at a device, must not learn by whether and when it is told something.

use serde_json::{Value, json};

use crate::support::push::{Browser, PushService};
use crate::support::server::{Folder, Server};
use crate::support::test_socket::TestSocket;
use crate::worlds::watcher::Watcher;
use crate::worlds::world::{Hand, LIMITED, World, worlds};

/// A server that tells browsers.
fn telling() -> (PushService, Server) {
    let folder = Folder::new();
    let service = PushService::start(&folder);
    let server = Server::on(&folder, &[&service.flags()[..], LIMITED].concat());
    (service, server)
}

/// Does what leads to a note, and waits until nothing is left to tell of it.
fn told<T>(world: &World<'_>, service: &PushService, does: impl FnOnce() -> T) -> T {
    let early = Browser::new(service);
    early.subscribe(world.here, &world.owner, &["note"]);
    let done = does();
    service.wait_for(&early.name, 1);
    let ended = world.owner.call(world.here, "DELETE", &format!("/api/push/{}", early.id())).send();
    assert_eq!(ended.status, 200, "{ended:?}");
    done
}

fn subscribed(world: &World<'_>, watcher: &mut Watcher<'_>, service: &PushService) -> Browser {
    let browser = Browser::new(service);
    watcher.knows(&browser.id(), "browser");
    let form = browser.form(&["note", "answer"]);
    watcher.sees(world.owner.call(watcher.server, "PUT", "/api/push").json(&form));
    browser
}

/// Notes all that a browser was told, up to the message that the script has caused.
fn is_told(watcher: &mut Watcher<'_>, service: &PushService, browser: &Browser, messages: usize) {
    let sent = service.wait_for(&browser.name, messages);
    // What is told of together comes in any order.
    let mut told: Vec<Value> = sent.iter().map(|sent| json!([browser.read(sent)["kind"], sent.body.len()])).collect();
    told.sort_by_key(Value::to_string);
    watcher.notes(&json!(told).to_string());
}

#[test]
fn a_browser_is_not_told_that_somebody_who_is_blocked_still_writes() {
    let (service, server) = telling();
    worlds("a note was dropped or never sent × owner's browser", &server, |world, watcher| {
        let (hand, other) = (Hand::new(), Hand::new());
        told(world, &service, || hand.sends(world, "a note that is blocked"));
        world.block_newest();
        let talk = told(world, &service, || other.begins(world, "a note of somebody else"));
        let browser = subscribed(world, watcher, &service);
        if world.secret {
            hand.sends(world, "a note that is dropped");
            let dropped = hand.begins(world, "a note that is dropped, with a conversation");
            dropped.said(world.here, None, 1, "a line that nobody is shown");
        }
        // What was said before would be told of before or with this.
        talk.said(world.here, None, 1, "a line that is shown");
        Hand::new().sends(world, "a note that is shown");
        is_told(watcher, &service, &browser, 2);
        watcher.sees(world.owner.call(watcher.server, "GET", "/api/push"));
        watcher.sees(world.owner.call(watcher.server, "DELETE", &format!("/api/push/{}", browser.id())));
    });
}

#[test]
fn a_browser_is_not_told_that_a_note_is_held_back_or_waits() {
    let (service, server) = telling();
    for settings in [json!({ "held_words": ["zebra"] }), json!({ "batches": true })] {
        worlds("a note is hidden or was never sent × owner's browser", &server, |world, watcher| {
            let talk = told(world, &service, || Hand::new().begins(world, "a note that nobody has read yet"));
            world.set(&settings);
            let browser = subscribed(world, watcher, &service);
            if world.secret {
                Hand::new().sends(world, "a note about a zebra");
                Hand::new().begins(world, "a zebra with a conversation").said(world.here, None, 1, "and a line");
            }
            talk.said(world.here, None, 1, "a line that is shown");
            is_told(watcher, &service, &browser, 1);
            talk.said(world.here, None, 2, "and one more");
            is_told(watcher, &service, &browser, 2);
            watcher.sees(world.owner.call(watcher.server, "GET", "/api/push"));
        });
    }
}

#[test]
fn whoever_is_at_the_inbox_has_no_browser_told() {
    let (service, server) = telling();
    worlds("a note was dropped or never sent × owner's browser", &server, |world, watcher| {
        let hand = Hand::new();
        told(world, &service, || hand.sends(world, "a note that is blocked"));
        world.block_newest();
        let browser = subscribed(world, watcher, &service);
        let mut socket = TestSocket::of(watcher.server, &world.owner);
        if world.secret {
            hand.sends(world, "a note that is dropped");
        }
        Hand::new().sends(world, "a note that is shown");
        watcher.hears(&mut socket, |frame| frame["note"]["message"] == "a note that is shown");
        let others = World::at(world.here, false);
        let last = Browser::new(&service);
        last.subscribe(world.here, &others.owner, &["note"]);
        Hand::new().sends(&others, "a note to somebody else");
        service.wait_for(&last.name, 1);
        watcher.notes(&service.sent_to(&browser.name).len().to_string());
        watcher.sees(world.owner.call(watcher.server, "GET", "/api/push"));
        watcher.sees(world.owner.call(watcher.server, "DELETE", &format!("/api/push/{}", browser.id())));
    });
}
