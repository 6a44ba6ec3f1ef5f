//! What a member of a sealed group does besides: seals what is said, and opens what comes.

use serde_json::{Value, json};

use super::notice;
use crate::load::Client;
use crate::sealing::{Announced, Keys, Opened, Place, Proof, Signer, open_body};
use crate::trouble::Fallible;

pub(super) struct Seal {
    room: String,
    keys: Keys,
    announced: Announced,
}

impl Seal {
    /// Reads which keys the members sign with.
    pub(super) async fn of(client: &mut Client, keys: Keys, room: &str, cookie: &str) -> Fallible<Self> {
        let mut seal = Self { room: room.to_owned(), keys, announced: Announced::default() };
        for line in client.room_since(room, cookie, 0).await? {
            if let Some((sender, opened)) = seal.opened(&line)
                && let Some(key) = opened.key()
            {
                seal.announced.announce(sender, key);
            }
        }
        Ok(seal)
    }

    /// A message that opens, with its sender.
    fn opened<'a>(&self, frame: &'a Value) -> Option<(&'a str, Opened)> {
        let word = |field: &str| frame[field].as_str().unwrap_or_default();
        let place = Place {
            room: self.room.clone(),
            sender: word("sender").to_owned(),
            id: word("id").to_owned(),
            answers: word("answers").to_owned(),
        };
        Some((word("sender"), open_body(&self.keys, &place, word("message"))?))
    }

    /// A message as it is sent, behind the announcement of the signer's key if that is new.
    pub(super) fn seal(
        &self,
        signer: &mut Signer,
        sender: &str,
        (id, key_id): (String, String),
        mut message: Value,
        seen: u64,
    ) -> Vec<(String, Value)> {
        let place = |id: &str| {
            let (room, sender) = (self.room.clone(), sender.to_owned());
            Place { room, sender, id: id.to_owned(), answers: String::new() }
        };
        let mut all = Vec::new();
        if signer.is_new()
            && let Ok(key) = signer.announce(&self.keys, &place(&key_id), seen)
        {
            let announcement = json!({"event": "event.chat", "id": key_id, "message": key, "kind": "key"});
            all.push((key_id, announcement));
        }
        let words = message["message"].as_str().unwrap_or_default();
        match signer.say(&self.keys, &place(&id), words, seen) {
            Ok(sealed) => {
                message["message"] = sealed.into();
                all.push((id, message));
            }
            Err(_) => notice("Not sent: it is too long to be sealed"),
        }
        all
    }

    /// What a message says, and what there is to say about it. `None` if it announces a key.
    pub(super) fn words(&mut self, frame: &Value) -> Option<String> {
        let Some((sender, opened)) = self.opened(frame) else { return Some("[can't be opened]".to_owned()) };
        if let Some(key) = opened.key() {
            if self.announced.announce(sender, key) {
                notice(&format!("{sender} has a new key: another browser, or somebody else"));
            }
            return None;
        }
        Some(match self.announced.prove(sender, &opened) {
            Proof::Sender => opened.words().to_owned(),
            Proof::SomebodyElse => "[can't be opened]".to_owned(),
            Proof::Unknown => format!("{} [nobody can check who wrote this]", opened.words()),
        })
    }
}
