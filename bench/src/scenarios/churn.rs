//! Members who come, connect and leave for good: each takes a seat, opens a socket, receives what
//! it missed, and gives both back.

use std::rc::Rc;
use std::time::Duration;

use clap::Args;

use crate::args::{CLIENTS, seconds, whole};
use crate::load::{Address, Call, Client, Pace, Socket, Who, rooms};
use crate::report::{Columns, LATENCY, Row, print_line};
use crate::scenarios::{Run, most};
use crate::trouble::{Because, Fallible};

/// Members of a room at the same time. One seat stays free for a member who comes while another
/// leaves.
const PER_ROOM: usize = 8;

const COLUMNS: Columns = &[
    &["clients", "comings/s = done_per_second"],
    LATENCY,
    &["failed", "server ms each = server_cpu_each", "own ms each = own_cpu_each", "server MiB = memory"],
];

#[derive(Debug, Args)]
pub(crate) struct Churn {
    /// Members who join and leave at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,16,64", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
}

impl Churn {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let rooms = run.rooms(most(&self.clients).div_ceil(PER_ROOM)).await?;
        print_line(
            "A coming counts from its first call until its socket is ready; then seat and socket are given back.",
        );
        for &clients in &self.clients {
            let come = |client: usize, pace| come_and_go(run.address(), rooms[client / PER_ROOM].clone(), pace);
            let outcome = run.stage(None, self.seconds, 0..clients, come).await?;
            let row = Row::of(&outcome).with("clients", clients);
            run.judged(COLUMNS, row.with("memory", run.subject.memory()), &outcome).await?;
        }
        Ok(())
    }
}

/// One client that comes and goes until the stage is over.
pub(super) async fn come_and_go(address: Address, room: String, pace: Rc<Pace>) {
    let mut client = Client::new(address);
    while let Some(due) = pace.next().await {
        let came = come(&mut client, &room).await;
        pace.record(due, came.as_ref().map(drop));
        if let Ok((socket, cookie)) = came
            && let Err(why) = leave(&mut client, &room, socket, &cookie).await
        {
            pace.record(due, Err(why));
        }
    }
}

async fn come(client: &mut Client, room: &str) -> Fallible<(Rc<Socket>, String)> {
    let cookie = client.seat(room, None).await?.cookie;
    let (socket, _) = rooms::join(client.address, room, &cookie, None).await?;
    Ok((socket, cookie))
}

async fn leave(client: &mut Client, room: &str, socket: Rc<Socket>, cookie: &str) -> Fallible {
    socket.close().await.because("closing a socket")?;
    client.expect(200, &Call::delete(&format!("/api/room/{room}/seat"), Who::Seat(cookie))).await.map(drop)
}
