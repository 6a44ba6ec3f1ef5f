//! How often a call waits for the record's answer: a table, so that nobody makes a call slower without
//! seeing it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use annon_store::Postgres;
use annon_store::pause::{Pause, PauseWords};
use annon_store::report::ReportPicture;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};

use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// How often a call is made: what a node does by itself meanwhile counts, too, so the least counts.
const TRIES: u64 = 7;

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
    /// Makes a call with each of some numbers, and notes how many trips it takes.
    async fn count(&mut self, what: &'static str, call: impl AsyncFn(&Postgres, u64)) {
        let mut least = usize::MAX;
        for n in 1..=TRIES {
            let before = self.turnstile.0.load(SeqCst);
            call(&self.node, n).await;
            least = least.min(self.turnstile.0.load(SeqCst) - before);
        }
        self.counted.push((what, least));
    }
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

    // Whatever destroys a key waits until the standby has that, and until the key is gone: five more.
    let table = [
        ("begin a pause", 1),
        ("look at the pause", 1),
        ("end the pause", 1),
        ("report, with three pictures", 2),
        ("a page of reports", 1),
        ("close a report", 2),
        ("leave feedback", 2),
        ("remove feedback", 8),
        ("invite", 2),
        ("sign up with an invitation", 7),
        ("revoke an invitation", 7),
    ];
    assert_eq!(all.counted, table);
}
