//! How often a call waits for the record's answer: a table, so that nobody makes a call slower without
//! seeing it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use annon_store::Kept;
use annon_store::Postgres;
use annon_store::conversation::{Door, Side};
use annon_store::inbox::{Arrival, Flags, Shelf};
use annon_store::pause::{Pause, PauseWords};
use annon_store::report::ReportPicture;
use annon_store::shield::{InboxName, Mode, Setting, TagHash};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::time::sleep;

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// How often a call is made: what a node does by itself meanwhile counts, too, so the least counts.
const TRIES: u64 = 15;

/// How often each call asks. Whatever destroys a key waits until the standby has that, and until the key is gone: five
/// more.
const TABLE: [(&str, usize); 33] = [
    ("begin a pause", 1),
    ("look at the pause", 1),
    ("end the pause", 1),
    ("report, with three pictures", 2),
    ("a page of reports", 1),
    ("close a report", 2),
    ("leave feedback", 2),
    ("remove feedback", 8),
    ("invite", 2),
    ("sign up with an invitation", 4),
    ("revoke an invitation", 7),
    ("the door of a name", 1),
    ("the door of a link", 1),
    ("an account by its name", 2),
    ("which tokens are valid", 1),
    ("leave a note", 2),
    ("leave a note with a tag, for its owner only", 2),
    ("a page of notes", 2),
    ("see a note", 2),
    ("publish an answer", 2),
    ("give a note a star", 2),
    ("a page of starred notes", 4),
    ("archive a note", 2),
    ("a page of the archive", 4),
    ("bring a note back", 3),
    ("a page of notes with answers", 3),
    ("remove a note", 2),
    ("set a shield", 7),
    ("begin a conversation", 2),
    ("say a line", 2),
    ("a page of conversations", 3),
    ("what windows know of conversations", 2),
    ("end a conversation", 8),
];

/// A port in front of the server, which counts how often a node asks after it was answered.
#[derive(Clone, Default)]
struct Turnstile(Arc<AtomicUsize>);

impl Turnstile {
    /// One before the shared server, and the port at which nodes reach it.
    async fn open() -> (Self, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let this = Self::default();
        let counting = this.clone();
        tokio::spawn(async move {
            while let Ok((node, _)) = listener.accept().await {
                let server = UnixStream::connect(format!("{}/.s.PGSQL.5432", Cluster::shared().folder)).await.unwrap();
                tokio::spawn(counting.clone().pass(node, server));
            }
        });
        (this, port)
    }

    async fn pass(self, mut node: TcpStream, mut server: UnixStream) {
        let asks = AtomicBool::new(false);
        let ((from_node, to_node), (from_server, to_server)) = (node.split(), server.split());
        let asked = pump(from_node, to_server, || {
            if !asks.swap(true, SeqCst) {
                self.0.fetch_add(1, SeqCst);
            }
        });
        tokio::select! {
            () = asked => {}
            () = pump(from_server, to_node, || asks.store(false, SeqCst)) => {}
        }
    }
}

/// Passes bytes on, and says so before.
async fn pump(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, passes: impl Fn()) {
    let mut bytes = vec![0; 256 * 1024];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        passes();
        if to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}

struct Counted {
    node: Postgres,
    turnstile: Turnstile,
    counted: Vec<(&'static str, usize)>,
}

impl Counted {
    /// Makes a call with each of some numbers, and notes how many trips it takes. What a call leaves to be done after its
    /// answer may take as long as the next call on a busy machine: so there is time between calls that ask too often.
    async fn count(&mut self, what: &'static str, call: impl AsyncFn(&Postgres, u64)) {
        let at_most = TABLE.iter().find(|(of, _)| *of == what).map_or(0, |(_, trips)| *trips);
        let mut least = usize::MAX;
        for n in 1..=TRIES {
            let before = self.turnstile.0.load(SeqCst);
            call(&self.node, n).await;
            least = least.min(self.turnstile.0.load(SeqCst) - before);
            if least > at_most {
                sleep(Duration::from_millis(20) * n as u32).await;
            }
        }
        self.counted.push((what, least));
    }
}

async fn of_inboxes(all: &mut Counted) {
    let me = account_id(1);
    let by_name = async |node: &Postgres, _| {
        let door = node.accounts().door(InboxName::Username(name_of(1)), Some(TagHash([1; 16])), NOW).await;
        assert!(door.unwrap().is_some());
    };
    all.count("the door of a name", by_name).await;
    let by_link = async |node: &Postgres, _| {
        assert!(node.accounts().door(InboxName::Target(target_id(1)), None, NOW).await.unwrap().is_some());
    };
    all.count("the door of a link", by_link).await;
    all.count("an account by its name", async |node, _| {
        assert!(node.accounts().by_username(&name_of(1)).await.unwrap().is_some());
    })
    .await;
    let access = async |node: &Postgres, _| assert!(node.accounts().access(me).await.unwrap().is_some());
    all.count("which tokens are valid", access).await;
    let leave = async |node: &Postgres, n| drop(node.inbox().deliver(me, arrival(n, NOW)).await.unwrap());
    all.count("leave a note", leave).await;
    let for_me = async |node: &Postgres, n| {
        let tag = Some(TagHash([n as u8; 16]));
        let arrival = Arrival { tag, only_for_you: true, ..arrival(100 + n, NOW) };
        node.inbox().deliver(me, arrival).await.unwrap();
    };
    all.count("leave a note with a tag, for its owner only", for_me).await;
    let page = async |node: &Postgres, _| {
        assert_eq!(node.inbox().page(me, None, 50, NOW).await.unwrap().notes.len(), 2 * TRIES as usize);
    };
    all.count("a page of notes", page).await;
    let notes: Vec<_> =
        all.node.inbox().page(me, None, 50, NOW).await.unwrap().notes.iter().map(|note| note.id).collect();
    let nth = |n: u64| notes[notes.len() - n as usize];
    let see = async |node: &Postgres, n| _ = node.inbox().mark_seen(me, nth(n), NOW).await.unwrap();
    all.count("see a note", see).await;
    let publish = async |node: &Postgres, n| {
        assert!(node.answers().publish(me, nth(n), publishing(n, NOW)).await.unwrap().is_some());
    };
    all.count("publish an answer", publish).await;
    let flag = async |node: &Postgres, n, starred, archived| {
        node.inbox().set_flags(me, nth(n), Flags { starred, archived }, NOW).await.unwrap();
    };
    all.count("give a note a star", async |node, n| flag(node, n, Some(true), None).await).await;
    let starred = async |node: &Postgres, _| {
        let page = node.inbox().page_of_shelf(me, Shelf::Starred, None, 50, NOW).await.unwrap();
        assert_eq!(page.notes.len(), TRIES as usize);
    };
    all.count("a page of starred notes", starred).await;
    all.count("archive a note", async |node, n| flag(node, n, None, Some(true)).await).await;
    let archive = async |node: &Postgres, _| {
        let page = node.inbox().page_of_shelf(me, Shelf::Archive, None, 50, NOW).await.unwrap();
        assert_eq!(page.notes.len(), TRIES as usize);
    };
    all.count("a page of the archive", archive).await;
    all.count("bring a note back", async |node, n| node.inbox().bring_back(me, nth(n), NOW).await.unwrap()).await;
    all.count("a page of notes with answers", page).await;
    let remove = async |node: &Postgres, n| _ = node.inbox().remove(me, nth(n), NOW).await.unwrap();
    all.count("remove a note", remove).await;
    let set = async |node: &Postgres, _| {
        let setting = Setting { mode: Some(Mode::Always), ..Setting::default() };
        node.shields().change(me, annon_store::shield::Change::Set(setting), NOW).await.unwrap();
    };
    // The first one has no key of before, so only the others are alike.
    set(&all.node, 0).await;
    all.count("set a shield", set).await;
}

async fn of_conversations(all: &mut Counted) {
    let me = account_id(2);
    let begin = async |node: &Postgres, n| {
        node.conversations().begin(me, arrival(n, NOW), beginning(n)).await.unwrap();
    };
    all.count("begin a conversation", begin).await;
    let through = |n| Some(Door { owner: me, proof: beginning(n).proof });
    let line = async |node: &Postgres, n| {
        node.conversations().change_through(conversation_id(n), through(n), say(Side::Sender, n), NOW).await.unwrap();
    };
    all.count("say a line", line).await;
    let page = async |node: &Postgres, _| {
        assert_eq!(node.conversations().page(me, None, 50, NOW).await.unwrap().len(), TRIES as usize);
    };
    all.count("a page of conversations", page).await;
    let known = async |node: &Postgres, _| {
        let lasts = node.conversations().lasts((1..=TRIES).map(conversation_id).collect()).await.unwrap();
        assert_eq!(lasts.len(), TRIES as usize);
    };
    all.count("what windows know of conversations", known).await;
    let end = async |node: &Postgres, n| {
        let through = through(n).map(|door| (door, Side::Sender));
        node.conversations().remove_through(conversation_id(n), through, NOW).await.unwrap();
    };
    all.count("end a conversation", end).await;
}

#[tokio::test]
async fn no_call_asks_the_record_more_often_than_this_table_says() {
    let mut databases = Databases::new().await;
    let (turnstile, port) = Turnstile::open().await;
    let through = format!("host=127.0.0.1 port={port} user=annon dbname=record sslmode=disable");
    let url = &mut databases.options.record.url;
    *url = url.replace(&Cluster::shared().url("record"), &through);
    let mut all = Counted { node: databases.open().await, turnstile, counted: Vec::new() };
    let pause = || Pause { began: NOW, words: PauseWords::try_from("Back at noon.").unwrap() };

    all.count("begin a pause", async |node, _| node.pauses().begin(pause()).await.unwrap()).await;
    all.count("look at the pause", async |node, _| assert!(node.pauses().current().await.unwrap().is_some())).await;
    all.count("end the pause", async |node, _| node.pauses().end().await.unwrap()).await;
    let add = async |node: &Postgres, n| {
        let pictures = (0..3).map(|of| ReportPicture { of, jpeg: vec![n as u8; 9_000] }).collect();
        node.reports().add(report(n), pictures).await.unwrap();
    };
    all.count("report, with three pictures", add).await;
    all.count("a page of reports", async |node, _| {
        assert_eq!(node.reports().page(None, 50).await.unwrap().len(), TRIES as usize);
    })
    .await;
    all.count("close a report", async |node, n| node.reports().close(report_id(n), NOW).await.unwrap()).await;
    all.count("leave feedback", async |node, n| node.feedback().add(feedback(n)).await.unwrap()).await;
    all.count("remove feedback", async |node, n| node.feedback().remove(feedback_id(n)).await.unwrap()).await;
    let invite = async |node: &Postgres, n| {
        node.invitations().invite(invitation_id(n), invitation(9, NOW + 100)).await.unwrap();
    };
    all.count("invite", invite).await;
    let sign_up = async |node: &Postgres, n| {
        node.accounts().sign_up(account(n), Some(invitation_id(n))).await.unwrap();
    };
    all.count("sign up with an invitation", sign_up).await;
    all.count("revoke an invitation", async |node, n| node.invitations().revoke(invitation_id(n)).await.unwrap()).await;

    of_inboxes(&mut all).await;
    of_conversations(&mut all).await;

    assert_eq!(all.counted, TABLE);
}
