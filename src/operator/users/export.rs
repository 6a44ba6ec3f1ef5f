//! Everything that one account has, as a JSON document: a line for each part, so that an inbox
//! of any size passes through.

use annon_actors::clock::{date_and_time, date_of_day};
use annon_actors::conversation::frame::SideName;
use annon_actors::inbox::frame::AnswerItem;
use annon_store::account::{Account, TokenId, Username};
use annon_store::conversation::Found;
use annon_store::inbox::{Note, Shelf};
use annon_store::inbox_seal::InboxSeal;
use annon_store::personal_page::PersonalPage;
use annon_store::push::{Subscriber, Subscription};
use annon_store::room::RoomMetadata;
use annon_store::shield::{Blocked, Shield};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::described;
use crate::app::App;
use crate::http::sign_in::Session;
use crate::operator::control::{AnswerWriter, ROWS, in_words, json_line};

/// The nouns of the store of which an export has nothing, each with the reason.
const LEFT_OUT: [(&str, &str); 8] = [
    ("feedback", "it is kept without who sent it"),
    ("image", "photos are a part of what is said in groups, or of feedback"),
    ("invitation", "nothing says which invitation an account used"),
    ("pause", "it is the server's"),
    ("report", "it would tell who has reported, and has the words of others; annon report list shows all"),
    ("room_link", "whoever has a link of a group can ask for a seat in it"),
    ("telling", "it is the operator's"),
    ("room_log", "what is said in a group is its members', and a seat leads to no account"),
];

pub(super) async fn export(app: &App, account: Account, out: &mut AnswerWriter) -> Result<(), String> {
    let (now, id) = (app.clock.timestamp(), account.id);
    let suspension = app.suspensions.of(id, now).await.map_err(in_words)?;
    let mut described = described(&account, suspension.as_ref());
    if let Some(month) = app.store.lapses().last_used(id).await.map_err(in_words)? {
        described["last_used_in_30_days_from"] = json!(date_and_time(month));
    }
    out.send(format!("{{\"account\": {},", json_line(&described)?)).await?;
    let page = app.personal_pages.look_up(id).await.map_err(in_words)?;
    out.send(format!("\"page\": {},", json_line(&of_page(&page))?)).await?;
    let pushes = app.pushes.of(Subscriber::Account(id)).await.map_err(in_words)?;
    let pushes: Vec<_> = pushes.all().iter().map(of_subscription).collect();
    out.send(format!("\"push\": {},", json_line(&pushes)?)).await?;
    let digest = app.store.digests().of(id).await.map_err(in_words)?;
    let digest = digest.map(|digest| json!({ "language": digest.language, "on_since": date_and_time(digest.began) }));
    out.send(format!("\"digest\": {},", json_line(&digest)?)).await?;
    let shield = app.shields.shield(id).await.map_err(in_words)?;
    let batches = app.inbox.is_in_batches(id).await.map_err(in_words)?;
    out.send(format!("\"inbox\": {},", json_line(&of_inbox(&shield, batches))?)).await?;
    let seal = app.store.inbox_seals().of(id).await.map_err(in_words)?;
    out.send(format!("\"seal\": {},", json_line(&seal.as_ref().map(of_seal))?)).await?;

    let mut list = List::begin("notes", out).await?;
    for shelf in [Shelf::Inbox, Shelf::Archive] {
        let mut before = None;
        loop {
            let notes = app.inbox.page_of_shelf(id, shelf, before, ROWS, now).await.map_err(in_words)?.notes;
            for note in &notes {
                list.add(of_note(app, &account.username, note), out).await?;
            }
            let Some(last) = notes.last() else { break };
            before = Some(last.id);
        }
    }
    list.end("],", out).await?;

    let mut list = List::begin("held_back", out).await?;
    let mut before = None;
    loop {
        let held = app.shields.held(id, before, ROWS, now).await.map_err(in_words)?;
        for note in &held {
            list.add(of_held(note), out).await?;
        }
        let Some(last) = held.last() else { break };
        before = Some(last.id);
    }
    list.end("],", out).await?;

    let mut list = List::begin("blocks", out).await?;
    for blocked in app.shields.blocked(id, None, usize::MAX).await.map_err(in_words)? {
        list.add(of_block(&blocked), out).await?;
    }
    list.end("],", out).await?;

    let mut list = List::begin("conversations", out).await?;
    let mut before = None;
    loop {
        let page = app.conversations.page(id, before, ROWS, now).await.map_err(in_words)?;
        for found in &page {
            list.add(of_conversation(found), out).await?;
        }
        let Some(last) = page.last() else { break };
        before = Some(last.id);
    }
    list.end("],", out).await?;

    let mut list = List::begin("sign_ins", out).await?;
    for (sign_in, open) in app.store.sign_ins().of(id, now).await.map_err(in_words)? {
        list.add(json!(Session::new(&sign_in, open, TokenId(Uuid::nil()))), out).await?;
    }
    list.end("],", out).await?;

    let mut list = List::begin("groups", out).await?;
    for room in app.directory.of_owner(id).await.map_err(in_words)? {
        list.add(of_group(&room), out).await?;
    }
    list.end("],", out).await?;
    let left_out: Map<_, _> = LEFT_OUT.map(|(noun, why)| (noun.to_owned(), json!(why))).into_iter().collect();
    out.send(format!("\"left_out\": {}}}", json_line(&left_out)?)).await
}

/// A list of objects in the document.
struct List {
    is_empty: bool,
}

impl List {
    async fn begin(name: &str, out: &mut AnswerWriter) -> Result<Self, String> {
        out.send(format!("\"{name}\": [")).await?;
        Ok(Self { is_empty: true })
    }

    async fn add(&mut self, value: Value, out: &mut AnswerWriter) -> Result<(), String> {
        let comma = if self.is_empty { "" } else { "," };
        self.is_empty = false;
        out.send(format!("{comma}{}", json_line(&value)?)).await
    }

    async fn end(self, end: &str, out: &mut AnswerWriter) -> Result<(), String> {
        out.send(end.to_owned()).await
    }
}

fn of_page(PersonalPage { line, prompts, only_for_you }: &PersonalPage) -> Value {
    let prompts: Vec<_> = prompts.iter().map(|prompt| prompt.as_str()).collect();
    json!({ "line": line.as_str(), "prompts": prompts, "only_for_you": only_for_you })
}

/// What it takes to encrypt for a browser is the browser's, and says nothing of the owner.
fn of_subscription(subscription: &Subscription) -> Value {
    let Subscription { endpoint, key: _, secret: _, kinds, quiet, language, added } = subscription;
    json!({
        "endpoint": endpoint.0, "kinds": kinds.iter().collect::<Vec<_>>(), "quiet": quiet, "language": language,
        "added": date_of_day(*added),
    })
}

fn of_inbox(Shield { paused, mode, held_words, blocks: _ }: &Shield, batches: bool) -> Value {
    let held_words: Vec<_> = held_words.iter().map(|word| word.as_str()).collect();
    json!({ "batches": batches, "paused": paused, "shield": mode, "held_words": held_words })
}

/// With this and the recovery code, what is sealed in the document can be opened.
fn of_seal(seal: &InboxSeal) -> Value {
    json!({ "key": seal.key.text(), "wrapped": seal.wrapped.text(), "on": seal.on, "open_notes": seal.open_notes })
}

fn of_note(app: &App, owner: &Username, note: &Note) -> Value {
    let Note { id: _, text, date, seen, conversation: _, only_for_you, answer, starred, archived } = note;
    let answer = answer.as_ref().map(|answer| {
        let AnswerItem { id, answer, date, note: _ } = answer.into();
        let link = app.public_url.page(&format!("/{}/a/{id}", owner.as_str()));
        json!({ "date": date, "answer": answer, "link": link })
    });
    json!({
        "date": date_and_time(*date), "message": text.as_str(), "sealed": text.sealed_for(), "seen": seen, "only_for_you": only_for_you,
        "answer": answer, "starred": starred, "archived": archived,
    })
}

fn of_held(note: &Note) -> Value {
    let (text, only_for_you) = (&note.text, note.only_for_you);
    let (date, sealed) = (date_and_time(note.date), text.sealed_for());
    json!({ "date": date, "message": text.as_str(), "sealed": sealed, "only_for_you": only_for_you })
}

/// What a block hangs on, a hash of a tag, says something of its sender and nothing of the owner.
fn of_block(Blocked { block, text }: &Blocked) -> Value {
    let sealed = text.as_ref().and_then(|text| text.sealed_for());
    json!({ "date": date_and_time(block.date), "message": text.as_ref().map(|text| text.as_str()), "sealed": sealed })
}

fn of_conversation(Found { conversation, .. }: &Found) -> Value {
    let lines = conversation.lines.iter().filter_map(|line| {
        let from = SideName::from(line.from);
        let reactions = line.reactions.iter();
        let reactions: Vec<_> = reactions
            .map(|reaction| json!({ "from": SideName::from(reaction.by), "emoji": reaction.sign.as_str() }))
            .collect();
        let (time, message) = (date_and_time(line.at), line.text.as_ref()?.as_str());
        Some(json!({ "time": time, "from": from, "message": message, "reactions": reactions }))
    });
    json!({
        "date": date_and_time(conversation.date),
        "note": conversation.words.as_str(),
        "sealed": conversation.words.sealed_for(),
        "open": conversation.is_open(),
        "lines": lines.collect::<Vec<_>>(),
    })
}

/// Nothing said in a group belongs to its creator alone.
fn of_group(room: &RoomMetadata) -> Value {
    json!({
        "name": room.name.as_str(), "created": date_and_time(room.created), "ends": date_and_time(room.expires),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Those of which it has something. A noun may be in several parts of the document.
    const EXPORTED: [&str; 13] = [
        "account",
        "answer",
        "conversation",
        "digest",
        "inbox",
        "inbox_seal",
        "lapse",
        "personal_page",
        "push",
        "room",
        "shield",
        "sign_in",
        "suspension",
    ];

    /// The files of the store that have a trait for an engine.
    fn nouns_of_the_store() -> Vec<String> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("store/src");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file());
        let has_trait = |path: &Path| fs::read_to_string(path).unwrap().contains("\n#[async_trait]\npub trait ");
        let mut nouns: Vec<_> = files
            .filter(|path| has_trait(path))
            .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
            // How nodes hear of each other, and the engine itself: they keep nothing of their own.
            .filter(|name| !["engine", "wire"].contains(&&**name))
            .collect();
        nouns.sort();
        nouns
    }

    #[test]
    fn an_export_has_every_noun_of_the_store_or_says_why_not() {
        let mut said: Vec<_> = EXPORTED.into_iter().chain(LEFT_OUT.map(|(noun, _)| noun)).collect();
        said.sort();
        assert_eq!(said, nouns_of_the_store());
    }
}
