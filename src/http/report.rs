//! Reports to the operator. Whoever makes one chooses what to show; the words come from the
//! server's own record, so that nobody can report what was never said.

use std::collections::BTreeSet;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpRequest};
use annon_actors::clock::date_and_time;
use annon_actors::ids::growing_id;
use annon_actors::room::frame::LineFrame;
use annon_contract::code::Code;
use annon_contract::limits::{REPORT_LINES, REPORT_OF_PAGE_MIN};
use annon_store::StoreError;
use annon_store::account::Username;
use annon_store::conversation::Side;
use annon_store::report::{About, Quoted, Report, ReportId, ReportText};
use annon_store::room::{RoomMetadata, Seq};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::SignedIn;
use crate::body::{Json, JsonRefusal, Whole, choice};
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::conversation::{Shown, Visitor};
use crate::http::inbox::note_id;
use crate::http::{room, to_the_end};
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;
use crate::operator::rooms::alias;
use crate::seat::CarriedSeat;

/// The text that stands for a picture.
const PHOTO: &str = "(a photo)";

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
    /// What the caller adds. About a page it has to be at least 10 characters.
    #[serde(default)]
    #[schema(required = false, example = "This is about a friend of mine, and it isn't true.")]
    words: String,
}

/// What was found to be there.
struct Reported {
    about: About,
    /// The username of whoever is responsible, if that is known.
    account: Option<Username>,
    words: Vec<Quoted>,
}

/// Reports something to the operator.
///
/// The operator sees what is reported, with the words as they are stored, and what the caller
/// adds. Who the caller is isn't kept.
#[utoipa::path(post, path = "/api/report", tag = "feedback", security((), ("bearer" = []), ("annon" = [])),
    params(CarriedSeat), request_body = SendReport, responses(
    (status = 201, body = Outcome), (status = 401, body = Refusal, description = "A note is reported by its owner, who shows a token"),
    (status = 403, body = Refusal, description = "The caller has no seat in the group"), (status = 404, body = Refusal),
    (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal),
    JsonRefusal))]
pub async fn send(app: Data<App>, client: ClientIp, request: HttpRequest, Json(form): Json<SendReport>) -> Answer {
    let SendReport { about, id, lines, words } = form;
    let text = ReportText::try_from(&*words)?;
    let lines = chosen(about, lines)?;
    if about == ReportAbout::Page && text.as_str().chars().count() < REPORT_OF_PAGE_MIN {
        return Err(Code::ReportTooShort.into());
    }
    app.limits.take(Call::Report, client.0)?;
    let Reported { about, account, words } = match about {
        ReportAbout::Note => note(&app, &request, &id).await?,
        ReportAbout::Conversation => conversation(&app, client, &request, &id, lines).await?,
        ReportAbout::Room => of_room(&app, client, &request, &id, lines).await?,
        ReportAbout::Page => page(&app, client, &id).await?,
    };
    let account = account.map(|name| name.as_str().to_owned());
    let (id, date) = (ReportId(growing_id()), app.clock.timestamp());
    let report = Report { id, date, about, account, words, text, closed: None };
    to_the_end(async move { Ok(app.reports.add(report).await.map_err(instead([(StoreError::Full, Code::NoSpace)]))?) })
        .await?;
    Ok(Outcome::response(StatusCode::CREATED, "Report sent"))
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

async fn note(app: &App, request: &HttpRequest, id: &str) -> Result<Reported, ApiError> {
    let caller = SignedIn::from_request(request, &mut Payload::None).await?;
    let id = note_id(id)?;
    let found = app.inbox.words_of(caller.account, id, app.clock.timestamp()).await?;
    let (text, date) = found.ok_or(Code::NoSuchNote)?;
    let words = vec![quoted("sender", date_and_time(date), text.as_str())];
    Ok(Reported { about: About::Note, account: None, words })
}

async fn conversation(
    app: &App,
    client: ClientIp,
    request: &HttpRequest,
    id: &str,
    lines: BTreeSet<Seq>,
) -> Result<Reported, ApiError> {
    let shown = Shown::from_request(request, &mut Payload::None).await?;
    let visitor = Visitor::with(app, client, id, &shown).await?;
    let found = visitor.find(app).await?.conversation;
    let mut words = vec![quoted("sender", date_and_time(found.date), found.words.as_str())];
    for seq in lines {
        let line = found.lines.iter().find(|line| line.seq == seq).ok_or(Code::ReportLineGone)?;
        let text = line.text.as_ref().ok_or(Code::ReportLineGone)?;
        let from = if line.from == Side::Owner { "owner" } else { "sender" };
        words.push(quoted(from, date_and_time(line.at), text.as_str()));
    }
    // An owner who reports stays unnamed: the other side has no account.
    let account = match visitor.side {
        Side::Sender => app.accounts.by_id(found.owner).await?.map(|account| account.username),
        Side::Owner => None,
    };
    Ok(Reported { about: About::Conversation(visitor.side), account, words })
}

async fn of_room(
    app: &App,
    client: ClientIp,
    request: &HttpRequest,
    id: &str,
    lines: BTreeSet<Seq>,
) -> Result<Reported, ApiError> {
    let metadata = room::known(app, client, id).await?;
    let member = app.seats.member(request, metadata.id).ok_or(Code::NotAMember)?;
    let mut words = Vec::new();
    for seq in lines {
        let after = Seq(seq.0.saturating_add(1));
        let view = app.rooms.view(metadata.id, Some(member), Some(after), 1).await?;
        view.own.ok_or(Code::NotAMember)?;
        let Some(LineFrame::Chat(chat)) = view.lines.last() else { return Err(Code::ReportLineGone.into()) };
        if chat.seq != seq.0 || chat.unsent {
            return Err(Code::ReportLineGone.into());
        }
        let photo = if chat.image_src.is_some() { PHOTO } else { "" };
        let said = [photo, &chat.message, &chat.caption].into_iter().filter(|part| !part.is_empty());
        words.push(quoted(chat.sender, date_and_time(chat.time.second()), &said.collect::<Vec<_>>().join(" ")));
    }
    Ok(of_group(metadata, words))
}

fn of_group(metadata: RoomMetadata, words: Vec<Quoted>) -> Reported {
    Reported { about: About::Room(alias(metadata.id)), account: Some(metadata.creator), words }
}

/// A page that everybody can open. Its words aren't taken down: the operator can open it, too.
async fn page(app: &App, client: ClientIp, path: &str) -> Result<Reported, ApiError> {
    let nobody = || app.limits.missed(client.0, Code::NoSuchPerson);
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    let (name, answer) = match *parts {
        ["room", id] => return Ok(of_group(room::known(app, client, id).await?, Vec::new())),
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
    Ok(Reported { about: About::Page(path), account: Some(account), words: Vec::new() })
}

fn is_id(text: &str) -> bool {
    text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn quoted(from: &str, time: String, text: &str) -> Quoted {
    Quoted { from: from.to_owned(), time, text: text.to_owned() }
}
