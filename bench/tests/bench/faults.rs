//! Servers with faults, servers that are not Annon, and wrong flags.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::faulty_server::{self, FaultyServer};
use crate::program::{Annon, BENCH, bench, out, server};
use crate::proxy::Proxy;
use crate::relay::{self, Relay};

#[test]
fn whoever_loses_doubles_mixes_up_or_makes_up_messages_fails_the_run() {
    use relay::Fault;
    // Three messages are in flight, so that the server can mix them up.
    let load = ["--rooms", "2", "--members", "3", "--in-flight", "3", "--seconds", "0.5"];
    let run = |fault| bench(&[&["fanout", "--bare", "--url", &Relay::start(fault).url], load.as_slice()].concat());
    for (fault, word) in [
        (Fault::Loses, "lost"),
        (Fault::Doubles, "doubled"),
        (Fault::Disorders, "out of order"),
        (Fault::OtherWords, "with other contents"),
        (Fault::OtherWordsForAll, "with other contents"),
        (Fault::OtherSender, "with other contents"),
        (Fault::SameSeq, "out of order"),
        (Fault::MakesUp, "that nobody sent"),
        (Fault::NextDoor, "that nobody sent"),
        (Fault::HangsUp, "connections closed by the server"),
    ] {
        let ran = run(fault);
        assert_eq!(ran.status.code(), Some(1), "{fault:?}: {}", out(&ran));
        assert!(out(&ran).contains("WRONG") && out(&ran).contains(word), "{fault:?}: {}", out(&ran));
    }
    let honest = run(Fault::None);
    assert!(honest.status.success(), "{}", out(&honest));
    let refused = run(Fault::Refuses);
    assert_eq!(refused.status.code(), Some(2), "{}", out(&refused));
    assert!(out(&refused).contains("only 0 did not: Not now."), "{}", out(&refused));
}

#[test]
fn a_server_that_loses_or_doubles_notes_fails_the_run() {
    use faulty_server::Fault;
    for (fault, word) in [(Fault::Loses, "lost"), (Fault::Doubles, "doubled"), (Fault::Misplaces, "in the wrong inbox")]
    {
        let faulty = FaultyServer::start(fault);
        let ran = bench(&["notes", "--url", &faulty.url, "--clients", "4", "--seconds", "1", "--accounts", "2"]);
        assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
        assert!(out(&ran).contains("WRONG") && out(&ran).contains(word), "{}", out(&ran));
    }
    let repeating = FaultyServer::start(Fault::Repeats);
    let ran = bench(&["pages", "--url", &repeating.url, "--notes", "250", "--seconds", "0.1"]);
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG: "), "{}", out(&ran));
    let honest = FaultyServer::start(Fault::None);
    let typed = honest.url.replace("127.0.0.1", "localhost");
    let ran = bench(&["notes", "--url", &typed, "--clients", "4", "--seconds", "0.2", "--accounts", "2"]);
    assert!(ran.status.success() && out(&ran).contains(&format!(", at {typed}")), "{}", out(&ran));
    assert_eq!(honest.accounts(), 0, "a server that goes on is left as it was");
    assert_eq!(honest.hosts(), [typed.strip_prefix("http://").unwrap()], "it is called what was typed");
    let limiting = FaultyServer::start(Fault::Limits);
    let ran = bench(&["notes", "--url", &limiting.url, "--accounts", "30"]);
    assert_eq!((ran.status.code(), limiting.accounts()), (Some(2), 0), "{}", out(&ran));
    assert!(out(&ran).contains("start it with --address-limits off"), "{}", out(&ran));
}

#[test]
fn other_words_are_found_by_who_comes_back_and_by_who_reads_again() {
    let annon = Annon::start();
    let proxy = Proxy::start(annon.address, "00000003 what people say", "00000003 what nobody say");
    let ran = bench(&["storm", "--url", &proxy.url, "--rooms", "2", "--missed", "5"]);
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG: 20 were given something else"), "{}", out(&ran));
    let ran = bench(&["pages", "--url", &proxy.url, "--messages", "20", "--seconds", "0.1"]);
    assert_eq!(ran.status.code(), Some(1), "{}", out(&ran));
    assert!(out(&ran).contains("WRONG") && out(&ran).contains("what nobody say"), "{}", out(&ran));
}

#[test]
fn a_frame_that_never_comes_is_not_waited_for_without_end() {
    let annon = Annon::start();
    let unready = Proxy::start(annon.address, "event.ready", "event.later");
    let unheard = Proxy::start(annon.address, "event.chat", "event.lost");
    let runs = [
        (vec!["fanout", "--rooms", "1", "--url", &unready.url], "event.ready did not come within 10 s"),
        (
            vec!["churn", "--clients", "1", "--seconds", "1", "--url", &unready.url],
            "event.ready did not come within 10 s",
        ),
        (vec!["pages", "--messages", "1", "--url", &unheard.url], "a message that was sent on it did not come"),
    ];
    // All run at once, because each waits for ten seconds.
    std::thread::scope(|scope| {
        for (args, words) in &runs {
            scope.spawn(move || {
                let ran = bench(args);
                assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
                assert!(out(&ran).contains(words), "{args:?}: {}", out(&ran));
                assert!(out(&ran).contains("deleted again"), "{args:?}: {}", out(&ran));
            });
        }
    });
}

#[test]
fn a_chat_shows_what_was_missed() {
    let (folder, relay) = (tempfile::tempdir().unwrap(), Relay::start(relay::Fault::None));
    let room = "0b5c1f5e-0000-4000-8000-000000000000";
    let seat = folder.path().join("seat");
    let run_chat = |words: &str| {
        let mut chat = Command::new(BENCH)
            .args(["chat", "--url", &relay.url, "--room", room, "--cookie", seat.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        chat.stdin.take().unwrap().write_all(words.as_bytes()).unwrap();
        let ended = chat.wait_with_output().unwrap();
        assert!(ended.status.success());
        String::from_utf8(ended.stdout).unwrap()
    };
    assert_eq!(run_chat("hello\n"), "🦊 hello\n");
    relay.add_message_from_elsewhere(room, "you were away");
    assert_eq!(run_chat("back\n"), "🐼 you were away\n🦊 back\n");
}

#[test]
fn where_nothing_can_be_measured_the_exit_code_is_2_and_one_sentence_says_why() {
    use faulty_server::Fault;
    let [odd, other, failing, nothing] =
        [Fault::NotHttp, Fault::NotAnnon, Fault::Fails, Fault::NotThere].map(FaultyServer::start);
    let [elsewhere, mute, rambling] = [Fault::Redirects, Fault::HangsUp, Fault::Rambles].map(FaultyServer::start);
    for (args, words) in [
        (&["notes", "--url", "http://127.0.0.1:1"][..], "can't connect"),
        (&["notes", "--url", &odd.url], "not the HTTP/1.1"),
        (&["notes", "--url", &other.url], "is not Annon's"),
        (&["notes", "--url", &nothing.url], "/readyz is not Annon's: it is 404 (no such page)"),
        (&["notes", "--url", &elsewhere.url], "at /readyz: it redirects to https://notes.example/: --url has to be"),
        (&["fanout", "--url", &mute.url], "at /readyz: the connection was closed before the answer"),
        (&["idle", "--url", &rambling.url], "it is 500 (first line second [2J line and on"),
        (&["notes", "--url", &failing.url, "--accounts", "1", "--seconds", "0.1"], "failed and only 0 did not: 500"),
        (&["notes", "--url", &other.url, "--server-pid", "4294967"], "there is no process 4294967"),
        (&["start", "--json", "/nowhere/x"], "can't write /nowhere/x"),
        (&["start", "--data-dir", "/nowhere"], "there is no folder"),
        (&["start", "--server", "/nowhere/annon"], "can't start /nowhere/annon (--server names another)"),
        (&["start", "--server", "/bin/true"], "ended before it listened"),
        (&["start", "--server", &server(), "--", "--log-level", "warn"], "cannot be used multiple times"),
        (&["chat", "--url", "http://127.0.0.1:1", "--room", "x"], "can't connect"),
    ] {
        let ran = bench(args);
        let printed = String::from_utf8(ran.stderr.clone()).unwrap();
        assert_eq!(ran.status.code(), Some(2), "{args:?}: {}", out(&ran));
        assert!(printed.starts_with("annon-bench: ") && printed.trim_end().lines().count() == 1, "{args:?}: {printed}");
        assert!(printed.len() < 500 && printed.contains(words), "{args:?}: {printed}");
    }
    for (args, words) in [
        (&["fly"][..], "fly"),
        (&[], "Usage: "),
        (&["notes", "--clients", "0"], "a whole number from 1 to 25000"),
        (&["fanout", "--rate", "5", "--in-flight", "2"], "cannot be used with"),
        (&["fanout", "--server-pid", "1"], "--url <URL>"),
        (&["fanout", "--bare"], "--url <URL>"),
        (&["fanout", "--url", "localhost:8080"], "an address looks like http://"),
        (&["notes", "--url", "https://127.0.0.1:1"], "only http://"),
        (&["pages", "--calls", "1001"], "from 1 to 1000"),
    ] {
        let ran = bench(args);
        assert!(ran.status.code() == Some(2) && out(&ran).contains(words), "{args:?}: {}", out(&ran));
    }
    let limited = format!("ulimit -n 100; exec {BENCH} notes --server /nowhere/annon --clients 500");
    let ran = Command::new("sh").args(["-c", &limited]).output().unwrap();
    assert!(out(&ran).contains("500 connections need 564 open files, and only 100 are allowed"), "{}", out(&ran));
}
