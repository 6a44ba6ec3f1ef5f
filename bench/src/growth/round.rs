//! Everything a user does, round by round. It takes back what it writes, so
//! that all stages meet the same inboxes.

use serde_json::json;

use crate::api::{self, Api, DASHBOARD, LEAVE, SEND_NOTE, SIGN_IN, SIGN_UP, Who, odd, word};
use crate::growth::call::Call;
use crate::growth::gauge::{Gauge, Told};
use crate::pages::{SHOWN, newest_page, oldest_page};
use crate::people::People;
use crate::subject::Subject;
use crate::target::Address;
use crate::trouble::Trouble;

/// How often each call is made before it is the next one's turn: fewer than
/// the rooms one account may have, and than the notes on a page.
pub(super) const BATCH: usize = 25;
/// People whose inboxes stay nearly empty. They take turns, because nobody
/// makes and closes a thousand rooms: what was just taken away is walked over
/// until the store has tidied up.
pub(super) const QUIET: usize = 16;
/// Begins the notes of a round.
const WORDS: &str = "This note is one of those that come and go, while";

/// Those with well-filled inboxes, and those with nearly empty ones.
pub(super) struct Visitor<'a> {
    people: &'a People,
    address: Address,
    /// The first of them is read.
    full: Mailbox<'a>,
    quiet: Vec<Mailbox<'a>>,
    /// The path of the full inbox's last page.
    oldest: String,
    rounds: usize,
    pub(super) gauge: Gauge,
}

/// An inbox, and the notes in it that are to be taken back.
struct Mailbox<'a> {
    target: &'a str,
    token: String,
    sent: Vec<String>,
}

impl<'a> Mailbox<'a> {
    async fn open(people: &'a People, who: usize) -> Result<Self, Trouble> {
        let token = people.sign_in(who).await?;
        Ok(Self { target: &people.all[who].target, token, sent: Vec::new() })
    }
}

impl<'a> Visitor<'a> {
    pub(super) async fn begin(people: &'a People, subject: &Subject) -> Result<Self, Trouble> {
        let address = subject.address;
        let full = Mailbox::open(people, 0).await?;
        let oldest = oldest_page(&Api::new(address).inbox(&full.token).await?, SHOWN);
        let mut quiet = Vec::with_capacity(QUIET);
        for who in people.all.len() - QUIET..people.all.len() {
            quiet.push(Mailbox::open(people, who).await?);
        }
        let gauge = Gauge::new(address, subject.pid());
        Ok(Self { people, address, full, quiet, oldest, rounds: 0, gauge })
    }

    /// A round that doesn't count: the first time everything is slow.
    pub(super) async fn warm_up(&mut self) -> Result<(), Trouble> {
        self.round().await?;
        self.take_back().await?;
        self.gauge.forget();
        Ok(())
    }

    pub(super) async fn round(&mut self) -> Result<(), Trouble> {
        let turn = self.rounds % QUIET;
        self.notes(turn).await?;
        self.mark().await?;
        self.reading().await?;
        self.rooms(turn).await?;
        self.rounds += 1;
        self.account().await
    }

    /// Whether there is something to take back.
    pub(super) fn has_sent(&self) -> bool {
        !self.full.sent.is_empty() || self.quiet.iter().any(|mailbox| !mailbox.sent.is_empty())
    }

    /// Deletes some of the notes that were sent, from both kinds of inboxes.
    /// That comes after all rounds, or every page would first pass what was
    /// deleted.
    pub(super) async fn take_back(&mut self) -> Result<(), Trouble> {
        let address = self.address;
        let quiet = self.quiet.iter_mut().find(|mailbox| !mailbox.sent.is_empty());
        let quiet = quiet.map(|mailbox| (Call::DeleteFromEmpty, mailbox));
        for (call, mailbox) in [(Call::DeleteFromFull, &mut self.full)].into_iter().chain(quiet) {
            let sent: Vec<_> = mailbox.sent.drain(..mailbox.sent.len().min(BATCH)).collect();
            let who = Who::Token(&mailbox.token);
            let delete = |id: &String| api::request("DELETE", &format!("/api/message/{id}"), address, who, None);
            self.gauge.make(call, &sent.iter().map(delete).collect::<Vec<_>>()).await?;
        }
        Ok(())
    }

    /// Sends to both kinds of inboxes, and looks.
    async fn notes(&mut self, turn: usize) -> Result<(), Trouble> {
        let address = self.address;
        for (send, look, mailbox) in [
            (Call::SendToEmpty, Call::NewestOfEmpty, &mut self.quiet[turn]),
            (Call::SendToFull, Call::NewestOfFull, &mut self.full),
        ] {
            let bodies = (0..BATCH).map(|n| json!({"id": mailbox.target, "message": format!("{WORDS} {n}")}));
            let sends =
                bodies.map(|body| api::request("POST", SEND_NOTE, address, Who::Nobody, Some(&body.to_string())));
            self.gauge.make(send, &sends.collect::<Vec<_>>()).await?;
            let who = Who::Token(&mailbox.token);
            let look_once = api::request("GET", &newest_page(SHOWN), address, who, None);
            mailbox.sent.extend(just_sent(&self.gauge.make(look, &vec![look_once; BATCH]).await?)?);
        }
        Ok(())
    }

    /// Marks the notes this round has sent to the full inbox.
    async fn mark(&mut self) -> Result<(), Trouble> {
        let Mailbox { token, sent, .. } = &self.full;
        let ids = &sent[sent.len().saturating_sub(BATCH)..];
        let mark = |id: &String| self.request("GET", &format!("/api/mark_as_seen/{id}"), Who::Token(token), None);
        let marks: Vec<_> = ids.iter().map(mark).collect();
        self.gauge.make(Call::Mark, &marks).await.map(drop)
    }

    /// Makes the calls that only read.
    async fn reading(&mut self) -> Result<(), Trouble> {
        let (full, oldest) = (self.full.token.clone(), self.oldest.clone());
        self.make(Call::OldestOfFull, Who::Token(&full), &[oldest], BATCH).await?;
        self.make(Call::Unread, Who::Token(&full), &[newest_page(1)], BATCH).await?;
        // Each round others.
        let people = (self.rounds * BATCH..).take(BATCH).map(|n| &self.people.all[n % self.people.all.len()]);
        let names: Vec<_> = people.map(|person| format!("/api/annon/{}", person.name)).collect();
        self.make(Call::Target, Who::Nobody, &names, BATCH).await?;
        self.make(Call::Dashboard, Who::Token(&full), &[DASHBOARD.to_owned()], BATCH).await.map(drop)
    }

    /// Makes rooms, visits each, and closes them.
    async fn rooms(&mut self, turn: usize) -> Result<(), Trouble> {
        let owner = self.quiet[turn].token.clone();
        let owner = Who::Token(&owner);
        let body = json!({"name": "growth"}).to_string();
        let makes = vec![self.request("POST", "/api/room/create", owner, Some(&body)); BATCH];
        let made = self.gauge.make(Call::MakeRoom, &makes).await?;
        let ids = made.iter().map(|answer| word(&answer.json, "room_id", "/api/room/create"));
        let ids = ids.collect::<Result<Vec<_>, _>>()?;
        let paths = |before: &str, after: &str| -> Vec<_> {
            ids.iter().map(|id| format!("/api/{before}/{id}{after}")).collect()
        };
        self.make(Call::ListRooms, owner, &["/api/rooms".to_owned()], BATCH).await?;
        self.make(Call::IsAlive, Who::Nobody, &paths("room/valid", ""), BATCH).await?;
        let seated = self.make(Call::TakeSeat, Who::Nobody, &paths("room-emoji", ""), BATCH).await?;
        let no_cookie = || odd("/api/room-emoji", "it brings no cookie");
        let cookies = seated.into_iter().map(|answer| answer.cookie.ok_or_else(no_cookie));
        let cookies = cookies.collect::<Result<Vec<_>, _>>()?;
        let with_seats = |method: &str, paths: Vec<String>| -> Vec<_> {
            let pairs = paths.iter().zip(&cookies);
            pairs.map(|(path, cookie)| self.request(method, path, Who::Seat(cookie), None)).collect()
        };
        let (shows, leaves) = (with_seats("GET", paths("room", "")), with_seats("DELETE", paths("room", "/seat")));
        self.gauge.make(Call::ShowRoom, &shows).await?;
        self.gauge.make(Call::LeaveSeat, &leaves).await?;
        let closes = paths("room", "");
        let closes: Vec<_> = closes.iter().map(|path| self.request("DELETE", path, owner, None)).collect();
        self.gauge.make(Call::CloseRoom, &closes).await.map(drop)
    }

    /// Somebody new signs up, in, out and in, and goes: once, because hashing
    /// takes longer than all else together.
    async fn account(&mut self) -> Result<(), Trouble> {
        let who = self.people.all.len();
        let sign_up = self.request("POST", SIGN_UP, Who::Nobody, Some(&self.people.sign_up_body(who)));
        let sign_in = self.request("POST", SIGN_IN, Who::Nobody, Some(&self.people.sign_in_body(who)));
        self.gauge.make(Call::SignUp, &[sign_up]).await?;
        let signed_in = self.gauge.make(Call::SignIn, &[sign_in.clone(), sign_in]).await?;
        let tokens = signed_in.iter().map(|answer| word(&answer.json, "access_token", SIGN_IN));
        let tokens = tokens.collect::<Result<Vec<_>, _>>()?;
        let sign_out = self.request("POST", "/api/logout", Who::Token(&tokens[0]), None);
        self.gauge.make(Call::SignOut, &[sign_out]).await?;
        let body = People::leave_body();
        let leave = self.request("DELETE", LEAVE, Who::Token(&tokens[1]), Some(&body));
        self.gauge.make(Call::DeleteAccount, &[leave]).await.map(drop)
    }

    /// Asks for these in turns, so often in all.
    async fn make(&mut self, call: Call, who: Who<'_>, paths: &[String], times: usize) -> Result<Vec<Told>, Trouble> {
        let paths = paths.iter().cycle().take(times);
        let requests: Vec<_> = paths.map(|path| self.request("GET", path, who, None)).collect();
        self.gauge.make(call, &requests).await
    }

    fn request(&self, method: &str, path: &str, who: Who<'_>, body: Option<&str>) -> Vec<u8> {
        api::request(method, path, self.address, who, body)
    }
}

/// The notes of this round, which must be the newest ones.
fn just_sent(pages: &[Told]) -> Result<Vec<String>, Trouble> {
    let missing = || odd("/api/messages", "it doesn't begin with the notes just acknowledged");
    let notes = pages.first().and_then(|page| page.json["data"].as_array()).ok_or_else(missing)?;
    let ours = notes.iter().take(BATCH).filter(|note| note["message"].as_str().is_some_and(|m| m.starts_with(WORDS)));
    let ids: Vec<_> = ours.filter_map(|note| note["id"].as_str().map(str::to_owned)).collect();
    if ids.len() == BATCH { Ok(ids) } else { Err(missing()) }
}
