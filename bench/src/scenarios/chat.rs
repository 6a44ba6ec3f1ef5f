//! A group's chat in a terminal: lines from the keyboard go out, what
//! arrives is printed. It comes back by itself when the server was gone, and
//! shows what it missed.

use std::fs;
use std::io::{self, BufRead, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use crate::load::api::Seat;
use crate::load::clock;
use crate::load::frames;
use crate::load::http::{Client, NetError};
use crate::load::socket::Socket;
use crate::load::stop::Stop;
use crate::load::target::{Address, Target};
use crate::trouble::{Because, Fallible, Trouble};

/// Between two tries to reach a server that is gone.
const AGAIN: Duration = Duration::from_millis(500);

/// Flags of `chat`.
#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// The server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    url: Target,
    /// The group: the last part of its link.
    #[arg(long, value_name = "ID")]
    room: String,
    /// A file for the seat and the last message seen, to come back later as
    /// the same member.
    #[arg(long, value_name = "FILE")]
    cookie: Option<PathBuf>,
}

impl Chat {
    pub(crate) async fn run(&self, stop: &Stop) -> Fallible {
        let address = self.url.resolve().await?;
        let mut memory = Memory::load(self.cookie.as_deref(), &self.room)?;
        let seat = stop.or(Client::new(address).seat(&self.room, memory.cookie())).await?;
        memory.sit(&seat.cookie)?;
        note(&format!("You are {}. Type a line to send it; Ctrl-D ends.", seat.face));
        // Different in every run, and so in every id of it.
        let tag = clock::since_1970().as_micros();
        let room = self.room.clone();
        let mut member =
            Member { address, room, seat, memory, tag, sent: 0, unheard: Vec::new(), lines: Some(keyboard()) };
        tokio::select! {
            ended = member.run() => ended,
            // Leaving is what Ctrl-C is for here.
            () = stop.asked() => Ok(()),
        }
    }
}

/// Somebody who takes part.
struct Member {
    address: Address,
    room: String,
    seat: Seat,
    memory: Memory,
    tag: u128,
    /// Lines that were typed so far.
    sent: u64,
    /// Those that have not come back yet, by their ids. The echo is the
    /// acknowledgement; until then a line is sent again on every connection.
    unheard: Vec<(String, String)>,
    /// Nothing once the keyboard has said its last.
    lines: Option<UnboundedReceiver<String>>,
}

impl Member {
    async fn run(&mut self) -> Fallible {
        let mut is_gone = false;
        loop {
            match self.connect().await {
                Ok(socket) => {
                    if std::mem::take(&mut is_gone) {
                        note("The server is back.");
                    }
                    if let Ok(ended) = self.talk(socket).await {
                        return ended;
                    }
                }
                Err(NetError::Refused(404)) => return Trouble::because("there is no such group (any more)"),
                Err(NetError::Refused(403)) => {
                    return Trouble::because("the seat in this group is gone; without --cookie FILE you get a new one");
                }
                Err(_) => {}
            }
            if !std::mem::replace(&mut is_gone, true) {
                note("The server is gone; trying again.");
            }
            sleep(AGAIN).await;
        }
    }

    async fn connect(&self) -> Result<Rc<Socket>, NetError> {
        let path = format!("/api/room/{}/socket", self.room);
        let socket = Socket::open(self.address, &path, &self.seat.cookie).await?;
        socket.send(&frames::connect(&self.room, self.memory.since()))?;
        // Sent, and perhaps never heard: the same id is never shown twice.
        for (id, line) in &self.unheard {
            socket.send(&self.frame(id, line))?;
        }
        Ok(socket)
    }

    fn frame(&self, id: &str, line: &str) -> String {
        let message = json!({"event": "event.chat", "id": id, "message": line});
        json!({"action": "sendMessage", "room_id": self.room, "message": message}).to_string()
    }

    /// Until the connection is lost, which is an error, or all is said.
    async fn talk(&mut self, socket: Rc<Socket>) -> Result<Fallible, NetError> {
        loop {
            if self.lines.is_none() && self.unheard.is_empty() {
                let _ = socket.close().await;
                return Ok(Ok(()));
            }
            tokio::select! {
                heard = socket.receive() => {
                    if let Err(ending) = self.hear(&heard?).await {
                        return Ok(Err(ending));
                    }
                }
                line = next(&mut self.lines) => match line {
                    Some(line) if line.trim().is_empty() => {}
                    Some(line) => {
                        self.sent += 1;
                        // Fifteen characters: eleven of the time, four of the count.
                        let id = format!("{:011x}{:04x}", self.tag & 0xfff_ffff_ffff, self.sent & 0xffff);
                        let frame = self.frame(&id, &line);
                        self.unheard.push((id, line));
                        socket.send(&frame)?;
                    }
                    None => self.lines = None,
                },
            }
        }
    }

    /// Shows what a frame says. An error, when it was the last.
    async fn hear(&mut self, text: &str) -> Fallible {
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        match frame["event"].as_str().unwrap_or_default() {
            "event.ready" => {
                if frame["resumed"] == false && self.memory.since().is_some() {
                    // Too much was missed: the newest lines are read instead.
                    let lines = Client::new(self.address).room_lines(&self.room, &self.seat.cookie, None).await?;
                    note("You missed more than the server gives back; these are the newest lines.");
                    lines.iter().for_each(|line| self.show(line));
                }
                if self.memory.since().is_none() {
                    self.saw(&frame["last_seq"]);
                }
            }
            "event.error" => {
                self.unheard.retain(|(id, _)| frame["id"] != id.as_str());
                note(&format!("Not sent: {}", frame["message"].as_str().unwrap_or("refused")));
            }
            "event.closed" => {
                let code = frame["code"].as_str().unwrap_or("closed");
                return Trouble::because(format!("the server has ended this: {code}"));
            }
            _ => self.show(&frame),
        }
        Ok(())
    }

    fn show(&mut self, frame: &Value) {
        let word = |field: &str| frame[field].as_str().unwrap_or_default();
        match word("event") {
            "event.chat" => {
                self.unheard.retain(|(id, _)| id != word("id"));
                print(&format!("{} {}", word("sender"), word("message")));
            }
            "event.image" => print(&format!("{} [a picture] {}", word("sender"), word("caption"))),
            "event.notify" => note(word("message")),
            _ => {}
        }
        self.saw(&frame["seq"]);
    }

    fn saw(&mut self, seq: &Value) {
        if let Some(seq) = seq.as_u64()
            && let Err(trouble) = self.memory.saw(seq)
        {
            note(&trouble.to_string());
        }
    }
}

/// Lines as they are typed. A thread of its own: reading a keyboard blocks.
fn keyboard() -> UnboundedReceiver<String> {
    let (tell, lines) = unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

async fn next(lines: &mut Option<UnboundedReceiver<String>>) -> Option<String> {
    match lines {
        Some(lines) => lines.recv().await,
        None => std::future::pending().await,
    }
}

fn print(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{}", plain(line));
    let _ = out.flush();
}

/// What is not somebody's words goes beside them.
fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "· {}", plain(line));
}

/// Without what a terminal would take for a command.
fn plain(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).collect()
}

/// What outlives the program, in a file if one was named: whose seat it is,
/// and what was seen last.
#[derive(Debug, Serialize, Deserialize)]
struct Memory {
    #[serde(skip)]
    file: Option<PathBuf>,
    room: String,
    cookie: Option<String>,
    since: Option<u64>,
}

impl Memory {
    /// What the file says, unless it is about another room.
    fn load(file: Option<&Path>, room: &str) -> Fallible<Self> {
        let fresh = Self { file: file.map(Path::to_owned), room: room.to_owned(), cookie: None, since: None };
        let Some(file) = file else { return Ok(fresh) };
        let shown = file.display();
        let kept: Self = match fs::read(file) {
            Ok(bytes) => serde_json::from_slice(&bytes).because(format_args!("{shown} is no file of ours"))?,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(fresh),
            unread => return unread.because(format_args!("can't read {shown}")).map(|_| fresh),
        };
        if kept.room != room {
            return Trouble::because(format!("{shown} is for another group, {}", kept.room));
        }
        Ok(Self { file: fresh.file, ..kept })
    }

    fn cookie(&self) -> Option<&str> {
        self.cookie.as_deref()
    }

    /// The last place in the room's log that was shown.
    fn since(&self) -> Option<u64> {
        self.since
    }

    fn sit(&mut self, cookie: &str) -> Fallible {
        // A seat of somebody new has seen nothing.
        if self.cookie.as_deref().is_some_and(|kept| kept != cookie) {
            self.since = None;
        }
        self.cookie = Some(cookie.to_owned());
        self.save()
    }

    fn saw(&mut self, seq: u64) -> Fallible {
        if self.since.is_some_and(|since| since >= seq) {
            return Ok(());
        }
        self.since = Some(seq);
        self.save()
    }

    /// Beside the old one first, so that being killed leaves one of the two.
    /// Only the owner may read it: the cookie in it is the seat.
    fn save(&self) -> Fallible {
        let Some(file) = &self.file else { return Ok(()) };
        let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let save = || -> io::Result<()> {
            let mut beside = NamedTempFile::new_in(folder)?;
            beside.write_all(&serde_json::to_vec(self)?)?;
            beside.persist(file)?;
            Ok(())
        };
        save().because(format_args!("can't write {}", file.display()))
    }
}
