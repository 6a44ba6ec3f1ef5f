//! Limits how often one address may do what costs something or annoys somebody.
//!
//! An address is never stored: a bucket is found by an HMAC of the address,
//! with a key that is only in memory and changes every day.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use annon_actors::clock::SharedClock;
use annon_contract::code::Code;
use annon_store::account::{AccountId, Email};
use annon_store::room::RoomId;
use parking_lot::Mutex;

use crate::error::ApiError;
use crate::limits::Nodes;
use crate::limits::digest::{Digest, DigestKey};

mod buckets;
mod calls;
pub(crate) use buckets::Buckets;
pub use calls::Call;

/// The most buckets of each `CountedBy`.
const REMEMBERED: usize = 100_000;
/// How long the key of the HMAC is used.
const KEY_LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);

/// What is counted for as long as an address holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Resource {
    /// A connection that carries HTTP.
    Connection,
    Socket,
    /// Bytes of an answer that its client hasn't read.
    Answer,
}

/// The most sockets and connections of one address: enough for a school.
const SOCKETS_EACH: usize = 256;
const CONNECTIONS_EACH: usize = 1024;
/// The most unread bytes of answers for one address. The kernel takes the first
/// hundred kilobytes of each, so only slow clients leave any.
const ANSWERS_EACH: usize = 8 * 1024 * 1024;
/// Above this many unread bytes in all, an address with unread answers gets a
/// 429. Any other address still gets one answer, so that a few clients that
/// don't read can't keep everybody from reading.
const ANSWERS_IN_ALL: usize = 64 * 1024 * 1024;
/// How long a caller with unread answers is asked to wait.
const READS_FIRST: Duration = Duration::from_secs(5);

struct State {
    key: DigestKey,
    key_made: Instant,
    buckets: [Buckets<(Call, Digest)>; 3],
    held: HashMap<(Resource, Digest), usize>,
}

pub struct RateLimits {
    /// Whether limits per address are on: load tests turn them off. Limits per
    /// account stay on.
    by_address: bool,
    clock: SharedClock,
    nodes: Nodes,
    state: Arc<Mutex<State>>,
    /// The most connections and sockets together.
    most_open: usize,
    connections: Arc<AtomicUsize>,
    sockets: Arc<AtomicUsize>,
    answers: Arc<AtomicUsize>,
}

impl RateLimits {
    /// `None` if the system has no random numbers.
    pub fn new(by_address: bool, most_open: usize, clock: SharedClock, nodes: Nodes) -> Option<Self> {
        let key_made = clock.moment();
        let buckets = [(); 3].map(|()| Buckets::new(REMEMBERED));
        let state = State { key: DigestKey::new()?, key_made, buckets, held: HashMap::new() };
        let state = Arc::new(Mutex::new(state));
        let (connections, sockets, answers) = Default::default();
        Some(Self { by_address, clock, nodes, state, most_open, connections, sockets, answers })
    }

    pub fn most_open(&self) -> usize {
        self.most_open
    }

    /// Counts a call of an address, or tells how long to wait.
    pub fn take(&self, call: Call, address: IpAddr) -> Result<(), ApiError> {
        if self.by_address { self.count(call, &network(address)) } else { Ok(()) }
    }

    /// Counts a note from an address to an inbox, or tells how long to wait.
    pub fn take_note(&self, address: IpAddr, inbox: AccountId) -> Result<(), ApiError> {
        if !self.by_address {
            return Ok(());
        }
        let pair = [&network(address)[..], inbox.0.as_bytes()].concat();
        let of_the_day = |()| self.count_many(Call::NoteToOneInADay, &pair, 1);
        let counted = self.count_many(Call::NoteToOne, &pair, 1).and_then(of_the_day);
        counted.map_err(|wait| ApiError::with_wait(Code::TooManyNotes, wait))
    }

    /// Counts a call of an address about a group, or tells how long to wait.
    pub fn take_at(&self, call: Call, address: IpAddr, room: RoomId) -> Result<(), ApiError> {
        if self.by_address { self.count(call, &[&network(address)[..], room.0.as_bytes()].concat()) } else { Ok(()) }
    }

    /// Counts a call by or about an account, or tells how long to wait.
    pub fn take_of(&self, call: Call, account: AccountId) -> Result<(), ApiError> {
        self.count(call, account.0.as_bytes())
    }

    /// Counts a mail to an address, or tells how long to wait.
    pub fn take_to(&self, call: Call, address: &Email) -> Result<(), Duration> {
        self.count_many(call, address.folded().as_bytes(), 1)
    }

    /// Counts a call that has one limit for everybody together, or tells how
    /// long to wait.
    pub fn take_in_all(&self, call: Call) -> Result<(), ApiError> {
        self.count(call, &[])
    }

    /// Counts a miss. Returns `miss`, or a 429 if the address missed too often.
    pub fn missed(&self, address: IpAddr, miss: Code) -> ApiError {
        self.take(Call::Miss, address).err().unwrap_or(miss.into())
    }

    /// Counts a connection until the guard is dropped; `None` if the server or
    /// the address has too many. A proxy has those of many clients.
    pub fn connect(&self, address: IpAddr, is_proxy: bool) -> Option<QuotaGuard> {
        let most = if is_proxy { usize::MAX } else { CONNECTIONS_EACH.min(self.most_open / 4) };
        let open = self.connections() + self.sockets();
        if open < self.most_open { self.hold(Resource::Connection, 1, address, |held| held < most) } else { None }
    }

    /// Counts a socket until the guard is dropped.
    pub fn open_socket(&self, address: IpAddr) -> Result<QuotaGuard, ApiError> {
        self.take(Call::Socket, address)?;
        self.hold(Resource::Socket, 1, address, |held| held < SOCKETS_EACH)
            .ok_or(ApiError::with_wait(Code::TooManyAttempts, Duration::from_secs(30)))
    }

    /// Counts `bytes` of pictures stored by an address, or tells how long to
    /// wait.
    pub fn store_picture(&self, address: IpAddr, bytes: usize) -> Result<(), ApiError> {
        if !self.by_address {
            return Ok(());
        }
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        self.count_many(Call::PictureBytes, &network(address), bytes)
            .map_err(|wait| ApiError::with_wait(Code::TooManyPictures, wait))
    }

    /// The HMAC of an address, to compare it with others of the same day.
    pub fn name(&self, address: IpAddr) -> Digest {
        self.state.lock().key.digest(&network(address))
    }

    /// Counts an answer's bytes until the guard is dropped, or refuses the
    /// answer because earlier ones have to be read first.
    pub fn answer(&self, address: IpAddr, bytes: usize) -> Result<QuotaGuard, ApiError> {
        let in_all = self.answers.load(Ordering::Relaxed);
        let may_take = |held: usize| held == 0 || (held + bytes <= ANSWERS_EACH && in_all < ANSWERS_IN_ALL);
        self.hold(Resource::Answer, bytes, address, may_take)
            .ok_or(ApiError::with_wait(Code::TooManyAttempts, READS_FIRST))
    }

    /// Counts `amount` more for an address, if `may_take` allows that beside
    /// the amount that the address holds already.
    fn hold(
        &self,
        what: Resource,
        amount: usize,
        address: IpAddr,
        may_take: impl FnOnce(usize) -> bool,
    ) -> Option<QuotaGuard> {
        let mut state = self.state.lock();
        let digest = state.key.digest(&network(address));
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

    /// How many connections carry HTTP, or will after their TLS handshake.
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
        let digest = state.key.digest(who);
        let rate = call.rate_at_one_of(self.nodes.alive());
        state.buckets[call.counted_by() as usize].take((call, digest), rate, many, now)
    }
}

impl State {
    /// Changes the key once a day, and forgets what the old key has counted.
    fn change_key(&mut self, now: Instant) {
        if now.duration_since(self.key_made) >= KEY_LIFETIME
            && let Some(key) = DigestKey::new()
        {
            (self.key, self.key_made) = (key, now);
            self.buckets.iter_mut().for_each(|buckets| buckets.clear());
        }
    }
}

/// What an address holds; given back on drop.
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

/// The part of an address that one household has: an IPv4 address, or the first
/// 64 bits of an IPv6 address.
fn network(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.octets().to_vec(),
        IpAddr::V6(address) => address.octets()[..8].to_vec(),
    }
}

#[cfg(test)]
mod tests;
