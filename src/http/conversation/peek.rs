//! Whether the conversations that a browser remembers have an answer.

use actix_web::HttpResponse;
use actix_web::web::Data;
use annon_actors::conversation::frame::id_text;
use annon_contract::code::Code;
use annon_contract::limits::CONVERSATIONS_PEEKED;
use annon_store::conversation::{Conversation, Found, Side};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{id_of, opens};
use crate::app::App;
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, Refusal};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// Conversations that a browser remembers.
#[derive(Deserialize, ToSchema)]
pub struct PeekForm {
    /// The conversations, at most 50.
    ids: Vec<Peek>,
}

/// A conversation that a browser remembers.
#[derive(Deserialize, ToSchema)]
struct Peek {
    /// The conversation's id.
    id: String,
    /// The conversation's key: 32 bytes in base64url.
    key: String,
}

/// What there is to tell of remembered conversations.
#[derive(Serialize, ToSchema)]
pub struct PeekList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// Those that are there, in the order in which they were asked for.
    data: Vec<PeekItem>,
}

/// What there is to tell of a conversation.
#[derive(Serialize, ToSchema)]
struct PeekItem {
    /// The conversation's id.
    id: String,
    /// How many of the owner's lines the sender has not seen.
    unread: usize,
    /// The number of the owner's newest line that was not unsent; 0 if there is none.
    answered: u64,
    /// Whether something can be said in it.
    open: bool,
}

/// Tells a sender's browser which of its conversations have an answer. Those that aren't there
/// are left out, and so are those with a wrong key.
#[utoipa::path(post, path = "/api/conversations/peek", tag = "conversation", request_body = PeekForm,
    responses((status = 200, body = PeekList), (status = 422, body = Refusal), (status = 429, body = Refusal),
        (status = 503, body = Refusal), JsonRefusal))]
pub async fn peek(app: Data<App>, client: ClientIp, Json(PeekForm { ids }): Json<PeekForm>) -> Answer {
    if ids.len() > CONVERSATIONS_PEEKED {
        return Err(Code::TooManyAsked.into());
    }
    app.limits.take(Call::Peek, client.0)?;
    let asked: Vec<_> = ids.iter().filter_map(|Peek { id, key }| Some((id_of(id)?, key))).collect();
    let doors = app.conversations.doors(asked.iter().map(|(id, _)| *id).collect()).await?;
    let own = asked.into_iter().filter(|(id, key)| opens(key, doors.get(id))).map(|(id, _)| id).collect();
    let found = app.conversations.find(own, app.clock.timestamp()).await?;
    let item = |Found { id, conversation, .. }: &Found| PeekItem {
        id: id_text(*id),
        unread: conversation.unread_by(Side::Sender),
        answered: answered(conversation),
        open: conversation.is_open(),
    };
    Ok(HttpResponse::Ok().json(PeekList { status: 200, data: found.iter().map(item).collect() }))
}

fn answered(conversation: &Conversation) -> u64 {
    let newest = conversation.lines.iter().rev().find(|line| line.from == Side::Owner && line.text.is_some());
    newest.map_or(0, |line| line.seq.0)
}
