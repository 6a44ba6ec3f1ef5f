//! Two servers that hear of each other through NATS.

use std::collections::BTreeSet;

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::database::{Databases, file_in, with};
use crate::support::nats::Nats;
use crate::support::patience::{wait_for, wait_until};
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, Server, annon, printed, refusal};
use crate::support::test_socket::TestSocket;

const LOST: &str = "the connection on which this node hears the others is lost";

/// Two servers on the databases, with NATS. The second has a folder of its own.
fn two(databases: &Databases, nats: &Nats, elsewhere: &Folder) -> [Server; 2] {
    let (flags, url) = (databases.flags(), nats.url());
    let one = Server::on(&databases.folder, &with(&flags, "--nats-url", Some(&url)));
    let flags = databases.flags();
    let mut flags = with(&flags, "--nats-url", Some(&url));
    flags.extend(["--node-name", "the second"]);
    let servers = [one, Server::on(elsewhere, &flags)];
    wait_until("they hear each other", || servers.iter().all(|server| is_whole(server) && nodes(server) == 2));
    servers
}

fn is_whole(server: &Server) -> bool {
    server.metric("annon_wire_up") == 1.0
}

fn nodes(server: &Server) -> usize {
    server.metric("annon_nodes") as usize
}

/// Each says something, and each has what the other said.
fn talk(members: &mut [Member; 2], round: &str, said: &mut Vec<String>) {
    for speaks in [0, 1] {
        let words = format!("{round} {speaks}");
        members[speaks].chat(&words);
        members[1 - speaks].await_where(|frame| frame["event"] == "event.chat" && frame["message"] == *words);
        said.push(words);
    }
}

#[test]
fn when_nats_is_killed_in_mid_conversation_nobody_is_cut_off_and_nothing_is_missed_or_shown_twice() {
    let (databases, mut nats, elsewhere) = (Databases::start(), Nats::start(), Folder::new());
    let [one, other] = two(&databases, &nats, &elsewhere);
    let person = Person::new(&one);
    let target = person.target(&other);
    let group = Group::of(&one, person);
    let seats = [group.seat(&one), group.seat(&other)];
    let mut members = [Member::open(&one, &group, &seats[0]), Member::open(&other, &group, &seats[1])];
    let mut said = Vec::new();
    for round in 0..3 {
        for n in 0..5 {
            talk(&mut members, &format!("{round}: {n} with NATS"), &mut said);
        }
        // Some of these are on their way when it goes.
        let ids: BTreeSet<String> = (0..8).map(|n| members[0].post(&format!("{round}: {n} meanwhile"))).collect();
        nats.kill();
        let [here, there] = &mut members;
        for member in [here, there] {
            let mut heard = BTreeSet::new();
            while heard.len() < ids.len() {
                let frame = member.next_frame();
                assert_ne!(frame["event"], "event.error", "{frame}");
                let id = frame["id"].as_str().filter(|id| ids.contains(*id));
                assert!(id.is_none_or(|id| heard.insert(id.to_owned())), "twice: {frame}");
            }
        }
        said.extend((0..8).map(|n| format!("{round}: {n} meanwhile")));
        talk(&mut members, &format!("{round}: without NATS"), &mut said);
        for server in [&one, &other] {
            wait_until("it is noticed", || !is_whole(server));
            server.get("/readyz").send().assert(200, "ready");
        }
        send_note(&other, &target, "a note without NATS").assert(201, "Anonymous Message Sent");
        nats.start_again();
        wait_until("they hear each other again", || is_whole(&one) && is_whole(&other));
        talk(&mut members, &format!("{round}: with NATS again"), &mut said);
    }
    for (server, seat) in [(&one, &seats[0]), (&other, &seats[1])] {
        assert_eq!(group.words(server, seat), said, "each once, and in order");
        let warnings = server.log.lines().iter().filter(|line| line.contains(LOST)).count();
        assert_eq!(warnings, 3, "{:?}", server.log.lines());
    }
}

#[test]
fn what_nats_carries_is_not_readable_and_names_no_group_or_inbox() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let nats = Nats::start_with(&["-DV"]);
    let [one, other] = two(&databases, &nats, &elsewhere);
    let person = Person::new(&one);
    let target = person.target(&other);
    let mut inbox = TestSocket::of(&one, &person);
    let group = Group::of(&one, person);
    let seats = [group.seat(&one), group.seat(&other)];
    let mut members = [Member::open(&one, &group, &seats[0]), Member::open(&other, &group, &seats[1])];
    talk(&mut members, "zebra", &mut Vec::new());
    send_note(&other, &target, "a zebra's note").assert(201, "Anonymous Message Sent");
    while inbox.next_frame()["event"] != "event.inbox" {}
    let log = wait_for("what was carried being in the log of NATS", || {
        let log = std::fs::read_to_string(nats.folder.path().join("log")).unwrap();
        (log.contains("[SUB annon.") && log.matches("PUB annon.").count() > 4).then_some(log)
    });
    for word in ["zebra", &group.id, &group.id.replace('-', ""), &target] {
        assert!(!log.contains(word), "{word} in {log}");
    }
}

#[test]
fn nats_that_can_not_be_used_is_refused_in_a_sentence_and_no_password_is_shown() {
    let databases = Databases::start();
    let (flags, folder) = (databases.flags(), &databases.folder);
    let password = file_in(folder, "password", b"hunter2\n");
    let sentence = |more: &[&str]| {
        let mut flags = with(&flags, "--node-name", None);
        flags.extend(more);
        let (code, text) = refusal(folder, &flags);
        assert_eq!(code, Some(1), "{text}");
        assert_eq!(text.lines().filter(|line| line.contains("ERROR")).count(), 1, "{text}");
        assert!(!text.contains("hunter2"), "{text}");
        text
    };
    for (more, says) in [
        (["--nats-url", "nats://127.0.0.1:1"].as_slice(), "NATS can't be reached: "),
        (&["--nats-url", "ftp://127.0.0.1"], "the URL of NATS can't be read: "),
        (
            &["--nats-url", "nats://localhost", "--nats-password-file", "/nowhere"],
            "can't read NATS's password from /nowhere",
        ),
    ] {
        assert!(sentence(more).contains(says), "{more:?}");
    }
    let nats = Nats::start_with(&["--user", "annon", "--pass", "hunter2"]);
    let url = nats.url().replace("//", "//annon@");
    assert!(sentence(&["--nats-url", &url]).contains("authorization violation"));
    let check = |url: &str, more: &[&str]| {
        let output = annon().args(["check-config", "--nats-url", url]).args(&flags).args(more).output().unwrap();
        (output.status.success(), printed(&output.stdout) + &printed(&output.stderr))
    };
    let (is_in_order, text) = check("nats://127.0.0.1:1", &[]);
    assert!(!is_in_order && text.contains("NATS can't be reached"), "{text}");
    let (is_in_order, text) = check(&url, &["--nats-password-file", &password]);
    assert!(is_in_order && text.contains("nats-url                given"), "{text}");
    let (is_in_order, text) = check(&url.replace("annon@", "annon:hunter2@"), &[]);
    assert!(is_in_order && !text.contains("hunter2"), "{text}");
    assert!(text.contains("warning: the password for NATS is on the command line"), "{text}");
    assert_eq!(databases.tables(), ["", ""], "nothing was made");

    let mut all = with(&flags, "--nats-url", Some(&url));
    all.extend(["--nats-password-file", &password]);
    let server = Server::on(folder, &all);
    Person::new(&server);
    assert!(!server.log.lines().join("\n").contains("hunter2"));
    // Another cluster has come to the same NATS.
    let others = Databases::start();
    let flags = others.flags();
    let mut flags = with(&flags, "--nats-url", Some(&url));
    flags.extend(["--nats-password-file", &password]);
    let (code, text) = refusal(&others.folder, &flags);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("servers with another secret or other databases use this NATS"), "{text}");
    assert_eq!(others.tables(), ["", ""], "nothing was made");
}
