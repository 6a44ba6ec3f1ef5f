//! Calls that are not measured themselves: an unexpected answer ends the run.

use std::fmt::Display;

use serde::Deserialize;
use serde_json::Value;

use crate::load::http::{Call, Client, Reply, Who, hint};
use crate::trouble::{Fallible, Trouble};

/// The most notes, or lines of a group, that the server puts on one page.
pub(crate) const PAGE: usize = 200;
/// The most notes that an inbox holds.
pub(crate) const INBOX_NOTES: usize = 10_000;

#[derive(Deserialize)]
pub(crate) struct NoteItem {
    pub(crate) id: String,
    pub(crate) message: String,
    /// The target id that it was sealed for.
    pub(crate) sealed: Option<String>,
}

/// A place in a room.
pub(crate) struct Seat {
    /// The emoji by which the other members see its owner.
    pub(crate) emoji: String,
    /// The name and value of the cookie that proves the seat.
    pub(crate) cookie: String,
}

impl Client {
    pub(crate) async fn is_ready(&mut self) -> Fallible<bool> {
        let call = Call::get("/readyz", Who::Nobody);
        let reply = self.ask(&call).await?;
        match (reply.status, reply.json()) {
            (200, Value::Object(_)) => Ok(true),
            (503, Value::Object(_)) => Ok(false),
            _ => odd(&call, format!("it is {reply}")),
        }
    }

    /// A counter of the server, if it shows its metrics here.
    pub(crate) async fn counter(&mut self, name: &str) -> Option<f64> {
        let reply = self.ask(&Call::get("/metrics", Who::Nobody)).await.ok()?;
        let text = str::from_utf8(&reply.body).ok()?;
        text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
    }

    /// A whole inbox, newest first. The reading ends after twice as many notes as an inbox holds,
    /// because a server may answer with the same page for ever.
    pub(crate) async fn inbox(&mut self, token: &str) -> Fallible<Vec<NoteItem>> {
        let mut notes: Vec<NoteItem> = Vec::new();
        loop {
            let before = notes.last().map_or(String::new(), |note| format!("&before={}", note.id));
            let call = Call::get(&format!("/api/messages?limit={PAGE}{before}"), Who::Token(token));
            let page: Result<Vec<NoteItem>, _> = serde_json::from_value(self.expect(200, &call).await?["data"].take());
            let Ok(page) = page else { return odd(&call, "it holds no notes") };
            let is_last = page.len() < PAGE;
            notes.extend(page);
            if is_last || notes.len() > 2 * INBOX_NOTES {
                return Ok(notes);
            }
        }
    }

    /// Takes a new seat, or finds the cookie's seat.
    pub(crate) async fn seat(&mut self, room: &str, cookie: Option<&str>) -> Fallible<Seat> {
        let call = Call::get(&format!("/api/room-emoji/{room}"), cookie.map_or(Who::Nobody, Who::Seat));
        let reply = self.ask(&call).await?;
        let given = reply.cookie.clone().or_else(|| cookie.map(str::to_owned));
        match (expected(200, &call, &reply)?, given) {
            (Value::String(emoji), Some(cookie)) => Ok(Seat { emoji, cookie }),
            _ => odd(&call, "it is no JSON string with a cookie"),
        }
    }

    /// The check of a sealed group's key and its sealed name; `None` if the group isn't sealed.
    pub(crate) async fn sealed_head(&mut self, room: &str, cookie: &str) -> Fallible<Option<(String, String)>> {
        let call = Call::get(&format!("/api/room/{room}?limit=1"), Who::Seat(cookie));
        let sealed = self.expect(200, &call).await?["data"]["sealed"].take();
        if sealed.is_null() {
            return Ok(None);
        }
        Ok(Some((word(&sealed, "check", &call)?, word(&sealed, "name", &call)?)))
    }

    /// The newest lines of a room, or those before a place, oldest first.
    pub(crate) async fn room_lines(&mut self, room: &str, cookie: &str, before: Option<u64>) -> Fallible<Vec<Value>> {
        let before = before.map_or(String::new(), |seq| format!("?before={seq}"));
        let call = Call::get(&format!("/api/room/{room}{before}"), Who::Seat(cookie));
        match self.expect(200, &call).await?["data"]["messages"].take() {
            Value::Array(lines) => Ok(lines),
            _ => odd(&call, "it has no messages"),
        }
    }

    /// The room's lines after a place, read page by page from the end. A page that comes again ends
    /// the reading.
    pub(crate) async fn room_since(&mut self, room: &str, cookie: &str, since: u64) -> Fallible<Vec<Value>> {
        let seq = |line: &Value| line["seq"].as_u64().unwrap_or_default();
        let (mut pages, mut before) = (Vec::new(), None);
        while before.is_none_or(|before| before > since + 1) {
            let page = self.room_lines(room, cookie, before).await?;
            let is_earlier = |first: &u64| before.is_none_or(|before| *first < before);
            let Some(first) = page.first().map(seq).filter(is_earlier) else { break };
            before = Some(first);
            pages.push(page);
        }
        Ok(pages.into_iter().rev().flatten().filter(|line| seq(line) > since).collect())
    }

    /// Makes a call, and returns the JSON object of its answer.
    pub(crate) async fn expect(&mut self, wanted: u16, call: &Call) -> Fallible<Value> {
        let answer = expected(wanted, call, &self.ask(call).await?)?;
        if answer.is_object() { Ok(answer) } else { odd(call, "it is no JSON object") }
    }
}

/// The body of a reply, if its status is the expected one.
pub(crate) fn expected(wanted: u16, call: &Call, reply: &Reply) -> Fallible<Value> {
    if reply.status == wanted {
        return Ok(reply.json());
    }
    let (kind, hint) = (call.kind(), hint(reply.status));
    Trouble::because(format!("{kind} was answered with {reply} instead of {wanted}{hint}"))
}

/// A text field of an answer.
pub(crate) fn word(answer: &Value, field: &str, call: &Call) -> Fallible<String> {
    answer[field].as_str().map_or_else(|| odd(call, format!("it has no {field}")), |word| Ok(word.to_owned()))
}

pub(crate) fn odd<T>(call: &Call, why: impl Display) -> Fallible<T> {
    Trouble::because(format!("the answer to {} is not Annon's: {why}", call.kind()))
}
