//! Members who come, connect and leave again, for good: a seat is taken, a
//! socket opened, everything said that was missed, and both are given back.

use std::cell::RefCell;
use std::rc::Rc;

use crate::args;
use crate::load::api::Api;
use crate::load::pace::Pace;
use crate::load::rooms::join;
use crate::load::socket::Socket;
use crate::load::stage::{Outcome, stage};
use crate::load::target::Address;
use crate::report::Row;
use crate::scenarios::{Run, most};
use crate::trouble::Trouble;

/// Members of a room at the same time: one seat stays free for who comes
/// while another leaves.
const PER_ROOM: usize = 8;

pub(super) async fn measure(args: &args::Churn, run: &mut Run<'_>) -> Result<(), Trouble> {
    let rooms = run.rooms(most(&args.clients).div_ceil(PER_ROOM)).await?;
    let how = if args.keep_seats { "sockets open and close; seats stay" } else { "seats are taken and given back" };
    run.report.say(&format!("{how}; a coming counts from its first call until its socket is ready"));
    // A seat that is kept is there for the next stage, too: others would not
    // find room.
    let mut visitors: Vec<Rc<RefCell<Visitor>>> = Vec::new();
    for &clients in &args.clients {
        for client in visitors.len()..clients {
            let room = rooms[client / PER_ROOM].clone();
            visitors.push(Visitor::new(run.address(), room, client, args.keep_seats));
        }
        let pace = Pace::new(args.seconds, args.rate)?;
        let comings = visitors[..clients].iter().map(|visitor| Visitor::run(visitor.clone(), pace.clone()));
        let outcome = stage(&pace, comings, &run.subject, run.stop).await?;
        let Outcome { good, latency, .. } = outcome;
        let millis = |micros: Option<f64>| micros.map(|micros| micros / 1000.0);
        let row = Row::default()
            .all(&outcome)
            .count("clients", clients)
            .only("rate", args.rate.map(|rate| rate.0))
            .shown("comings/s", Some(outcome.good_per_second), 0)
            .times(&latency, &["p50 ms", "p99 ms", "max ms"])
            .shown("failed", Some(outcome.failed() as f64), 0)
            .shown("server ms each", millis(outcome.server_cpu_each), 2)
            .shown("own ms each", millis(outcome.own_cpu_each), 2)
            .bytes("server MiB", "memory", run.subject.memory().map(|bytes| bytes as f64));
        match run.judged(row, &outcome).await {
            Err(Trouble::Because(why)) if good == 0 => return Err(Trouble::because(format!("nobody came in: {why}"))),
            Ok(()) if good == 0 => return Err(Trouble::because("nobody came in")),
            judged => judged?,
        }
    }
    Ok(())
}

/// One who comes and goes.
pub(super) struct Visitor {
    api: Api,
    address: Address,
    room: String,
    client: usize,
    keeps_seat: bool,
    cookie: Option<String>,
}

impl Visitor {
    pub(super) fn new(address: Address, room: String, client: usize, keeps_seat: bool) -> Rc<RefCell<Self>> {
        Rc::new(RefCell::new(Self { api: Api::new(address), address, room, client, keeps_seat, cookie: None }))
    }

    /// Until the turns are over. Nobody else has the visitor meanwhile.
    #[expect(clippy::await_holding_refcell_ref, reason = "a visitor comes once at a time")]
    pub(super) async fn run(visitor: Rc<RefCell<Self>>, pace: Rc<Pace>) {
        let mut this = visitor.borrow_mut();
        while let Some(turn) = pace.next().await {
            match this.come().await {
                Ok(socket) => {
                    turn.good();
                    if let Err(why) = this.leave(socket).await {
                        pace.failed(why);
                    }
                }
                Err(why) => turn.failed(why),
            }
        }
    }

    async fn come(&mut self) -> Result<Rc<Socket>, String> {
        if self.cookie.is_none() {
            let seat = self.api.seat(&self.room, None).await.map_err(|trouble| trouble.to_string())?;
            self.cookie = Some(seat.cookie);
        }
        let cookie = self.cookie.as_deref().unwrap_or_default();
        let joined = join(self.address, &self.room, cookie, None, self.client).await;
        joined.map(|(socket, _)| socket).map_err(|error| error.to_string())
    }

    async fn leave(&mut self, socket: Rc<Socket>) -> Result<(), String> {
        socket.close().await.map_err(|error| error.to_string())?;
        let Some(cookie) = self.cookie.take_if(|_| !self.keeps_seat) else { return Ok(()) };
        self.api.leave_room(&self.room, &cookie).await.map_err(|trouble| trouble.to_string())
    }
}
