//! The shield of an inbox: what a note with a known tag costs beside a plain one, whether a flood of
//! fresh tags against one inbox disturbs the others, and how many notes with work it takes.
//! Afterwards every acknowledged note must be in its inbox, once, and no other.

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use clap::Args;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::time::sleep;
use tokio::try_join;

use crate::args::{CLIENTS, rate, seconds, whole};
use crate::load::{Address, Call, Client, Pace, PerSecond, StageOutcome, Who};
use crate::report::{Columns, Row, TAIL_LATENCY, print_line};
use crate::scenarios::Run;
use crate::scenarios::notes::{AFTER_FAILURE, Post, check};
use crate::trouble::{Fallible, Trouble};

/// How many calls make the server ready at once.
const AT_ONCE: usize = 16;
/// Connections of the trickle.
const TRICKLE_CLIENTS: usize = 16;
/// The longest time for the notes with work.
const LONGEST: Duration = Duration::from_secs(60);

const COSTS: Columns = &[
    &["what", "turn", "sends/s = done_per_second"],
    TAIL_LATENCY,
    &["server µs/send = server_cpu_each", "own µs/send = own_cpu_each", "failed"],
];

const FLOOD: Columns = &[
    &["turn", "refused/s = flood/done_per_second", "let in = flood/failed"],
    &["calm p50 ms = calm/latency/p50", "calm p99 ms = calm/latency/p99"],
    &["flood p50 ms = beside/latency/p50", "flood p99 ms = beside/latency/p99", "× p99 = times_p99"],
];

#[derive(Debug, Args)]
pub(crate) struct Shield {
    /// Connections that send plain notes and, in turns, notes with known tags; then notes with work.
    #[arg(long, value_name = "N", default_value = "8", value_parser = whole::<1, CLIENTS>)]
    clients: usize,
    /// How often each is measured, in turns.
    #[arg(long, value_name = "N", default_value = "5", value_parser = whole::<1, 99>)]
    turns: usize,
    /// Seconds a stage lasts.
    #[arg(long, value_name = "N", default_value = "3", value_parser = seconds)]
    seconds: Duration,
    /// Inboxes of each kind; each holds at most 10000.
    #[arg(long, value_name = "N", default_value = "20", value_parser = whole::<1, 9999>)]
    accounts: usize,
    /// Plain notes a second to other inboxes, without and then beside the flood.
    #[arg(long, value_name = "N", default_value = "100", value_parser = rate)]
    trickle: PerSecond,
    /// Notes a second from fresh tags, without work, to one inbox.
    #[arg(long, value_name = "N", default_value = "2000", value_parser = rate)]
    flood: PerSecond,
    /// Connections of the flood.
    #[arg(long, value_name = "N", default_value = "64", value_parser = whole::<1, CLIENTS>)]
    flood_clients: usize,
    /// Notes with work, which is done before they are measured.
    #[arg(long, value_name = "N", default_value = "500", value_parser = whole::<1, 9999>)]
    solved: usize,
}

impl Shield {
    pub(super) fn connections(&self) -> usize {
        2 * self.clients + TRICKLE_CLIENTS + self.flood_clients + AT_ONCE
    }

    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        let people = run.sign_up(2 * self.accounts + 1).await?;
        let street = Street { post: Post::new(people, &run.people.tag), address: run.address(), stage: Cell::new(0) };
        self.raise(&street, run).await?;
        let measured = self.stages(&street, run).await;
        match measured {
            Err(Trouble::Interrupted) => print_line("What the inboxes hold is not checked."),
            // A flood that got in is found also when little was measured.
            _ => check(&street.post, run).await?,
        }
        measured
    }

    /// The inboxes that know their senders, and then the one that is flooded.
    fn known(&self) -> Range<usize> {
        self.accounts..2 * self.accounts
    }

    fn flooded(&self) -> Range<usize> {
        2 * self.accounts..2 * self.accounts + 1
    }

    /// Makes the clients known to their inboxes, and raises these inboxes' shields and that of the
    /// flooded one.
    async fn raise(&self, street: &Street, run: &Run<'_>) -> Fallible {
        let ready = |n: usize| async move {
            let inbox = self.known().start + n;
            let clients = if self.known().contains(&inbox) { self.clients } else { 0 };
            for mut hand in street.hands(clients, inbox..inbox + 1, Brings::known) {
                hand.give(inbox).await.unwrap_or(Ok(()))?;
            }
            let token = street.post.people[inbox].token(street.address).await?;
            let always = json!({"shield": "always"}).to_string();
            let call = Call::new("PATCH", "/api/inbox", Who::Token(&token), Some(always));
            Client::new(street.address).expect(200, &call).await
        };
        run.stop.each("shields are up", self.accounts + 1, AT_ONCE, ready).await.map(drop)
    }

    async fn stages(&self, street: &Street, run: &mut Run<'_>) -> Fallible {
        self.costs(street, run).await?;
        self.floods(street, run).await?;
        let work = street.solve(self.solved, self.flooded().start, run).await?;
        let share = |client| Brings::Work(work.iter().skip(client).step_by(self.clients).cloned().collect());
        let senders = street.hands(self.clients, self.flooded(), share);
        let outcome = run.stage(None, LONGEST, senders, Hand::send).await?;
        run.judged(COSTS, Row::of(&outcome).with("what", "with work"), &outcome).await
    }

    /// Plain notes and notes with known tags, in turns.
    async fn costs(&self, street: &Street, run: &mut Run<'_>) -> Fallible {
        let (mut latencies, mut costs) = (Vec::new(), Vec::new());
        for turn in 1..=self.turns {
            let mut before: Option<StageOutcome> = None;
            for (what, inboxes, brings) in [
                ("plain", 0..self.accounts, Brings::nothing as fn(usize) -> Brings),
                ("known tag", self.known(), Brings::known),
            ] {
                let senders = street.hands(self.clients, inboxes, brings);
                let outcome = run.stage(None, self.seconds, senders, Hand::send).await?;
                run.judged(COSTS, Row::of(&outcome).with("what", what).with("turn", turn), &outcome).await?;
                if let Some(plain) = before.replace(outcome.clone()) {
                    latencies.push(outcome.latency.p50 as f64 / plain.latency.p50.max(1) as f64);
                    costs.extend(outcome.server_cpu_each.zip(plain.server_cpu_each).map(|(now, plain)| now / plain));
                }
            }
        }
        let times = [median(latencies), median(costs)];
        run.report.set("known_times_p50", times[0]);
        run.report.set("known_times_server_cpu", times[1]);
        let [latency, cost] = times.map(|times| times.map_or("?".to_owned(), |times| format!("{times:.2}")));
        print_line(&format!(
            "A note with a known tag takes {latency} × the p50 and {cost} × the processor time of a plain one (medians).",
        ));
        Ok(())
    }

    /// A trickle to other inboxes, without a flood and beside one, in turns.
    async fn floods(&self, street: &Street, run: &mut Run<'_>) -> Fallible {
        let mut times = Vec::new();
        for turn in 1..=self.turns {
            let trickle = || street.hands(TRICKLE_CLIENTS, 0..self.accounts, Brings::nothing);
            let flood = street.hands(self.flood_clients, self.flooded(), Brings::fresh);
            let calm = run.stage(Some(self.trickle), self.seconds, trickle(), Hand::send).await?;
            let (beside, flood) = try_join!(
                run.stage(Some(self.trickle), self.seconds, trickle(), Hand::send),
                run.stage(Some(self.flood), self.seconds, flood, Hand::send),
            )?;
            let (calm, beside, flood) = (calm.among_others(), beside.among_others(), flood.among_others());
            times.push(beside.latency.p99 as f64 / calm.latency.p99.max(1) as f64);
            let row = Row::default().with("turn", turn).with("calm", &calm).with("beside", &beside);
            let row = row.with("flood", &flood).with("times_p99", times.last());
            run.report.row("floods", FLOOD, row.remarks(beside.remarks()).remarks(flood.remarks()));
            run.stop.check()?;
            for outcome in [&calm, &beside, &flood] {
                outcome.judge(&run.subject).await?;
            }
        }
        let times = median(times);
        run.report.set("flood_times_p99", times);
        print_line(&format!(
            "Beside the flood the others' p99 is {:.2} × that in calm (median).",
            times.unwrap_or(0.0)
        ));
        Ok(())
    }
}

/// What the senders of a run share.
struct Street {
    post: Rc<Post>,
    address: Address,
    /// A note's number tells its order only among those of one hand in one stage.
    stage: Cell<usize>,
}

impl Street {
    fn hands(&self, count: usize, inboxes: Range<usize>, brings: impl Fn(usize) -> Brings) -> Vec<Hand> {
        self.stage.update(|stage| stage + 1);
        let hand = |n| Hand {
            post: self.post.clone(),
            client: (self.stage.get(), n),
            inboxes: inboxes.clone(),
            connection: Client::new(self.address),
            brings: brings(n),
        };
        (0..count).map(hand).collect()
    }

    /// Does the work for so many notes to an inbox, each from a fresh tag.
    async fn solve(&self, count: usize, inbox: usize, run: &Run<'_>) -> Fallible<Vec<String>> {
        let name = &self.post.people[inbox].name;
        let solve = |n: usize| async move {
            let tag = tag(&format!("solved {n}"));
            let call = Call::get(&format!("/api/annon/{name}?tag={tag}"), Who::Nobody);
            let shield = Client::new(self.address).expect(200, &call).await?["shield"].take();
            match solved(&shield) {
                Some(work) => Ok(format!(r#","tag":"{tag}","work":{work}"#)),
                None => Trouble::because("an inbox under its shield asks for no work"),
            }
        };
        run.stop.each("notes have their work", count, AT_ONCE, solve).await
    }
}

/// What comes with a note.
enum Brings {
    Nothing,
    /// Always the same tag.
    Known(String),
    /// A new tag each time, and no work.
    Fresh(usize, usize),
    /// Tags with work, as long as there are any.
    Work(Vec<String>),
}

impl Brings {
    fn nothing(_: usize) -> Self {
        Self::Nothing
    }

    fn known(client: usize) -> Self {
        Self::Known(format!(r#","tag":"{}""#, tag(&format!("known {client}"))))
    }

    fn fresh(client: usize) -> Self {
        Self::Fresh(client, 0)
    }

    /// What comes with the next note, and how that is answered.
    fn next(&mut self) -> Option<(String, u16)> {
        match self {
            Self::Nothing => Some((String::new(), 201)),
            Self::Known(tag) => Some((tag.clone(), 201)),
            Self::Fresh(client, count) => {
                *count += 1;
                Some((format!(r#","tag":"{}""#, tag(&format!("fresh {client} {count}"))), 428))
            }
            Self::Work(work) => Some((work.pop()?, 201)),
        }
    }
}

/// A connection that sends notes to some inboxes, one after the other.
struct Hand {
    post: Rc<Post>,
    /// The stage, and the client in it.
    client: (usize, usize),
    inboxes: Range<usize>,
    connection: Client,
    brings: Brings,
}

impl Hand {
    /// Sends until the stage is over, or until nothing is left to bring.
    async fn send(mut self, pace: Rc<Pace>) {
        let inboxes = self.inboxes.clone().cycle().skip(self.client.1);
        for inbox in inboxes {
            let Some(due) = pace.next().await else { return };
            let Some(given) = self.give(inbox).await else { return };
            let is_broken = given.is_err();
            pace.record(due, given);
            if is_broken {
                sleep(AFTER_FAILURE).await;
            }
        }
    }

    /// Sends one note, which must be answered as it should; `None` when nothing is left to bring.
    async fn give(&mut self, inbox: usize) -> Option<Fallible> {
        let (more, expected) = self.brings.next()?;
        let (number, call) = self.post.note(self.client, inbox, &more);
        let answered = self.connection.ask(&call).await;
        match &answered {
            // What is to be refused must not be in the inbox, whatever its sender hears.
            _ if expected != 201 => self.post.answered(number, expected),
            Ok(reply) => self.post.answered(number, reply.status),
            Err(_) => {}
        }
        Some(answered.and_then(|reply| reply.expect(expected)).map(drop))
    }
}

fn tag(name: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(name)[..16])
}

/// The work that an inbox asks for, as JSON.
fn solved(shield: &Value) -> Option<Value> {
    let (asked, bits) = (shield["seed"].as_str()?, shield["bits"].as_u64()?);
    let seed = BASE64_URL_SAFE_NO_PAD.decode(asked).ok()?;
    let begun = Sha256::new_with_prefix(seed);
    let is_good = |nonce: &u64| {
        let digest = begun.clone().chain_update(nonce.to_be_bytes()).finalize();
        digest.first_chunk().is_some_and(|first| u64::from(u64::from_be_bytes(*first).leading_zeros()) >= bits)
    };
    let nonce = (0..u64::MAX).find(is_good)?;
    Some(json!({"seed": asked, "nonce": BASE64_URL_SAFE_NO_PAD.encode(nonce.to_be_bytes())}))
}

fn median(mut figures: Vec<f64>) -> Option<f64> {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied()
}
