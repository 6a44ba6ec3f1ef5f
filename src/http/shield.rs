//! The owner's calls on their shield: what they have set, what was held back, and whom
//! they block.

use actix_web::http::StatusCode;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::ids::{random_id, random_shuffle};
use annon_actors::inbox::frame::NoteItem;
use annon_contract::code::Code;
use annon_contract::limits::{HELD_WORDS, INBOX_PAGE, INBOX_PAGE_MAX, TAG_BYTES};
use annon_store::StoreError;
use annon_store::account::{AccountId, TargetId};
use annon_store::inbox::{Delivered, SentHash};
use annon_store::shield::{Blocked, Change, HeldWord, Mode, Setting, Shield, TagHash};
use annon_store::text::NoteText;
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};
use uuid::Uuid;

use crate::app::App;
use crate::auth::{Active, SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal, choice_or_null};
use crate::error::{Answer, Outcome, Refusal, instead};
use crate::http::inbox::{NoteList, note_id, page_in};
use crate::http::page_of;

pub mod work;

/// What a sender's browser has sent with a note.
pub struct Tag([u8; TAG_BYTES]);

impl TryFrom<String> for Tag {
    type Error = Code;

    fn try_from(tag: String) -> Result<Self, Code> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(tag).map_err(|_| Code::TagInvalid)?;
        bytes.try_into().map(Self).map_err(|_| Code::TagInvalid)
    }
}

/// Hashes tags, for each link to an inbox with a key of its own: the hashes of two inboxes can't be
/// compared. A browser has another tag for another link, too.
pub struct Tags(hmac::Key);

impl Tags {
    pub fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }

    pub fn hash(&self, target: TargetId, Tag(tag): &Tag) -> TagHash {
        let key = hmac::sign(&self.0, target.0.as_bytes());
        let hash = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key.as_ref()), tag);
        TagHash(short(&hash))
    }

    /// By which a note is known when it is sent again: a hash of its sender's id for it, of the conversation that it
    /// begins and of its words; of one that is sealed without them, since sealing them again gives others.
    pub fn hash_sent(&self, owner: AccountId, id: Uuid, begins: Option<Uuid>, words: &NoteText) -> SentHash {
        let key = hmac::sign(&self.0, &[b"sent", &owner.0.as_bytes()[..]].concat());
        let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_ref());
        let what = [id.as_bytes(), begins.unwrap_or_default().as_bytes(), words.open_words().as_bytes()].concat();
        SentHash(short(&hmac::sign(&key, &what)))
    }
}

fn short(hash: &hmac::Tag) -> [u8; 16] {
    hash.as_ref().first_chunk().copied().unwrap_or_default()
}

/// The settings of an inbox.
#[derive(Serialize, ToSchema)]
pub struct InboxSettings {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// Whether notes are delivered in batches, at :00, :15, :30 and :45 of
    /// every hour. Then nobody, not even the owner, can tell when each arrived.
    batches: bool,
    /// Whether no notes are taken. The personal page says so.
    paused: bool,
    /// When a sender that the inbox doesn't know must bring work with a note.
    #[schema(schema_with = mode_schema)]
    shield: Mode,
    /// Notes with one of these words and phrases are held back. Capitals make no difference,
    /// and parts of words don't count.
    #[schema(max_items = 200)]
    held_words: Vec<String>,
}

impl InboxSettings {
    fn response(batches: bool, shield: Shield) -> HttpResponse {
        let Shield { paused, mode, held_words, blocks: _ } = shield;
        let held_words = held_words.iter().map(|word| word.as_str().to_owned()).collect();
        HttpResponse::Ok().json(Self { status: 200, batches, paused, shield: mode, held_words })
    }
}

/// The names of `Mode`.
const MODES: [&str; 3] = ["off", "auto", "always"];

fn mode_schema() -> Object {
    ObjectBuilder::new().schema_type(Type::String).enum_values(Some(MODES)).build()
}

fn mode_or_none_schema() -> Object {
    let types = SchemaType::from_iter([Type::String, Type::Null]);
    ObjectBuilder::new().schema_type(types).enum_values(Some(MODES.map(Some).into_iter().chain([None]))).build()
}

/// Returns the settings of the inbox.
#[utoipa::path(get, path = "/api/inbox", tag = "inbox", security(("bearer" = [])), responses(
    (status = 200, body = InboxSettings), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn settings(app: Data<App>, caller: SignedIn) -> Answer {
    let batches = app.inbox.is_in_batches(caller.account).await?;
    Ok(InboxSettings::response(batches, app.shields.shield(caller.account).await?))
}

/// New settings of the inbox, at least one. What is left out stays as it is.
#[derive(Deserialize, ToSchema)]
#[schema(min_properties = 1)]
pub struct SetInbox {
    /// Whether notes are delivered in batches. `false` also delivers the notes
    /// that wait.
    batches: Option<bool>,
    /// Whether no notes are taken.
    paused: Option<bool>,
    /// When a sender that the inbox doesn't know must bring work: never, while many notes come, or always.
    #[serde(default, deserialize_with = "choice_or_null")]
    #[schema(schema_with = mode_or_none_schema)]
    shield: Option<Mode>,
    /// Words and phrases for which notes are held back, all of them.
    #[schema(max_items = 200)]
    held_words: Option<Vec<String>>,
}

impl TryFrom<SetInbox> for (Option<bool>, Setting) {
    type Error = Code;

    fn try_from(SetInbox { batches, paused, shield, held_words }: SetInbox) -> Result<Self, Code> {
        if batches.is_none() && paused.is_none() && shield.is_none() && held_words.is_none() {
            return Err(Code::FieldsInvalid);
        }
        if held_words.as_ref().is_some_and(|words| words.len() > HELD_WORDS) {
            return Err(Code::TooManyHeldWords);
        }
        let parse = |words: Vec<String>| words.into_iter().map(HeldWord::try_from).collect::<Result<Vec<_>, _>>();
        let mut held_words = held_words.map(parse).transpose()?;
        if let Some(words) = &mut held_words {
            let mut known = std::collections::HashSet::new();
            words.retain(|word| known.insert(word.clone()));
        }
        Ok((batches, Setting { paused, mode: shield, held_words }))
    }
}

/// Changes the settings of the inbox.
#[utoipa::path(patch, path = "/api/inbox", tag = "inbox", security(("bearer" = [])), request_body = SetInbox, responses(
    (status = 200, body = InboxSettings), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "The account is suspended"), (status = 422, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn set_up(app: Data<App>, caller: Active, Json(form): Json<SetInbox>) -> Answer {
    let (batches, setting) = form.try_into()?;
    let (owner, now) = (caller.account, app.clock.timestamp());
    if let Some(batches) = batches {
        app.inbox.set_batches(owner, batches, now).await.map_err(or_signed_out)?;
    }
    let shield = if setting == Setting::default() {
        app.shields.shield(owner).await?
    } else {
        app.shields.change(owner, Change::Set(setting), now).await.map_err(or_signed_out)?
    };
    let batches = match batches {
        Some(batches) => batches,
        None => app.inbox.is_in_batches(owner).await?,
    };
    Ok(InboxSettings::response(batches, shield))
}

/// Lists what was held back. It is a part of `GET /api/messages`.
pub async fn held(app: Data<App>, caller: SignedIn, request: HttpRequest) -> Answer {
    let (before, limit) = page_in(request.query_string())?;
    let held = app.shields.held(caller.account, before, limit, app.clock.timestamp()).await?;
    Ok(HttpResponse::Ok().json(NoteList { status: 200, message: 0, data: held.iter().map(NoteItem::from).collect() }))
}

/// A note that was held back, as the inbox has it now.
#[derive(Serialize, ToSchema)]
pub struct Shown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The note; absent if it is delivered with the next batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<NoteItem>,
}

/// Moves a note that was held back to the inbox, as if it came now. It gets another id.
#[utoipa::path(post, path = "/api/message/{id}/show", tag = "inbox", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Shown), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 409, body = Refusal, description = "The inbox is full"), (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn show(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let refused = instead([(StoreError::NotFound, Code::NoSuchNote), (StoreError::Full, Code::InboxFull)]);
    let (note, now) = (note_id(&id)?, app.clock.timestamp());
    let shown = app.shields.show(caller.account, note, random_shuffle(), now).await.map_err(refused)?;
    let data = match &shown {
        Delivered::Shown { note, .. } => Some(NoteItem::from(note)),
        Delivered::Waits => None,
    };
    Ok(HttpResponse::Ok().json(Shown { status: 200, data }))
}

/// Characters of a note that a block begins with.
const BEGAN: usize = 60;

/// A block of whoever sent one note.
#[derive(Serialize, ToSchema)]
pub struct BlockItem {
    id: Uuid,
    /// The minute in which it was made, in UTC.
    #[schema(example = "2026-07-04 12:30:00")]
    date: String,
    /// The first words of the note that led to it; empty once that note is deleted. Of one that is sealed: all of it,
    /// as `message` of a note.
    began: String,
    /// The id that the note was sealed for; absent if it isn't sealed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = Uuid, nullable = false)]
    sealed: Option<String>,
}

/// The blocks of an inbox.
#[derive(Serialize, ToSchema)]
pub struct BlockList {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// A page of blocks, newest first.
    data: Vec<BlockItem>,
}

fn item(Blocked { block, text }: Blocked) -> BlockItem {
    let words = text.as_ref().map_or("", |text| text.as_str());
    let (id, date) = (block.id, date_and_time(block.date));
    if let Some(target) = text.as_ref().and_then(NoteText::sealed_for) {
        return BlockItem { id, date, began: words.to_owned(), sealed: Some(target.to_owned()) };
    }
    let began: String = words.chars().take(BEGAN).collect();
    let more = if began.len() < words.len() { "…" } else { "" };
    BlockItem { id, date, began: began + more, sealed: None }
}

/// Blocks whoever sent a note. They don't learn it, and nothing tells which other notes are theirs.
#[utoipa::path(post, path = "/api/message/{id}/block", tag = "inbox", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The note's id")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 409, body = Refusal, description = "Nothing is known of its sender any more, or there are too many blocks"),
        (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn block(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let refused = instead([
        (StoreError::NotFound, Code::NoSuchNote),
        (StoreError::Conflict, Code::SenderNotKnown),
        (StoreError::Full, Code::NoMoreBlocks),
    ]);
    let change = Change::Block { note: note_id(&id)?, id: random_id() };
    app.shields.change(caller.account, change, app.clock.timestamp()).await.map_err(refused)?;
    Ok(Outcome::response(StatusCode::OK, "Blocked"))
}

/// Lists the blocks, newest first.
#[utoipa::path(get, path = "/api/blocks", tag = "inbox", security(("bearer" = [])),
    params(("before" = Option<Uuid>, Query, description = "Only blocks older than the one with this id"),
        ("limit" = Option<usize>, Query, minimum = 1, maximum = 200, description = "At most this many blocks; 50 by default")),
    responses((status = 200, body = BlockList), (status = 400, body = Refusal), (status = 401, body = Refusal),
        (status = 404, body = Refusal, description = "The block that `before` names has ended"), (status = 503, body = Refusal)))]
pub async fn blocks(app: Data<App>, caller: SignedIn, request: HttpRequest) -> Answer {
    let (place, wrong) = (|raw: &str| Uuid::try_parse(raw).ok(), [Code::NoSuchBlock, Code::InboxLimitInvalid]);
    let (before, limit) = page_of(request.query_string(), (INBOX_PAGE, INBOX_PAGE_MAX), place, wrong)?;
    let refused = instead([(StoreError::NotFound, Code::NoSuchBlock)]);
    let blocked = app.shields.blocked(caller.account, before, limit).await.map_err(refused)?;
    let data = blocked.into_iter().map(item).collect();
    Ok(HttpResponse::Ok().json(BlockList { status: 200, data }))
}

/// Ends a block.
#[utoipa::path(delete, path = "/api/block/{id}", tag = "inbox", security(("bearer" = [])),
    params(("id" = Uuid, Path, description = "The block's id")),
    responses((status = 200, body = Outcome), (status = 401, body = Refusal), (status = 404, body = Refusal),
        (status = 503, body = Refusal), (status = 507, body = Refusal)))]
pub async fn unblock(app: Data<App>, caller: SignedIn, id: Path<String>) -> Answer {
    let id = Uuid::try_parse(&id).map_err(|_| Code::NoSuchBlock)?;
    let refused = instead([(StoreError::NotFound, Code::NoSuchBlock)]);
    let now = app.clock.timestamp();
    app.shields.change(caller.account, Change::Unblock(id), now).await.map_err(refused)?;
    Ok(Outcome::response(StatusCode::OK, "Unblocked"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(secret: u8, target: u128, tag: u8) -> [u8; 16] {
        Tags::new(&[secret; 32]).hash(TargetId(Uuid::from_u128(target)), &Tag([tag; TAG_BYTES])).0
    }

    #[test]
    fn hashes_of_two_inboxes_can_not_be_compared_and_stay_what_they_are() {
        // It is on disks: with another one, nobody who is blocked would stay so.
        assert_eq!(hash(1, 7, 9), 0x1e9235616e8b5409e18971418217a204_u128.to_be_bytes());
        for other in [hash(1, 8, 9), hash(2, 7, 9), hash(1, 7, 8)] {
            assert_ne!(other, hash(1, 7, 9));
        }
    }
}
