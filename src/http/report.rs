//! Reports to the operator. Whoever makes one chooses what to show; the words come from the
//! server's own record, so that nobody can report what was never said.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::dev::Payload;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest, HttpResponse};
use annon_actors::clock::date_and_time;
use annon_actors::ids::growing_id;
use annon_actors::room::frame::{ChatFrame, LineFrame};
use annon_contract::code::Code;
use annon_contract::limits::{REPORT_LINES, REPORT_MAX_BYTES, REPORT_OF_PAGE_MIN, REPORT_PICTURES, ROOM_PAGE_MAX};
use annon_store::StoreError;
use annon_store::account::Username;
use annon_store::conversation::Side;
use annon_store::image::{Album, ImageId};
use annon_store::report::{About, Quoted, Report, ReportId, ReportPicture, ReportText};
use annon_store::room::{ChatText, MemberId, RoomId, RoomMetadata, Seq};
use annon_store::text::NoteText;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal, Whole, choice};
use crate::error::{Answer, ApiError, Refusal, instead};
use crate::http::conversation::{Shown, Visitor};
use crate::http::inbox::note_id;
use crate::http::{room, to_the_end};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::operator::rooms::alias;
use crate::seat::CarriedSeat;

pub mod form;
pub mod receipt;

/// The text that stands for a picture.
const PHOTO: &str = "(a photo)";

/// Stands before what whoever reports something sealed says was said there.
const UNCHECKED: &str = "(sealed: as whoever reports it shows it)";

/// What a report is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ReportAbout {
    /// A note in the caller's inbox.
    Note,
    /// A conversation of the caller's, with the note that it began with.
    Conversation,
    /// Messages of a group in which the caller has a seat.
    Room,
    /// A page of this site that everybody can open.
    Page,
}

/// A report to the operator.
#[derive(Deserialize, ToSchema)]
pub struct SendReport {
    #[serde(deserialize_with = "choice")]
    about: ReportAbout,
    /// The id of the note, conversation or group. For a page, its path: somebody's personal
    /// page, an answer on it, or a group's.
    #[schema(example = "/some-body")]
    id: String,
    /// The `seq` of each message to show: at least one of a group, none or more of a
    /// conversation.
    #[serde(default)]
    #[schema(required = false, max_items = 50, value_type = Vec<u64>)]
    lines: Vec<Whole>,
    /// Of what is sealed: what messages, lines or the note say, as the caller's browser has opened them. The server can't
    /// read them, so the operator is told that nobody has checked it.
    #[serde(default)]
    #[schema(required = false, max_items = 50)]
    opened: Vec<OpenedLine>,
    /// What the caller adds. About a page it has to be at least 10 characters.
    #[serde(default)]
    #[schema(required = false, example = "This is about a friend of mine, and it isn't true.")]
    words: String,
}

/// What a sealed message says.
#[derive(Deserialize, ToSchema)]
pub struct OpenedLine {
    /// The message's `seq`; 0 is the note.
    #[schema(value_type = u64)]
    seq: Whole,
    #[schema(example = "what somebody said")]
    words: String,
}

/// A report was stored.
#[derive(Serialize, ToSchema)]
pub struct ReportSent {
    /// Equal to the HTTP status.
    #[schema(example = 201)]
    status: u16,
    /// A sentence to show to the user.
    message: &'static str,
    /// By this number one can ask how the report stands, until it is gone.
    #[schema(example = "0123-4567-89ab-cdef-0123-4567-89ab-cdef")]
    receipt: String,
}

/// What was found to be there.
struct Reported {
    about: About,
    /// The username of whoever is responsible, if that is known.
    account: Option<Username>,
    words: Vec<Quoted>,
    pictures: Vec<ReportPicture>,
}

/// Reports something to the operator.
///
/// The operator sees what is reported, with the words and pictures as they are stored, and what
/// the caller adds. Who the caller is isn't kept.
#[utoipa::path(post, path = "/api/report", tag = "feedback", security((), ("bearer" = []), ("annon" = [])),
    params(CarriedSeat), request_body = SendReport, responses(
    (status = 201, body = ReportSent), (status = 401, body = Refusal, description = "A note is reported by its owner, who shows a token"),
    (status = 403, body = Refusal, description = "The caller has no seat in the group"), (status = 404, body = Refusal),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal),
    JsonRefusal))]
pub async fn send(
    app: Data<App>,
    client: ClientIp,
    request: HttpRequest,
    Json(form): Json<SendReport, REPORT_MAX_BYTES>,
) -> Answer {
    let SendReport { about, id, lines, opened, words } = form;
    let text = ReportText::try_from(&*words)?;
    let lines = chosen(about, lines)?;
    if about == ReportAbout::Page && text.as_str().chars().count() < REPORT_OF_PAGE_MIN {
        return Err(Code::ReportTooShort.into());
    }
    app.limits.take(Call::Report, client.0)?;
    let reported = match about {
        ReportAbout::Note => note(&app, &request, &id, &opened).await?,
        ReportAbout::Conversation => conversation(&app, client, &request, &id, (lines, opened)).await?,
        ReportAbout::Room => of_room(&app, client, &request, &id, (lines, opened)).await?,
        ReportAbout::Page => page(&app, client, &request, &id).await?,
    };
    let receipt = add(app, reported, text).await?;
    Ok(HttpResponse::Created().json(ReportSent { status: 201, message: "Report sent", receipt }))
}

/// Stores a report, and returns the number by which its sender can ask how it stands.
async fn add(app: Data<App>, reported: Reported, text: ReportText) -> Result<String, ApiError> {
    let Reported { about, account, words, pictures } = reported;
    let account = account.map(|name| name.as_str().to_owned());
    let (id, date) = (ReportId(growing_id()), app.clock.timestamp());
    let report = Report { id, date, about, account, words, text, closed: None };
    let (number, receipt) = app.receipts.make()?;
    to_the_end(async move {
        let full = instead([(StoreError::Full, Code::NoSpace)]);
        Ok(app.reports.add_with(report, pictures, Some(receipt)).await.map_err(full)?)
    })
    .await?;
    Ok(number)
}

/// The messages to show, each once and in order.
fn chosen(about: ReportAbout, lines: Vec<Whole>) -> Result<BTreeSet<Seq>, Code> {
    let may_be = match about {
        ReportAbout::Room => 1..=REPORT_LINES,
        ReportAbout::Conversation => 0..=REPORT_LINES,
        ReportAbout::Note | ReportAbout::Page => 0..=0,
    };
    let lines: BTreeSet<_> = lines.into_iter().map(|Whole(seq)| Seq(seq)).collect();
    if may_be.contains(&lines.len()) { Ok(lines) } else { Err(Code::ReportLinesInvalid) }
}

/// What a sealed message says, by whoever has opened it.
fn unchecked(opened: &[OpenedLine], seq: Seq) -> Result<String, Code> {
    let shown = opened.iter().find(|line| line.seq.0 == seq.0).map_or("", |line| &line.words);
    // As long as a caption and a text are, at most.
    let shown = ChatText::try_from(shown).map_err(|_| Code::ReportLinesInvalid)?;
    Ok(format!("{UNCHECKED} {}", shown.as_str()))
}

/// The words of a note.
fn words_of(note: &NoteText, opened: &[OpenedLine]) -> Result<String, Code> {
    if note.is_sealed() { unchecked(opened, Seq(0)) } else { Ok(note.as_str().to_owned()) }
}

async fn note(app: &App, request: &HttpRequest, id: &str, opened: &[OpenedLine]) -> Result<Reported, ApiError> {
    let caller = SignedIn::from_request(request, &mut Payload::None).await?;
    let id = note_id(id)?;
    let found = app.inbox.words_of(caller.account, id, app.clock.timestamp()).await?;
    let (text, date) = found.ok_or(Code::NoSuchNote)?;
    let words = vec![quoted("sender", date_and_time(date), &words_of(&text, opened)?)];
    Ok(Reported { about: About::Note, account: None, words, pictures: Vec::new() })
}

async fn conversation(
    app: &App,
    client: ClientIp,
    request: &HttpRequest,
    id: &str,
    (lines, opened): (BTreeSet<Seq>, Vec<OpenedLine>),
) -> Result<Reported, ApiError> {
    let shown = Shown::from_request(request, &mut Payload::None).await?;
    let visitor = Visitor::with(app, client, id, &shown).await?;
    let found = visitor.find(app).await?.conversation;
    let mut words = vec![quoted("sender", date_and_time(found.date), &words_of(&found.words, &opened)?)];
    for seq in lines {
        let line = found.lines.iter().find(|line| line.seq == seq).ok_or(Code::ReportLineGone)?;
        let text = line.text.as_ref().ok_or(Code::ReportLineGone)?;
        let from = if line.from == Side::Owner { "owner" } else { "sender" };
        let text = if text.is_sealed() { unchecked(&opened, seq)? } else { text.as_str().to_owned() };
        words.push(quoted(from, date_and_time(line.at), &text));
    }
    // An owner who reports stays unnamed: the other side has no account.
    let account = match visitor.side {
        Side::Sender => app.accounts.by_id(found.owner).await?.map(|account| account.username),
        Side::Owner => None,
    };
    Ok(Reported { about: About::Conversation(visitor.side), account, words, pictures: Vec::new() })
}

async fn of_room(
    app: &App,
    client: ClientIp,
    request: &HttpRequest,
    id: &str,
    (lines, opened): (BTreeSet<Seq>, Vec<OpenedLine>),
) -> Result<Reported, ApiError> {
    let metadata = room::known(app, client, id, request).await?;
    let member = app.seats.member(request, metadata.id).ok_or(Code::NotAMember)?;
    let said = said(app, metadata.id, member, &lines).await?;
    if said.values().filter(|chat| chat.image_src.is_some()).count() > REPORT_PICTURES {
        return Err(Code::ReportTooManyPictures.into());
    }
    let (mut words, mut pictures) = (Vec::new(), Vec::new());
    if metadata.sealed.is_some() {
        for seq in lines {
            let chat = said.get(&seq.0).ok_or(Code::ReportLineGone)?;
            let said = unchecked(&opened, seq)?;
            words.push(quoted(chat.sender, date_and_time(chat.time.second()), &said));
        }
        return Ok(of_group(metadata, words, pictures));
    }
    for seq in lines {
        let chat = said.get(&seq.0).ok_or(Code::ReportLineGone)?;
        let photo = if let Some(path) = &chat.image_src {
            pictures.extend(picture(app, metadata.id, path, words.len()).await?);
            PHOTO
        } else {
            ""
        };
        let said = [photo, &chat.message, &chat.caption].into_iter().filter(|part| !part.is_empty());
        words.push(quoted(chat.sender, date_and_time(chat.time.second()), &said.collect::<Vec<_>>().join(" ")));
    }
    if !pictures.is_empty() {
        app.limits.store_picture(client.0, pictures.iter().map(|picture| picture.jpeg.len()).sum())?;
    }
    Ok(of_group(metadata, words, pictures))
}

/// The messages among these that are still there. Those that stand close together are asked for
/// at once.
async fn said(
    app: &App,
    room: RoomId,
    member: MemberId,
    lines: &BTreeSet<Seq>,
) -> Result<BTreeMap<u64, ChatFrame>, ApiError> {
    let (mut said, mut left) = (BTreeMap::new(), lines.clone());
    while let (Some(first), Some(last)) = (left.first().copied(), left.last().copied()) {
        let limit = usize::try_from(last.0 - first.0).unwrap_or(usize::MAX).saturating_add(1).min(ROOM_PAGE_MAX);
        let view = app.rooms.view(room, Some(member), Some(Seq(last.0.saturating_add(1))), limit).await?;
        view.own.ok_or(Code::NotAMember)?;
        let from = last.0.saturating_sub(limit as u64 - 1);
        left.retain(|seq| seq.0 < from);
        for line in view.lines {
            if let LineFrame::Chat(chat) = line
                && lines.contains(&Seq(chat.seq))
                && !chat.unsent
            {
                said.insert(chat.seq, chat);
            }
        }
    }
    Ok(said)
}

/// A copy of the picture at a path of the group, if it is still there.
async fn picture(app: &App, room: RoomId, path: &str, of: usize) -> Result<Option<ReportPicture>, ApiError> {
    let id = path.rsplit('/').next().and_then(|id| Uuid::try_parse(id).ok()).map(ImageId);
    let (Some(id), Ok(of)) = (id, u16::try_from(of)) else { return Ok(None) };
    match app.images.read(Album::Room(room.0), id).await {
        Ok(jpeg) => Ok(jpeg.map(|jpeg| ReportPicture { of, jpeg })),
        // Its words are reported all the same.
        Err(StoreError::Corrupt) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn of_group(metadata: RoomMetadata, words: Vec<Quoted>, pictures: Vec<ReportPicture>) -> Reported {
    Reported { about: About::Room(alias(metadata.id)), account: Some(metadata.creator), words, pictures }
}

/// A page that everybody can open. Its words aren't taken down: the operator can open it, too.
async fn page(app: &App, client: ClientIp, request: &HttpRequest, path: &str) -> Result<Reported, ApiError> {
    let nobody = || app.limits.missed(client.0, Code::NoSuchPerson);
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    let (name, answer) = match *parts {
        ["room", id] => return Ok(of_group(room::known(app, client, id, request).await?, Vec::new(), Vec::new())),
        [name] => (name, None),
        [name, "a", id] if is_id(id) => (name, Some(id)),
        _ => return Err(nobody()),
    };
    let name = Username::try_from(name.to_owned()).map_err(|_| nobody())?;
    let account = app.accounts.by_username(&name).await?.ok_or_else(nobody)?.username;
    let path = match answer {
        None => format!("/{}", account.as_str()),
        Some(id) => format!("/{}/a/{id}", account.as_str()),
    };
    Ok(Reported { about: About::Page(path), account: Some(account), words: Vec::new(), pictures: Vec::new() })
}

fn is_id(text: &str) -> bool {
    text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn quoted(from: &str, time: String, text: &str) -> Quoted {
    Quoted { from: from.to_owned(), time, text: text.to_owned() }
}
