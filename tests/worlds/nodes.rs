//! Some rows again, where the watcher is at another node than everybody else.

use serde_json::json;

use crate::support::database::{Databases, with};
use crate::support::server::{Folder, Server};
use crate::worlds::ends::{end_unseen, write_on};
use crate::worlds::notes::{EDGES, looks, tries};
use crate::worlds::senders::{writes_a_held_word, writes_while_blocked};
use crate::worlds::world::{Hand, LIMITED, worlds_at};

#[test]
fn at_another_node_nobody_learns_more() {
    let (databases, elsewhere) = (Databases::start(), Folder::new());
    let [here, there] = [(&databases.folder, "the first"), (&elsewhere, "the second")].map(|(folder, name)| {
        let flags = databases.flags();
        let flags = with(&flags, "--address-limits", None);
        Server::on(folder, &[&flags[..], LIMITED, &["--node-name", name]].concat())
    });
    worlds_at("one hand or two × owner at another node", &here, &there, |world, watcher| {
        let hands = [Hand::new(), Hand::new()];
        world.crowd(EDGES[1] - 2);
        hands[0].sends(world, "the first of two notes");
        hands[usize::from(world.secret)].sends(world, "the second of two notes");
        let newest = world.notes()[0].clone();
        tries(world, watcher);
        watcher.sees(world.owner.call(watcher.server, "POST", &format!("/api/message/{newest}/block")));
        tries(world, watcher);
        looks(world, watcher);
    });
    for shown in EDGES {
        worlds_at(
            "a note waits in a batch or was never sent × stranger at another node",
            &here,
            &there,
            |world, watcher| {
                world.crowd(shown);
                world.set(&json!({ "batches": true }));
                if world.secret {
                    Hand::new().sends(world, "a note that waits");
                }
                tries(world, watcher);
            },
        );
    }
    worlds_at("a hand is blocked or not × that hand at another node", &here, &there, writes_while_blocked);
    worlds_at("a note is held or shown × its sender at another node", &here, &there, |world, watcher| {
        writes_a_held_word(world, watcher, false);
    });
    worlds_at("a note was dropped or never sent × owner at another node", &here, &there, |world, watcher| {
        let hand = Hand::new();
        hand.sends(world, "a note that is blocked");
        world.block_newest();
        world.crowd(EDGES[1] - 2);
        if world.secret {
            hand.sends(world, "a note that is dropped");
            hand.begins(world, "a note that is dropped, with a conversation");
        }
        looks(world, watcher);
        tries(world, watcher);
        looks(world, watcher);
    });
    worlds_at("a note waits in a batch or was never sent × owner at another node", &here, &there, |world, watcher| {
        world.crowd(EDGES[1]);
        world.set(&json!({ "batches": true }));
        if world.secret {
            Hand::new().sends(world, "a note that waits");
            Hand::new().begins(world, "a note that waits for an answer, too");
        }
        looks(world, watcher);
        tries(world, watcher);
        looks(world, watcher);
    });
    worlds_at(
        "a hidden conversation has ended or never was × owner at another node",
        &here,
        &there,
        |world, watcher| {
            // Frames of the inbox there may tell of two changes at once.
            end_unseen(world, watcher, &["event.conversation"]);
        },
    );
    worlds_at(
        "a hand that has many conversations writes on or not × owner at another node",
        &here,
        &there,
        |world, watcher| {
            write_on(world, watcher, &["event.conversation"]);
        },
    );
    worlds_at("somebody is blocked or nobody × stranger at another node", &here, &there, |world, watcher| {
        Hand::new().sends(world, "a note that is blocked, or not");
        if world.secret {
            world.block_newest();
        }
        tries(world, watcher);
    });
}
