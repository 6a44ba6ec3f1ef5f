//! The event log, and what fail2ban reads in it.

use std::fs;
use std::process::Command;

use rustix::process::Signal;
use serde_json::json;

use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{Folder, NO_LIMITS, Server, printed, refusal};

const FILTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/fail2ban/filter.conf");
const BEHIND: [&str; 2] = ["--trusted-proxies", "127.0.0.1"];

/// Events without their times.
fn events(folder: &Folder) -> Vec<String> {
    let text = fs::read_to_string(folder.file("events")).unwrap();
    text.lines().map(|line| line.split_once("Z ").unwrap().1.to_owned()).collect()
}

fn sign_in(server: &Server, name: &str, password: &str, from: &str) -> u16 {
    let form = json!({ "email_or_username": name, "password": password });
    server.post("/api/login").header("X-Forwarded-For", from).json(&form).send().status
}

fn started(folder: &Folder, more: &[&str]) -> Server {
    let file = folder.file("events");
    Server::on(folder, &[&["--event-log", file.to_str().unwrap()], &BEHIND[..], more].concat())
}

#[test]
fn events_have_a_time_and_a_kind_and_nothing_of_a_person() {
    let folder = Folder::new();
    let server = started(&folder, &["--sign-up", "invitation"]);
    let form = json!({ "username": "no-body", "email": "no@body.example", "password": "correct horse" });
    assert_eq!(server.post("/api/register").json(&form).send().status, 403);
    let name = "some-body-else";
    // On a slow machine some of the twenty come back meanwhile.
    let statuses = std::iter::repeat_with(|| sign_in(&server, name, "a wrong password", "203.0.113.7"));
    let failed = statuses.take(200).take_while(|status| *status == 401).count();
    assert!((20..200).contains(&failed), "{failed}");
    assert!(folder.annon(&["user", "list"]).status.success());
    assert_eq!(folder.annon(&["user", "delete", name]).status.code(), Some(1), "there is nobody of that name");
    assert!(folder.annon(&["stats"]).status.success());
    let mut expected = vec!["sign-up-refused"];
    expected.extend(vec!["sign-in-failed"; failed]);
    expected.extend(["flood-refused", "operator-user-list", "operator-user-delete"]);
    assert_eq!(events(&folder), expected);

    // A file that was put aside is followed by a new one.
    fs::rename(folder.file("events"), folder.file("events.1")).unwrap();
    server.signal(Signal::HUP);
    wait_until("the new file", || folder.file("events").exists());
    assert_eq!(sign_in(&server, name, "a wrong password", "203.0.113.8"), 401);
    assert_eq!(events(&folder), ["sign-in-failed"]);
    let page = server.get("/privacy").send().text();
    assert!(!page.contains("data-addresses=\""), "it keeps none");
}

#[test]
fn fail2ban_finds_the_addresses_of_those_who_fail_where_they_are_kept() {
    let folder = Folder::new();
    let server = started(&folder, &["--event-log-addresses", "on"]);
    let person = Person::new(&server);
    for from in ["203.0.113.7", "2001:db8::7", "::ffff:203.0.113.9"] {
        assert_eq!(sign_in(&server, &person.username, "a wrong password", from), 401);
    }
    assert_eq!(sign_in(&server, &person.username, &person.password, "203.0.113.10"), 200);
    let change = json!({ "old_password": "a wrong password", "new_password": "another password" });
    let change = person.call(&server, "POST", "/api/user/change-password").json(&change);
    assert_eq!(change.header("X-Forwarded-For", "203.0.113.11").send().status, 403);
    assert!(folder.annon(&["user", "list"]).status.success());
    let expected = [
        "sign-in-failed address=203.0.113.7",
        "sign-in-failed address=2001:db8::7",
        "sign-in-failed address=203.0.113.9",
        "password-wrong address=203.0.113.11",
        "operator-user-list",
    ];
    assert_eq!(events(&folder), expected);
    assert!(server.get("/privacy").send().text().contains("data-addresses=\"kept"), "the page says so");

    let ask = Command::new("fail2ban-regex").arg("--print-all-matched").arg(folder.file("events")).arg(FILTER).output();
    let Ok(found) = ask else {
        eprintln!("there is no fail2ban here, and the test looks at nothing");
        return;
    };
    let text = printed(&found.stdout);
    assert!(text.contains("5 lines, 0 ignored, 4 matched, 1 missed"), "{text}{}", printed(&found.stderr));
}

#[test]
fn pages_say_nothing_that_is_not_true_of_this_site_even_without_styles() {
    let folder = Folder::new();
    let keeps = started(&folder, &["--event-log-addresses", "on"]);
    let elsewhere = Server::with(NO_LIMITS);
    for (path, language, kept, not_kept) in [
        ("/", "en", "IP addresses of those who are refused, in", "IP addresses, in no log"),
        ("/", "de", "IP-Adressen von Abgewiesenen, in", "IP-Adressen, auch in Protokollen nicht"),
        ("/privacy", "en", "what happened and their IP address", "No IP address, cookie, token"),
        ("/privacy", "de", "was es war, und die IP-Adresse", "Keine IP-Adresse, kein Cookie"),
    ] {
        let says = |server: &Server| {
            let html = server.get(path).header("Accept-Language", language).send().text();
            (html.contains(kept), html.contains(not_kept))
        };
        assert_eq!((says(&keeps), says(&elsewhere)), ((true, false), (false, true)), "{path} {language}");
    }
    // Nor is it said on any other page.
    for path in ["/about", "/blog", "/terms", "/get-started", "/report", "/signup", "/index"] {
        for language in ["en", "de"] {
            let html = keeps.get(path).header("Accept-Language", language).send().text();
            for untrue in ["No IP addresses", "Keine IP-Adressen", "No record of IP", "no log and on no disk"] {
                assert!(!html.contains(untrue), "{path} {language}: {untrue}");
            }
        }
    }
}

#[test]
fn a_file_that_can_not_be_written_is_refused_at_the_start() {
    let (code, text) = refusal(&Folder::new(), &["--event-log", "/nowhere/at/all"]);
    assert!(code == Some(1) && text.contains("--event-log: can't write /nowhere/at/all"), "{text}");
    let server = Server::with(&["--event-log", "off", "--event-log-addresses", "on"]);
    assert!(!server.get("/privacy").send().text().contains("data-addresses=\""));
}
