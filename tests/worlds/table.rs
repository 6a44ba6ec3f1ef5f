//! The table of secrets and watchers, and where each call and event of the API is in it.

use std::collections::BTreeSet;

use crate::support::contract::{document, operations};
use crate::worlds::table::Shows::{Nothing, Rows};

/// A secret, and somebody who must not learn it.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) secret: &'static str,
    pub(crate) watcher: &'static str,
}

const fn of(name: &'static str, secret: &'static str, watcher: &'static str) -> Row {
    Row { name, secret, watcher }
}

const ROWS: &[Row] = &[
    of(HANDS, "whether two notes came from one hand", "their owner"),
    of(HANDS_AT_OTHER, "whether two notes came from one hand", "their owner at another node"),
    of(AGAIN, "that a note was sent again", "its owner"),
    of(WAITS, "that a note waits in a batch", "its owner"),
    of(WAITS_STRANGER, "that a note waits in a batch", "a stranger"),
    of(WAITS_AT_OTHER, "that a note waits in a batch", "a stranger at another node"),
    of(BLOCKS, "that an owner has blocked somebody", "a stranger"),
    of(BLOCKS_AT_OTHER, "that an owner has blocked somebody", "a stranger at another node"),
    of(DROPPED, "that somebody who is blocked still writes", "the owner"),
    of(BLOCKED, "that they are blocked", "whoever is blocked"),
    of(BLOCKED_SEALED, "that they are blocked", "whoever is blocked, in a sealed inbox"),
    of(HELD, "that a note is held back", "its sender"),
    of(HELD_STRANGER, "that a note is held back", "a stranger"),
    of(WAITS_OWNER_AT_OTHER, "that a note waits in a batch", "its owner at another node"),
    of(DROPPED_AT_OTHER, "that somebody who is blocked still writes", "the owner at another node"),
    of(BLOCKED_AT_OTHER, "that they are blocked", "whoever is blocked, at another node"),
    of(HELD_AT_OTHER, "that a note is held back", "its sender at another node"),
    of(ENDED, "that a conversation has ended which they were not shown", "the owner"),
    of(ENDED_AT_OTHER, "that a conversation has ended which they were not shown", "the owner at another node"),
    of(WRITES_ON, "that a blocked hand writes on which has many conversations", "the owner"),
    of(WRITES_ON_AT_OTHER, "that a blocked hand writes on which has many conversations", "the owner at another node"),
    of(MADE_ROOM, "that a held note has made room for others", "its sender"),
    of(HELD_FOR_LONG, "that a note was held back for so long that it is gone", "its sender"),
    of(ARCHIVED, "that a note is archived", "its sender"),
    of(DROPPED_BROWSER, "that somebody who is blocked still writes", "the owner's browser"),
    of(HIDDEN_BROWSER, "that a note is held back or waits in a batch", "the owner's browser"),
    of(HIDDEN_MAIL, "that a note was dropped or is held back", "the owner's mailbox"),
    of(DECLINED, "that a knock was declined", "a member"),
    of(DECLINED_VISITOR, "that a knock was declined", "another visitor"),
    of(LED, "that an old link led to a group", "a stranger"),
];

const HANDS: &str = "one hand or two × owner";
const HANDS_AT_OTHER: &str = "one hand or two × owner at another node";
const AGAIN: &str = "a note was sent again or not × owner";
const WAITS: &str = "a note waits in a batch or was never sent × owner";
const WAITS_STRANGER: &str = "a note waits in a batch or was never sent × stranger";
const WAITS_AT_OTHER: &str = "a note waits in a batch or was never sent × stranger at another node";
const BLOCKS: &str = "somebody is blocked or nobody × stranger";
const BLOCKS_AT_OTHER: &str = "somebody is blocked or nobody × stranger at another node";
const DROPPED: &str = "a note was dropped or never sent × owner";
const BLOCKED: &str = "a hand is blocked or not × that hand";
const BLOCKED_SEALED: &str = "a hand is blocked or not × that hand in a sealed inbox";
const HELD: &str = "a note is held or shown × its sender";
const WAITS_OWNER_AT_OTHER: &str = "a note waits in a batch or was never sent × owner at another node";
const DROPPED_AT_OTHER: &str = "a note was dropped or never sent × owner at another node";
const BLOCKED_AT_OTHER: &str = "a hand is blocked or not × that hand at another node";
const HELD_AT_OTHER: &str = "a note is held or shown × its sender at another node";
const HELD_STRANGER: &str = "a note is held or shown × stranger";
const ENDED: &str = "a hidden conversation has ended or never was × owner";
const ENDED_AT_OTHER: &str = "a hidden conversation has ended or never was × owner at another node";
const WRITES_ON: &str = "a hand that has many conversations writes on or not × owner";
const WRITES_ON_AT_OTHER: &str = "a hand that has many conversations writes on or not × owner at another node";
const MADE_ROOM: &str = "a note has made room for others or is shown × its sender";
const HELD_FOR_LONG: &str = "a note was held for too long or is shown × its sender";
const ARCHIVED: &str = "a note is archived or not × its sender";
const DROPPED_BROWSER: &str = "a note was dropped or never sent × owner's browser";
const HIDDEN_BROWSER: &str = "a note is hidden or was never sent × owner's browser";
const HIDDEN_MAIL: &str = "a note is hidden or was never sent × owner's mail";
const DECLINED: &str = "a knock was declined or never was × member";
const LED: &str = "an old link led to a group or never did × stranger";
const DECLINED_VISITOR: &str = "a knock was declined or never was × visitor";

/// Where a secret could show.
enum Shows {
    /// These rows look at it.
    Rows(&'static [&'static str]),
    /// No secret of the table can show there, and why.
    Nothing(&'static str),
}

const SENDERS: &[&str] = &[BLOCKED, HELD, BLOCKED_AT_OTHER, HELD_AT_OTHER];
const TALKERS: &[&str] = &[BLOCKED, HELD, BLOCKED_AT_OTHER, HELD_AT_OTHER, ARCHIVED, MADE_ROOM, HELD_FOR_LONG];
const OWNERS: &[&str] = &[
    HANDS,
    AGAIN,
    WAITS,
    DROPPED,
    HANDS_AT_OTHER,
    WAITS_OWNER_AT_OTHER,
    DROPPED_AT_OTHER,
    ENDED,
    ENDED_AT_OTHER,
    WRITES_ON,
    WRITES_ON_AT_OTHER,
];
const EVERYBODY: &[&str] = &[
    HANDS,
    HANDS_AT_OTHER,
    WAITS,
    WAITS_STRANGER,
    WAITS_AT_OTHER,
    BLOCKS,
    BLOCKS_AT_OTHER,
    DROPPED,
    BLOCKED,
    HELD,
    HELD_STRANGER,
    WAITS_OWNER_AT_OTHER,
    DROPPED_AT_OTHER,
    BLOCKED_AT_OTHER,
    HELD_AT_OTHER,
];
const ACCOUNT: Shows =
    Nothing("it is about the caller's own account, or an address, and reads nothing of an inbox or a group");
const PUBLISHED: Shows = Nothing("it changes what an owner has made public, and reads nothing of what isn't shown");
const INSIDE: Shows = Nothing(
    "members have what is in the group's log, which has nothing of an inbox; of knocks it tells the creator alone",
);
const CREATOR: Shows = Nothing("the creator may know all of their group");
const ENDS: Shows = Nothing("it ends what the caller was shown; whether it was there is no secret of another");
const OWN_SEAL: Shows = Nothing("it is about the caller's own key, and reads nothing of an inbox");
const SITE: Shows = Nothing("it is the same for everybody");

const CALLS: &[(&str, Shows)] = &[
    ("POST /api/annon-message", Rows(EVERYBODY)),
    ("GET /api/annon/{username}", Rows(EVERYBODY)),
    ("GET /api/annon/{username}/answers", Rows(EVERYBODY)),
    ("GET /api/annon/{username}/answers/{id}", Nothing("it is public, and was published by the owner")),
    ("GET /api/messages", Rows(OWNERS)),
    ("DELETE /api/messages", Rows(&[HANDS, WAITS, DROPPED, ENDED, ENDED_AT_OTHER])),
    ("GET /api/mark_as_seen/{id}", Rows(&[HANDS])),
    ("PATCH /api/message/{id}", Rows(&[HANDS])),
    ("DELETE /api/message/{id}", Rows(&[HANDS])),
    ("PUT /api/message/{id}/answer", PUBLISHED),
    ("DELETE /api/message/{id}/answer", PUBLISHED),
    ("POST /api/message/{id}/block", Rows(&[HANDS, HANDS_AT_OTHER])),
    ("POST /api/message/{id}/show", Nothing("the owner sees the note among those that are held back")),
    ("GET /api/blocks", Rows(OWNERS)),
    ("DELETE /api/block/{id}", Rows(&[HANDS])),
    ("GET /api/inbox", Rows(OWNERS)),
    ("PATCH /api/inbox", Nothing("it answers with what the owner has set, as `GET /api/inbox` does")),
    ("GET /api/dashboard", Rows(OWNERS)),
    ("GET /api/page", Rows(OWNERS)),
    ("PATCH /api/page", PUBLISHED),
    ("GET /api/conversations", Rows(OWNERS)),
    ("POST /api/conversations/peek", Rows(&[BLOCKED, HELD, ARCHIVED, HELD_FOR_LONG])),
    ("GET /api/conversation/{id}", Rows(TALKERS)),
    ("POST /api/conversation/{id}", Rows(TALKERS)),
    ("PATCH /api/conversation/{id}", Nothing("only an owner who sees the conversation can close it")),
    ("DELETE /api/conversation/{id}", Rows(&[BLOCKED, HELD, ARCHIVED, MADE_ROOM])),
    ("DELETE /api/conversation/{id}/line/{seq}", Rows(SENDERS)),
    ("GET /api/conversation/{id}/socket", Nothing("its events are in the list of events")),
    ("GET /api/conversation/{id}/push", Rows(&[BLOCKED, HELD, BLOCKED_AT_OTHER, HELD_AT_OTHER, ARCHIVED])),
    ("PUT /api/conversation/{id}/push", Rows(&[BLOCKED, HELD, BLOCKED_AT_OTHER, HELD_AT_OTHER, ARCHIVED])),
    ("DELETE /api/conversation/{id}/push", Rows(&[BLOCKED, HELD, BLOCKED_AT_OTHER, HELD_AT_OTHER, ARCHIVED])),
    ("GET /api/inbox/socket", Nothing("its events are in the list of events")),
    ("GET /api/rooms", Rows(OWNERS)),
    ("POST /api/room/create", CREATOR),
    ("GET /api/room/{id}", Rows(&[DECLINED, DECLINED_VISITOR, LED])),
    ("PATCH /api/room/{id}", Rows(&[LED])),
    ("DELETE /api/room/{id}", Rows(&[LED])),
    ("POST /api/room/{id}/link", Rows(&[LED])),
    ("GET /api/room/{id}/push", Rows(&[LED])),
    ("PUT /api/room/{id}/push", Rows(&[LED])),
    ("DELETE /api/room/{id}/push", Rows(&[LED])),
    ("GET /api/room/valid/{id}", Rows(&[DECLINED, DECLINED_VISITOR, LED])),
    ("GET /api/room-emoji/{id}", Rows(&[DECLINED, DECLINED_VISITOR, LED])),
    ("POST /api/room/{id}/seat", Rows(&[LED])),
    ("DELETE /api/room/{id}/seat", Rows(&[LED])),
    ("POST /api/room/{id}/knock", Rows(&[DECLINED_VISITOR, LED])),
    ("GET /api/room/{id}/knock/{knock}", Rows(&[DECLINED_VISITOR, LED])),
    ("POST /api/room/{id}/knock/{knock}", Rows(&[LED])),
    ("GET /api/room/{id}/knocks", CREATOR),
    ("DELETE /api/room/{id}/member/{emoji}", CREATOR),
    ("DELETE /api/room/{id}/message/{seq}", INSIDE),
    ("GET /api/room/{id}/image/{image}", Rows(&[LED])),
    ("POST /api/room/upload-image", INSIDE),
    ("GET /api/room/{id}/socket", Nothing("its events are in the list of events")),
    ("POST /api/report", Nothing("it reads what its caller shows, whom the answer tells nothing")),
    ("POST /api/report/receipt", Nothing("its caller has the number of one report, which nobody else has")),
    ("POST /api/feedback", Nothing("nobody but the operator reads it")),
    ("POST /api/register", ACCOUNT),
    ("POST /api/login", ACCOUNT),
    ("POST /api/logout", ACCOUNT),
    ("POST /api/password-reset", ACCOUNT),
    ("POST /api/password-reset/confirm", ACCOUNT),
    ("POST /api/confirm-email", ACCOUNT),
    ("DELETE /api/confirm-email", ACCOUNT),
    ("POST /api/confirm-email/account", ACCOUNT),
    ("POST /api/user/send-confirmation", ACCOUNT),
    ("GET /api/sessions", ACCOUNT),
    ("DELETE /api/sessions", ACCOUNT),
    ("DELETE /api/session/{id}", ACCOUNT),
    ("POST /api/session/{id}/known", ACCOUNT),
    ("POST /api/user/change-password", ACCOUNT),
    ("POST /api/user/new-link", ACCOUNT),
    ("DELETE /api/user/delete", ENDS),
    ("GET /api/push", Rows(&[DROPPED_BROWSER, HIDDEN_BROWSER])),
    ("PUT /api/push", Rows(&[DROPPED_BROWSER, HIDDEN_BROWSER])),
    ("DELETE /api/push/{id}", Rows(&[DROPPED_BROWSER])),
    ("GET /api/digest", Rows(&[HIDDEN_MAIL])),
    ("PUT /api/digest", Rows(&[HIDDEN_MAIL])),
    ("GET /api/seal", OWN_SEAL),
    ("PUT /api/seal", OWN_SEAL),
    ("PATCH /api/seal", OWN_SEAL),
    ("PUT /api/seal/handover", OWN_SEAL),
    ("POST /api/seal/handover/take", OWN_SEAL),
    ("GET /api/words/{page}", SITE),
    ("GET /api/openapi.json", SITE),
    ("GET /api/web-hash", SITE),
    ("GET /healthz", SITE),
    ("GET /readyz", SITE),
];

const EVENTS: &[(&str, Shows)] = &[
    ("event.inbox", Rows(OWNERS_HEAR)),
    ("event.conversation", Rows(&[ENDED, ENDED_AT_OTHER, WRITES_ON, WRITES_ON_AT_OTHER])),
    ("event.line", Rows(&[BLOCKED, HELD, MADE_ROOM])),
    ("event.unsend", Rows(SENDERS)),
    ("event.ready", Rows(&[BLOCKED, HELD, MADE_ROOM])),
    ("event.closed", Rows(&[BLOCKED, HELD, MADE_ROOM])),
    ("event.seen", Nothing("it says what the other side has read, who was shown the conversation")),
    ("event.open", Nothing("it says that the owner has closed a conversation that they are shown")),
    ("event.chat", Rows(&[DECLINED])),
    ("event.image", INSIDE),
    ("event.notify", INSIDE),
    ("event.active-users", INSIDE),
    (
        "event.typing",
        Nothing("in a group it is its members'; in a conversation only a side that was shown it can be told"),
    ),
    ("event.react", Rows(&[BLOCKED, HELD, ARCHIVED])),
    ("event.knocks", CREATOR),
    ("event.room", CREATOR),
    ("event.visible", Nothing("clients send it, and the server never")),
    ("event.connect", Nothing("clients send it, and the server never")),
    ("event.error", Nothing("it answers a frame of the same socket, for its own fault")),
];

/// At another node two notes may be told by one frame, whoever sent them.
const OWNERS_HEAR: &[&str] = &[HANDS, WAITS, DROPPED, ENDED];

/// The row of this name.
#[track_caller]
pub(super) fn row(name: &str) -> &'static Row {
    ROWS.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("there is no row \"{name}\" in the table"))
}

/// Checks that a row has looked at all that the table says.
#[track_caller]
pub(super) fn holds(row: &Row, looked_at: &BTreeSet<String>) {
    for (what, shows) in CALLS.iter().chain(EVENTS) {
        let is_named = matches!(shows, Rows(rows) if rows.contains(&row.name));
        assert!(!is_named || looked_at.contains(*what), "the row \"{}\" doesn't look at {what}", row.name);
    }
}

#[test]
fn every_call_and_every_event_is_in_the_table_or_says_why_not() {
    let calls: BTreeSet<_> =
        operations().iter().map(|(path, method)| format!("{} {path}", method.to_uppercase())).collect();
    let text = document().to_string();
    let is_of_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let events = text.split("event.").skip(1).map(|rest| &rest[..rest.find(|c| !is_of_name(c)).unwrap_or(rest.len())]);
    let events = events.filter(|name| !name.is_empty()).map(|name| format!("event.{name}"));
    for (what, there, listed) in [("call", calls, CALLS), ("event", events.collect(), EVENTS)] {
        let names: BTreeSet<_> = listed.iter().map(|(name, _)| (*name).to_owned()).collect();
        assert_eq!(names.len(), listed.len(), "a {what} is listed twice");
        let missing: Vec<_> = there.difference(&names).collect();
        assert!(missing.is_empty(), "can a secret show there? Say it in tests/worlds/table.rs: {missing:?}");
        let gone: Vec<_> = names.difference(&there).collect();
        assert!(gone.is_empty(), "the API has no such {what} any more: {gone:?}");
        for (name, shows) in listed {
            match shows {
                Rows(rows) => {
                    assert!(!rows.is_empty(), "{name} is in no row");
                    assert!(rows.iter().all(|name| row(name).name == *name));
                }
                Nothing(why) => assert!(why.len() > 20, "{name}: why can no secret show there?"),
            }
        }
    }
}

#[test]
fn every_row_is_a_test() {
    let sources = [
        include_str!("notes.rs"),
        include_str!("senders.rs"),
        include_str!("ends.rs"),
        include_str!("groups.rs"),
        include_str!("mails.rs"),
        include_str!("nodes.rs"),
        include_str!("pushes.rs"),
    ];
    for Row { name, .. } in ROWS {
        let call = format!("(\"{name}\"");
        let call_on_lines = format!("\"{name}\",");
        let is_there = |source: &&str| source.contains(&call) || source.contains(&call_on_lines);
        assert!(sources.iter().any(is_there), "no test runs the row \"{name}\"");
    }
}
