//! How often one address may do what costs something or annoys somebody.
//!
//! An address is never kept: the buckets stand under an HMAC of it, with a
//! key that lives in memory and changes every day.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use annon_actors::bucket::Rate;
use annon_actors::clock::SharedClock;
use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_contract::limits::{
    ADDRESS_PICTURE_BYTES, CONFIRMATIONS_PER_HOUR, LINKS_AGAIN_FROM_ONE_PER_HOUR, LINKS_AGAIN_PER_HOUR,
    NOTES_TO_ONE_PER_DAY, NOTES_TO_ONE_PER_HOUR, RESETS_PER_HOUR, SIGN_UP_MAILS_FROM_ONE_PER_HOUR,
    SIGN_UP_MAILS_PER_HOUR,
};
use annon_store::account::{AccountId, Email};
use aws_lc_rs::hmac;
use parking_lot::Mutex;

use crate::error::ApiError;

mod buckets;
pub(crate) use buckets::Buckets;

/// How many of a kind are remembered.
const REMEMBERED: usize = 100_000;
/// Decoy resets (for addresses without an account) that are written in an hour
/// in all. Each takes some hundred bytes for half an hour.
const DECOYS_PER_HOUR: u32 = 10_000;
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
/// How long an address stands under the same key.
const KEY_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// What is counted. The numbers leave room for many people behind one
/// address, which is where anonymous notes are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Call {
    /// Trying a password.
    SignIn,
    SignUp,
    /// Asking for a reset mail, or using one.
    Reset,
    /// Sending an anonymous note.
    Note,
    /// Sending one to one inbox: one stranger must not fill it.
    NoteToOne,
    /// The same in a day.
    NoteToOneInADay,
    /// Opening a socket: the others in a group see who comes and goes.
    Socket,
    Feedback,
    /// A byte of a picture that is stored.
    PictureBytes,
    /// Asking for something by a name or id that isn't there.
    Miss,
    /// Reading what was said in a group: it is made anew, and compressed, for each
    /// caller.
    History,
    /// Leaving a group: it makes room for the next claim, and both are kept
    /// as long as the group is.
    Leave,
    /// Asking for a reset mail to one address, by any caller, with or without
    /// an account of that address.
    ResetMailTo,
    /// Signing up with one address, by any caller.
    SignUpMailTo,
    /// Signing up with one address, by one caller.
    SignUpMailFrom,
    /// Having a link mailed to one address again, by any account.
    LinkAgainTo,
    /// Having a link mailed to one address again, by one caller.
    LinkAgainFrom,
    /// Having an account's own address mailed a link.
    ConfirmationOf,
    /// Writing a reset for nobody.
    Decoy,
    /// Locking a group, or sending somebody out: an account's, and kept as
    /// long as the group is.
    Moderation,
}

impl Call {
    /// Whom it is counted for, and how much of it may come at once and in a time.
    fn limit(self) -> (CountedBy, Rate) {
        use CountedBy::{Account, Caller, Pair};
        let each_hour = |by, most| (by, most, most, HOUR);
        let (by, burst, refill, per) = match self {
            Self::SignIn => (Caller, 20, 20, MINUTE),
            Self::SignUp => (Caller, 30, 60, HOUR),
            Self::Reset => (Caller, 10, 20, HOUR),
            Self::Note => (Caller, 60, 60, MINUTE),
            Self::NoteToOne => each_hour(Pair, NOTES_TO_ONE_PER_HOUR),
            Self::NoteToOneInADay => (Pair, NOTES_TO_ONE_PER_DAY, NOTES_TO_ONE_PER_DAY, 24 * HOUR),
            Self::Socket => (Caller, 512, 600, MINUTE),
            Self::Feedback => (Caller, 10, 20, HOUR),
            Self::PictureBytes => each_hour(Caller, ADDRESS_PICTURE_BYTES),
            Self::Miss => (Caller, 60, 60, MINUTE),
            // Three hundred who come in at once behind one address; who scrolls
            // through 10,000 lines reads fifty times.
            Self::History => (Caller, 600, 600, MINUTE),
            Self::Leave => (Caller, 30, 30, MINUTE),
            Self::Moderation => (Account, 30, 30, MINUTE),
            Self::ResetMailTo => each_hour(Account, RESETS_PER_HOUR),
            Self::SignUpMailTo => each_hour(Account, SIGN_UP_MAILS_PER_HOUR),
            Self::SignUpMailFrom => each_hour(Pair, SIGN_UP_MAILS_FROM_ONE_PER_HOUR),
            Self::LinkAgainTo => each_hour(Account, LINKS_AGAIN_PER_HOUR),
            Self::LinkAgainFrom => each_hour(Pair, LINKS_AGAIN_FROM_ONE_PER_HOUR),
            Self::ConfirmationOf => each_hour(Account, CONFIRMATIONS_PER_HOUR),
            Self::Decoy => each_hour(Account, DECOYS_PER_HOUR),
        };
        (by, Rate { burst, refill, per })
    }
}

/// Whom a call is counted for. Each kind has a memory of its own: anybody can
/// have many addresses, and with them fill that of callers.
#[derive(Debug, Clone, Copy)]
enum CountedBy {
    /// The caller's address.
    Caller,
    /// The caller's address together with an inbox, or an address of a mail.
    Pair,
    /// An account: the caller's, or the one that something is done to.
    Account,
}

/// What is held for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Resource {
    /// A connection that HTTP is spoken on.
    Connection,
    Socket,
    /// Bytes of an answer that its reader hasn't taken.
    Answer,
}

/// How many of each one address may hold: enough for a school behind it.
const SOCKETS_EACH: usize = 256;
const CONNECTIONS_EACH: usize = 1024;
/// Bytes of answers that one address may leave waiting. The kernel takes the
/// first hundred kilobytes of each at once, so only a slow reader
/// leaves any.
const ANSWERS_EACH: usize = 8 * 1024 * 1024;
/// When this many bytes wait in all, an address with unread answers gets no
/// more. An address without any still does, or a few clients that don't read
/// could keep everybody from reading.
const ANSWERS_IN_ALL: usize = 64 * 1024 * 1024;
/// How long a caller with unread answers is asked to wait.
const READS_FIRST: Duration = Duration::from_secs(5);

/// An address, as far as it is remembered.
pub type Digest = [u8; 16];

struct State {
    key: hmac::Key,
    key_made: Instant,
    buckets: [Buckets<(Call, Digest)>; 3],
    held: HashMap<(Resource, Digest), usize>,
}

pub struct RateLimits {
    /// Off for load tests; limits per account stay.
    by_address: bool,
    clock: SharedClock,
    state: Arc<Mutex<State>>,
    /// Connections and sockets there may be.
    most_open: usize,
    connections: Arc<AtomicUsize>,
    sockets: Arc<AtomicUsize>,
    answers: Arc<AtomicUsize>,
}

impl RateLimits {
    /// Nothing counted so far. `None` when there is no randomness to be had.
    pub fn new(by_address: bool, most_open: usize, clock: SharedClock) -> Option<Self> {
        let key_made = clock.moment();
        let buckets = [(); 3].map(|()| Buckets::new(REMEMBERED));
        let state = State { key: new_key()?, key_made, buckets, held: HashMap::new() };
        let state = Arc::new(Mutex::new(state));
        let (connections, sockets, answers) = Default::default();
        Some(Self { by_address, clock, state, most_open, connections, sockets, answers })
    }

    /// How many connections and sockets there may be in all.
    pub fn most_open(&self) -> usize {
        self.most_open
    }

    /// Counts a call of an address, or tells how long to wait.
    pub fn take(&self, call: Call, address: IpAddr) -> Result<(), ApiError> {
        if self.by_address { self.count(call, &network(address)) } else { Ok(()) }
    }

    /// Counts a note of an address to an inbox, or tells how long to wait.
    pub fn take_note(&self, address: IpAddr, inbox: AccountId) -> Result<(), ApiError> {
        if !self.by_address {
            return Ok(());
        }
        let pair = [&network(address)[..], inbox.0.as_bytes()].concat();
        let of_the_day = |()| self.count_many(Call::NoteToOneInADay, &pair, 1);
        let counted = self.count_many(Call::NoteToOne, &pair, 1).and_then(of_the_day);
        counted.map_err(|wait| ApiError::with_wait(Code::TooManyNotes, wait))
    }

    /// Counts what is done to or by an account, or tells how long to wait.
    pub fn take_of(&self, call: Call, account: AccountId) -> Result<(), ApiError> {
        self.count(call, account.0.as_bytes())
    }

    /// Counts a mail to an address, or tells how long to wait.
    pub fn take_to(&self, call: Call, address: &Email) -> Result<(), ApiError> {
        self.count(call, address.folded().as_bytes())
    }

    /// Counts a mail that one caller causes to an address, or tells how long to
    /// wait.
    pub fn take_from_to(&self, call: Call, caller: IpAddr, address: &Email) -> Result<(), ApiError> {
        let pair = [&network(caller)[..], address.folded().as_bytes()].concat();
        if self.by_address { self.count(call, &pair) } else { Ok(()) }
    }

    /// Counts what is bounded for everybody together.
    pub fn take_in_all(&self, call: Call) -> Result<(), ApiError> {
        self.count(call, &[])
    }

    /// Whether an address has missed too often to be told of another miss.
    pub fn missed(&self, address: IpAddr, miss: Code) -> ApiError {
        self.take(Call::Miss, address).err().unwrap_or(miss.into())
    }

    /// Counts a connection for as long as the answer is kept, if there is room
    /// for one more. A proxy has those of many.
    pub fn connect(&self, address: IpAddr, is_proxy: bool) -> Option<QuotaGuard> {
        let most = if is_proxy { usize::MAX } else { CONNECTIONS_EACH.min(self.most_open / 4) };
        let open = self.connections() + self.sockets();
        if open < self.most_open { self.hold(Resource::Connection, 1, address, |held| held < most) } else { None }
    }

    /// Counts a socket for as long as the answer is kept.
    pub fn open_socket(&self, address: IpAddr) -> Result<QuotaGuard, ApiError> {
        self.take(Call::Socket, address)?;
        self.hold(Resource::Socket, 1, address, |held| held < SOCKETS_EACH)
            .ok_or(ApiError::with_wait(Code::TooManyAttempts, Duration::from_secs(30)))
    }

    /// Counts a picture of so many bytes as stored by an address, or tells how
    /// long to wait.
    pub fn store_picture(&self, address: IpAddr, bytes: usize) -> Result<(), ApiError> {
        if !self.by_address {
            return Ok(());
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.count_many(Call::PictureBytes, &network(address), bytes)
            .map_err(|wait| ApiError::with_wait(Code::TooManyPictures, wait))
    }

    /// What an address is called here, for as long as the key stays.
    pub fn name(&self, address: IpAddr) -> Digest {
        self.state.lock().digest(&network(address))
    }

    /// Counts an answer's bytes for as long as the slot is kept, or asks its
    /// reader to read first what waits already.
    pub fn answer(&self, address: IpAddr, bytes: usize) -> Result<QuotaGuard, ApiError> {
        let in_all = self.answers.load(Ordering::Relaxed);
        let may_take = |held: usize| held == 0 || (held + bytes <= ANSWERS_EACH && in_all < ANSWERS_IN_ALL);
        self.hold(Resource::Answer, bytes, address, may_take)
            .ok_or(ApiError::with_wait(Code::TooManyAttempts, READS_FIRST))
    }

    /// Holds so much more for an address, if it may have that beside what it
    /// holds.
    fn hold(
        &self,
        what: Resource,
        amount: usize,
        address: IpAddr,
        may_take: impl FnOnce(usize) -> bool,
    ) -> Option<QuotaGuard> {
        let mut state = self.state.lock();
        let digest = state.digest(&network(address));
        let held = state.held.get(&(what, digest)).copied().unwrap_or_default();
        if self.by_address && !may_take(held) {
            return None;
        }
        state.held.insert((what, digest), held + amount);
        let of_all = match what {
            Resource::Connection => &self.connections,
            Resource::Socket => &self.sockets,
            Resource::Answer => &self.answers,
        };
        of_all.fetch_add(amount, Ordering::Relaxed);
        Some(QuotaGuard { what, amount, digest, state: self.state.clone(), of_all: of_all.clone() })
    }

    /// How many connections are open that HTTP is spoken on, or will be once
    /// TLS is.
    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::Relaxed)
    }

    pub fn sockets(&self) -> usize {
        self.sockets.load(Ordering::Relaxed)
    }

    fn count(&self, call: Call, who: &[u8]) -> Result<(), ApiError> {
        self.count_many(call, who, 1).map_err(|wait| ApiError::with_wait(Code::TooManyAttempts, wait))
    }

    fn count_many(&self, call: Call, who: &[u8], many: u32) -> Result<(), Duration> {
        let now = self.clock.moment();
        let mut state = self.state.lock();
        state.change_key(now);
        let digest = state.digest(who);
        let (by, rate) = call.limit();
        state.buckets[by as usize].take((call, digest), rate, many, now)
    }
}

impl State {
    /// Changes the key once a day. What was counted under the old one is
    /// forgotten.
    fn change_key(&mut self, now: Instant) {
        if now.duration_since(self.key_made) >= KEY_LIFETIME
            && let Some(key) = new_key()
        {
            (self.key, self.key_made) = (key, now);
            self.buckets.iter_mut().for_each(|buckets| buckets.clear());
        }
    }

    fn digest(&self, who: &[u8]) -> Digest {
        let mut digest = Digest::default();
        digest.copy_from_slice(&hmac::sign(&self.key, who).as_ref()[..16]);
        digest
    }
}

/// What an address holds.
pub struct QuotaGuard {
    what: Resource,
    amount: usize,
    digest: Digest,
    state: Arc<Mutex<State>>,
    of_all: Arc<AtomicUsize>,
}

impl Drop for QuotaGuard {
    fn drop(&mut self) {
        self.of_all.fetch_sub(self.amount, Ordering::Relaxed);
        let mut state = self.state.lock();
        if let Entry::Occupied(mut held) = state.held.entry((self.what, self.digest)) {
            *held.get_mut() -= self.amount;
            if *held.get() == 0 {
                held.remove();
            }
        }
    }
}

fn new_key() -> Option<hmac::Key> {
    Some(hmac::Key::new(hmac::HMAC_SHA256, &random_bytes()?))
}

/// One household has one IPv4 address, or the 64 bits before the dots of its
/// IPv6 ones.
fn network(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

#[cfg(test)]
mod tests;
