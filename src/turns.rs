//! Turns to upload a picture, which takes megabytes of memory until it is
//! re-encoded. The number of turns is limited, members and strangers wait in
//! separate lines, and if others wait, the slowest upload gives way.

use annon_contract::code::Code;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::rt::time::timeout;
use tokio::sync::{Notify, oneshot};
use tokio::time::Instant;

use crate::rate_limit::Digest;

/// Pictures that may be on their way at once.
pub const PICTURES_AT_ONCE: usize = MEMBERS + STRANGERS;
/// Turns for callers with a seat.
const MEMBERS: usize = 12;
/// Turns for callers without a seat: for feedback, and for bodies that name
/// their group after the picture.
const STRANGERS: usize = 4;
/// Turns one address may have.
const EACH: usize = 4;
/// Turns of members that are only for an address without a turn.
const KEPT_BACK: usize = 4;
/// The times of waiting.
#[derive(Debug, Clone, Copy)]
struct Patience {
    /// How long a picture waits for its turn.
    turn_within: Duration,
    /// After waiting this long, an upload makes the slowest one give way, and
    /// again after the same time.
    gives_way_after: Duration,
    /// An upload keeps its turn for at least this long.
    grace: Duration,
}

/// A picture of the usual size arrives within the grace.
const PATIENCE: Patience = Patience {
    turn_within: Duration::from_secs(10),
    gives_way_after: Duration::from_secs(1),
    grace: Duration::from_secs(4),
};

/// The line in which an upload waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    /// For callers that have shown a seat.
    Members,
    /// For callers without one.
    Strangers,
}

impl Line {
    fn turns(self) -> usize {
        match self {
            Self::Members => MEMBERS,
            Self::Strangers => STRANGERS,
        }
    }
}

/// What is known of a picture on its way.
#[derive(Debug)]
struct Progress {
    bytes: AtomicUsize,
    /// It has arrived, and can't be slow any more.
    is_whole: AtomicBool,
    gives_way: Notify,
}

struct Taken {
    number: u64,
    line: Line,
    who: Digest,
    since: Instant,
    progress: Arc<Progress>,
}

struct Waiting {
    line: Line,
    who: Digest,
    call: oneshot::Sender<Turn>,
}

#[derive(Default)]
struct State {
    /// Turns given so far.
    given: u64,
    taken: Vec<Taken>,
    /// In the order they came.
    waiting: Vec<Waiting>,
}

/// All turns.
#[derive(Clone)]
pub struct Turns {
    /// Off for load tests.
    by_address: bool,
    patience: Patience,
    state: Arc<Mutex<State>>,
}

/// A turn, for as long as it is kept.
pub struct Turn {
    number: u64,
    progress: Arc<Progress>,
    turns: Turns,
}

impl Turns {
    /// All of them free.
    pub fn new(by_address: bool) -> Self {
        Self { by_address, patience: PATIENCE, state: Arc::default() }
    }

    /// Waits for a turn. `Busy` when none comes.
    pub async fn next(&self, line: Line, who: Digest) -> Result<Turn, Code> {
        let (call, mut called) = oneshot::channel();
        self.change(|state| state.waiting.push(Waiting { line, who, call }));
        let until = Instant::now() + self.patience.turn_within;
        loop {
            match timeout(self.patience.gives_way_after, &mut called).await {
                Ok(turn) => return turn.map_err(|_| Code::Busy),
                Err(_) if Instant::now() >= until => return Err(Code::Busy),
                Err(_) => self.push_out(line, who),
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and calls the uploads whose turn it is then.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.waiting.retain(|waiting| !waiting.call.is_closed());
        let mut called = Vec::new();
        while let Some(at) = state.first(self.by_address) {
            let Waiting { line, who, call } = state.waiting.remove(at);
            called.push((call, state.give(line, who, self)));
        }
        drop(state);
        // Dropping the turn of a caller who has just gone away locks again.
        called.into_iter().for_each(|(call, turn)| drop(call.send(turn)));
    }

    /// An upload waits in this line: the slowest one with a turn there loses it,
    /// if that helps.
    fn push_out(&self, line: Line, who: Digest) {
        let now = Instant::now();
        self.change(|state| {
            let is_mine_next = state.may_take(line, who, state.has(line).saturating_sub(1), self.by_address);
            if let Some(at) = state.slowest(line, now, self.patience.grace).filter(|_| is_mine_next) {
                state.taken.remove(at).progress.gives_way.notify_one();
            }
        });
    }
}

impl State {
    /// How many turns of a line are taken.
    fn has(&self, line: Line) -> usize {
        self.taken.iter().filter(|taken| taken.line == line).count()
    }

    fn held(&self, who: Digest) -> usize {
        self.taken.iter().filter(|taken| taken.who == who).count()
    }

    /// Whether somebody may take a turn of a line that has given so many.
    fn may_take(&self, line: Line, who: Digest, given: usize, by_address: bool) -> bool {
        let held = self.held(who);
        let kept_back = if line == Line::Members { KEPT_BACK } else { line.turns() };
        given < line.turns() && (!by_address || held == 0 || (held < EACH && given < line.turns() - kept_back))
    }

    /// The waiting upload that is next: the one whose address has the fewest turns, and
    /// among those the one who came first.
    fn first(&self, by_address: bool) -> Option<usize> {
        let may = |it: &Waiting| self.may_take(it.line, it.who, self.has(it.line), by_address);
        let able = self.waiting.iter().enumerate().filter(|(_, it)| may(it));
        able.min_by_key(|(at, it)| (self.held(it.who), *at)).map(|(at, _)| at)
    }

    fn give(&mut self, line: Line, who: Digest, turns: &Turns) -> Turn {
        self.given += 1;
        let progress = Arc::new(Progress {
            bytes: AtomicUsize::new(0),
            is_whole: AtomicBool::new(false),
            gives_way: Notify::new(),
        });
        let (number, since) = (self.given, Instant::now());
        self.taken.push(Taken { number, line, who, since, progress: progress.clone() });
        Turn { number, progress, turns: turns.clone() }
    }

    /// Whose picture has come slowest, of those that had time to.
    fn slowest(&self, line: Line, now: Instant, grace: Duration) -> Option<usize> {
        let had = |taken: &Taken| now.saturating_duration_since(taken.since);
        let pace = |taken: &Taken| taken.progress.bytes.load(Relaxed) as f64 / had(taken).as_secs_f64();
        let may = |taken: &Taken| taken.line == line && had(taken) >= grace && !taken.progress.is_whole.load(Relaxed);
        let slow = self.taken.iter().enumerate().filter(|(_, taken)| may(taken));
        slow.min_by(|(_, a), (_, b)| pace(a).total_cmp(&pace(b))).map(|(at, _)| at)
    }
}

impl Turn {
    /// So many more bytes have come.
    pub fn has_sent(&self, bytes: usize) {
        self.progress.bytes.fetch_add(bytes, Relaxed);
    }

    /// It has come whole.
    pub fn is_whole(&self) {
        self.progress.is_whole.store(true, Relaxed);
    }

    /// Resolves when somebody else has this turn.
    pub async fn gives_way(&self) {
        self.progress.gives_way.notified().await;
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.clone().change(|state| state.taken.retain(|taken| taken.number != self.number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    const GRACE: Duration = Duration::from_millis(200);

    /// Turns that change hands sooner.
    fn quick() -> Turns {
        let patience = Patience { turn_within: GRACE * 10, gives_way_after: GRACE / 4, grace: GRACE };
        Turns { patience, ..Turns::new(true) }
    }

    fn who(n: u8) -> Digest {
        [n; 16]
    }

    /// A turn that is there at once.
    fn now(turns: &Turns, line: Line, n: u8) -> Option<Turn> {
        turns.next(line, who(n)).now_or_never().map(|turn| turn.ok().unwrap())
    }

    fn all(turns: &Turns, line: Line, n: u8) -> Vec<Turn> {
        std::iter::from_fn(|| now(turns, line, n)).collect()
    }

    #[tokio::test]
    async fn each_line_has_its_turns_and_each_address_some_of_them() {
        let turns = Turns::new(true);
        let mut held: Vec<_> = (0..2).flat_map(|n| all(&turns, Line::Members, n)).collect();
        assert_eq!(held.len(), MEMBERS - KEPT_BACK);
        assert!(now(&turns, Line::Members, 0).is_none(), "one address has");
        held.extend((10..=255).map_while(|n| now(&turns, Line::Members, n)));
        assert_eq!(held.len(), MEMBERS);
        let strangers: Vec<_> = (0..=255).filter_map(|n| now(&turns, Line::Strangers, n)).collect();
        assert_eq!(strangers.len(), STRANGERS);
        drop(held);
        assert!(now(&turns, Line::Strangers, 99).is_none());
        assert!(now(&turns, Line::Members, 99).is_some());
        drop(strangers);
        assert!(turns.lock().taken.is_empty() && turns.lock().waiting.len() <= 1);
        let free = Turns::new(false);
        assert_eq!(all(&free, Line::Members, 0).len(), MEMBERS);
    }

    #[tokio::test]
    async fn who_has_none_comes_before_who_has_some() {
        let turns = quick();
        let mut held: Vec<_> = all(&turns, Line::Members, 1);
        held.extend((10..=255).map_while(|n| now(&turns, Line::Members, n)));
        let wait = |n| {
            let turns = turns.clone();
            tokio::spawn(async move { turns.next(Line::Members, who(n)).await })
        };
        let (greedy, modest) = (wait(1), wait(2));
        tokio::time::sleep(Duration::from_millis(10)).await;
        held.pop();
        let turn = modest.await.unwrap();
        assert!(turn.is_ok());
        assert!(!greedy.is_finished());
        assert!(matches!(greedy.await.unwrap(), Err(Code::Busy)), "and not for ever");
    }

    #[tokio::test]
    async fn the_slowest_gives_way_to_who_waits_and_not_before_it_had_time() {
        let turns = quick();
        let held: Vec<_> = (0..=255).map_while(|n| now(&turns, Line::Members, n)).collect();
        held.iter().enumerate().for_each(|(n, turn)| turn.has_sent(1000 * (n + 5)));
        // The slowest of all, but it has arrived.
        held[3].is_whole();
        let slowest = &held[0];
        let begun = Instant::now();
        let waited = tokio::join!(turns.next(Line::Members, who(200)), slowest.gives_way());
        let late = waited.0.unwrap();
        assert!(begun.elapsed() >= GRACE);
        late.has_sent(1);
        let more = tokio::join!(turns.next(Line::Members, who(201)), held[1].gives_way());
        assert!(more.0.is_ok(), "the newcomer has its time, and the next slowest goes");
        assert!(held[3].gives_way().now_or_never().is_none());
    }

    #[tokio::test]
    async fn nobody_gives_way_to_who_may_have_no_more() {
        let turns = quick();
        let mut held: Vec<_> = all(&turns, Line::Members, 1);
        held.extend((10..=255).map_while(|n| now(&turns, Line::Members, n)));
        assert!(matches!(turns.next(Line::Members, who(1)).await, Err(Code::Busy)));
        assert!(held.iter().all(|turn| turn.gives_way().now_or_never().is_none()));
        assert_eq!(turns.lock().taken.len(), MEMBERS);
    }
}
