//! A server that speaks just enough of the API, with one fault.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

/// The fault of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It makes no mistake.
    None,
    /// It acknowledges some notes and does not keep them.
    Loses,
    /// It keeps one note twice.
    Doubles,
    /// It puts a note into another inbox.
    Misplaces,
    /// It answers every request for a page with the newest page.
    Repeats,
    /// It answers every note with 500, and keeps none.
    Fails,
    /// It makes no more than 25 accounts.
    Limits,
    /// It is a web server that has no such page.
    NotThere,
    /// It redirects all calls to another server.
    Redirects,
    /// It closes the connection without an answer.
    HangsUp,
    /// It answers with an error that has several lines.
    Rambles,
    /// It is no web server.
    NotHttp,
    /// It is a web server that is not Annon.
    NotAnnon,
}

type Inboxes = BTreeMap<String, Vec<String>>;
type Hosts = Arc<Mutex<BTreeSet<String>>>;

/// A wrong server. It runs until the test ends.
pub(crate) struct FaultyServer {
    pub(crate) url: String,
    inboxes: Arc<Mutex<Inboxes>>,
    /// The hosts that clients asked for.
    hosts: Hosts,
}

impl FaultyServer {
    pub(crate) fn start(fault: Fault) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (inboxes, hosts) = (Arc::new(Mutex::new(Inboxes::new())), Hosts::default());
        let (kept, asked) = (inboxes.clone(), hosts.clone());
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let (kept, asked) = (kept.clone(), asked.clone());
                thread::spawn(move || serve(stream, fault, &kept, &asked));
            }
        });
        Self { url, inboxes, hosts }
    }

    /// The hosts that clients asked for.
    pub(crate) fn hosts(&self) -> Vec<String> {
        self.hosts.lock().unwrap().iter().cloned().collect()
    }

    /// How many accounts it has.
    pub(crate) fn accounts(&self) -> usize {
        self.inboxes.lock().unwrap().len()
    }
}

/// Answers until the client closes the connection.
fn serve(mut stream: TcpStream, fault: Fault, inboxes: &Mutex<Inboxes>, hosts: &Mutex<BTreeSet<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut first = String::new();
        reader.read_line(&mut first).ok().filter(|read| *read > 0)?;
        if fault == Fault::NotHttp {
            stream.write_all(b"220 mail.example ESMTP\r\n").ok()?;
            return None;
        }
        if fault == Fault::HangsUp {
            return None;
        }
        let (mut length, mut token) = (0, String::new());
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            match line.trim_end().split_once(": ") {
                Some(("content-length", value)) => length = value.parse().ok()?,
                Some(("authorization", value)) => token = value.replace("Bearer ", ""),
                Some(("host", value)) => drop(hosts.lock().unwrap().insert(value.to_owned())),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let path = first.split(' ').nth(1)?;
        let (status, answer) = answer(path, &token, &body, fault, &mut inboxes.lock().unwrap());
        let answer = answer.to_string();
        let elsewhere = if fault == Fault::Redirects { "Location: https://notes.example/\r\n" } else { "" };
        write!(stream, "HTTP/1.1 {status} X\r\n{elsewhere}Content-Length: {}\r\n\r\n{answer}", answer.len()).ok()?;
    }
}

/// Answers a call. A name serves as its target and its token, too.
fn answer(path: &str, token: &str, body: &Value, fault: Fault, inboxes: &mut Inboxes) -> (u16, Value) {
    let word = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
    if fault == Fault::NotThere {
        return (404, json!({"message": "no such page"}));
    }
    if fault == Fault::Redirects {
        return (301, json!("Moved"));
    }
    if fault == Fault::Rambles {
        return (500, json!({"message": format!("first line\nsecond\u{1b}[2J line{}", " and on".repeat(999))}));
    }
    if fault == Fault::NotAnnon {
        return (200, json!("Welcome to nginx!"));
    }
    match path.split(['?', '&']).next().unwrap_or_default() {
        "/readyz" => (200, json!({"status": 200})),
        "/api/register" if fault == Fault::Limits && inboxes.len() == 25 => (429, json!({"status": 429})),
        "/api/register" => {
            inboxes.insert(word("username"), Vec::new());
            (201, json!({"status": 201}))
        }
        "/api/login" => (200, json!({"access_token": word("email_or_username")})),
        "/api/user/delete" => {
            inboxes.remove(token);
            (200, json!({"status": 200}))
        }
        "/api/annon-message" if fault == Fault::Fails => (500, json!({"status": 500})),
        "/api/annon-message" => {
            let (mut to, text) = (word("id"), word("message"));
            let is_changed = text.contains(" note 3 ");
            if is_changed && fault == Fault::Misplaces {
                to = inboxes.keys().find(|name| **name != to).unwrap().clone();
            }
            let copies = match fault {
                Fault::Loses if is_changed => 0,
                Fault::Doubles if is_changed => 2,
                _ => 1,
            };
            let inbox = inboxes.get_mut(&to).unwrap();
            (0..copies).for_each(|_| inbox.push(text.clone()));
            (201, json!({"status": 201}))
        }
        "/api/messages" => {
            let before =
                path.split("before=").nth(1).filter(|_| fault != Fault::Repeats).and_then(|id| id.parse().ok());
            let inbox = &inboxes[token];
            let older = &inbox[..before.unwrap_or(inbox.len())];
            let page: Vec<_> = older.iter().enumerate().rev().take(200).collect();
            let data: Vec<_> = page.iter().map(|(id, text)| json!({"id": id.to_string(), "message": text})).collect();
            (200, json!({"status": 200, "data": data}))
        }
        target => match target.strip_prefix("/api/annon/") {
            Some(name) => (200, json!({"message": name})),
            None => (404, json!({"status": 404, "message": "There is no such call."})),
        },
    }
}
