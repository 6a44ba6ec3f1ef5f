//! What the contract says of each command, over plain maps and lists. It knows nothing of how an
//! engine keeps anything, and uses none of the store's rules.

use std::collections::BTreeMap;

use annon_contract::limits::ROOMS_PER_ACCOUNT;
use annon_store::StoreError;
use annon_store::account::{AccountId, LinkKind};
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::inbox::{Note, NoteId, Page};
use annon_store::room::{Body, Millis, RoomEvent, RoomId, RoomMetadata, SeatNumber, Seq};

use super::accounts::People;
use super::notes::Notes;
use super::{Answer, Command, Log, Seats, View, events, in_case, new_account};
use crate::support::people::*;

pub(super) type Done<T = ()> = Result<T, StoreError>;

#[derive(Default)]
pub(super) struct Model {
    people: People,
    inboxes: BTreeMap<AccountId, Notes>,
    feedback: Vec<Feedback>,
    rooms: BTreeMap<RoomId, Room>,
}

struct Room {
    metadata: RoomMetadata,
    /// The number of the last event, which may be forgotten.
    end: u64,
    events: Log,
}

impl Model {
    /// What every engine must answer to this command.
    pub(super) fn obey(&mut self, command: Command, at: u64, seats: &Seats) -> Answer {
        use Command::*;
        let people = &mut self.people;
        let digest = |n| seats.digest(n, at);
        match command {
            Create { id, name, address, upper, confirmed } => {
                let name = in_case(name_of(name), upper);
                Answer::SignedUp(people.create(new_account(at, seats.id(id), name, address, confirmed)))
            }
            Find { name } => Answer::Account(people.by_name(&name_of(name))),
            FindAddress { address } => Answer::Account(people.by_address(&address_of(address))),
            Delete { id } => Answer::Done(self.delete(seats.id(id))),
            List { after, limit } => Answer::Accounts(people.list(after.map(|seat| seats.id(seat)), limit)),
            Revoke { id, token: n, expires } => Answer::Done(people.revoke(seats.id(id), token(n), expires, NOW)),
            ChangePassword { id, spared, is_late } => {
                let account = people.by_id(seats.id(id)).filter(|_| !is_late);
                let was = account.map_or(hash(u64::MAX), |account| account.password);
                Answer::Done(people.change_password(seats.id(id), &was, hash(at), spared.map(token)))
            }
            BeginReset { id, digest: n, expires } => {
                Answer::Done(people.begin_link(LinkKind::Reset, seats.id(id), digest(n), expires))
            }
            PendingReset { digest: n, now } => Answer::Id(Ok(people.pending(LinkKind::Reset, digest(n), now))),
            FinishReset { digest: n, now } => Answer::Id(people.finish_reset(digest(n), hash(at), now).map(Some)),
            BeginDecoyReset { id, digest: n, expires } => {
                Answer::Done(people.begin_decoy(seats.id(id), digest(n), expires))
            }
            BeginConfirmation { id, digest: n, expires } => {
                Answer::Done(people.begin_link(LinkKind::Confirmation, seats.id(id), digest(n), expires))
            }
            Confirm { digest: n, now } => Answer::Id(people.confirm(digest(n), now).map(Some)),
            NewTarget { id } => Answer::Done(people.new_target(seats.id(id), target_id(at + 1_000))),
            Deliver { id, note: n, seen, now } => {
                let arrives = |inbox: &mut Notes| inbox.deliver(Note { seen, ..note(n) }, now);
                Answer::Unread(self.inbox(seats.id(id)).and_then(arrives))
            }
            Page { id, before, limit, now } => Answer::Page(self.page(seats.id(id), before.map(note_id), limit, now)),
            MarkSeen { id, note, now } => {
                Answer::Unread(self.inbox(seats.id(id)).and_then(|inbox| inbox.mark_seen(note_id(note), now)))
            }
            Remove { id, note, now } => {
                Answer::Unread(self.inbox(seats.id(id)).and_then(|inbox| inbox.remove(note_id(note), now)))
            }
            RemoveAll { id } => Answer::Done(self.inbox(seats.id(id)).map(Notes::remove_all)),
            SetBatches { id, in_batches, now } => {
                Answer::Unread(self.inbox(seats.id(id)).map(|inbox| inbox.set_batches(in_batches, now)))
            }
            AddFeedback { id } => Answer::Done(self.add_feedback(feedback(id))),
            PageFeedback { before, limit } => Answer::Feedback(self.feedback(before.map(feedback_id), limit)),
            RemoveFeedback { id } => Answer::Done(self.remove_feedback(feedback_id(id))),
            CreateRoom { id, expires, .. } => {
                let created = metadata(at.into(), 1, expires);
                Answer::Done(self.create_room(RoomMetadata { owner: seats.id(id), ..created }, NOW - 1))
            }
            RemoveRoom { place } => {
                self.rooms.remove(&seats.room(place));
                Answer::Done(Ok(()))
            }
            Append { place, behind, count } => {
                Answer::Done(self.append(seats.room(place), seats.expected(place, behind), events(at, count)))
            }
            TakeBack { place, message } => {
                let (room, end) = (seats.room(place), seats.expected(place, 0));
                Answer::Done(self.take_back(room, end, [Seq(message), Seq(2)]))
            }
            Forget { place, up_to } => Answer::Done(self.forget(seats.room(place), Seq(up_to))),
            ReadLog { place, after } => Answer::Log(self.log(seats.room(place), Seq(after))),
            Reopen => Answer::Done(Ok(())),
            Sweep => {
                self.sweep(NOW);
                Answer::Done(Ok(()))
            }
        }
    }

    fn delete(&mut self, id: AccountId) -> Done {
        self.people.delete(id)?;
        self.inboxes.remove(&id);
        self.rooms.retain(|_, room| room.metadata.owner != id);
        Ok(())
    }

    /// The inbox of somebody who is there.
    fn inbox(&mut self, owner: AccountId) -> Done<&mut Notes> {
        self.people.person(owner)?;
        Ok(self.inboxes.entry(owner).or_default())
    }

    /// Nobody's page is empty.
    fn page(&self, owner: AccountId, before: Option<NoteId>, limit: usize, now: u64) -> Page {
        let nothing = Page { notes: Vec::new(), unread: 0 };
        self.inboxes.get(&owner).map_or(nothing, |inbox| inbox.page(before, limit, now))
    }

    fn add_feedback(&mut self, one: Feedback) -> Done {
        if self.feedback.iter().any(|other| other.id == one.id) {
            return Err(StoreError::Conflict);
        }
        self.feedback.push(one);
        Ok(())
    }

    fn feedback(&self, before: Option<FeedbackId>, limit: usize) -> Vec<Feedback> {
        let mut page = self.feedback.clone();
        page.retain(|one| before.is_none_or(|before| one.id < before));
        page.sort_by_key(|one| std::cmp::Reverse(one.id));
        page.truncate(limit);
        page
    }

    fn remove_feedback(&mut self, id: FeedbackId) -> Done {
        let at = self.feedback.iter().position(|one| one.id == id).ok_or(StoreError::NotFound)?;
        self.feedback.remove(at);
        Ok(())
    }

    /// Adds a room, whose id was never used.
    fn create_room(&mut self, metadata: RoomMetadata, now: u64) -> Done {
        self.people.person(metadata.owner)?;
        let is_theirs = |room: &&Room| room.metadata.owner == metadata.owner && room.metadata.expires > now;
        if self.rooms.values().filter(is_theirs).count() >= ROOMS_PER_ACCOUNT {
            return Err(StoreError::Full);
        }
        self.rooms.insert(metadata.id, Room { metadata, end: 0, events: Vec::new() });
        Ok(())
    }

    fn append(&mut self, id: RoomId, expected: Seq, events: Vec<RoomEvent>) -> Done {
        let room = self.rooms.get_mut(&id).ok_or(StoreError::NotFound)?;
        if room.end != expected.0 {
            return Err(StoreError::Conflict);
        }
        for event in events {
            room.end += 1;
            room.events.push((Seq(room.end), event));
        }
        Ok(())
    }

    /// Appends that messages were taken back: they lose their words.
    fn take_back(&mut self, id: RoomId, expected: Seq, messages: [Seq; 2]) -> Done {
        let event = RoomEvent::Retracted { seat: SeatNumber(1), message: messages[0], at: Millis(3) };
        self.append(id, expected, vec![event])?;
        for (seq, event) in &mut self.rooms.get_mut(&id).ok_or(StoreError::NotFound)?.events {
            if let RoomEvent::Posted { body, .. } = event
                && messages.contains(seq)
            {
                *body = Body::Gone;
            }
        }
        Ok(())
    }

    /// Removes messages, and what took them back. Everything else stays. The room may be gone.
    fn forget(&mut self, id: RoomId, up_to: Seq) -> Done {
        let is_of_a_message =
            |event: &RoomEvent| matches!(event, RoomEvent::Posted { .. } | RoomEvent::Retracted { .. });
        if let Some(room) = self.rooms.get_mut(&id) {
            room.events.retain(|(seq, event)| *seq > up_to || !is_of_a_message(event));
        }
        Ok(())
    }

    fn log(&self, id: RoomId, after: Seq) -> Log {
        let events = self.rooms.get(&id).map(|room| room.events.clone()).unwrap_or_default();
        events.into_iter().filter(|(seq, _)| *seq > after).collect()
    }

    /// Removes the rooms whose time is up, and mailed links.
    pub(super) fn sweep(&mut self, now: u64) {
        self.rooms.retain(|_, room| room.metadata.expires > now);
        self.people.sweep(now);
    }

    /// An account's rooms, the newest first, with their logs.
    fn rooms_of(&self, owner: AccountId) -> Vec<(RoomMetadata, Log)> {
        let all = self.rooms.values().filter(|room| room.metadata.owner == owner);
        let mut rooms: Vec<_> = all.map(|room| (room.metadata.clone(), room.events.clone())).collect();
        rooms.sort_by_key(|(room, _)| std::cmp::Reverse(room.created));
        rooms
    }

    /// What all of it looks like when every batch was delivered.
    pub(super) fn view(&self, seats: &Seats) -> View {
        let owners = [0, 1, 2, 3].map(|seat| seats.id(seat));
        let access = owners.map(|owner| self.people.access(owner)).to_vec();
        let links = seats.links.iter().map(|(kind, digest)| self.people.pending(*kind, *digest, NOW)).collect();
        (
            (self.people.list(None, usize::MAX), access, links),
            owners.map(|owner| self.page(owner, None, usize::MAX, u64::MAX)).to_vec(),
            self.feedback(None, usize::MAX),
            owners.map(|owner| self.rooms_of(owner)).to_vec(),
        )
    }
}
