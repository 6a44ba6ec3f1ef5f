//! Many calls of all nouns at once, from two nodes, on few accounts: nobody waits for somebody who waits for them, and
//! what is counted and listed agrees in the end.

use annon_store::Kept;
use annon_store::conversation::Side;
use annon_store::inbox::Arrival;
use annon_store::shield::TagHash;
use annon_store::{Postgres, StoreError};

use crate::support::cluster::Cluster;
use crate::support::people::*;
use crate::support::postgres::Databases;

const ACCOUNTS: u64 = 10;
const CALLERS: u64 = 16;
/// Far behind the record's clock, so that no sweep ends a conversation.
const NOW: u64 = 4_000_000_000;
/// `ANNON_CALLS` says how many calls there are in all.
const CALLS: u64 = 800;

/// Numbers that look random, and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Whether a call was done or refused by its noun.
fn is_answered<T, E: std::fmt::Debug>(what: &str, outcome: Result<T, E>) {
    if let Err(error) = outcome {
        let said = format!("{error:?}");
        for never in [StoreError::Unreachable, StoreError::Unknown, StoreError::Unavailable, StoreError::Corrupt] {
            assert!(!said.contains(&format!("{never:?}")), "{what}: {said}");
        }
    }
}

async fn call_once(node: &Postgres, dice: &mut Dice) {
    let (me, n, one) = (dice.below(ACCOUNTS) + 1, dice.below(1 << 40), conversation_id(dice.below(40)));
    let owner = account_id(me);
    let newest = node.inbox().page(owner, None, 1, NOW).await.unwrap().notes.first().map(|note| note.id);
    let newest = newest.unwrap_or(note_id(1));
    match dice.below(20) {
        0..=3 => {
            let tag = (n % 2 == 0).then_some(TagHash([n as u8 % 4; 16]));
            is_answered("deliver", node.inbox().deliver(owner, Arrival { tag, ..arrival(n, NOW) }).await);
        }
        4..=6 => {
            let beginning = beginning(dice.below(40));
            is_answered("begin", node.conversations().begin(owner, arrival(n, NOW), beginning).await);
        }
        7..=9 => {
            let side = if n % 2 == 0 { Side::Owner } else { Side::Sender };
            is_answered("say", node.conversations().change(one, say(side, n % 1_000_000), NOW).await);
        }
        10 => is_answered("end", node.conversations().remove(one, NOW).await),
        11 => is_answered("see", node.inbox().mark_seen(owner, newest, NOW).await),
        12 => is_answered("remove", node.inbox().remove(owner, newest, NOW).await),
        13 => is_answered("publish", node.answers().publish(owner, newest, publishing(n, NOW)).await),
        14 => is_answered("take down", node.answers().take_down(owner, newest, NOW).await),
        15 => {
            let block = annon_store::shield::Change::Block { note: newest, id: report_id(n).0 };
            is_answered("block", node.shields().change(owner, block, NOW).await);
        }
        16 => {
            is_answered("suspend", node.suspensions().suspend(owner, suspension(NOW + 100, "noise")).await);
            is_answered("lift", node.suspensions().lift(owner).await);
        }
        17 => {
            let link = annon_store::account::LinkKind::Reset;
            is_answered("link", node.accounts().begin_link(link, owner, digest(n), NOW + 100).await);
            is_answered("reset", node.accounts().finish_reset(digest(n), hash(n), NOW).await);
        }
        18 if n % 4 == 0 => is_answered("empty", node.inbox().remove_all(owner, NOW).await),
        18 => is_answered("a group", node.rooms().create(metadata(n.into(), me, NOW + 100), NOW).await),
        _ if n % 4 == 0 => {
            is_answered("leave", node.accounts().delete(owner).await);
            is_answered("come", node.accounts().create(account(100 + me)).await);
            is_answered("go", node.accounts().delete(account_id(100 + me)).await);
            is_answered("come back", node.accounts().create(account(me)).await);
        }
        _ => is_answered("sweep", node.sweep(NOW).await),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_all_nouns_at_once_wait_for_each_other_in_one_order() {
    let cluster = Cluster::start();
    let databases = Databases::in_clusters(&cluster, &cluster).await;
    let nodes = [databases.open().await, databases.open().await];
    for n in 1..=ACCOUNTS {
        nodes[0].accounts().create(account(n)).await.unwrap();
    }
    let calls = std::env::var("ANNON_CALLS").map_or(CALLS, |calls| calls.parse().unwrap());
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let node = nodes[caller as usize % 2].clone();
            tokio::spawn(async move {
                let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ (caller + 1));
                for _ in 0..calls / CALLERS {
                    call_once(&node, &mut dice).await;
                }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    for n in 1..=ACCOUNTS {
        let page = nodes[0].inbox().page(account_id(n), None, usize::MAX, NOW).await.unwrap();
        assert_eq!(page.unread as usize, page.notes.iter().filter(|note| !note.seen).count());
    }
    // A conversation, its door, its note's, and when it ends.
    let count = |table: u8| format!("SELECT count(*) FROM {}.kept WHERE get_byte(at, 0) = {table}", databases.schema);
    let ends = cluster.ask("record", &count(b'X')).await;
    for table in [b'w', b'W', b'N'] {
        assert_eq!(cluster.ask("record", &count(table)).await, ends, "{}", char::from(table));
    }
    for node in &nodes {
        node.stop().await.unwrap();
    }
    let deadlocks = "SELECT sum(deadlocks) FROM pg_stat_database WHERE datname IN ('record', 'keys')";
    assert_eq!(cluster.ask("record", deadlocks).await, ["0"]);
}
