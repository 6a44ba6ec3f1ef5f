//! The connection is cut at every byte of an append's exchange with the server, in both
//! directions: what was asked is written once, and a yes is in the record.

use std::sync::Arc;

use annon_store::Kept;
use annon_store::room::{RoomEvent, Seq};
use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream, UnixStream};
use tokio::sync::watch;

use crate::support::is_torture;
use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// No exchange has so many bytes in one direction.
const LONGEST: usize = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Towards {
    Server,
    Node,
}

/// A port in front of the server. It passes on so many more bytes in one direction, and then
/// cuts all connections.
#[derive(Clone)]
struct Scissors {
    left: Arc<Mutex<Option<(Towards, usize)>>>,
    cuts: watch::Sender<()>,
}

impl Scissors {
    /// One before a server, and the port at which nodes reach it.
    async fn before(cluster: &Cluster) -> (Self, u16) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let this = Self { left: Arc::default(), cuts: watch::channel(()).0 };
        let (accepting, socket) = (this.clone(), format!("{}/.s.PGSQL.5432", cluster.folder));
        tokio::spawn(async move {
            while let Ok((node, _)) = listener.accept().await {
                let server = UnixStream::connect(&socket).await.unwrap();
                tokio::spawn(accepting.clone().pass(node, server));
            }
        });
        (this, port)
    }

    async fn pass(self, mut node: TcpStream, mut server: UnixStream) {
        let mut cuts = self.cuts.subscribe();
        let ((asks, answers), (answered, asked)) = (node.split(), server.split());
        tokio::select! {
            _ = cuts.changed() => {}
            () = self.pump(Towards::Server, asks, asked) => {}
            () = self.pump(Towards::Node, answered, answers) => {}
        }
    }

    async fn pump(&self, towards: Towards, mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) {
        let mut bytes = vec![0; 16 * 1024];
        loop {
            let Ok(read @ 1..) = from.read(&mut bytes).await else { return };
            let (passed, is_cut) = self.count(towards, read);
            if to.write_all(&bytes[..passed]).await.is_err() {
                return;
            }
            if is_cut {
                self.cuts.send_replace(());
            }
        }
    }

    /// How many of these bytes pass, and whether it is cut behind them.
    fn count(&self, direction: Towards, bytes: usize) -> (usize, bool) {
        let mut left = self.left.lock();
        match &mut *left {
            Some((towards, still)) if *towards == direction && *still <= bytes => {
                let passed = *still;
                *left = None;
                (passed, true)
            }
            Some((towards, still)) if *towards == direction => {
                *still -= bytes;
                (bytes, false)
            }
            _ => (bytes, false),
        }
    }

    fn cut_after(&self, towards: Towards, bytes: usize) {
        *self.left.lock() = Some((towards, bytes));
    }

    /// Cuts nothing more. Returns whether it has cut since it was told to.
    fn put_away(&self) -> bool {
        self.left.lock().take().is_none()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_append_whose_exchange_is_cut_anywhere_is_written_once() {
    let cluster = Cluster::start();
    let mut databases = Databases::in_clusters(&cluster, Cluster::shared()).await;
    let (scissors, port) = Scissors::before(&cluster).await;
    let direct = cluster.url("record");
    let through = format!("host=127.0.0.1 port={port} user=annon dbname=record sslmode=disable");
    databases.options.record.url = databases.options.record.url.replace(&direct, &through);
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    node.rooms().create(metadata(1, 1, NOW + 100), NOW).await.unwrap();
    let log = node.room_log();
    let step = if is_torture() { 1 } else { 13 };
    let mut said: Vec<(Seq, RoomEvent)> = Vec::new();
    for towards in [Towards::Server, Towards::Node] {
        let (mut cuts, mut whole) = (0, 0);
        // Behind the exchange nothing is cut, but for what a node says by itself.
        for bytes in (0..LONGEST).step_by(step) {
            let (end, event) = (Seq(said.len() as u64), posted(&format!("{towards:?} {bytes}")));
            scissors.cut_after(towards, bytes);
            assert_eq!(log.append(room(1), end, vec![event.clone()]).await, Ok(()), "{towards:?} {bytes}");
            let is_cut = scissors.put_away();
            said.push((end.next(), event));
            cuts += usize::from(is_cut);
            whole = if is_cut { 0 } else { whole + 1 };
            if whole == 3 {
                break;
            }
        }
        assert!(cuts * step > 50 && whole == 3, "{towards:?}: {cuts} cuts");
    }
    assert_eq!(log.read(room(1), Seq(0)).await.unwrap(), said);
    let records = format!("SELECT count(*) FROM {}.room_log", databases.schema);
    assert_eq!(cluster.ask("record", &records).await, [said.len().to_string()]);
}
