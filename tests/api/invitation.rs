//! Sign-up by invitation, and closed.

use std::thread;

use serde_json::{Value, json};

use crate::api::operator::{done, failed};
use crate::api::operator_lists::objects;
use crate::support::client::Answer;
use crate::support::person::Person;
use crate::support::server::{Folder, NO_LIMITS, Server, files_below, holds};

const BY_INVITATION: &[&str] = &["--address-limits", "off", "--sign-up", "invitation"];
const NEEDED: &str = "Signing up here needs an invitation.";
const INVALID: &str = "This invitation has been used or is too old. Ask for a new one.";
const TAKEN: &str = "This username is already taken";

fn sign_up(server: &Server, name: &str, invitation: Option<&str>) -> Answer {
    let mut form = json!({ "username": name, "email": format!("{name}@body.example"), "password": "correct horse" });
    if let Some(invitation) = invitation {
        form["invitation"] = invitation.into();
    }
    server.post("/api/register").json(&form).send()
}

/// The token of a new invitation, and its id.
fn invite(folder: &Folder, flags: &[&str]) -> (String, String) {
    let said = done(folder, &[&["invite", "--json"], flags].concat());
    let said: Value = serde_json::from_str(&said).unwrap();
    let (link, id) = (said["link"].as_str().unwrap(), said["id"].as_str().unwrap());
    let (_, token) = link.split_once("/signup#i=").unwrap_or_else(|| panic!("{link}"));
    (token.to_owned(), id.to_owned())
}

#[test]
fn only_the_invited_sign_up_and_others_learn_nothing_about_names() {
    let server = Server::with(BY_INVITATION);
    let (token, _) = invite(&server.folder, &["--uses", "2"]);
    sign_up(&server, "first-one", Some(&token)).assert(201, "User Account Created");
    for (name, invitation, code, sentence) in [
        ("first-one", None, "invitation_needed", NEEDED),
        ("other-one", None, "invitation_needed", NEEDED),
        ("first-one", Some("nonsense"), "invitation_invalid", INVALID),
        ("other-one", Some(""), "invitation_invalid", INVALID),
    ] {
        let answer = sign_up(&server, name, invitation);
        answer.assert(403, sentence);
        assert_eq!(answer.json()["code"], code);
    }
    sign_up(&server, "first-one", Some(&token)).assert(409, TAKEN);
    sign_up(&server, "other-one", Some(&token)).assert(201, "User Account Created");
    sign_up(&server, "third-one", Some(&token)).assert(403, INVALID);
    assert_eq!(done(&server.folder, &["invite", "list"]), "");
}

#[test]
fn an_invitation_is_listed_revoked_and_outlives_a_start_and_its_token_is_on_no_disk() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, BY_INVITATION);
    let (token, id) = invite(&folder, &["--note", "for the choir", "--uses", "3", "--days", "30"]);
    let (other, _) = invite(&folder, &[]);
    server.stop();
    let server = Server::on(&folder, BY_INVITATION);
    sign_up(&server, "first-one", Some(&token)).assert(201, "User Account Created");
    let listed = objects(&folder, &["invite", "list", "--json"]);
    assert_eq!(listed.len(), 2);
    let found = listed.iter().find(|found| found["id"] == id).unwrap();
    assert_eq!((&found["uses"], &found["left"], &found["note"]), (&json!(3), &json!(2), &json!("for the choir")));
    let lines = done(&folder, &["invite", "list"]);
    assert!(lines.lines().any(|line| line.starts_with(&id) && line.contains("2 of 3 left, until ")), "{lines}");
    assert_eq!(done(&folder, &["invite", "revoke", &id]), "revoked\n");
    assert_eq!(failed(&folder, &["invite", "revoke", &id]), format!("there is no invitation {id}"));
    sign_up(&server, "other-one", Some(&token)).assert(403, INVALID);
    sign_up(&server, "other-one", Some(&id)).assert(403, INVALID);
    for (path, bytes) in files_below(&folder.data()) {
        let has = |text: &str| holds(&bytes, text);
        assert!(!has(&token) && !has(&other) && !has("for the choir"), "{}", path.display());
    }
    sign_up(&server, "other-one", Some(&other)).assert(201, "User Account Created");
}

#[test]
fn two_sign_ups_at_once_with_an_invitation_for_one_make_one_account() {
    let server = Server::with(BY_INVITATION);
    for round in 0..5 {
        let (token, _) = invite(&server.folder, &[]);
        let names = ["one", "two"].map(|name| format!("racer-{name}-{round}"));
        let statuses: Vec<_> = thread::scope(|scope| {
            let both = names.each_ref().map(|name| scope.spawn(|| sign_up(&server, name, Some(&token)).status));
            both.map(|one| one.join().unwrap()).into()
        });
        assert!(statuses.contains(&201) && statuses.contains(&403), "{statuses:?}");
    }
}

#[test]
fn where_sign_up_is_closed_nobody_signs_up_and_where_it_is_open_nobody_needs_an_invitation() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, BY_INVITATION);
    let (token, _) = invite(&folder, &[]);
    server.stop();
    let mut server = Server::on(&folder, &["--sign-up", "closed"]);
    for invitation in [None, Some(&*token)] {
        let answer = sign_up(&server, "first-one", invitation);
        answer.assert(403, "Sign-up is closed here.");
        assert_eq!(answer.json()["code"], "sign_up_closed");
    }
    assert_eq!(failed(&folder, &["invite"]), "sign-up is closed, also for the invited; see --sign-up");
    server.stop();
    let server = Server::on(&folder, NO_LIMITS);
    assert_eq!(failed(&folder, &["invite"]), "sign-up is open, so nobody needs an invitation; see --sign-up");
    sign_up(&server, "first-one", Some("nonsense")).assert(201, "User Account Created");
    Person::new(&server);
    assert_eq!(done(&folder, &["invite", "list"]).lines().count(), 1, "it was not used");
}
