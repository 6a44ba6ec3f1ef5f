//! A group's chat in a terminal: lines from the keyboard go out, what
//! arrives is printed. It comes back by itself when the server was gone, and
//! shows what it missed.

use std::io::{BufRead, Write};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::sleep;

use crate::api::{Api, Seat};
use crate::args;
use crate::chat::memory::Memory;
use crate::chat::outbox::Outbox;
use crate::socket::{Door, Socket, SocketError};
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::{Finding, Trouble};

mod memory;
mod outbox;

/// Between two tries to reach a server that is gone.
const AGAIN: Duration = Duration::from_millis(500);

/// Runs `annon-bench chat`.
pub(crate) async fn run(args: &args::Chat, stop: &Stop) -> Result<Finding, Trouble> {
    let address = args.url.resolve().await?;
    let mut memory = Memory::load(args.cookie.as_deref(), &args.room)?;
    let seat = stop.or(Api::new(address).seat(&args.room, memory.cookie())).await?;
    memory.sit(&seat.cookie)?;
    note(&format!("You are {}. Type a line to send it; Ctrl-D ends.", seat.face));
    let mut chat =
        Chat { address, room: args.room.clone(), seat, memory, outbox: Outbox::new(), lines: Some(keyboard()) };
    tokio::select! {
        ended = chat.run() => ended,
        // Leaving is what Ctrl-C is for here.
        () = stop.asked() => Ok(Finding::Right),
    }
}

struct Chat {
    address: Address,
    room: String,
    seat: Seat,
    memory: Memory,
    outbox: Outbox,
    /// Nothing once the keyboard has said its last.
    lines: Option<UnboundedReceiver<String>>,
}

impl Chat {
    async fn run(&mut self) -> Result<Finding, Trouble> {
        let mut is_gone = false;
        loop {
            match self.connect().await {
                Ok(socket) => {
                    if is_gone {
                        note("The server is back.");
                    }
                    match self.talk(socket).await {
                        Ok(finding) => return finding,
                        Err(_) => is_gone = false,
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
            if !is_gone {
                note("The server is gone; trying again.");
                is_gone = true;
            }
            sleep(AGAIN).await;
        }
    }

    async fn connect(&self) -> Result<Socket, SocketError> {
        let path = format!("/api/room/{}/socket", self.room);
        let mut socket =
            Socket::open(&Door { cookie: Some(&self.seat.cookie), ..Door::new(self.address, &path) }).await?;
        let connect = match self.memory.since() {
            Some(since) => json!({"event": "event.connect", "since": since}),
            None => json!({"event": "event.connect"}),
        };
        socket.say(&self.frame(&connect)).await?;
        // Sent, and perhaps never heard: the same id is never shown twice.
        for message in self.outbox.unheard() {
            socket.say(&self.frame(&message)).await?;
        }
        Ok(socket)
    }

    fn frame(&self, message: &Value) -> String {
        json!({"action": "sendMessage", "room_id": self.room, "message": message}).to_string()
    }

    /// Until the connection is lost, which is an error, or all is said.
    async fn talk(&mut self, mut socket: Socket) -> Result<Result<Finding, Trouble>, SocketError> {
        loop {
            if self.lines.is_none() && self.outbox.is_empty() {
                let _ = socket.close().await;
                return Ok(Ok(Finding::Right));
            }
            tokio::select! {
                heard = socket.hear() => {
                    if let Some(ending) = self.hear(&heard?).await {
                        return Ok(ending);
                    }
                }
                line = next(&mut self.lines) => match line {
                    Some(line) if line.trim().is_empty() => {}
                    Some(line) => {
                        let message = self.outbox.push(line);
                        socket.say(&self.frame(&message)).await?;
                    }
                    None => self.lines = None,
                },
            }
        }
    }

    /// Shows what a frame says. Something, when it was the last.
    async fn hear(&mut self, text: &str) -> Option<Result<Finding, Trouble>> {
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        match frame["event"].as_str().unwrap_or_default() {
            "event.ready" => {
                if frame["resumed"] == false
                    && let Err(trouble) = self.read_anew().await
                {
                    return Some(Err(trouble));
                }
                if self.memory.since().is_none() {
                    self.saw(&frame["last_seq"]);
                }
            }
            "event.error" => {
                if let Some(id) = frame["id"].as_str() {
                    self.outbox.heard(id);
                }
                note(&format!("Not sent: {}", frame["message"].as_str().unwrap_or("refused")));
            }
            "event.closed" => {
                let reason = frame["reason"].as_str().unwrap_or("closed");
                return Some(Err(Trouble::because(format!("the server has ended this: {reason}"))));
            }
            _ => self.show(&frame),
        }
        None
    }

    /// Too much was missed: the newest lines are read instead.
    async fn read_anew(&mut self) -> Result<(), Trouble> {
        let since = self.memory.since();
        let lines = Api::new(self.address).room_lines(&self.room, &self.seat.cookie, None).await?;
        if since.is_some() {
            note("You missed more than the server gives back; these are the newest lines.");
            lines.iter().for_each(|line| self.show(line));
        }
        Ok(())
    }

    fn show(&mut self, frame: &Value) {
        let word = |field: &str| frame[field].as_str().unwrap_or_default();
        match word("event") {
            "event.chat" => {
                self.outbox.heard(word("id"));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_s_words_command_the_terminal() {
        assert_eq!(plain("a\u{1b}[2Jb\r\nc\u{9b}d 🦊"), "a[2Jbcd 🦊");
    }
}
