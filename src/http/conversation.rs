//! Conversations over HTTP: reading, saying, unsending, closing and ending. The owner shows
//! a token, the sender the conversation's key.

use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::AUTHORIZATION;
use actix_web::web::{Data, Path};
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::conversation::frame::{ConversationItem, FirstNote, LineItem, SideName, id_text};
use annon_contract::code::Code;
use annon_contract::limits::{INBOX_PAGE, INBOX_PAGE_MAX};
use annon_store::StoreError;
use annon_store::conversation::{
    Beginning, Change, ConversationError, ConversationId, Door, Found, LineText, Proof, Side,
};
use annon_store::room::{ChatId, Seq};
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal, Whole};
use crate::error::{Answer, ApiError, Outcome, Refusal, done_once, instead};
use crate::http::{page_of, to_the_end};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

pub mod peek;
pub mod push;

/// The scheme of the `Authorization` header of a sender.
const SCHEME: &str = "annon";

/// The subprotocol that a page offers together with the conversation's key.
pub const KEY_PROTOCOL: &str = "annon-key";

/// What begins a conversation together with a note. The browser draws both from a secret that
/// it keeps.
#[derive(Deserialize, ToSchema)]
pub struct BeginConversation {
    /// The id of the conversation: 16 bytes in base64url.
    #[schema(example = "AAAAAAAAehwAAAAAAAAAAQ")]
    id: String,
    /// The SHA-256 of the conversation's key: 32 bytes in base64url.
    proof: String,
}

impl TryFrom<BeginConversation> for Beginning {
    type Error = Code;

    fn try_from(BeginConversation { id, proof }: BeginConversation) -> Result<Self, Code> {
        let (id, proof) = id_of(&id).zip(bytes(&proof).map(Proof)).ok_or(Code::ConversationInvalid)?;
        Ok(Self { id, proof })
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    BASE64_URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

pub(crate) fn id_of(text: &str) -> Option<ConversationId> {
    bytes(text).map(|id| ConversationId(Uuid::from_bytes(id)))
}

/// Whether a key is the one of this door. It takes the same time without a door.
fn opens(key: &str, door: Option<&Door>) -> bool {
    let key: Option<[u8; 32]> = bytes(key);
    let proof = door.map_or([0; 32], |door| door.proof.0);
    let is_equal = verify_slices_are_equal(digest(&SHA256, &key.unwrap_or_default()).as_ref(), &proof).is_ok();
    is_equal && key.is_some() && door.is_some()
}

/// How somebody shows that a conversation is theirs.
pub enum Shown {
    Token(SignedIn),
    Key(String),
}

impl FromRequest for Shown {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
        if let Some((scheme, key)) = header.and_then(|value| value.split_once(' '))
            && scheme.eq_ignore_ascii_case(SCHEME)
        {
            return Box::pin(ready(Ok(Self::Key(key.trim().to_owned()))));
        }
        let signed_in = SignedIn::from_request(request, payload);
        Box::pin(async move { signed_in.await.map(Self::Token) })
    }
}

/// Somebody who may enter a conversation.
pub struct Visitor {
    pub id: ConversationId,
    pub door: Door,
    pub side: Side,
}

/// Looking at a conversation that is there takes a little longer than finding none. So both are
/// refused this long after the call began.
const REFUSED_AFTER: Duration = Duration::from_millis(10);

impl Visitor {
    /// Whoever shows the wrong thing hears what they would hear if there were no such
    /// conversation.
    pub async fn with(app: &App, client: ClientIp, id: &str, shown: &Shown) -> Result<Self, ApiError> {
        let refused = sleep(REFUSED_AFTER);
        let nobody = || app.limits.missed(client.0, Code::NoSuchConversation);
        let id = id_of(id).ok_or_else(nobody)?;
        let record = app.store.record();
        let server = record.server();
        let doors = app.conversations.doors(vec![id]).await?;
        let door = doors.get(&id);
        let side = match shown {
            Shown::Key(key) => opens(key, door).then_some(Side::Sender),
            Shown::Token(caller) => door.is_some_and(|door| door.owner == caller.account).then_some(Side::Owner),
        };
        let entered = door.copied().zip(side);
        if entered.is_none() {
            // A page that is told this may forget the conversation.
            record.confirm(server).await?;
            refused.await;
        }
        entered.map(|(door, side)| Self { id, door, side }).ok_or_else(nobody)
    }

    /// The conversation, if its owner may know of it already.
    pub async fn find(&self, app: &App) -> Result<Found, ApiError> {
        let mut found = app.conversations.find(vec![self.id], app.clock.timestamp()).await?;
        let found = found.pop().filter(|found| found.is_shown || self.side == Side::Sender);
        Ok(found.ok_or(Code::NoSuchConversation)?)
    }

    /// Makes a change, also if the caller hangs up meanwhile.
    async fn change(&self, app: &Data<App>, change: Change) -> Result<annon_store::conversation::Outcome, ApiError> {
        let (app, id, door) = (app.clone(), self.id, self.door);
        to_the_end(async move {
            let now = app.clock.timestamp();
            Ok(app.conversations.change_through(id, Some(door), change, now).await.map_err(refused)?)
        })
        .await
    }
}

fn refused(error: ConversationError) -> Code {
    error.code(instead([(StoreError::NotFound, Code::NoSuchConversation)]))
}

/// A page of the owner's conversations.
#[derive(Serialize, ToSchema)]
pub struct ConversationList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The conversations, the one with the newest line first.
    data: Vec<ConversationItem>,
}

/// Lists the caller's conversations, the one with the newest line first.
#[utoipa::path(get, path = "/api/conversations", tag = "conversation", security(("bearer" = [])),
    params(("before" = Option<String>, Query, description = "Only those that come after the one with this id"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 200, description = "At most this many; 50 by default")),
    responses((status = 200, body = ConversationList), (status = 400, body = Refusal), (status = 401, body = Refusal),
        (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn list(app: Data<App>, client: ClientIp, caller: SignedIn, request: HttpRequest) -> Answer {
    let wrong = [Code::BeforeIsNoConversation, Code::InboxLimitInvalid];
    let (before, limit) = page_of(request.query_string(), (INBOX_PAGE, INBOX_PAGE_MAX), id_of, wrong)?;
    app.limits.take(Call::ReadConversation, client.0)?;
    let now = app.clock.timestamp();
    let page = app.conversations.page(caller.account, before, limit, now).await?;
    let data = page.iter().map(|found| ConversationItem::of(found, now)).collect();
    Ok(HttpResponse::Ok().json(ConversationList { status: 200, data }))
}

/// The answer to showing a conversation.
#[derive(Serialize, ToSchema)]
pub struct ConversationShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The conversation.
    data: ConversationData,
}

/// A conversation, as one side sees it.
#[derive(Serialize, ToSchema)]
pub struct ConversationData {
    /// The conversation's id.
    id: String,
    /// Which side the caller is.
    me: SideName,
    /// The owner's username.
    to: String,
    /// The note that it began with.
    note: FirstNote,
    /// The lines, oldest first.
    lines: Vec<LineItem>,
    /// Whether something can be said in it.
    open: bool,
    /// When it ends if nothing more is said: `YYYY-MM-DD HH:MM:SS`, UTC.
    #[schema(example = "2026-12-20 18:05:09")]
    expires: String,
    /// The number of the last change, for `since` in `event.connect`.
    last_seq: u64,
    /// Whether there are lines older than the first one here.
    has_older: bool,
    /// How many of the other side's lines the caller has not seen.
    unread: usize,
}

/// Shows a conversation. Nothing counts as seen because of it.
#[utoipa::path(get, path = "/api/conversation/{id}", tag = "conversation", security(("bearer" = []), ("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id"),
        ("before" = Option<u64>, Query, description = "Only lines with a smaller `seq`"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 200, description = "At most this many lines; 200 by default")),
    responses((status = 200, body = ConversationShown), (status = 400, body = Refusal), (status = 401, body = Refusal),
        (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, client: ClientIp, shown: Shown, id: Path<String>, request: HttpRequest) -> Answer {
    let place = |raw: &str| raw.parse().ok().map(Seq);
    let wrong = [Code::BeforeIsNoPlace, Code::InboxLimitInvalid];
    let (before, limit) = page_of(request.query_string(), (INBOX_PAGE_MAX, INBOX_PAGE_MAX), place, wrong)?;
    app.limits.take(Call::ReadConversation, client.0)?;
    let visitor = Visitor::with(&app, client, &id, &shown).await?;
    let Found { id, conversation, .. } = visitor.find(&app).await?;
    let account = app.accounts.by_id(conversation.owner).await?.ok_or(Code::NoSuchConversation)?;
    let (side, now) = (visitor.side, app.clock.timestamp());
    let older = conversation.lines.iter().filter(|line| before.is_none_or(|before| line.seq < before));
    let older: Vec<_> = older.collect();
    let skipped = older.len().saturating_sub(limit);
    let data = ConversationData {
        id: id_text(id),
        me: side.into(),
        to: account.username.as_str().to_owned(),
        note: FirstNote::of(&conversation, side, now),
        lines: older[skipped..].iter().map(|line| LineItem::of(&conversation, line, now)).collect(),
        open: conversation.is_open(),
        expires: date_and_time(conversation.expires()),
        last_seq: conversation.last.0,
        has_older: skipped > 0,
        unread: conversation.unread_by(side),
    };
    Ok(HttpResponse::Ok().json(ConversationShown { status: 200, data }))
}

/// Something to say.
#[derive(Deserialize, ToSchema)]
pub struct SayLine {
    /// The line's id: 15 letters and digits of the caller's choice. A line that is sent twice
    /// with one id is said once.
    #[schema(example = "abcDEF123456789")]
    id: String,
    /// The text. With `sealed`: the sealed line in base64url.
    #[schema(example = "Thank you. Who are you?")]
    message: String,
    /// Whether it is sealed, as every line is of a conversation that began with a sealed note, and no other one.
    #[serde(default)]
    #[schema(required = false)]
    sealed: bool,
    /// The `seq` of the line that it answers.
    #[schema(value_type = Option<u64>)]
    reply: Option<Whole>,
}

/// A line that was said.
#[derive(Serialize, ToSchema)]
pub struct LineSaid {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// The line's `seq`.
    seq: u64,
    /// When it was said: `YYYY-MM-DD HH:MM:SS`, UTC.
    time: String,
}

/// Says something. The answer comes after it is on disk.
///
/// What the other side has said so far counts as seen then.
#[utoipa::path(post, path = "/api/conversation/{id}", tag = "conversation", security(("bearer" = []), ("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id")), request_body = SayLine,
    responses((status = 201, body = LineSaid), (status = 401, body = Refusal),
        (status = 403, body = Refusal, description = "The account is suspended"), (status = 404, body = Refusal),
        (status = 409, body = Refusal, description = "It is closed or full, or the sender has to wait for an answer"),
        (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
        (status = 507, body = Refusal), JsonRefusal))]
pub async fn say(
    app: Data<App>,
    client: ClientIp,
    shown: Shown,
    id: Path<String>,
    Json(form): Json<SayLine>,
) -> Answer {
    let (line, text) = (ChatId::try_from(form.id)?, LineText::sent(&form.message, form.sealed)?);
    let reply_to = form.reply.map(|Whole(seq)| Seq(seq));
    app.limits.take(Call::ChangeConversation, client.0)?;
    let visitor = Visitor::with(&app, client, &id, &shown).await?;
    if let Shown::Token(caller) = &shown {
        app.must_not_be_suspended(caller.account, Code::Suspended).await?;
    }
    let said = visitor.change(&app, Change::Say { from: visitor.side, id: line, text, reply_to }).await;
    let said = said.map_err(done_once)?;
    let time = date_and_time(said.at.min(app.clock.timestamp()));
    Ok(HttpResponse::Created().json(LineSaid { status: 201, seq: said.seq.0, time }))
}

/// A change of a conversation.
#[derive(Deserialize, ToSchema)]
#[schema(min_properties = 1)]
pub struct ChangeConversation {
    /// `false` closes it: it can be read, and nothing more can be said. Only the owner can do
    /// that.
    open: Option<bool>,
    /// The caller has seen all lines up to the one with this `seq`.
    #[schema(value_type = Option<u64>)]
    seen: Option<Whole>,
}

/// Closes a conversation, or marks lines as seen.
#[utoipa::path(patch, path = "/api/conversation/{id}", tag = "conversation", security(("bearer" = []), ("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id")), request_body = ChangeConversation,
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 403, body = Refusal),
        (status = 404, body = Refusal), (status = 422, body = Refusal), (status = 429, body = Refusal),
        (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn change(
    app: Data<App>,
    client: ClientIp,
    shown: Shown,
    id: Path<String>,
    Json(ChangeConversation { open, seen }): Json<ChangeConversation>,
) -> Answer {
    if open.is_none() && seen.is_none() {
        return Err(Code::FieldsInvalid.into());
    }
    app.limits.take(Call::ChangeConversation, client.0)?;
    let visitor = Visitor::with(&app, client, &id, &shown).await?;
    if open.is_some() && visitor.side != Side::Owner {
        return Err(Code::NotTheOwner.into());
    }
    if open == Some(true) {
        return Err(Code::ConversationStaysClosed.into());
    }
    if let Some(Whole(seen)) = seen {
        visitor.change(&app, Change::See { by: visitor.side, upto: Seq(seen) }).await?;
    }
    if open.is_some() {
        visitor.change(&app, Change::Close).await?;
    }
    Ok(Outcome::response(StatusCode::OK, if open.is_some() { "Conversation closed" } else { "Lines seen" }))
}

/// Ends a conversation for both sides, at once.
///
/// The answer comes after the key that encrypted it is destroyed. The note stays.
#[utoipa::path(delete, path = "/api/conversation/{id}", tag = "conversation", security(("bearer" = []), ("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn end(app: Data<App>, client: ClientIp, shown: Shown, id: Path<String>) -> Answer {
    app.limits.take(Call::ChangeConversation, client.0)?;
    let Visitor { id, door, side } = Visitor::with(&app, client, &id, &shown).await?;
    to_the_end(async move {
        let ended = app.conversations.remove_through(id, Some((door, side)), app.clock.timestamp()).await;
        Ok(ended.map_err(instead([(StoreError::NotFound, Code::NoSuchConversation)]))?)
    })
    .await?;
    Ok(Outcome::response(StatusCode::OK, "Conversation ended"))
}

/// Unsends a line of one's own, within five minutes.
#[utoipa::path(delete, path = "/api/conversation/{id}/line/{seq}", tag = "conversation",
    security(("bearer" = []), ("annon" = [])),
    params(("id" = String, Path, description = "The conversation's id"), ("seq" = u64, Path, description = "The line's `seq`")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 403, body = Refusal),
        (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
        (status = 507, body = Refusal)))]
pub async fn unsend(app: Data<App>, client: ClientIp, shown: Shown, path: Path<(String, String)>) -> Answer {
    let (id, line) = path.into_inner();
    app.limits.take(Call::ChangeConversation, client.0)?;
    let visitor = Visitor::with(&app, client, &id, &shown).await?;
    // No line ever has the `seq` 0.
    let line = Seq(line.parse().unwrap_or_default());
    visitor.change(&app, Change::Unsend { from: visitor.side, line }).await?;
    Ok(Outcome::response(StatusCode::OK, "Line unsent"))
}
