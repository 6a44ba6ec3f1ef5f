//! For the history: the owners of groups take messages back, each time at another server.

use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::history::What;
use crate::load::{Call, Who};
use crate::scenarios::cluster::chaos::Chaos;
use crate::scenarios::cluster::guests::ask;
use crate::scenarios::cluster::letters::step_of;
use crate::scenarios::cluster::member::Member;

/// The longest time between two.
const PAUSE: Duration = Duration::from_millis(500);

/// Takes back messages whose senders have their echo, until the run ends.
pub(super) async fn take_back(chaos: Rc<Chaos>, members: Vec<Rc<Member>>) {
    let process = chaos.another_process();
    loop {
        sleep(chaos.chance.between(Duration::ZERO, PAUSE)).await;
        let member = &members[chaos.chance.below(members.len())];
        let last = member.sent.borrow().iter().rev().find_map(|(number, sent)| Some((*number, sent.echoed?.0)));
        let Some((number, place)) = last else { continue };
        if !chaos.taken.borrow_mut().insert((member.room, place)) {
            continue;
        }
        let op = chaos.history.invoke(process, member.room, What::TakeBack(number));
        let path = format!("/api/room/{}/message/{place}", chaos.rooms[member.room]);
        let reply = ask(&chaos, &Call::delete(&path, Who::Token(&chaos.owners[member.room]))).await;
        chaos.history.end(&op, step_of(reply.map(|reply| reply.status), 200), What::TakeBack(number));
    }
}
