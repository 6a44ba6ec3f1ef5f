//! WebSocket handshakes. Everything is checked before the upgrade; after it
//! the actors own the connection.

use annon_contract::code::Code;
use std::time::Duration;

use actix_http::ws;
use actix_web::http::header::{CONTENT_LENGTH, HeaderValue, SEC_WEBSOCKET_PROTOCOL, TRANSFER_ENCODING};
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, rt};
use annon_actors::conversation::{Talker, Viewer};
use annon_actors::inbox::{TokenFilter, Watcher};
use annon_actors::session::Takeover;

use crate::app::App;
use crate::auth::{SOCKET_PROTOCOL, SignedIn, offered_beside};
use crate::error::{Answer, Refusal};
use crate::http::conversation::{KEY_PROTOCOL, Shown, Visitor};
use crate::http::room;
use crate::net::client::ClientIp;
use crate::net::origin::is_from_here;
use crate::net::takeover::AllowsTakeover;
use crate::seat;

/// Opens a WebSocket for the caller's inbox.
///
/// The token is sent as the second subprotocol:
/// `Sec-WebSocket-Protocol: bearer, <token>`. After `event.ready`, the server
/// sends an `event.inbox` for every new note and every change of the unread
/// count, and an `event.room` when one of the caller's groups has changed. A
/// client can send `{"event":"event.connect"}` to test whether the connection
/// still works: the server replies with `event.ready`. With `{"event":"event.visible","on":false}` it
/// says that nobody sees its page any more, and with `true` that somebody does: only while a page is
/// seen no browser is told of notes by web push.
#[utoipa::path(get, path = "/api/inbox/socket", tag = "inbox", responses(
    (status = 101, description = "A WebSocket"), (status = 400, body = Refusal), (status = 401, body = Refusal),
    (status = 403, body = Refusal, description = "The request comes from another site's page"), (status = 429, body = Refusal),
    (status = 503, body = Refusal)))]
pub async fn inbox(app: Data<App>, client: ClientIp, request: HttpRequest) -> Answer {
    app.may_open_socket()?;
    if !is_from_here(&app, &request) {
        return Err(Code::SocketFromElsewhere.into());
    }
    let caller = app.tokens.check(offered_beside(&request, SOCKET_PROTOCOL).ok_or(Code::SignedOut)?).await?;
    let guard = app.limits.open_socket(client.0)?;
    let role =
        Watcher::new(app.inboxes.clone(), caller.account, (caller.token, caller.version), app.inbox.last_change());
    let mut response = handshake(&request, SOCKET_PROTOCOL)?;
    let lives_for = Some(app.tokens.time_left(&caller));
    let takeover = Takeover::new(role, app.clock.clone(), lives_for, Box::new(guard));
    response.extensions_mut().insert(takeover);
    look_again(app, caller);
    Ok(response)
}

/// Opens a WebSocket for a conversation.
///
/// The second subprotocol shows whose it is: `Sec-WebSocket-Protocol: bearer, <token>` for the
/// owner, `annon-key, <key>` for the sender. The client begins with
/// `{"event":"event.connect","since":<seq>}`; `since` is the last `seq` it has, and may be left
/// out. The server sends what came after it, then an `event.ready`, and from then on everything
/// as it happens: `event.line`, `event.seen`, `event.unsend` and `event.open`. The client can
/// send `{"event":"event.seen","seq":<seq>}` when all lines up to that one were seen, and
/// `event.connect` again to test whether the connection still works. It says something with
/// `{"event":"event.line","id":<id>,"message":<text>}`, as the call does: the line comes back as
/// an `event.line` once it is on disk, or an `event.error` with its `id` says why it isn't said.
/// A `reply` with the `seq` of another line answers that one. With
/// `{"event":"event.react","id":<id>,"line":<seq>,"emoji":<emoji>,"on":true}` it reacts to a line, or
/// takes that back: an `event.react` tells both sides all reactions that the line has then.
/// With `{"event":"event.typing"}` the other side's windows that are open now are told that somebody
/// is writing.
#[utoipa::path(get, path = "/api/conversation/{id}/socket", tag = "conversation",
    params(("id" = String, Path, description = "The conversation's id")), responses(
    (status = 101, description = "A WebSocket"), (status = 400, body = Refusal), (status = 401, body = Refusal),
    (status = 403, body = Refusal, description = "The request comes from another site's page"), (status = 404, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn conversation(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    app.may_open_socket()?;
    if !is_from_here(&app, &request) {
        return Err(Code::SocketFromElsewhere.into());
    }
    let (shown, protocol) = match offered_beside(&request, KEY_PROTOCOL) {
        Some(key) => (Shown::Key(key.to_owned()), KEY_PROTOCOL),
        None => {
            let token = offered_beside(&request, SOCKET_PROTOCOL).ok_or(Code::SignedOut)?;
            (Shown::Token(app.tokens.check(token).await?), SOCKET_PROTOCOL)
        }
    };
    let visitor = Visitor::with(&app, client, &id, &shown).await?;
    visitor.find(&app).await?;
    let guard = app.limits.open_socket(client.0)?;
    let (viewer, caller) = match shown {
        Shown::Key(_) => (Viewer::Sender, None),
        Shown::Token(caller) => {
            let SignedIn { account, token, version, .. } = caller;
            (Viewer::Owner { account, token, version }, Some(caller))
        }
    };
    let role = Talker::new(app.talks.clone(), visitor.id, visitor.door, viewer);
    let mut response = handshake(&request, protocol)?;
    let lives_for = caller.map(|caller| app.tokens.time_left(&caller));
    response.extensions_mut().insert(Takeover::new(role, app.clock.clone(), lives_for, Box::new(guard)));
    if let Some(caller) = caller {
        look_again(app, caller);
    }
    Ok(response)
}

/// Opens a WebSocket for a group in which the caller has a seat.
///
/// The seat is checked before the upgrade. It is the cookie's or, if the page
/// carries its seat, the second subprotocol:
/// `Sec-WebSocket-Protocol: annon-seat, <seat>`.
///
/// Send `event.connect` first, with the last `seq` you have seen as `since`.
/// The server then sends what you missed, `event.ready`, and from then on
/// everything as it happens.
#[utoipa::path(get, path = "/api/room/{id}/socket", tag = "room", params(("id" = Uuid, Path, description = "The group's id")),
    responses((status = 101, description = "A WebSocket"), (status = 400, body = Refusal), (status = 403, body = Refusal),
    (status = 404, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal)))]
pub async fn room(app: Data<App>, client: ClientIp, id: Path<String>, request: HttpRequest) -> Answer {
    app.may_open_socket()?;
    if !is_from_here(&app, &request) {
        return Err(Code::SocketFromElsewhere.into());
    }
    let room = room::known(&app, client, &id, &request).await?.id;
    let member = app.seats.member(&request, room).ok_or(Code::NotAMember)?;
    let guard = app.limits.open_socket(client.0)?;
    let role = app.rooms.socket(room, member).await?;
    let mut response = handshake(&request, seat::SOCKET_PROTOCOL)?;
    response.extensions_mut().insert(Takeover::new(role, app.clock.clone(), None, Box::new(guard)));
    Ok(response)
}

/// The answer to a handshake. It accepts our subprotocol if the client offered
/// it. The `Takeover` in its extensions takes the connection over.
fn handshake(request: &HttpRequest, protocol: &'static str) -> Answer {
    // A connection that stays HTTP must not get a 101: the server would read
    // the bytes after the request as the next request.
    request.app_data::<AllowsTakeover>().ok_or(Code::NotUpgraded)?;
    let headers = request.headers();
    let has_body = headers.get(CONTENT_LENGTH).is_some_and(|length| length != "0");
    if has_body || headers.contains_key(TRANSFER_ENCODING) {
        return Err(Code::NotUpgraded.into());
    }
    let mut response = ws::handshake(request.head()).map_err(|_| Code::NotUpgraded)?;
    if offered_beside(request, protocol).is_some() {
        response.insert_header((SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(protocol)));
    }
    Ok(response.finish().map_into_boxed_body().into())
}

/// Checks the token again a second later: a sign-out between the first check
/// and the socket's registration found no socket to close.
fn look_again(app: Data<App>, caller: SignedIn) {
    rt::spawn(async move {
        rt::time::sleep(Duration::from_secs(1)).await;
        match app.tokens.is_good(&caller).await {
            Ok(true) => {}
            // With other nodes, the tokens of all windows are checked now and then.
            Err(_) if app.store.wire().is_some() => {}
            Ok(false) | Err(_) => app.inboxes.sign_out(caller.account, TokenFilter::Only(caller.token)),
        }
    });
}
