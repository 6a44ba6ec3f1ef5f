//! Any sequence of commands, starts and sweeps gets the answers from each engine that the contract
//! promises: those of a model of a few maps and lists, which shares no code with any engine.

use annon_store::StoreError;
use annon_store::account::{Access, Account, AccountId, LinkDigest, LinkKind, SignUpError, Username};
use annon_store::feedback::Feedback;
use annon_store::inbox::{Note, Page};
use annon_store::room::{RoomEvent, RoomId, RoomMetadata, Seq};
use proptest::prelude::*;

use crate::contract::engine::Engine;
use crate::support::people::*;

mod accounts;
mod notes;
mod plain;

use plain::Model;

/// Numbers are small, so that commands meet. A command names an account by its seat. The account's
/// id contains how often the seat was left, so no id is given twice.
#[derive(Debug, Clone)]
enum Command {
    Create { id: u64, name: u64, address: u64, upper: bool, confirmed: bool },
    FindAddress { address: u64 },
    Find { name: u64 },
    Delete { id: u64 },
    List { after: Option<u64>, limit: usize },
    Revoke { id: u64, token: u64, expires: u64 },
    ChangePassword { id: u64, spared: Option<u64>, is_late: bool },
    BeginReset { id: u64, digest: u64, expires: u64 },
    PendingReset { digest: u64, now: u64 },
    FinishReset { digest: u64, now: u64 },
    BeginDecoyReset { id: u64, digest: u64, expires: u64 },
    BeginConfirmation { id: u64, digest: u64, expires: u64 },
    Confirm { digest: u64, now: u64 },
    NewTarget { id: u64 },
    Deliver { id: u64, note: u64, seen: bool, now: u64 },
    Page { id: u64, before: Option<u64>, limit: usize, now: u64 },
    MarkSeen { id: u64, note: u64, now: u64 },
    Remove { id: u64, note: u64, now: u64 },
    RemoveAll { id: u64 },
    SetBatches { id: u64, in_batches: bool, now: u64 },
    AddFeedback { id: u64 },
    PageFeedback { before: Option<u64>, limit: usize },
    RemoveFeedback { id: u64 },
    CreateRoom { place: usize, id: u64, expires: u64 },
    RemoveRoom { place: usize },
    Append { place: usize, behind: u64, count: u64 },
    TakeBack { place: usize, message: u64 },
    Forget { place: usize, up_to: u64 },
    ReadLog { place: usize, after: u64 },
    Reopen,
    Sweep,
}

#[derive(Debug, PartialEq)]
enum Answer {
    Done(Result<(), StoreError>),
    SignedUp(Result<(), SignUpError>),
    Account(Option<Account>),
    Accounts(Vec<Account>),
    Id(Result<Option<AccountId>, StoreError>),
    Unread(Result<u32, StoreError>),
    Page(Page),
    Feedback(Vec<Feedback>),
    Log(Log),
}

type Log = Vec<(Seq, RoomEvent)>;

fn command() -> impl Strategy<Value = Command> {
    use Command::*;
    let id = || 0..4_u64;
    let note = || 0..6_u64;
    let when = || NOW..NOW + 4;
    // Two moments in each quarter of an hour, in any order, because clocks are set back, too.
    let moment = || (0..6_u64).prop_map(|n| NOW + 450 * n);
    prop_oneof![
        4 => (id(), id(), id(), any::<bool>(), any::<bool>())
            .prop_map(|(id, name, address, upper, confirmed)| Create { id, name, address, upper, confirmed }),
        2 => id().prop_map(|address| FindAddress { address }),
        1 => id().prop_map(|name| Find { name }),
        1 => id().prop_map(|id| Delete { id }),
        1 => (proptest::option::of(id()), 0..4_usize).prop_map(|(after, limit)| List { after, limit }),
        1 => (id(), id(), when()).prop_map(|(id, token, expires)| Revoke { id, token, expires }),
        1 => (id(), proptest::option::of(id()), any::<bool>())
            .prop_map(|(id, spared, is_late)| ChangePassword { id, spared, is_late }),
        2 => (id(), id(), when()).prop_map(|(id, digest, expires)| BeginReset { id, digest, expires }),
        1 => (id(), when()).prop_map(|(digest, now)| PendingReset { digest, now }),
        1 => (id(), when()).prop_map(|(digest, now)| FinishReset { digest, now }),
        1 => (id(), id(), when()).prop_map(|(id, digest, expires)| BeginDecoyReset { id, digest, expires }),
        3 => (id(), id(), when()).prop_map(|(id, digest, expires)| BeginConfirmation { id, digest, expires }),
        3 => (id(), when()).prop_map(|(digest, now)| Confirm { digest, now }),
        1 => id().prop_map(|id| NewTarget { id }),
        8 => (id(), note(), any::<bool>(), moment()).prop_map(|(id, note, seen, now)| Deliver { id, note, seen, now }),
        3 => (id(), proptest::option::of(note()), 0..7_usize, moment())
            .prop_map(|(id, before, limit, now)| Page { id, before, limit, now }),
        3 => (id(), note(), moment()).prop_map(|(id, note, now)| MarkSeen { id, note, now }),
        4 => (id(), note(), moment()).prop_map(|(id, note, now)| Remove { id, note, now }),
        1 => id().prop_map(|id| RemoveAll { id }),
        2 => (id(), any::<bool>(), moment()).prop_map(|(id, in_batches, now)| SetBatches { id, in_batches, now }),
        2 => id().prop_map(|id| AddFeedback { id }),
        1 => (proptest::option::of(id()), 0..5_usize).prop_map(|(before, limit)| PageFeedback { before, limit }),
        1 => id().prop_map(|id| RemoveFeedback { id }),
        3 => (0..3_usize, id(), when()).prop_map(|(place, id, expires)| CreateRoom { place, id, expires }),
        1 => (0..3_usize).prop_map(|place| RemoveRoom { place }),
        8 => (0..3_usize, 0..2_u64, 1..4_u64).prop_map(|(place, behind, count)| Append { place, behind, count }),
        3 => (0..3_usize, 0..9_u64).prop_map(|(place, message)| TakeBack { place, message }),
        1 => (0..3_usize, 0..9_u64).prop_map(|(place, up_to)| Forget { place, up_to }),
        2 => (0..3_usize, 0..9_u64).prop_map(|(place, after)| ReadLog { place, after }),
        1 => Just(Reopen),
        2 => Just(Sweep),
    ]
}

fn in_case(name: Username, upper: bool) -> Username {
    if upper { username(&name.as_str().to_uppercase()) } else { name }
}

/// The account that the command with this number creates.
fn new_account(at: u64, id: AccountId, name: Username, address: u64, confirmed: bool) -> Account {
    Account { id, target: target_id(at), username: name, email: address_of(address), confirmed, ..account(at) }
}

/// What the command with this number appends.
fn events(at: u64, count: u64) -> Vec<RoomEvent> {
    (0..count).map(|n| if n == 1 { came(at as u32) } else { posted(&format!("{at} {n}")) }).collect()
}

async fn obey(engine: &mut Engine, command: Command, at: u64, seats: &Seats) -> Answer {
    use Command::*;
    let account_id = |seat| seats.id(seat);
    let (accounts, feedback_box) = (engine.accounts(), engine.feedback());
    let (rooms, log) = (engine.rooms(), engine.room_log());
    let digest = |n| seats.digest(n, at);
    let inbox = |now| numbered_at(engine.inbox(), now);
    let is_reopening = matches!(command, Reopen);
    let answer = match command {
        Create { id, name, address, upper, confirmed } => {
            let name = in_case(name_of(name), upper);
            Answer::SignedUp(accounts.create(new_account(at, account_id(id), name, address, confirmed)).await)
        }
        Find { name } => Answer::Account(accounts.by_username(&name_of(name)).await.unwrap()),
        FindAddress { address } => Answer::Account(accounts.by_email(&address_of(address)).await.unwrap()),
        Delete { id } => Answer::Done(accounts.delete(account_id(id)).await),
        List { after, limit } => Answer::Accounts(accounts.list(after.map(account_id), limit).await.unwrap()),
        Revoke { id, token: n, expires } => Answer::Done(accounts.revoke(account_id(id), token(n), expires, NOW).await),
        ChangePassword { id, spared, is_late } => {
            let account = accounts.by_id(account_id(id)).await.unwrap().filter(|_| !is_late);
            let was = account.map_or(hash(u64::MAX), |account| account.password);
            Answer::Done(accounts.change_password(account_id(id), was, hash(at), spared.map(token)).await)
        }
        BeginReset { id, digest: n, expires } => {
            Answer::Done(accounts.begin_link(LinkKind::Reset, account_id(id), digest(n), expires).await)
        }
        PendingReset { digest: n, now } => Answer::Id(accounts.pending_link(LinkKind::Reset, digest(n), now).await),
        FinishReset { digest: n, now } => Answer::Id(accounts.finish_reset(digest(n), hash(at), now).await.map(Some)),
        BeginDecoyReset { id, digest: n, expires } => {
            Answer::Done(accounts.begin_decoy_reset(account_id(id), digest(n), expires).await)
        }
        BeginConfirmation { id, digest: n, expires } => {
            Answer::Done(accounts.begin_link(LinkKind::Confirmation, account_id(id), digest(n), expires).await)
        }
        Confirm { digest: n, now } => Answer::Id(accounts.confirm(digest(n), now).await.map(Some)),
        NewTarget { id } => Answer::Done(accounts.new_target(account_id(id), target_id(at + 1_000)).await),
        Deliver { id, note: n, seen, now } => {
            Answer::Unread(inbox(now).deliver(account_id(id), Note { seen, ..note(n) }).await)
        }
        Page { id, before, limit, now } => {
            let page = inbox(now).page(account_id(id), before.map(note_id), limit).await;
            Answer::Page(page.unwrap())
        }
        MarkSeen { id, note, now } => Answer::Unread(inbox(now).mark_seen(account_id(id), note_id(note)).await),
        Remove { id, note, now } => Answer::Unread(inbox(now).remove(account_id(id), note_id(note)).await),
        RemoveAll { id } => Answer::Done(engine.inbox().remove_all(account_id(id), NOW).await),
        SetBatches { id, in_batches, now } => {
            Answer::Unread(engine.inbox().set_batches(account_id(id), in_batches, now).await)
        }
        AddFeedback { id } => Answer::Done(feedback_box.add(feedback(id)).await),
        PageFeedback { before, limit } => {
            Answer::Feedback(feedback_box.page(before.map(feedback_id), limit).await.unwrap())
        }
        RemoveFeedback { id } => Answer::Done(feedback_box.remove(feedback_id(id)).await),
        CreateRoom { id, expires, .. } => {
            let created = metadata(at.into(), 1, expires);
            Answer::Done(rooms.create(RoomMetadata { owner: account_id(id), ..created }, NOW - 1).await)
        }
        RemoveRoom { place } => Answer::Done(rooms.remove(seats.room(place)).await),
        Append { place, behind, count } => {
            Answer::Done(log.append(seats.room(place), seats.expected(place, behind), events(at, count)).await)
        }
        TakeBack { place, message } => {
            let (room, end) = (seats.room(place), seats.expected(place, 0));
            Answer::Done(take_back(&*log, room, end, vec![Seq(message), Seq(2)]).await)
        }
        Forget { place, up_to } => Answer::Done(log.forget(seats.room(place), Seq(up_to)).await),
        // A room that is gone has no events, or is not found.
        ReadLog { place, after } => Answer::Log(log.read(seats.room(place), Seq(after)).await.unwrap_or_default()),
        Reopen => Answer::Done(Ok(())),
        Sweep => {
            engine.sweep_after_start(NOW).await.unwrap();
            Answer::Done(Ok(()))
        }
    };
    drop((accounts, feedback_box, rooms, log));
    if is_reopening {
        engine.reopen().await;
    }
    answer
}

/// How often each seat was left, how many sweeps there were, which room was last made at each
/// place, with the end of its log, and which mailed links were begun.
#[derive(Default)]
struct Seats {
    left: [u64; 4],
    sweeps: u64,
    rooms: [(u128, Seq); 3],
    links: Vec<(LinkKind, LinkDigest)>,
}

impl Seats {
    /// Notes what a command has done.
    fn note(&mut self, at: usize, command: &Command, answer: &Answer) {
        let is_done = *answer == Answer::Done(Ok(()));
        match command {
            Command::Delete { id } if is_done => self.left[*id as usize] += 1,
            Command::Sweep => self.sweeps += 1,
            Command::CreateRoom { place, .. } if is_done => self.rooms[*place] = (at as u128, Seq(0)),
            Command::Append { place, count, .. } if is_done => self.rooms[*place].1.0 += count,
            Command::TakeBack { place, .. } if is_done => self.rooms[*place].1.0 += 1,
            Command::BeginReset { digest, .. } | Command::BeginDecoyReset { digest, .. } if is_done => {
                self.links.push((LinkKind::Reset, self.digest(*digest, at as u64)));
            }
            Command::BeginConfirmation { digest, .. } if is_done => {
                self.links.push((LinkKind::Confirmation, self.digest(*digest, at as u64)));
            }
            _ => {}
        }
    }

    fn id(&self, seat: u64) -> AccountId {
        account_id(seat + 10 * self.left[seat as usize])
    }

    /// A server never draws a digest twice, and a sweep forgets expired ones: eras have their own.
    fn digest(&self, n: u64, at: u64) -> LinkDigest {
        digest(n + (at / 8 + self.sweeps) * 4)
    }

    fn room(&self, place: usize) -> RoomId {
        room(self.rooms[place].0)
    }

    /// Where a log ends, in the eyes of somebody who is so many events behind.
    fn expected(&self, place: usize, behind: u64) -> Seq {
        Seq(self.rooms[place].1.0.saturating_sub(behind))
    }
}

/// Every room of an account, with its log.
async fn rooms_of(engine: &Engine, owner: AccountId) -> Vec<(RoomMetadata, Log)> {
    let mut rooms = Vec::new();
    for room in engine.rooms().of_owner(owner).await.unwrap() {
        assert_eq!(engine.rooms().by_id(room.id).await, Ok(Some(room.clone())));
        let log = engine.room_log().read(room.id, Seq(0)).await.unwrap();
        rooms.push((room, log));
    }
    rooms
}

type View = (People, Vec<Page>, Vec<Feedback>, Vec<Vec<(RoomMetadata, Log)>>);

/// The accounts, their valid tokens, and whose link each is that was begun and still works.
type People = (Vec<Account>, Vec<Option<Access>>, Vec<Option<AccountId>>);

async fn view(engine: &Engine, seats: &Seats) -> View {
    let (mut access, mut pages, mut rooms, mut links) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (kind, digest) in &seats.links {
        links.push(engine.accounts().pending_link(*kind, *digest, NOW).await.unwrap());
    }
    for n in 0..4 {
        access.push(engine.accounts().access(seats.id(n)).await.unwrap());
        rooms.push(rooms_of(engine, seats.id(n)).await);
        pages.push(engine.numbered().page(seats.id(n), None, 100).await.unwrap());
    }
    let accounts = engine.accounts().list(None, 100).await.unwrap();
    ((accounts, access, links), pages, engine.feedback().page(None, 100).await.unwrap(), rooms)
}

async fn compare(mut engine: Engine, commands: Vec<Command>) {
    let (mut model, mut seats) = (Model::default(), Seats::default());
    for (at, command) in commands.into_iter().enumerate() {
        let answer = obey(&mut engine, command.clone(), at as u64, &seats).await;
        assert_eq!(answer, model.obey(command.clone(), at as u64, &seats), "at command {at}, {command:?}");
        seats.note(at, &command, &answer);
    }
    assert_eq!(view(&engine, &seats).await, model.view(&seats));
    engine.reopen().await;
    engine.sweep_after_start(NOW).await.unwrap();
    model.sweep(NOW);
    assert_eq!(view(&engine, &seats).await, model.view(&seats), "after a last start");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_commands_is_answered_by_the_folder_as_by_the_model(
        commands in proptest::collection::vec(command(), 1..120),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(compare(Engine::local(), commands));
    }

    #[test]
    fn any_sequence_of_commands_is_answered_in_memory_as_by_the_model(
        commands in proptest::collection::vec(command(), 1..120),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(compare(Engine::memory(), commands));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_commands_is_answered_by_postgres_as_by_the_model(
        commands in proptest::collection::vec(command(), 1..120),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { compare(Engine::postgres().await, commands).await });
    }
}
