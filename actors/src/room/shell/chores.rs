//! What a room does without anybody in it asking.

use std::time::Duration;

use annon_store::room::{MemberId, Millis};

use crate::room::command::Command;
use crate::room::shell::Shell;
use crate::room::transcript::Recalled;

/// How long a room that nobody is in keeps its actor.
const LINGERS: Duration = Duration::from_secs(60);
/// How often it looks whether anybody is left, and for pictures nobody sent.
const LOOKS_EVERY: Duration = Duration::from_secs(20);

/// When something is due.
pub(super) fn deadline(shell: &Shell) -> Option<Millis> {
    let is_waking = shell.wakes || shell.ending.is_some();
    let deadline = shell.ledger.room().deadline().filter(|_| !is_waking)?;
    Some(deadline.max(shell.not_before))
}

/// Does what is due.
pub(super) fn wake(shell: &mut Shell) {
    if !std::mem::replace(&mut shell.wakes, true) {
        shell.decide(Command::Wake, &Recalled::default(), Box::new(|shell, _| shell.wakes = false));
    }
}

/// Looks around again and again, each time after a while.
pub(super) fn later(shell: &mut Shell) {
    shell.work.beside(shell.services.clock.sleep(LOOKS_EVERY), |shell, ()| {
        look_around(shell);
        later(shell);
    });
}

fn look_around(shell: &mut Shell) {
    if shell.ledger.queue.is_empty() {
        shell.drop_pictures();
    }
    if shell.sockets.part_with_the_gone() {
        shell.broadcast_active();
    }
    let now = shell.services.clock.moment();
    shell.sockets.members().into_iter().for_each(|member| shell.presence.saw(member, now));
    shell.presence.keep_seated(shell.ledger.room().seats());
    if shell.ending.is_none() && !shell.ledger.queue.is_full() {
        free_seats_of_the_away(shell, None);
    }
    if deadline(shell).is_some_and(|deadline| deadline <= shell.services.now()) {
        return wake(shell);
    }
    let is_idle = now.duration_since(shell.used_at) >= LINGERS;
    let is_done = is_idle && shell.is_quiet() && !shell.pictures.wait();
    // This actor did not answer once, and another has taken its place.
    if is_done || shell.status.is_replaced() {
        return shell.give_up();
    }
    shell.count_again();
}

/// Frees seats of members who said nothing and are away for long, but not that
/// of one who is just coming.
pub(super) fn free_seats_of_the_away(shell: &mut Shell, comes: Option<MemberId>) {
    let (now, sockets, presence) = (shell.services.clock.moment(), &shell.sockets, &shell.presence);
    let is_here = |member| Some(member) == comes || sockets.has(member);
    let away_for = |member| if is_here(member) { Duration::ZERO } else { presence.away_for(member, now) };
    shell.ledger.free_seats_of_the_away(away_for);
}

/// Others need the memory.
pub(super) fn make_way(shell: &mut Shell) {
    // If there is something to do, it is asked again after that.
    if shell.is_quiet() {
        return shell.give_up();
    }
    let lingers = shell.lingers();
    let (room, committed) = shell.ledger.room_to_rest();
    shell.recall.rest(room, committed, lingers);
}
