//! Everything that one account has, as a JSON document: a line for each part, so that an inbox
//! of any size passes through.

use annon_actors::clock::date_and_time;
use annon_actors::conversation::frame::SideName;
use annon_store::account::Account;
use annon_store::conversation::Found;
use annon_store::inbox::Note;
use annon_store::room::RoomMetadata;
use serde_json::{Value, json};

use super::described;
use crate::app::App;
use crate::operator::control::{AnswerWriter, ROWS, in_words, json_line};

pub(super) async fn export(app: &App, account: Account, out: &mut AnswerWriter) -> Result<(), String> {
    let now = app.clock.timestamp();
    let suspension = app.suspensions.of(account.id, now).await.map_err(in_words)?;
    out.send(format!("{{\"account\": {},", json_line(&described(&account, suspension.as_ref()))?)).await?;

    let mut list = List::begin("notes", out).await?;
    let mut before = None;
    loop {
        let notes = app.inbox.page(account.id, before, ROWS, now).await.map_err(in_words)?.notes;
        for note in &notes {
            list.add(of_note(note), out).await?;
        }
        let Some(last) = notes.last() else { break };
        before = Some(last.id);
    }
    list.end("],", out).await?;

    let mut list = List::begin("conversations", out).await?;
    let mut before = None;
    loop {
        let page = app.conversations.page(account.id, before, ROWS, now).await.map_err(in_words)?;
        for found in &page {
            list.add(of_conversation(found), out).await?;
        }
        let Some(last) = page.last() else { break };
        before = Some(last.id);
    }
    list.end("],", out).await?;

    let mut list = List::begin("groups", out).await?;
    for room in app.directory.of_owner(account.id).await.map_err(in_words)? {
        list.add(of_group(&room), out).await?;
    }
    list.end("]}", out).await
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

fn of_note(note: &Note) -> Value {
    json!({ "date": date_and_time(note.date), "message": note.text.as_str(), "seen": note.seen })
}

fn of_conversation(Found { conversation, .. }: &Found) -> Value {
    let lines = conversation.lines.iter().filter_map(|line| {
        let from = SideName::from(line.from);
        Some(json!({ "time": date_and_time(line.at), "from": from, "message": line.text.as_ref()?.as_str() }))
    });
    json!({
        "date": date_and_time(conversation.date),
        "note": conversation.words.as_str(),
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
