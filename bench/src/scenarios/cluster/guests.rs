//! Guests for the history: in groups of their own, more people than there are seats take one, leave, and come again, all
//! at once and each time at another server.

use std::rc::Rc;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::history::{Step, What};
use crate::load::{Call, Client, Reply, Who};
use crate::scenarios::cluster::chaos::Chaos;

/// How many want a seat, and how often each tries before the group is given up for another one.
const GUESTS: usize = 14;
const VISITS: usize = 6;
/// The longest time between two things that a guest does.
const PAUSE: Duration = Duration::from_millis(200);
/// How long a call may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(10);

/// Lets guests come and go until the run ends. `owner` is the token of whoever makes their groups.
pub(super) async fn come_and_go(chaos: Rc<Chaos>, owner: String) {
    loop {
        let create = Call::post("/api/room/create", Who::Token(&owner), json!({"name": "guests"}));
        let made = ask(&chaos, &create).await.map(|reply| reply.json());
        let Some(id) = made.as_ref().and_then(|made| made["room_id"].as_str()) else {
            sleep(PAUSE).await;
            continue;
        };
        let room = chaos.another_room();
        join_all((0..GUESTS).map(|_| visit(&chaos, room, id))).await;
        ask(&chaos, &Call::delete(&format!("/api/room/{id}"), Who::Token(&owner))).await;
    }
}

/// Asks the next server. `None` if nobody knows what became of it.
pub(super) async fn ask(chaos: &Chaos, call: &Call) -> Option<Reply> {
    let (_, address) = chaos.nodes.next()?;
    let reply = timeout(PATIENCE, Client::new(address).ask(call)).await.ok()?.ok()?;
    // An error of the server's may come after it was done.
    Some(reply).filter(|reply| reply.status < 500)
}

/// One guest, who begins at once with all others.
async fn visit(chaos: &Chaos, room: usize, id: &str) {
    let process = chaos.another_process();
    for _ in 0..VISITS {
        let op = chaos.history.invoke(process, room, What::Sit(String::new()));
        let reply = ask(chaos, &Call::get(&format!("/api/room-emoji/{id}"), Who::Nobody)).await;
        let nothing = || What::Sit(String::new());
        match reply.as_ref().map(|reply| (reply.status, reply.json(), &reply.cookie)) {
            Some((200, seat, Some(cookie))) => {
                let seat = seat.as_str().unwrap_or_default();
                chaos.history.end(&op, Step::Ok, What::Sit(seat.to_owned()));
                sleep(chaos.chance.between(Duration::ZERO, PAUSE)).await;
                leave(chaos, (process, room, id), seat, cookie).await;
            }
            Some((400.., ..)) => chaos.history.end(&op, Step::Fail, nothing()),
            Some(_) | None => chaos.history.end(&op, Step::Unknown, nothing()),
        }
        sleep(chaos.chance.between(Duration::ZERO, PAUSE)).await;
    }
}

async fn leave(chaos: &Chaos, (process, room, id): (usize, usize, &str), seat: &str, cookie: &str) {
    let left = || What::Leave(seat.to_owned());
    let op = chaos.history.invoke(process, room, left());
    let reply = ask(chaos, &Call::delete(&format!("/api/room/{id}/seat"), Who::Seat(cookie))).await;
    let step = match reply.map(|reply| reply.status) {
        Some(200) => Step::Ok,
        Some(_) => Step::Fail,
        None => Step::Unknown,
    };
    chaos.history.end(&op, step, left());
}
