//! What an owner must not learn by the mails they get.

use serde_json::json;

use crate::api::mail::{MailServer, free_address};
use crate::support::patience::wait_for;
use crate::support::person::Person;
use crate::support::server::{Folder, Server};
use crate::worlds::world::{Hand, LIMITED, World, worlds};

/// The mails with these words in them.
fn mails(post: &MailServer, words: &str) -> Vec<String> {
    post.mails().into_iter().filter(|mail| mail.contains(words)).collect()
}

#[test]
fn a_digest_counts_nothing_of_what_is_hidden() {
    let server = Server::with(LIMITED);
    worlds("a note is hidden or was never sent × owner's mail", &server, |world, watcher| {
        let folder = Folder::new();
        let at = free_address();
        let (post, url) = (MailServer::started(at, &folder), format!("smtp+plain://{at}"));
        let flags = [LIMITED, &["--smtp-url", &url]].concat();
        let mut first = Server::on(&folder, &flags);
        let there = World::at(&first, world.secret);
        let owner = there.owner.clone();
        watcher.knows(&owner.username, "owner");
        let mail = wait_for("a mail", || mails(&post, "/confirm/").pop());
        let token = mail.split("/confirm/").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        let confirmed = first.post("/api/confirm-email").json(&json!({ "token": token })).send();
        confirmed.assert(200, "Address confirmed");

        let hand = Hand::new();
        hand.sends(&there, "a note that is blocked");
        there.block_newest();
        // It came in the minute in which the digest begins, or before.
        for note in there.notes() {
            assert_eq!(owner.get(&first, &format!("/api/mark_as_seen/{note}")).status, 200);
        }
        there.set(&json!({ "held_words": ["zebra"] }));
        watcher.sees(owner.call(&first, "PUT", "/api/digest").json(&json!({ "on": true })));
        watcher.sees(owner.call(&first, "GET", "/api/digest"));
        if world.secret {
            hand.sends(&there, "a note that is dropped");
            hand.begins(&there, "and one with a conversation").said(&first, None, 1, "a line that nobody is shown");
            Hand::new().begins(&there, "a note about a zebra").said(&first, None, 1, "and a line");
        }
        first.stop();
        // Nothing has come that the owner is shown, so there is no mail; the day after there is.
        let mut second = Server::days_later(&folder, 1, &flags);
        let owner = Person { token: owner.sign_in(&second), ..owner };
        let there = World { secret: world.secret, here: &second, target: owner.target(&second), owner: owner.clone() };
        if world.secret {
            hand.sends(&there, "one more that is dropped");
        }
        Hand::new().begins(&there, "a note that is shown").said(&second, None, 1, "a line that is shown");
        second.stop();
        let _third = Server::days_later(&folder, 2, &flags);
        wait_for("a digest", || mails(&post, "List-Unsubscribe-Post").pop());
        for mail in mails(&post, "List-Unsubscribe-Post") {
            let (head, body) = mail.split_once("\n\n").unwrap();
            let subject = head.lines().find(|line| line.starts_with("Subject: ")).unwrap();
            // What its link holds is sealed and new in each mail.
            let said: Vec<_> =
                body.lines().filter(|line| !line.contains("/mails/") && !line.contains("/homepage")).collect();
            watcher.notes(&format!("{subject}\n{}\n{}", said.join("\n"), body.len()));
        }
    });
}
