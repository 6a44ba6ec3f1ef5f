//! Two nodes hear each other, and miss nothing when a connection is lost.

use std::future::ready;
use std::time::Duration;

use annon_store::Kept;
use annon_store::room::{RoomEvent, Seq};
use annon_store::room_log::{Tail, TailItem};
use annon_store::wire::{Heard, Subject};
use annon_store::{Postgres, ServerPlace};
use futures_util::future::join;
use futures_util::{FutureExt, StreamExt};
use tokio::time::timeout;

use crate::support::nats::Nats;
use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

const LATER: u64 = NOW + 100_000;
/// How long anything may take on a busy machine.
const AT_MOST: Duration = Duration::from_secs(50);
/// Sooner than any room has its turn to be looked at.
const SOON: Duration = Duration::from_secs(20);
/// Ends the connections on which nodes hear each other.
const CUT: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'annon wire'";

/// Two nodes in a server of their own that hear each other, and a room.
async fn two_nodes(cluster: &Cluster, nats: Option<&Nats>) -> (Databases, Postgres, Postgres) {
    let mut databases = Databases::in_clusters(cluster, Cluster::shared()).await;
    databases.options.nats = nats.map(|nats| ServerPlace { url: nats.url(), password: None });
    let (one, other) = (databases.open().await, databases.open().await);
    one.accounts().create(account(1)).await.unwrap();
    one.rooms().create(metadata(1, 1, LATER), NOW).await.unwrap();
    until_they_hear(&[&one, &other]).await;
    (databases, one, other)
}

async fn until_they_hear(nodes: &[&Postgres]) {
    let hears_all = |node: &&Postgres| {
        let wire = node.wire().unwrap();
        wire.gaps().is_some() && wire.nodes() == nodes.len()
    };
    until(|| nodes.iter().all(hears_all)).await;
}

async fn until(is_so: impl Fn() -> bool) {
    timeout(AT_MOST, async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
}

async fn write(node: &Postgres, from: u64, to: u64) {
    for n in from..=to {
        node.room_log().append(room(1), Seq(n - 1), vec![came(n as u32)]).await.unwrap();
    }
}

/// Hears the tail until the log is known up to `last`, as a room does: what comes again
/// is dropped, and what may be missing is read.
async fn hear(node: &Postgres, tail: &mut Tail, known: &mut Seq, last: u64) -> Vec<RoomEvent> {
    let mut heard = Vec::new();
    while *known < Seq(last) {
        match timeout(AT_MOST, tail.next()).await.expect("nothing is heard").unwrap() {
            TailItem::Events { first, events } if first <= known.next() => {
                let known_of_it = known.next().0 - first.0;
                let new: Vec<_> = events.into_iter().skip(known_of_it as usize).collect();
                known.0 += new.len() as u64;
                heard.extend(new);
            }
            TailItem::Events { .. } | TailItem::Stale => {
                for (seq, event) in node.room_log().read(room(1), *known).await.unwrap() {
                    assert_eq!(seq, known.next());
                    *known = seq;
                    heard.push(event);
                }
            }
            other => panic!("{other:?}"),
        }
        tail.knows(*known);
    }
    heard
}

/// Takes what has come and is known already: any of it would have the record read.
fn drain(tail: &mut Tail) {
    while tail.next().now_or_never().is_some() {}
}

fn events(from: u64, to: u64) -> Vec<RoomEvent> {
    (from..=to).map(|n| came(n as u32)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_one_node_writes_the_other_hears_once_and_in_order_and_it_itself_does_not() {
    one_writes_and_the_other_hears(None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_nats_too_what_one_node_writes_the_other_hears_once_and_in_order_and_it_itself_does_not() {
    one_writes_and_the_other_hears(Some(&Nats::start())).await;
}

async fn one_writes_and_the_other_hears(nats: Option<&Nats>) {
    let cluster = Cluster::start();
    let (_databases, one, other) = two_nodes(&cluster, nats).await;
    let (mut own, mut tail) = (one.room_log().tail(room(1)).unwrap(), other.room_log().tail(room(1)).unwrap());
    let mut known = Seq(0);
    write(&one, 1, 30).await;
    assert_eq!(hear(&other, &mut tail, &mut known, 30).await, events(1, 30));
    // From here on the other node knows where it is, and is sent the events.
    write(&one, 31, 60).await;
    assert_eq!(hear(&other, &mut tail, &mut known, 60).await, events(31, 60));
    write(&other, 61, 61).await;
    own.knows(Seq(60));
    assert_eq!(hear(&one, &mut own, &mut Seq(60), 61).await, events(61, 61));
    one.rooms().remove(room(1)).await.unwrap();
    let gone = async { while tail.next().await.unwrap() != TailItem::Gone {} };
    timeout(AT_MOST, gone).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_the_connections_were_cut_everything_is_there_again() {
    let cluster = Cluster::start();
    let (_databases, one, other) = two_nodes(&cluster, None).await;
    let mut tail = other.room_log().tail(room(1)).unwrap();
    let (mut known, mut from) = (Seq(0), 1);
    for _ in 0..3 {
        write(&one, from, from + 9).await;
        assert_eq!(hear(&other, &mut tail, &mut known, from + 9).await, events(from, from + 9));
        from += 10;
        drain(&mut tail);
        let gaps = other.wire().unwrap().gaps();
        assert_eq!(cluster.ask("record", CUT).await.len(), 2);
        // Nobody writes after this, so nothing but a look at the record tells of it.
        write(&one, from, from + 4).await;
        assert_eq!(hear(&other, &mut tail, &mut known, from + 4).await, events(from, from + 4));
        from += 5;
        until(|| other.wire().unwrap().gaps().is_some_and(|now| Some(now) > gaps)).await;
        until(|| one.wire().unwrap().gaps().is_some()).await;
    }
}

/// A poke that is sent while a node has no connection to hear it is lost: only a look at the
/// record tells what was written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_written_while_a_node_heard_nothing_is_found_in_the_record() {
    let cluster = Cluster::start();
    let databases = Databases::in_clusters(&cluster, Cluster::shared()).await;
    let one = databases.open().await;
    one.accounts().create(account(1)).await.unwrap();
    one.rooms().create(metadata(1, 1, LATER), NOW).await.unwrap();
    let hears = "SELECT pid FROM pg_stat_activity WHERE application_name = 'annon wire'";
    let of_one = cluster.until(hears).await.remove(0);
    let other = databases.open().await;
    cluster.until(&format!("{hears} AND pid <> {of_one}")).await;
    let (mut tail, mut known) = (other.room_log().tail(room(1)).unwrap(), Seq(0));
    write(&one, 1, 10).await;
    assert_eq!(hear(&other, &mut tail, &mut known, 10).await, events(1, 10));
    // Nobody gets a new connection meanwhile.
    cluster.ask("keys", "ALTER DATABASE record ALLOW_CONNECTIONS false").await;
    assert_eq!(cluster.ask("keys", &format!("{CUT} AND pid <> {of_one}")).await.len(), 1);
    drain(&mut tail);
    write(&one, 11, 15).await;
    cluster.ask("keys", "ALTER DATABASE record ALLOW_CONNECTIONS true").await;
    assert_eq!(hear(&other, &mut tail, &mut known, 15).await, events(11, 15));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_said_is_heard_by_the_others_who_listen_to_it() {
    one_speaks_and_the_other_listens(None).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_nats_too_what_is_said_is_heard_by_the_others_who_listen_to_it() {
    one_speaks_and_the_other_listens(Some(&Nats::start())).await;
}

async fn one_speaks_and_the_other_listens(nats: Option<&Nats>) {
    let cluster = Cluster::start();
    let (_databases, one, other) = two_nodes(&cluster, nats).await;
    let (wire, others) = (one.wire().unwrap(), other.wire().unwrap());
    let subjects = [Subject::Room(room(1)), Subject::Inbox(account_id(1)), Subject::Everybody];
    let (mut own, mut heard) = (subjects.map(|about| wire.listen(about)), subjects.map(|about| others.listen(about)));
    // Over NATS, a node hears of a subject a moment after somebody there began to listen.
    for (speaks, listening) in [(&wire, &mut heard), (&others, &mut own)] {
        for (about, listening) in subjects.into_iter().zip(listening) {
            while tokio::time::timeout(Duration::from_millis(50), listening.next()).await.is_err() {
                speaks.say(about, vec![99]);
            }
        }
    }
    let is_greeting = |heard: &Heard| matches!(heard, Heard::Said { bytes, .. } if *bytes == [99]);
    for (n, about) in (0..).zip(subjects) {
        wire.say(about, vec![n; 5_000]);
        wire.say(about, vec![n; 100_000]);
        wire.say(about, vec![n]);
    }
    for (n, listening) in (0..).zip(&mut heard) {
        for len in [5_000, 1] {
            let said = timeout(AT_MOST, listening.filter(|heard| ready(!is_greeting(heard))).next()).await.unwrap();
            assert!(matches!(said, Some(Heard::Said { bytes, .. }) if bytes == vec![n; len]), "without the longest");
        }
    }
    others.say(Subject::Everybody, vec![9]);
    let mut own = (&mut own[2]).filter(|heard| ready(!is_greeting(heard)));
    let Some(Heard::Said { from, bytes }) = timeout(AT_MOST, own.next()).await.unwrap() else { panic!("nothing") };
    assert_eq!(bytes, [9], "the first it hears");
    // Who stops is known to be gone at once, and who is killed after a while.
    other.stop().await.unwrap();
    assert_eq!(timeout(AT_MOST, own.next()).await.unwrap(), Some(Heard::Silent(from)));
}

/// NATS loses what is said while it is gone, and what a node says while only that one is cut off.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_nats_what_is_written_is_found_in_the_record_and_with_it_everybody_is_heard_again() {
    let (cluster, mut nats) = (Cluster::start(), Nats::start());
    let (_databases, one, other) = two_nodes(&cluster, Some(&nats)).await;
    let mut tail = other.room_log().tail(room(1)).unwrap();
    let (mut known, mut from) = (Seq(0), 1);
    let mut listening = other.wire().unwrap().listen(Subject::Everybody);
    for stops in [true, false, true] {
        write(&one, from, from + 9).await;
        assert_eq!(hear(&other, &mut tail, &mut known, from + 9).await, events(from, from + 9));
        from += 10;
        let gaps = other.wire().unwrap().gaps();
        if stops {
            nats.kill();
        } else {
            // It answers nothing, and its connections stay.
            nats.signal("STOP");
        }
        until(|| other.wire().unwrap().gaps().is_none()).await;
        drain(&mut tail);
        for _ in 0..3 {
            write(&one, from, from + 2).await;
            let heard = timeout(SOON, hear(&other, &mut tail, &mut known, from + 2)).await;
            assert_eq!(heard.expect("only when the room has its turn"), events(from, from + 2));
            from += 3;
        }
        drain(&mut tail);
        write(&one, from, from + 4).await;
        if stops {
            nats.start_again();
        } else {
            nats.signal("CONT");
        }
        assert_eq!(hear(&other, &mut tail, &mut known, from + 4).await, events(from, from + 4));
        from += 5;
        until(|| other.wire().unwrap().gaps().is_some_and(|now| Some(now) > gaps)).await;
        until_they_hear(&[&one, &other]).await;
        assert_eq!(one.trouble().or(other.trouble()), None, "they serve as before");
        while listening.next().now_or_never().is_some() {}
        while tokio::time::timeout(Duration::from_millis(50), listening.next()).await.is_err() {
            one.wire().unwrap().say(Subject::Everybody, vec![1]);
        }
    }
}

/// Whoever has just come to a room misses nothing, though NATS may not yet send what is new there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_nats_nothing_is_missed_that_is_written_while_somebody_begins_to_listen() {
    let (cluster, nats) = (Cluster::start(), Nats::start());
    let (_databases, one, other) = two_nodes(&cluster, Some(&nats)).await;
    for round in 0..40 {
        let mut tail = other.room_log().tail(room(1)).unwrap();
        let first = 2 * round + 1;
        let mut known = Seq(0);
        let reading = async {
            for (seq, _) in other.room_log().read(room(1), known).await.unwrap() {
                known = seq;
            }
        };
        join(reading, write(&one, first, first + 1)).await;
        tail.knows(known);
        let heard = timeout(SOON, hear(&other, &mut tail, &mut known, first + 1)).await;
        heard.expect("only when the room has its turn");
    }
}
