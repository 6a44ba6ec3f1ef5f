//! The way from one node to a database or to NATS. It can be cut, or held up without a word.

use std::net::Ipv4Addr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch::{Receiver, Sender, channel};
use tokio::task::{AbortHandle, spawn_local};

use crate::trouble::{Because, Fallible};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Open,
    /// All connections are closed, and a new one is closed at once.
    Cut,
    /// Connections stay, and nothing passes.
    Held,
}

/// A port of this machine, in front of another one.
pub(super) struct Door {
    pub(super) port: u16,
    way: Sender<Way>,
    accepting: AbortHandle,
}

impl Door {
    pub(super) async fn to(database: u16) -> Fallible<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.because("no free port")?;
        let port = listener.local_addr().because("a port without a number")?.port();
        let (way, ways) = channel(Way::Open);
        let accepting = spawn_local(async move {
            while let Ok((from, _)) = listener.accept().await {
                spawn_local(pass(from, database, ways.clone()));
            }
        });
        Ok(Self { port, way, accepting: accepting.abort_handle() })
    }

    pub(super) fn set(&self, way: Way) {
        self.way.send_replace(way);
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Passes on what both sides of a connection say, until one of them ends or the way is cut.
async fn pass(from: TcpStream, database: u16, ways: Receiver<Way>) {
    let mut cut = ways.clone();
    let passing = async {
        let Ok(to) = TcpStream::connect((Ipv4Addr::LOCALHOST, database)).await else { return };
        let (_, _) = (from.set_nodelay(true), to.set_nodelay(true));
        let ((asks, answered), (answers, asked)) = (from.into_split(), to.into_split());
        tokio::select! {
            () = pump(asks, asked, ways.clone()) => {}
            () = pump(answers, answered, ways.clone()) => {}
        }
    };
    tokio::select! {
        _ = cut.wait_for(|way| *way == Way::Cut) => {}
        () = passing => {}
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut ways: Receiver<Way>) {
    let mut bytes = vec![0; 64 * 1024];
    loop {
        let Ok(read @ 1..) = from.read(&mut bytes).await else { return };
        if ways.wait_for(|way| *way != Way::Held).await.is_err() || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
