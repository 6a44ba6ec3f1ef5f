//! What fails in a trial: servers, their ways, and the databases.

use std::rc::Rc;
use std::time::Duration;

use tokio::time::sleep;

use crate::load::{STRANGE, clock};
use crate::scenarios::cluster::Others;
use crate::scenarios::cluster::chaos::{Chaos, Trial};
use crate::scenarios::cluster::door::Way;
use crate::scenarios::cluster::member::Member;
use crate::trouble::Fallible;

/// How long a dead node's member, who does not come back, may be shown.
const GHOST_MAX: Duration = Duration::from_secs(30);

/// Lets something happen, until it is over for the servers and the databases.
pub(super) async fn happen(trial: Trial, chaos: &Chaos, members: &[Rc<Member>], others: &mut Others) -> Fallible {
    let (node, databases) = (chaos.any_node(), &mut others.databases);
    match trial {
        Trial::Calm => {}
        Trial::Kill => {
            // One of its members stays away, to see how long the others are shown it.
            let ghost = &members[chaos.chance.below(members.len())];
            let Some(at) = ghost.at.get() else { return Ok(()) };
            ghost.is_away.set(true);
            chaos.nodes.all[at].kill();
            watch_ghost(ghost, chaos, members).await;
            ghost.is_away.set(false);
            chaos.nodes.all[at].start().await?;
        }
        Trial::Pause => {
            node.pause()?;
            sleep(chaos.chance.between(Duration::from_secs(3), Duration::from_secs(20))).await;
            node.go_on()?;
        }
        Trial::Partition => {
            node.reaches_databases(if chaos.chance.below(2) == 0 { Way::Cut } else { Way::Held });
            sleep(chaos.chance.between(Duration::from_secs(2), Duration::from_secs(15))).await;
            node.reaches_databases(Way::Open);
        }
        Trial::NatsKill => {
            if let Some(nats) = &mut others.nats {
                nats.kill();
                sleep(chaos.chance.between(Duration::ZERO, Duration::from_secs(5))).await;
                nats.start_again().await?;
            }
        }
        Trial::Deafness => {
            node.reaches_nats(if chaos.chance.below(2) == 0 { Way::Cut } else { Way::Held });
            sleep(chaos.chance.between(Duration::from_secs(2), Duration::from_secs(15))).await;
            node.reaches_nats(Way::Open);
        }
        Trial::Restart => databases.restart().await?,
        Trial::KeysRestart => databases.restart_keys().await?,
        Trial::Promotion => databases.promote().await?,
        Trial::Both => databases.lose_both(false).await?,
        Trial::Cancels => {
            databases.lose_both(true).await?;
            // What a server has in memory may be in no record.
            for node in &chaos.nodes.all {
                node.kill();
                node.start().await?;
            }
        }
        Trial::SwitchOver => databases.switch_over().await?,
        Trial::OldPrimary => databases.leave_primary().await?,
        Trial::Upgrade => {
            for node in &chaos.nodes.all {
                node.stop().await?;
                node.start().await?;
            }
        }
    }
    Ok(())
}

/// Waits until nobody is shown a member who has died with its node.
async fn watch_ghost(ghost: &Member, chaos: &Chaos, members: &[Rc<Member>]) {
    let begun = clock::now();
    let is_shown = |member: &Rc<Member>| {
        let sees = member.room == ghost.room && member.seat != ghost.seat && member.is_there();
        sees && member.here.borrow().contains(&ghost.emoji)
    };
    // It has to be noticed that it is gone, first.
    while ghost.is_there() || members.iter().any(is_shown) {
        if begun.elapsed() > GHOST_MAX {
            return chaos.fault(STRANGE, || format!("a member of room {} is shown and gone", ghost.room));
        }
        sleep(Duration::from_millis(20)).await;
    }
    chaos.in_trial(Trial::Kill, |fared| fared.ghosts.record(begun.elapsed()));
}
