//! Readers for the history: one for each server, who reads its groups in turn, whatever becomes of it.

use std::rc::Rc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::history::{Page, Step, What};
use crate::load::{Client, MessageId, PAGE, frames};
use crate::scenarios::cluster::chaos::Chaos;
use crate::scenarios::cluster::member::{Member, SEATS};

/// The pause between two reads of a server.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a read may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lets every server be read until the run ends.
pub(super) fn read_all(chaos: &Rc<Chaos>, members: &[Rc<Member>], tasks: &mut JoinSet<()>) {
    for node in 0..chaos.nodes.all.len() {
        let (chaos, members) = (chaos.clone(), members.to_vec());
        tasks.spawn_local(async move {
            loop {
                for member in members.iter().filter(|member| member.seat == 0) {
                    read(&chaos, node, member).await;
                    sleep(PAUSE).await;
                }
            }
        });
    }
}

/// When everything is said, each server is read once more.
pub(super) async fn read_at_last(chaos: &Chaos, members: &[Rc<Member>]) {
    for node in 0..chaos.nodes.all.len() {
        for member in members.iter().filter(|member| member.seat == 0) {
            read(chaos, node, member).await;
        }
    }
}

/// Reads the end of a member's group at a server.
async fn read(chaos: &Chaos, node: usize, member: &Member) {
    let room = member.room;
    let Some(address) = chaos.nodes.all[node].address.get() else { return };
    let process = 1 + (SEATS + node) * chaos.rooms.len() + room;
    let op = chaos.history.invoke(process, room, What::Read(None));
    let mut client = Client::new(address);
    let lines = timeout(PATIENCE, client.room_lines(&chaos.rooms[room], &member.cookie, None)).await;
    let Ok(Ok(lines)) = lines else { return chaos.history.end(&op, Step::Unknown, What::Read(None)) };
    // A page that isn't full has all that there is.
    let from = if lines.len() < PAGE { 0 } else { lines[0]["seq"].as_u64().unwrap_or_default() };
    // What was taken back has its place, and no words.
    let whole: Vec<_> = lines.into_iter().filter(|line| line["unsent"] != true).collect();
    let chats =
        frames::messages(&whole).into_iter().filter_map(|chat| Some((chat.seq, MessageId::parse(&chat.id)?.number)));
    let page = Page { from, chats: chats.collect() };
    chaos.history.end(&op, Step::Ok, What::Read(Some(page)));
}
