//! A chat server with Annon's frames over actix-ws, as a user would write it: what `bun-annon.js`
//! does, in Rust. It stores nothing.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};

use actix_web::cookie::Cookie;
use actix_web::web::{Data, Path, Payload};
use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer, rt, web};
use actix_ws::{AggregatedMessage, Session};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use uuid::Uuid;

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

const EMOJIS: [&str; 10] = ["🦊", "🐼", "🐸", "🦉", "🐙", "🐝", "🦀", "🐳", "🌵", "🍄"];

#[derive(Default)]
struct Room {
    seq: u64,
    seats: HashMap<String, &'static str>,
    sockets: HashMap<u64, Session>,
    next_socket: u64,
}

/// A room is locked while a frame is sent, so that all members get frames in one order.
type SharedRoom = Arc<tokio::sync::Mutex<Room>>;
type Rooms = Mutex<HashMap<String, SharedRoom>>;

fn room(rooms: &Rooms, id: &str) -> SharedRoom {
    rooms.lock().unwrap_or_else(PoisonError::into_inner).entry(id.to_owned()).or_default().clone()
}

async fn seat(rooms: Data<Rooms>, id: Path<String>, request: HttpRequest) -> HttpResponse {
    let room = room(&rooms, &id);
    let mut room = room.lock().await;
    if let Some(held) = request.cookie("annon_seat").and_then(|cookie| room.seats.get(cookie.value()).copied()) {
        return HttpResponse::Ok().json(held);
    }
    let Some(emoji) = EMOJIS.get(room.seats.len()) else {
        return HttpResponse::Forbidden().json(json!({ "status": 403, "message": "This group is full" }));
    };
    let fresh = Uuid::new_v4().to_string();
    room.seats.insert(fresh.clone(), emoji);
    let cookie = Cookie::build("annon_seat", fresh).path("/api").http_only(true).finish();
    HttpResponse::Ok().cookie(cookie).json(emoji)
}

/// The frame that everybody gets, or what the sender is told.
fn hear(room: &mut Room, emoji: &str, text: &str) -> Result<Option<String>, String> {
    let refused = |message: &str| Err(json!({ "event": "event.error", "message": message }).to_string());
    let Ok(frame) = serde_json::from_str::<Value>(text) else { return refused("That is not a frame.") };
    let said = &frame["message"];
    match said["event"].as_str() {
        Some("event.connect") => {
            return Err(json!({ "event": "event.ready", "last_seq": room.seq, "resumed": true }).to_string());
        }
        Some("event.chat") => {}
        _ => return Ok(None),
    }
    let (Some(id), Some(message)) = (said["id"].as_str(), said["message"].as_str()) else {
        return refused("A message needs an id and a text.");
    };
    if id.len() != 15 || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return refused("A message needs an id.");
    }
    if !(1..=255).contains(&message.chars().count()) {
        return refused("A message has 1 to 255 characters.");
    }
    room.seq += 1;
    Ok(Some(
        json!({
            "event": "event.chat", "id": id, "sender": emoji, "message": message, "caption": "",
            "image_src": null, "image_low": null, "reply": null, "time": "18:05:59.123", "seq": room.seq,
        })
        .to_string(),
    ))
}

async fn socket(
    rooms: Data<Rooms>,
    id: Path<String>,
    request: HttpRequest,
    body: Payload,
) -> Result<HttpResponse, Error> {
    let room = room(&rooms, &id);
    let cookie = request.cookie("annon_seat");
    let seated = room.lock().await;
    let emoji = cookie.and_then(|cookie| seated.seats.get(cookie.value()).copied());
    drop(seated);
    let Some(emoji) = emoji else { return Ok(HttpResponse::Forbidden().body("no seat")) };
    let (response, session, messages) = actix_ws::handle(&request, body)?;
    rt::spawn(serve(room, emoji, session, messages));
    Ok(response)
}

async fn serve(room: SharedRoom, emoji: &'static str, mut session: Session, messages: actix_ws::MessageStream) {
    let number = {
        let mut room = room.lock().await;
        room.next_socket += 1;
        let number = room.next_socket;
        room.sockets.insert(number, session.clone());
        number
    };
    let mut messages = messages.max_frame_size(16 * 1024).aggregate_continuations();
    while let Some(Ok(message)) = messages.next().await {
        match message {
            AggregatedMessage::Text(text) => {
                let mut room = room.lock().await;
                match hear(&mut room, emoji, &text) {
                    Ok(Some(frame)) => {
                        for member in room.sockets.values_mut() {
                            let _ = member.text(frame.clone()).await;
                        }
                    }
                    Ok(None) => {}
                    Err(answer) => {
                        let _ = session.text(answer).await;
                    }
                }
            }
            AggregatedMessage::Ping(bytes) => {
                let _ = session.pong(&bytes).await;
            }
            AggregatedMessage::Close(_) => break,
            _ => {}
        }
    }
    room.lock().await.sockets.remove(&number);
    let _ = session.close(None).await;
}

#[actix_web::main]
async fn main() -> std::io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    println!("actix-ws listening on {}", listener.local_addr()?.port());
    let rooms = Data::new(Rooms::default());
    HttpServer::new(move || {
        App::new()
            .app_data(rooms.clone())
            .route("/api/room-emoji/{id}", web::get().to(seat))
            .route("/api/room/{id}/socket", web::get().to(socket))
    })
    .listen(listener)?
    .run()
    .await
}
