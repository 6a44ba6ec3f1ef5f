//! Two servers on one database: whoever is at one of them notices nothing of it.

use std::process::Command;
use std::thread;
use std::time::Duration;

use annon_contract::code::Code;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::rooms::group::{Group, seated};
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{png, upload};
use crate::support::cluster::binaries;
use crate::support::database::{Databases, with};
use crate::support::patience::{now, timed, wait_until};
use crate::support::person::{Person, is_alive, login, send_note};
use crate::support::server::{Folder, Server, annon, printed};
use crate::support::test_socket::{Received, TestSocket};

/// Two servers on the databases. The second has a folder of its own.
fn two(databases: &Databases, elsewhere: &Folder) -> [Server; 2] {
    let flags = databases.flags();
    [databases.serve(), Server::on(elsewhere, &with(&flags, "--node-name", Some("the second")))]
}

/// Waits until somebody is shown so many active members.
fn sees(member: &mut Member, count: usize) {
    member.await_where(|frame| frame["active_users"].as_array().is_some_and(|here| here.len() == count));
}

fn says(words: &str) -> impl Fn(&Value) -> bool {
    move |frame| frame["event"] == "event.chat" && frame["message"] == words
}

#[test]
fn members_at_two_servers_are_in_one_conversation() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [one, other] = two(&databases, &elsewhere);
    let group = Group::of(&one, Person::new(&one));
    // A seat is known at the other server at once.
    let seats = [group.seat(&one), group.seat(&other), group.seat(&one)];
    let mut here = Member::open(&one, &group, &seats[0]);
    let mut there = Member::open(&other, &group, &seats[1]);
    let mut goes = Member::open(&other, &group, &seats[2]);
    sees(&mut here, 3);
    for round in 0..20 {
        here.chat(&format!("{round} here"));
        there.await_where(says(&format!("{round} here")));
        there.chat(&format!("{round} there"));
        here.await_where(says(&format!("{round} there")));
    }
    there.send_event("event.typing", &json!({}));
    assert_eq!(here.await_event("event.typing")["sender"], *seats[1].emoji);
    let path = upload(&one, &group, &seats[0], &png(40, 30)).message();
    let fields = json!({ "id": fresh_id(), "image_src": path, "image_low": path, "caption": "look" });
    there.send_event("event.image", &fields);
    assert_eq!(here.await_event("event.image")["caption"], "look");
    group.kick(&one, &seats[2], "").assert(200, "Member removed");
    goes.assert_closed(Code::RemovedFromGroup, 4403, "removed from the group");
    sees(&mut here, 2);
    let words = group.words(&one, &seats[0]);
    assert_eq!((words.len(), &words), (40, &group.words(&other, &seats[1])));
    assert_eq!(group.command(&one, "DELETE", "").send().status, 200);
    there.assert_closed(Code::GroupDeleted, 4410, "the group was deleted");
}

#[test]
fn a_creator_at_one_server_answers_who_knocks_at_the_other() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [one, other] = two(&databases, &elsewhere);
    let group = Group::asking(&one, Person::new(&one));
    let mut window = TestSocket::of(&one, &group.creator);
    let [comes, goes] = [(); 2].map(|()| group.visitor(&other));
    let waits = |frame: &Value| {
        frame["event"] == "event.knocks" && frame["knocks"].as_array().is_some_and(|all| all.len() == 2)
    };
    wait_until("both are in the creator's window", || waits(&window.next_frame()));
    thread::scope(|scope| {
        let waits = [&comes, &goes].map(|visitor| scope.spawn(|| group.stands(&other, visitor, 25)));
        group.answer(&one, &comes, true).assert(200, "Admitted");
        group.answer(&one, &goes, false).assert(200, "Declined");
        assert_eq!(waits.map(|wait| wait.join().unwrap()), ["admitted", "declined"]);
    });
    assert_eq!([&comes, &goes].map(|visitor| group.enters(&other, visitor).is_ok()), [true, false]);
}

#[test]
fn at_the_doors_of_three_servers_ten_get_a_seat() {
    let (databases, folders) = (Databases::start(), [Folder::new(), Folder::new()]);
    let [one, other] = two(&databases, &folders[0]);
    let third = Server::on(&folders[1], &with(&databases.flags(), "--node-name", Some("the third")));
    let servers = [one, other, third];
    let rounds = if std::env::var_os("ANNON_TORTURE").is_some() { 200 } else { 5 };
    for _ in 0..rounds {
        let group = &Group::of(&servers[0], Person::new(&servers[0]));
        let seated = thread::scope(|scope| {
            let at_the_door: Vec<_> = (0..20)
                .map(|n| {
                    let server = &servers[n % 3];
                    scope.spawn(move || seated(&group.try_seat(server, None)).is_ok())
                })
                .collect();
            at_the_door.into_iter().map(|one| one.join().unwrap()).filter(|is_in| *is_in).count()
        });
        assert_eq!(seated, 10);
    }
}

#[test]
fn when_a_server_is_killed_its_members_go_on_at_the_other_and_miss_nothing() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [mut one, other] = two(&databases, &elsewhere);
    let group = Group::of(&one, Person::new(&one));
    let [mut there]: [Member; 1] = group.members(&other);
    let [mut here]: [Member; 1] = group.members(&one);
    // Whoever was there first is told of the other.
    sees(&mut there, 2);
    let known = here.chat("before")["seq"].as_u64().unwrap();
    there.await_where(says("before"));
    there.chat("meanwhile");
    one.signal(Signal::KILL);
    one.wait();
    // The dead server's members are not shown for long: it is missed after six seconds, and what it
    // said would be believed for at least 25.
    let ((), took) = timed(|| sees(&mut there, 1));
    assert!(took < Duration::from_secs(20), "{took:?}");
    let (mut again, missed) = Member::resume(&other, &group, &here.seat, known);
    assert!(missed.iter().any(says("meanwhile")), "{missed:?}");
    again.chat("and so on");
    assert_eq!(group.words(&other, &again.seat), ["before", "meanwhile", "and so on"]);
}

/// Its sockets are closed one after the other, and their clients go on at the other server.
#[test]
fn a_server_that_stops_leaves_its_members_to_the_other_and_they_miss_nothing() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let other = databases.serve();
    let flags = databases.flags();
    let mut one = Server::on(&elsewhere, &with(&flags, "--drain-seconds", Some("5")));
    let creator = Person::new(&one);
    let groups: Vec<_> = (0..4).map(|_| Group::of(&one, creator.clone())).collect();
    let there = groups.iter().flat_map(|group| group.members::<1>(&other));
    let mut there: Vec<Member> = there.collect();
    let here = groups.iter().flat_map(|group| group.members::<1>(&one));
    let here: Vec<_> = here.map(|mut member| (member.chat("before")["seq"].as_u64().unwrap(), member)).collect();
    let begun = now();
    one.signal(rustix::process::Signal::TERM);
    let mut left: Vec<_> = thread::scope(|scope| {
        let leave = |(known, mut member): (u64, Member)| {
            let rest = member.read_to_end();
            assert!(rest.ends_with(&[Received::closed(1012, "restarting")]), "{rest:?}");
            (known, member.seat.clone(), begun.elapsed())
        };
        let leaving: Vec<_> = here.into_iter().map(|member| scope.spawn(move || leave(member))).collect();
        leaving.into_iter().map(|member| member.join().unwrap()).collect()
    });
    for ((group, there), (known, seat, _)) in groups.iter().zip(&mut there).zip(&left) {
        there.chat("meanwhile");
        let (mut again, missed) = Member::resume(&other, group, seat, *known);
        assert!(missed.iter().any(says("meanwhile")), "{missed:?}");
        again.chat("and so on");
        assert_eq!(group.words(&other, seat), ["before", "meanwhile", "and so on"]);
    }
    left.sort_by_key(|(.., after)| *after);
    for (turn, (.., after)) in (1..).zip(left) {
        assert!(after >= Duration::from_secs(turn), "the {turn}th after {after:?}");
    }
    assert_eq!(one.wait().code(), Some(0));
}

#[test]
fn notes_and_sign_outs_reach_windows_at_the_other_server() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [one, other] = two(&databases, &elsewhere);
    let person = Person::new(&one);
    let mut window = TestSocket::of(&other, &person);
    send_note(&one, &person.target(&other), "a note for a window elsewhere").assert(201, "Anonymous Message Sent");
    let frame = window.next_frame();
    assert_eq!((&frame["unread"], &frame["note"]["message"]), (&json!(1), &json!("a note for a window elsewhere")));
    assert_eq!(person.call(&one, "POST", "/api/logout").send().status, 200);
    window.assert_signed_out();
    let [own, elsewhere] = [&one, &other].map(|server| person.sign_in(server));
    let mut window = TestSocket::with_token(&other, &elsewhere);
    one.call("DELETE", "/api/sessions").bearer(&own).send().assert(200, "Signed out everywhere else");
    window.assert_signed_out();
    assert!(!is_alive(&other, &elsewhere) && is_alive(&other, &own));
}

#[test]
fn the_operator_sees_which_servers_are_alive() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let nodes = |more: &[&str]| {
        let flags = databases.flags();
        let output =
            annon().arg("nodes").args(more).args(&flags).arg("--data-dir").arg(elsewhere.data()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        printed(&output.stdout)
    };
    assert_eq!(nodes(&[]), "", "before the first start");
    let [_one, mut other] = two(&databases, &elsewhere);
    other.signal(Signal::KILL);
    other.wait();
    databases.ask("record", "UPDATE node SET beat = beat - interval '40 seconds' WHERE name = 'the second'");
    let shown = nodes(&[]);
    let [alive, dead]: [&str; 2] = {
        let mut lines: Vec<_> = shown.lines().collect();
        lines.sort_by_key(|line| line.starts_with("the second"));
        lines.try_into().unwrap()
    };
    assert!(alive.ends_with("alive") && alive.contains(env!("CARGO_PKG_VERSION")), "{shown}");
    assert!(dead.contains("silent for 4"), "{shown}");
    let listed: Vec<Value> = nodes(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let second = listed.iter().find(|node| node["name"] == "the second").unwrap();
    assert_eq!((&second["alive"], &second["version"]), (&json!(false), &json!(env!("CARGO_PKG_VERSION"))));
    assert!(second["silent_seconds"].as_u64().unwrap() >= 40 && second["reads"].as_u64().unwrap() >= 2, "{second}");
    // Two that an operator can't tell apart, until one of them is stopped.
    let (again, flags) = (Folder::new(), databases.flags());
    let mut third = Server::on(&again, &flags.iter().map(|flag| &**flag).collect::<Vec<_>>());
    assert_eq!(nodes(&[]).matches("alive, and so is another of this name").count(), 2, "{}", nodes(&[]));
    assert_eq!(nodes(&["--json"]).matches("\"name_is_shared\":true").count(), 2);
    third.stop();
    let shown = nodes(&[]);
    assert!(!shown.contains("another of this name") && shown.lines().count() == 2, "{shown}");
    let output = annon().arg("nodes").output().unwrap();
    assert!(printed(&output.stderr).contains("without --database-url there is only this server"), "{output:?}");
}

#[test]
fn a_pause_has_begun_everywhere_when_its_command_is_answered_and_so_has_its_end() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [one, mut other] = two(&databases, &elsewhere);
    let target = Person::new(&one).target(&one);
    let pause = |words: &str| databases.folder.annon(&["pause", words]);
    for n in 0..6 {
        let begun = pause("back in a minute");
        assert!(begun.status.success(), "{begun:?}");
        assert_eq!(
            send_note(&other, &target, "a note that is too early").json()["code"],
            "paused_for_maintenance",
            "{n}"
        );
        let ended = pause("off");
        assert!(ended.status.success(), "{ended:?}");
        send_note(&other, &target, &format!("a note with the number {n}")).assert(201, "Anonymous Message Sent");
    }
    // One that was killed counts as living for a while, and doesn't hold the operator up for good.
    other.signal(Signal::KILL);
    other.wait();
    databases
        .ask("record", "UPDATE node SET beat = clock_timestamp() - interval '12 seconds' WHERE name = 'the second'");
    let (begun, took) = timed(|| pause("back in a minute"));
    assert!(begun.status.success() && took > Duration::from_secs(1), "{took:?}: {begun:?}");
    // One that counts as living and still obeys the pause is waited for, and named.
    let lives_on = "UPDATE node SET beat = clock_timestamp() + interval '1 hour', pause = 1 WHERE name = 'the second'";
    databases.ask("record", lives_on);
    let unheard = pause("off");
    assert!(!unheard.status.success(), "{unheard:?}");
    let said = printed(&unheard.stderr);
    assert!(said.contains("the pause is over, but not everywhere") && said.contains("the second"), "{said}");
}

#[test]
fn a_server_says_for_how_long_a_moment_of_its_database_is_read() {
    let databases = Databases::start();
    let mut reader = Command::new(format!("{}/psql", binaries()));
    let reading = "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM pg_class; SELECT pg_sleep(60)";
    let mut reader = reader.args(["-XAtqc", reading, &databases.cluster.url("record")]).spawn().unwrap();
    let reads = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    wait_until("it reads", || databases.ask("postgres", reads) == "1");
    let server = databases.serve();
    wait_until("it shows", || server.metric("annon_oldest_snapshot_seconds") > 0.0);
    reader.kill().unwrap();
    reader.wait().unwrap();
}

#[test]
fn servers_know_how_many_they_are_and_share_out_the_wrong_passwords_of_an_account() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [one, mut other] = two(&databases, &elsewhere);
    let person = Person::new(&one);
    let servers = [&one, &other];
    wait_until("each hears the other", || {
        servers.iter().all(|server| (server.metric("annon_nodes"), server.metric("annon_wire_up")) == (2.0, 1.0))
    });
    for _ in 0..5 {
        assert_eq!(login(&one, &person.username, "another password").status, 401);
    }
    assert_eq!(login(&one, &person.username, &person.password).status, 401, "the right one is wrong here now");
    assert_eq!(login(&other, &person.username, &person.password).status, 200);
    let group = Group::of(&one, person);
    let [mut here]: [Member; 1] = group.members(&one);
    here.chat("counted");
    for figure in ["annon_store_commits_total", "annon_confirms_total", "annon_confirm_seconds_total"] {
        assert!(one.metric(figure) > 0.0, "{figure}");
    }
    assert_eq!(one.metric("annon_group_differences_total"), 0.0);
    other.signal(rustix::process::Signal::KILL);
    other.wait();
    wait_until("it is missed", || one.metric("annon_nodes") == 1.0);
}
