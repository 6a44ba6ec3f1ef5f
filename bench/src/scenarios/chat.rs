//! A group's chat in a terminal: it sends lines from the keyboard and prints what arrives. It
//! reconnects by itself when the server was gone, and prints what it missed. A line that is `+` and
//! an emoji reacts to the newest message, and `-` and an emoji takes that back.
//!
//! In a sealed group it seals and opens as browsers do. It tells whose each message is; whether one is missing, as
//! browsers say, it doesn't look at.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::io::{AsyncBufReadExt, BufReader, Lines, Stdin, stdin};
use tokio::time::sleep;
use url::Url;

use crate::load::{Address, Client, NetError, Socket, Stop, Who, clock, frames, target};
use crate::report::print_line;
use crate::sealing::{Keys, Signer};
use crate::trouble::{Because, Fallible, Trouble};

mod seal;

use seal::Seal;

/// The time between two tries to reach a server that is gone.
const AGAIN: Duration = Duration::from_millis(500);

#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// The server.
    #[arg(long, value_name = "URL", value_parser = target, default_value = "http://127.0.0.1:8080")]
    url: Url,
    /// The group: the last part of its link, of a sealed group with the `#` and its key.
    #[arg(long, value_name = "ID[#KEY]", value_parser = place)]
    room: (String, Option<String>),
    /// A file for the seat and the last message seen, to come back later as
    /// the same member.
    #[arg(long, value_name = "FILE")]
    cookie: Option<PathBuf>,
}

impl Chat {
    pub(crate) async fn run(&self, stop: &Stop) -> Fallible {
        let address = Address::of(&self.url).await?;
        let mut saved = self.load()?;
        let mut client = Client::new(address);
        let seat = stop.or(client.seat(self.id(), saved.cookie.as_deref())).await?;
        // A new seat has seen nothing.
        let is_known = saved.cookie.replace(seat.cookie.clone()).is_some_and(|known| known == seat.cookie);
        saved.since = saved.since.filter(|_| is_known);
        let seal = match stop.or(client.sealed_head(self.id(), &seat.cookie)).await? {
            Some((check, name)) => {
                let keys = self.room.1.as_deref().and_then(Keys::of).filter(|keys| keys.check == check);
                let Some(keys) = keys else { return Trouble::because("this group is sealed: --room takes ID#KEY") };
                if let Some(name) = keys.name(&name) {
                    notice(&format!("{name} is sealed: the server can't read what is said here."));
                }
                let signer = saved.signer.take().filter(|_| is_known).map_or_else(Signer::new, Ok);
                saved.signer = Some(signer.because("no key can be made")?);
                Some(stop.or(Seal::of(&mut client, keys, self.id(), &seat.cookie)).await?)
            }
            None => None,
        };
        self.save(&saved)?;
        notice(&format!(
            "You are {}. Type a line to send it, +👍 to react to the newest message; Ctrl-D ends.",
            seat.emoji
        ));
        let mut member = Member {
            address,
            flags: self,
            cookie: seat.cookie,
            saved,
            id: clock::since_1970().as_micros(),
            newest: None,
            emoji: seat.emoji,
            unconfirmed: Vec::new(),
            keyboard: BufReader::new(stdin()).lines(),
            is_typing: true,
            seal,
        };
        tokio::select! {
            ended = member.run() => ended,
            // Here Ctrl-C means leaving.
            () = stop.asked() => Ok(()),
        }
    }

    fn id(&self) -> &str {
        &self.room.0
    }

    /// Reads the file, unless it belongs to another room.
    fn load(&self) -> Fallible<Saved> {
        let new = Saved { room: self.id().to_owned(), cookie: None, since: None, signer: None };
        let Some(file) = &self.cookie else { return Ok(new) };
        let name = file.display();
        let bytes = match fs::read(file) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(new),
            read => read.because(format_args!("can't read {name}"))?,
        };
        let saved: Saved = serde_json::from_slice(&bytes).because(format_args!("{name} is no file of ours"))?;
        if saved.room == self.id() {
            return Ok(saved);
        }
        Trouble::because(format!("{name} is for another group, {}", saved.room))
    }

    /// Writes a new file beside the old one first, so that a kill leaves one of the two. Only the
    /// owner may read it, because its cookie is the seat.
    fn save(&self, saved: &Saved) -> Fallible {
        let Some(file) = &self.cookie else { return Ok(()) };
        let folder = file.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        let save = || -> io::Result<()> {
            let mut beside = NamedTempFile::new_in(folder)?;
            beside.write_all(&serde_json::to_vec(saved)?)?;
            beside.persist(file)?;
            Ok(())
        };
        save().because(format_args!("can't write {}", file.display()))
    }
}

/// What outlives the program, in the file if there is one.
#[derive(Serialize, Deserialize)]
struct Saved {
    room: String,
    cookie: Option<String>,
    /// The last place in the room's log that was printed.
    since: Option<u64>,
    /// Of a sealed group: the one who signs there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signer: Option<Signer>,
}

struct Member<'a> {
    address: Address,
    flags: &'a Chat,
    cookie: String,
    saved: Saved,
    /// The id of the last message. It begins with the time, so that no run repeats the ids of
    /// another.
    id: u128,
    /// By which the others know this member.
    emoji: String,
    /// The place of the newest message.
    newest: Option<u64>,
    /// The lines without an echo yet, by their ids. The echo is the acknowledgement; until then a
    /// line is sent again on every connection.
    unconfirmed: Vec<(String, Value)>,
    keyboard: Lines<BufReader<Stdin>>,
    is_typing: bool,
    seal: Option<Seal>,
}

impl Member<'_> {
    async fn run(&mut self) -> Fallible {
        let mut is_gone = false;
        loop {
            match self.connect().await {
                Ok(socket) => {
                    if std::mem::take(&mut is_gone) {
                        notice("The server is back.");
                    }
                    if let Ok(ended) = self.chat(socket).await {
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
                notice("The server is gone; trying again.");
            }
            sleep(AGAIN).await;
        }
    }

    async fn connect(&self) -> Result<Rc<Socket>, NetError> {
        let room = self.flags.id();
        let socket = Socket::open(self.address, &format!("/api/room/{room}/socket"), Who::Seat(&self.cookie)).await?;
        socket.send(&frames::connect(room, self.saved.since))?;
        // These lines were sent, and perhaps never received. The server never shows an id twice.
        for (_, message) in &self.unconfirmed {
            socket.send(&self.frame(message))?;
        }
        Ok(socket)
    }

    fn frame(&self, message: &Value) -> String {
        json!({"action": "sendMessage", "room_id": self.flags.id(), "message": message}).to_string()
    }

    /// What a typed line asks for: a reaction to the newest message, or to post the line.
    fn said(&self, id: &str, line: &str) -> Value {
        let reaction = line.strip_prefix('+').map(|emoji| (emoji, true));
        let reaction = reaction.or_else(|| line.strip_prefix('-').map(|emoji| (emoji, false)));
        match (reaction.filter(|(emoji, _)| is_emoji(emoji)), self.newest) {
            (Some((emoji, on)), Some(newest)) => {
                json!({"event": "event.react", "id": id, "message": newest, "emoji": emoji.trim(), "on": on})
            }
            _ => json!({"event": "event.chat", "id": id, "message": line}),
        }
    }

    fn next_id(&mut self) -> String {
        self.id += 1;
        format!("{:015x}", self.id)
    }

    /// A message as it is sent, in a sealed group behind the announcement of one's key if that is new.
    fn sealed(&mut self, id: String, message: Value) -> Vec<(String, Value)> {
        let key_id = self.next_id();
        let (Some(seal), Some(signer)) = (&self.seal, &mut self.saved.signer) else { return vec![(id, message)] };
        if message["event"] != "event.chat" {
            return vec![(id, message)];
        }
        let seen = self.saved.since.unwrap_or_default();
        let all = seal.seal(signer, &self.emoji, (id, key_id), message, seen);
        if let Err(trouble) = self.flags.save(&self.saved) {
            notice(&trouble.to_string());
        }
        all
    }

    /// The words of a message, and of a sealed group's message what there is to say about it. `None` if it has none.
    fn words(&mut self, frame: &Value) -> Option<String> {
        match self.seal.as_mut().filter(|_| frame["unsent"] != true) {
            Some(seal) => seal.words(frame),
            None => {
                let field = if frame["event"] == "event.image" { "caption" } else { "message" };
                Some(plain_word(&frame[field]).to_owned())
            }
        }
    }

    /// Chats until the connection is lost, which is an error, or all lines are sent.
    async fn chat(&mut self, socket: Rc<Socket>) -> Result<Fallible, NetError> {
        loop {
            if !self.is_typing && self.unconfirmed.is_empty() {
                let _ = socket.close().await;
                return Ok(Ok(()));
            }
            tokio::select! {
                received = socket.receive() => {
                    if let Err(ending) = self.receive(&received?).await {
                        return Ok(Err(ending));
                    }
                }
                typed = self.keyboard.next_line(), if self.is_typing => match typed {
                    Ok(Some(line)) if line.trim().is_empty() => {}
                    Ok(Some(line)) => {
                        let id = self.next_id();
                        let message = self.said(&id, &line);
                        for (id, message) in self.sealed(id, message) {
                            let frame = self.frame(&message);
                            self.unconfirmed.push((id, message));
                            socket.send(&frame)?;
                        }
                    }
                    _ => self.is_typing = false,
                }
            }
        }
    }

    /// Prints a frame. Returns an error if it was the last one.
    async fn receive(&mut self, text: &str) -> Fallible {
        let frame: Value = serde_json::from_str(text).unwrap_or_default();
        match frame["event"].as_str().unwrap_or_default() {
            "event.ready" if self.saved.since.is_none() => self.save_place(&frame["last_seq"]),
            "event.ready" if frame["resumed"] == false => {
                // Too much was missed, so the newest lines are read.
                let mut client = Client::new(self.address);
                let lines = client.room_lines(self.flags.id(), &self.cookie, None).await?;
                notice("You missed more than the server gives back; these are the newest lines.");
                lines.iter().for_each(|line| self.print_frame(line));
            }
            "event.error" => {
                self.unconfirmed.retain(|(id, _)| frame["id"] != id.as_str());
                notice(&format!("Not sent: {}", frame["message"].as_str().unwrap_or("refused")));
            }
            "event.closed" => {
                let code = frame["code"].as_str().unwrap_or("closed");
                return Trouble::because(format!("the server has ended this: {code}"));
            }
            _ => self.print_frame(&frame),
        }
        Ok(())
    }

    fn print_frame(&mut self, frame: &Value) {
        let word = |field: &str| frame[field].as_str().unwrap_or_default();
        match word("event") {
            "event.chat" => {
                self.unconfirmed.retain(|(id, _)| id != word("id"));
                if let Some(words) = self.words(frame) {
                    self.newest = frame["seq"].as_u64().or(self.newest);
                    print_line(&plain(&format!("{} {words}", word("sender"))));
                    self.print_reactions(frame, &frame["seq"]);
                }
            }
            "event.react" => {
                self.unconfirmed.retain(|(_, asked)| !is_granted(asked, frame, &self.emoji));
                self.print_reactions(frame, &frame["message"]);
            }
            "event.image" => {
                let words = self.words(frame).unwrap_or_default();
                print_line(&plain(&format!("{} [a picture] {words}", word("sender"))));
            }
            "event.notify" => notice(word("message")),
            _ => {}
        }
        self.save_place(&frame["seq"]);
    }

    /// Prints the reactions to a message, if it has some or had some.
    fn print_reactions(&self, frame: &Value, message: &Value) {
        let Some(all) = frame["reactions"].as_array() else { return };
        let told: Vec<_> = all.iter().map(|one| format!("{} {}", plain_word(&one["emoji"]), one["count"])).collect();
        let which = if self.newest == message.as_u64() { "the newest message" } else { "an earlier message" };
        notice(&format!("Reactions to {which}: {}", if told.is_empty() { "none".to_owned() } else { told.join(", ") }));
    }

    fn save_place(&mut self, seq: &Value) {
        if let Some(seq) = seq.as_u64().filter(|seq| self.saved.since.is_none_or(|since| since < *seq)) {
            self.saved.since = Some(seq);
            if let Err(trouble) = self.flags.save(&self.saved) {
                notice(&trouble.to_string());
            }
        }
    }
}

/// A group's id, and behind a `#` the key of a sealed one.
fn place(raw: &str) -> Result<(String, Option<String>), String> {
    let (id, key) = raw.split_once('#').map_or((raw, None), |(id, key)| (id, Some(key.to_owned())));
    Ok((id.to_owned(), key))
}

/// Whether a frame says that a reaction is as this member has asked.
fn is_granted(asked: &Value, frame: &Value, own: &str) -> bool {
    if asked["event"] != "event.react" || asked["message"] != frame["message"] {
        return false;
    }
    let wanted = plain_word(&asked["emoji"]);
    // The server adds what makes an emoji colourful.
    let is_it = |one: &Value| plain_word(&one["emoji"]).starts_with(wanted);
    let is_own = |from: &Value| from == own;
    let has = |one: &Value| is_it(one) && one["from"].as_array().is_some_and(|from| from.iter().any(is_own));
    let is_there = frame["reactions"].as_array().is_some_and(|all| all.iter().any(has));
    asked["on"] == is_there
}

fn plain_word(word: &Value) -> &str {
    word.as_str().unwrap_or_default()
}

/// Whether this is one emoji, and no words. The server decides which emoji there are.
fn is_emoji(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= 2 && text.chars().all(|c| !c.is_ascii() && !c.is_alphanumeric())
}

/// Prints what is not a member's words on standard error.
fn notice(line: &str) {
    let _ = writeln!(io::stderr().lock(), "· {}", plain(line));
}

/// Removes the characters that a terminal could take for a command.
fn plain(line: &str) -> String {
    line.chars().filter(|c| !c.is_control()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sign_and_an_emoji_react_and_everything_else_is_said() {
        assert!(["👍", " ❤️ ", "🎉"].iter().all(|emoji| is_emoji(emoji)));
        assert!(["", "1", " ", "a", "👍👍👍", "ä", "漢", "--"].iter().all(|words| !is_emoji(words)));
    }

    #[test]
    fn a_reaction_is_confirmed_by_what_is_there() {
        let asked = |on: bool| json!({"event": "event.react", "message": 7, "emoji": "❤", "on": on});
        let frame = |from: &[&str]| json!({"message": 7, "reactions": [{"emoji": "❤️", "from": from}]});
        assert!(
            is_granted(&asked(true), &frame(&["🐻", "🦊"]), "🦊") && is_granted(&asked(false), &frame(&["🐻"]), "🦊")
        );
        assert!(!is_granted(&asked(true), &frame(&["🐻"]), "🦊") && !is_granted(&asked(false), &frame(&["🦊"]), "🦊"));
        assert!(!is_granted(&asked(true), &json!({"message": 8, "reactions": []}), "🦊"));
        assert!(!is_granted(&json!({"event": "event.chat", "message": 7}), &frame(&["🦊"]), "🦊"));
    }
}
