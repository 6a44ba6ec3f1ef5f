//! Conversations beside groups of two, at the same rate: a line costs no more than a message,
//! and is as fast. Each line has to reach both sides, once and as it was said.

use std::rc::Rc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use clap::Args;
use futures_util::future::join3;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::timeout;

use crate::args::{ROOMS, rate, seconds, whole};
use crate::load::{
    Address, Call, ChatSchedule, Client, Pace, PerSecond, Person, Socket, StageOutcome, Who, chat, frames, rooms,
};
use crate::report::{Columns, Row, TAIL_LATENCY, print_line};
use crate::scenarios::Run;
use crate::trouble::{Because, Fallible, Trouble};

/// How long a line may take to reach both sides.
const PATIENCE: Duration = Duration::from_secs(10);
/// How many conversations are begun at once.
const AT_ONCE: usize = 16;
/// The most lines of a conversation.
const LINES: f64 = 100.0;

const COLUMNS: Columns = &[
    &["what", "pairs", "sends/s = sends_per_second", "deliveries/s = done_per_second"],
    TAIL_LATENCY,
    &["server µs/delivery = server_cpu_each", "own µs/delivery = own_cpu_each", "failed", "wrong"],
];

#[derive(Debug, Args)]
pub(crate) struct Conversations {
    /// Groups of two, and then as many conversations.
    #[arg(long, value_name = "N", default_value = "40", value_parser = whole::<1, ROOMS>)]
    pairs: usize,
    /// Lines a second over all of them, whatever the server does. A
    /// conversation has a hundred lines.
    #[arg(long, value_name = "N", default_value = "400", value_parser = rate)]
    rate: PerSecond,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
    /// Says lines by calls, as a page does that has no socket.
    #[arg(long)]
    calls: bool,
}

impl Conversations {
    pub(super) fn connections(&self) -> usize {
        4 * self.pairs
    }

    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let PerSecond(rate) = self.rate;
        let lines = rate * self.seconds.as_secs_f64() / self.pairs as f64;
        if lines > LINES {
            return Trouble::because("a conversation has a hundred lines: use more --pairs, or a lower --rate");
        }
        print_line(&format!("{} pairs, both sides online; {rate} sends a second", self.pairs));
        let schedule = ChatSchedule {
            rate: Some(self.rate),
            in_flight: 1,
            reactions: 0,
            words: frames::words,
            warm_up: Duration::ZERO,
            length: self.seconds,
        };
        let ids = run.rooms(self.pairs).await?;
        let connected = rooms::fill(run.address(), &ids, 2, run.stop).await?;
        let outcome = chat::run(connected, schedule, &run.subject, run.stop).await?;
        self.row("groups of two", outcome, run).await?;

        let people = &run.sign_up(self.pairs.div_ceil(50)).await?;
        let (address, tag) = (run.address(), run.people.tag.clone());
        let tokens = run.stop.each("accounts are signed in", people.len(), 1, |n| people[n].token(address)).await?;
        let (tokens, tag) = (&tokens, &tag);
        let begin =
            |n: usize| Pair::begin(address, &people[n / 50], tokens[n / 50].clone(), format!("{tag} {n}"), self.calls);
        let pairs = run.stop.each("conversations have begun", self.pairs, AT_ONCE, begin).await?;
        let outcome = run.stage(Some(self.rate), self.seconds, pairs, Pair::talk).await?;
        let sends = outcome.done as f64 / 2.0 / outcome.seconds;
        self.row("conversations", StageOutcome { sends_per_second: Some(sends), ..outcome }, run).await?;
        run.report.checked("every line reached both sides, once, as it was said.");
        Ok(())
    }

    async fn row(&self, what: &str, outcome: StageOutcome, run: &mut Run<'_>) -> Fallible {
        let row = Row::of(&outcome).with("what", what).with("pairs", self.pairs).with("rate", self.rate.0);
        run.judged(COLUMNS, row, &outcome).await
    }
}

/// The two who talk.
struct Pair {
    path: String,
    /// What each shows: the owner a token, the sender a key.
    shown: [String; 2],
    sockets: [Rc<Socket>; 2],
    client: Client,
    calls: bool,
    said: usize,
}

fn base64url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

fn who(side: usize, shown: &[String; 2]) -> Who<'_> {
    if side == 0 { Who::Token(&shown[0]) } else { Who::Key(&shown[1]) }
}

impl Pair {
    async fn begin(address: Address, owner: &Person, token: String, name: String, calls: bool) -> Fallible<Self> {
        let key = Sha256::digest(format!("key of {name}"));
        let id = base64url(&Sha256::digest(&name)[..16]);
        let conversation = json!({ "id": id, "proof": base64url(&Sha256::digest(key)) });
        let note = json!({ "id": owner.target, "message": "a note of the bench", "conversation": conversation });
        let mut client = Client::new(address);
        client.expect(201, &Call::post("/api/annon-message", Who::Nobody, note)).await?;
        let (path, shown) = (format!("/api/conversation/{id}"), [token, base64url(&key)]);
        let [owner, sender] = [0, 1].map(|side| {
            let (path, shown) = (format!("{path}/socket"), &shown);
            async move {
                let socket = Socket::open(address, &path, who(side, shown)).await.because("a conversation's socket")?;
                socket.send(r#"{"event":"event.connect"}"#).because("a conversation's socket")?;
                let ready = socket.receive().await.because("a conversation's socket")?;
                if ready.contains("event.ready") { Ok(socket) } else { Trouble::because(format!("it sent {ready}")) }
            }
        });
        let sockets = [owner.await?, sender.await?];
        Ok(Self { path, shown, sockets, client, calls, said: 0 })
    }

    /// Both say something in turn until the stage is over.
    async fn talk(self, pace: Rc<Pace>) {
        let Self { path, shown, sockets, mut client, calls, mut said } = self;
        while let Some(due) = pace.next().await {
            said += 1;
            let words = format!("{:.<100}", format!("line {said} "));
            let line = json!({ "event": "event.line", "id": format!("{said:015}"), "message": words });
            let say = async {
                if calls {
                    client.ask(&Call::post(&path, who(said % 2, &shown), line)).await?.expect(201).map(drop)
                } else {
                    sockets[said % 2].send(&line.to_string()).map(drop).because("a line")
                }
            };
            let [one, other] = &sockets;
            let hear = |socket| hear(socket, &words, due, &pace);
            if let (Err(why), ..) = join3(say, hear(one), hear(other)).await {
                return pace.record(due, Err(why));
            }
        }
    }
}

/// Waits until a side has the line.
async fn hear(socket: &Rc<Socket>, words: &str, due: Instant, pace: &Pace) {
    let heard = timeout(PATIENCE, async {
        loop {
            let text = socket.receive().await.map_err(|error| error.to_string())?;
            let frame: Value = serde_json::from_str(&text).map_err(|_| "no JSON".to_owned())?;
            match (frame["event"].as_str(), frame["message"].as_str()) {
                (Some("event.line"), Some(message)) if message == words => return Ok(()),
                (Some("event.seen"), _) => {}
                _ => return Err(format!("it sent {text}")),
            }
        }
    });
    pace.record(due, heard.await.unwrap_or_else(|_| Err("a line did not come".to_owned())));
}
