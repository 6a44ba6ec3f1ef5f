//! The server's calls, as far as they are measured or needed for it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::clock;
use crate::http::{Connection, HttpError, Reply};
use crate::metrics::Commits;
use crate::people::INBOX_NOTES;
use crate::target::Address;
use crate::trouble::Trouble;

mod rooms;

pub(crate) use rooms::Seat;

/// The call that sends a note.
pub(crate) const SEND_NOTE: &str = "/api/annon-message";
/// The call that stores a picture in a room.
pub(crate) const UPLOAD: &str = "/api/room/upload-image";
/// The call that makes an account.
pub(crate) const SIGN_UP: &str = "/api/register";
/// The call that deletes one.
pub(crate) const LEAVE: &str = "/api/user/delete";
/// The call that signs in.
pub(crate) const SIGN_IN: &str = "/api/login";
/// A small call that only reads, for a signed-in user.
pub(crate) const DASHBOARD: &str = "/api/dashboard";
/// Most notes, or lines of a group, the server puts on one page.
pub(crate) const PAGE: usize = 200;

/// Of a path's own words; ids and names of a run are longer.
const LONGEST_WORD: usize = 15;

/// Letters of what a server says that are passed on.
const TOLD_MAX: usize = 200;

const NO_OBJECT: &str = "it is no JSON object";

/// What a caller shows of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Who<'a> {
    Nobody,
    /// Somebody signed in, by their token.
    Token(&'a str),
    /// Somebody with a seat, by their cookie.
    Seat(&'a str),
}

/// A whole request, ready to be sent.
pub(crate) fn request(method: &str, path: &str, host: Address, who: Who<'_>, body: Option<&str>) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
    match who {
        Who::Nobody => {}
        Who::Token(token) => text.push_str(&format!("Authorization: Bearer {token}\r\n")),
        Who::Seat(cookie) => text.push_str(&format!("Cookie: {cookie}\r\n")),
    }
    if let Some(body) = body {
        text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body.unwrap_or_default());
    text.into_bytes()
}

/// A note as its owner reads it.
#[derive(Debug, Deserialize)]
pub(crate) struct NoteItem {
    pub(crate) id: String,
    pub(crate) message: String,
}

/// One connection for what is not itself measured: an answer other than the
/// expected one ends the run.
pub(crate) struct Api {
    address: Address,
    connection: Option<Connection>,
}

impl Api {
    pub(crate) fn new(address: Address) -> Self {
        Self { address, connection: None }
    }

    /// Whether the server says that it is ready.
    pub(crate) async fn is_ready(&mut self) -> Result<bool, Trouble> {
        let answer = self.raw("GET", "/readyz", Who::Nobody, None).await?;
        match (answer.status, serde_json::from_slice::<Value>(&answer.body)) {
            (200, Ok(Value::Object(_))) => Ok(true),
            (503, Ok(Value::Object(_))) => Ok(false),
            (200, _) => Err(odd("/readyz", NO_OBJECT)),
            _ => Err(odd("/readyz", &format!("it is {}", answer.told()))),
        }
    }

    /// The version in the server's description of its API, if it has one.
    pub(crate) async fn version(&mut self) -> Result<Option<String>, Trouble> {
        let Answer { body, .. } = self.raw("GET", "/api/openapi.json", Who::Nobody, None).await?;
        let document: Value = serde_json::from_slice(&body).unwrap_or_default();
        Ok(document["info"]["version"].as_str().map(str::to_owned))
    }

    /// The server's own count of its commits, if it shows it here.
    pub(crate) async fn commits(&mut self) -> Result<Option<Commits>, Trouble> {
        let Ok(Answer { status, body, .. }) = self.raw("GET", "/metrics", Who::Nobody, None).await else {
            return Ok(None);
        };
        Ok(str::from_utf8(&body).ok().filter(|_| status == 200).and_then(Commits::parse))
    }

    /// Makes an account.
    pub(crate) async fn sign_up(&mut self, name: &str, password: &str) -> Result<(), Trouble> {
        self.expect(201, "POST", SIGN_UP, Who::Nobody, Some(sign_up_body(name, password))).await.map(drop)
    }

    /// Gets a token.
    pub(crate) async fn sign_in(&mut self, name: &str, password: &str) -> Result<String, Trouble> {
        let answer = self.expect(200, "POST", SIGN_IN, Who::Nobody, Some(sign_in_body(name, password))).await?;
        word(&answer, "access_token", SIGN_IN)
    }

    /// Where notes to somebody go.
    pub(crate) async fn target(&mut self, name: &str) -> Result<String, Trouble> {
        let path = format!("/api/annon/{name}");
        word(&self.expect(200, "GET", &path, Who::Nobody, None).await?, "message", &path)
    }

    /// Sends a note.
    pub(crate) async fn send(&mut self, target: &str, words: &str) -> Result<(), Trouble> {
        let body = json!({"id": target, "message": words});
        self.expect(201, "POST", SEND_NOTE, Who::Nobody, Some(body)).await.map(drop)
    }

    /// A page of an inbox, newest first.
    async fn messages(&mut self, token: &str, before: Option<&str>) -> Result<Vec<NoteItem>, Trouble> {
        let before = before.map_or(String::new(), |id| format!("&before={id}"));
        let path = format!("/api/messages?limit={PAGE}{before}");
        let mut answer = self.expect(200, "GET", &path, Who::Token(token), None).await?;
        serde_json::from_value(answer["data"].take()).map_err(|error| odd("/api/messages", &error.to_string()))
    }

    /// A whole inbox, newest first. A server that answers with the same page
    /// for ever is found out by the notes that are there twice.
    pub(crate) async fn inbox(&mut self, token: &str) -> Result<Vec<NoteItem>, Trouble> {
        let mut notes: Vec<NoteItem> = Vec::new();
        loop {
            let page = self.messages(token, notes.last().map(|note| note.id.as_str())).await?;
            let is_last = page.len() < PAGE;
            notes.extend(page);
            if is_last || notes.len() > 2 * INBOX_NOTES as usize {
                return Ok(notes);
            }
        }
    }

    /// Deletes the account with everything in it.
    pub(crate) async fn leave(&mut self, token: &str, password: &str) -> Result<(), Trouble> {
        self.expect(200, "DELETE", LEAVE, Who::Token(token), Some(leave_body(password))).await.map(drop)
    }

    async fn expect(
        &mut self,
        wanted: u16,
        method: &str,
        path: &str,
        who: Who<'_>,
        body: Option<Value>,
    ) -> Result<Value, Trouble> {
        let answered = self.raw(method, path, who, body).await?;
        let answer = answered.expect(wanted, path)?;
        if answer.is_object() { Ok(answer) } else { Err(odd(path, NO_OBJECT)) }
    }

    async fn raw(&mut self, method: &str, path: &str, who: Who<'_>, body: Option<Value>) -> Result<Answer, Trouble> {
        let body = body.map(|body| body.to_string());
        let bytes = request(method, path, self.address, who, body.as_deref());
        let answered = self.exchange(&bytes).await;
        let no_answer = |error| Trouble::because(format!("http://{} at {}: {error}", self.address, kind(path)));
        answered.map(|(answer, _)| answer).map_err(no_answer)
    }

    /// Sends a whole request, and tells how long its answer took.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<(Answer, Duration), HttpError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.address).await?,
        };
        let sent = clock::now();
        let Reply { status, body, cookie, is_kept } = connection.call(request).await?;
        let took = sent.elapsed();
        let body = body.to_vec();
        self.connection = is_kept.then_some(connection);
        Ok((Answer { status, body, cookie }, took))
    }
}

/// What a call was answered with.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
    pub(crate) cookie: Option<String>,
}

impl Answer {
    /// The body, if the status is the expected one.
    pub(crate) fn expect(&self, wanted: u16, path: &str) -> Result<Value, Trouble> {
        let Self { status, body, .. } = self;
        let answer: Value = serde_json::from_slice(body).unwrap_or_default();
        if *status == wanted {
            return Ok(answer);
        }
        if *status == 429 {
            return Err(Trouble::because(format!(
                "the server limits calls per address ({}: 429): start it with --address-limits off",
                kind(path)
            )));
        }
        let (told, path) = (self.told(), kind(path));
        Err(Trouble::because(format!("{path} was answered with {told} instead of {wanted}")))
    }

    /// The status, and what the server says of it.
    pub(crate) fn told(&self) -> String {
        let answer: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        let said = answer["message"].as_str().unwrap_or("nothing that can be read");
        let said: String = said.chars().take(TOLD_MAX).collect();
        format!("{} ({said})", self.status)
    }
}

/// A path without whom or what it names: failures are counted by their kind.
fn kind(path: &str) -> String {
    let path = path.split('?').next().unwrap_or_default();
    path.split('/').map(|part| if part.len() > LONGEST_WORD { "…" } else { part }).collect::<Vec<_>>().join("/")
}

/// The body of a sign-up.
pub(crate) fn sign_up_body(name: &str, password: &str) -> Value {
    json!({"username": name, "email": format!("{name}@bench.example"), "password": password})
}

/// The body of a sign-in.
pub(crate) fn sign_in_body(name: &str, password: &str) -> Value {
    json!({"email_or_username": name, "password": password})
}

/// The body of the call that deletes an account.
pub(crate) fn leave_body(password: &str) -> Value {
    json!({"password": password})
}

/// A field that holds words.
pub(crate) fn word(answer: &Value, field: &str, path: &str) -> Result<String, Trouble> {
    answer[field].as_str().map(str::to_owned).ok_or_else(|| odd(path, &format!("it has no {field}")))
}

pub(crate) fn odd(path: &str, why: &str) -> Trouble {
    Trouble::because(format!("the answer to {path} is not Annon's: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_path_names_is_not_its_kind() {
        let seat = "/api/room/0b5c1f5e-0000-4000-8000-000000000000/seat";
        assert_eq!(kind(seat), "/api/room/…/seat");
        assert_eq!(kind("/api/messages?limit=200&before=x"), "/api/messages");
        assert_eq!(kind(UPLOAD), UPLOAD);
        let limited = Answer { status: 429, body: Vec::new(), cookie: None };
        let why = limited.expect(200, seat).unwrap_err().to_string();
        assert!(why.contains("(/api/room/…/seat: 429)"), "{why}");
    }
}
