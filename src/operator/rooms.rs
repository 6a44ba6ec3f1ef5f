//! What the operator does with groups, in the server.
//!
//! Whoever has a group's id can come in, so the operator is shown another one: it names the
//! group, and opens nothing.

use annon_actors::clock::date_and_time;
use annon_actors::room::command::Command;
use annon_actors::room::error::RoomError;
use annon_store::room::{RoomId, RoomMetadata};
use aws_lc_rs::digest::{SHA256, digest};
use serde_json::json;
use uuid::Uuid;

use crate::app::App;
use crate::config::RoomCommand;
use crate::operator::control::{AnswerWriter, ROWS, in_words, json_line};

/// What a group is called before the operator: 16 hexadecimal digits.
pub(crate) fn alias(room: RoomId) -> String {
    let hashed = digest(&SHA256, room.0.as_bytes());
    hashed.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

pub(super) async fn obey(app: &App, command: RoomCommand, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        RoomCommand::List { json } => list(app, json, out).await,
        RoomCommand::Close { id } => {
            let room = find(app, &id).await?;
            match app.rooms.command(room, Command::Close).await {
                Ok(()) => out.send("closed".to_owned()).await,
                Err(RoomError::Gone) => Err(format!("there is no group {id}")),
                Err(error) => Err(in_words(error)),
            }
        }
    }
}

/// The rooms that have not ended, page by page.
async fn page(app: &App, after: Option<RoomId>) -> Result<Vec<RoomMetadata>, String> {
    app.directory.page(after, ROWS).await.map_err(in_words)
}

async fn find(app: &App, id: &str) -> Result<RoomId, String> {
    if let Ok(id) = Uuid::try_parse(id) {
        return Ok(RoomId(id));
    }
    let mut after = None;
    loop {
        let rooms = page(app, after).await?;
        if let Some(found) = rooms.iter().find(|room| alias(room.id) == id) {
            return Ok(found.id);
        }
        let Some(last) = rooms.last() else { return Err(format!("there is no group {id}")) };
        after = Some(last.id);
    }
}

async fn list(app: &App, json: bool, out: &mut AnswerWriter) -> Result<(), String> {
    let (mut after, now) = (None, app.clock.timestamp());
    loop {
        let mut rooms = page(app, after).await?;
        let Some(last) = rooms.last() else { return Ok(()) };
        after = Some(last.id);
        rooms.retain(|room| room.expires > now);
        let standings = app.rooms.standings(&rooms).await;
        for (room, standing) in rooms.iter().zip(standings) {
            let members = standing.ok().map(|standing| standing.seats);
            let (id, created, ends) = (alias(room.id), date_and_time(room.created), date_and_time(room.expires));
            out.send(if json {
                json_line(&json!({ "id": id, "created": created, "ends": ends, "members": members }))?
            } else {
                let members = members.map_or("unknown".to_owned(), |members| members.to_string());
                format!("{id}  created {created}  ends {ends}  members {members}")
            })
            .await?;
        }
    }
}
