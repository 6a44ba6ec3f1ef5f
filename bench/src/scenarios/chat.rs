//! A group's chat in a terminal: lines from the keyboard go out, what
//! arrives is printed. It comes back by itself when the server was gone, and
//! shows what it missed.

use std::io::{BufRead, Write};
use std::rc::Rc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use crate::args;
use crate::load::api::{Api, Seat};
use crate::load::clock;
use crate::load::frames;
use crate::load::socket::{Door, Socket, SocketError};
use crate::load::stop::Stop;
use crate::load::target::Address;
use crate::scenarios::chat::memory::Memory;
use crate::trouble::Trouble;

mod memory;

/// Between two tries to reach a server that is gone.
const AGAIN: Duration = Duration::from_millis(500);

/// Runs `annon-bench chat`.
pub(super) async fn run(args: &args::Chat, stop: &Stop) -> Result<(), Trouble> {
    let address = args.url.resolve().await?;
    let mut memory = Memory::load(args.cookie.as_deref(), &args.room)?;
    let seat = stop.or(Api::new(address).seat(&args.room, memory.cookie())).await?;
    memory.sit(&seat.cookie)?;
    note(&format!("You are {}. Type a line to send it; Ctrl-D ends.", seat.face));
    // Different in every run, and so in every id of it.
    let tag = clock::since_1970().as_micros();
    let room = args.room.clone();
    let mut chat = Chat { address, room, seat, memory, tag, sent: 0, unheard: Vec::new(), lines: Some(keyboard()) };
    tokio::select! {
        ended = chat.run() => ended,
        // Leaving is what Ctrl-C is for here.
        () = stop.asked() => Ok(()),
    }
}

struct Chat {
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

impl Chat {
    async fn run(&mut self) -> Result<(), Trouble> {
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
                Err(SocketError::Refused(404)) => return Err(Trouble::because("there is no such group (any more)")),
                Err(SocketError::Refused(403)) => {
                    return Err(Trouble::because(
                        "the seat in this group is gone; without --cookie FILE you get a new one",
                    ));
                }
                Err(_) => {}
            }
            if !std::mem::replace(&mut is_gone, true) {
                note("The server is gone; trying again.");
            }
            sleep(AGAIN).await;
        }
    }

    async fn connect(&self) -> Result<Rc<Socket>, SocketError> {
        let path = format!("/api/room/{}/socket", self.room);
        let door = Door { address: self.address, path: &path, cookie: &self.seat.cookie, from: None };
        let socket = Socket::open(&door).await?;
        socket.say(&frames::connect(&self.room, self.memory.since()))?;
        // Sent, and perhaps never heard: the same id is never shown twice.
        for (id, line) in &self.unheard {
            socket.say(&self.frame(id, line))?;
        }
        Ok(socket)
    }

    fn frame(&self, id: &str, line: &str) -> String {
        let message = json!({"event": "event.chat", "id": id, "message": line});
        json!({"action": "sendMessage", "room_id": self.room, "message": message}).to_string()
    }

    /// Until the connection is lost, which is an error, or all is said.
    async fn talk(&mut self, socket: Rc<Socket>) -> Result<Result<(), Trouble>, SocketError> {
        loop {
            if self.lines.is_none() && self.unheard.is_empty() {
                let _ = socket.close().await;
                return Ok(Ok(()));
            }
            tokio::select! {
                heard = socket.hear() => {
                    if let Some(ending) = self.hear(&heard?).await {
                        return Ok(Err(ending));
                    }
                }
                line = next(&mut self.lines) => match line {
                    Some(line) if line.trim().is_empty() => {}
                    Some(line) => {
                        self.sent += 1;
                        let id = id(self.tag, self.sent);
                        let frame = self.frame(&id, &line);
                        self.unheard.push((id, line));
                        socket.say(&frame)?;
                    }
                    None => self.lines = None,
                },
            }
        }
    }

    /// Shows what a frame says. Something, when it was the last.
    async fn hear(&mut self, text: &str) -> Option<Trouble> {
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        match frame["event"].as_str().unwrap_or_default() {
            "event.ready" => {
                if frame["resumed"] == false
                    && let Err(trouble) = self.read_anew().await
                {
                    return Some(trouble);
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
                return Some(Trouble::because(format!("the server has ended this: {code}")));
            }
            _ => self.show(&frame),
        }
        None
    }

    /// Too much was missed: the newest lines are read instead.
    async fn read_anew(&mut self) -> Result<(), Trouble> {
        let lines = Api::new(self.address).room_lines(&self.room, &self.seat.cookie, None).await?;
        if self.memory.since().is_some() {
            note("You missed more than the server gives back; these are the newest lines.");
            lines.iter().for_each(|line| self.show(line));
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

/// Fifteen characters: eleven of the time, four of the count.
fn id(tag: u128, n: u64) -> String {
    format!("{:011x}{:04x}", tag & 0xfff_ffff_ffff, n & 0xffff)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_s_words_command_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\r\nc\u{9b}d 🦊"), "a[2Jbcd 🦊");
    }

    #[test]
    fn ids_have_fifteen_characters() {
        for (tag, n) in [(0, 0), (u128::MAX, u64::MAX), (clock::since_1970().as_micros(), 7)] {
            let id = id(tag, n);
            assert!(id.len() == 15 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
        }
    }
}
