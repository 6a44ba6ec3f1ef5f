//! Accounts that a run makes for itself, and what it does with them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use tokio::time::{sleep, timeout};

use crate::api::{self, Api};
use crate::args::Against;
use crate::clock;
use crate::report::say;
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;

/// Most notes an inbox holds.
pub(crate) const INBOX_NOTES: u64 = 10_000;
const PASSWORD: &str = "bench: correct horse";
/// Sign-ups at the same time: enough to keep the server hashing, few enough
/// that none is told to come back.
const AT_ONCE: usize = 4;
/// How long a server may take for what it was asked before a run was ended.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Somebody who gets notes.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// Where notes to them go.
    pub(crate) target: String,
}

/// Everybody of one run.
#[derive(Clone)]
pub(crate) struct People {
    address: Address,
    /// Different in every run, and so in every name and note of it.
    pub(crate) tag: String,
    pub(crate) all: Vec<Person>,
    accounts: Arc<Accounts>,
}

impl People {
    /// Signs them up. If that can't be done, or is not to go on, those who
    /// are signed up leave again.
    pub(crate) async fn sign_up(
        address: Address,
        count: usize,
        against: &Against,
        stop: &Stop,
    ) -> Result<Self, Trouble> {
        let tag = tag(clock::since_1970());
        let accounts = Arc::new(Accounts::new(&tag, against));
        let mut this = Self { address, tag, all: Vec::new(), accounts };
        let (this_one, is_over) = (&this, &AtomicBool::new(false));
        let lanes = join_all((0..AT_ONCE.min(count)).map(|lane| this_one.sign_up_some(lane, count, is_over)));
        // Wait for a sign-up that is under way: the server finishes it anyway.
        let patience = async {
            stop.asked().await;
            is_over.store(true, Relaxed);
            sleep(LAST_ANSWERS).await;
        };
        let signed_up: Result<Vec<_>, Trouble> = tokio::select! {
            lanes = lanes => lanes.into_iter().collect(),
            () = patience => Err(Trouble::Interrupted),
        };
        let signed_up = signed_up.and_then(|lanes| if stop.is_asked() { Err(Trouble::Interrupted) } else { Ok(lanes) });
        match signed_up {
            Ok(lanes) => {
                let mut all: Vec<_> = lanes.into_iter().flatten().collect();
                all.sort_by_key(|(n, _)| *n);
                this.all = all.into_iter().map(|(_, person)| person).collect();
                Ok(this)
            }
            Err(trouble) => {
                // The first trouble is the one to tell.
                let _ = this.leave().await;
                Err(trouble)
            }
        }
    }

    /// Every so manieth of so many, until all are or one can't be.
    async fn sign_up_some(
        &self,
        first: usize,
        count: usize,
        is_over: &AtomicBool,
    ) -> Result<Vec<(usize, Person)>, Trouble> {
        let (mut api, mut people) = (Api::new(self.address), Vec::new());
        for n in (first..count).step_by(AT_ONCE) {
            if is_over.load(Relaxed) {
                break;
            }
            let name = name(&self.tag, n);
            let signed_up = async {
                api.sign_up(&name, PASSWORD).await?;
                self.accounts.add(n);
                api.target(&name).await
            };
            let target = signed_up.await.inspect_err(|_| is_over.store(true, Relaxed))?;
            people.push((n, Person { name, target }));
        }
        Ok(people)
    }

    /// A token for one of them.
    pub(crate) async fn sign_in(&self, who: usize) -> Result<String, Trouble> {
        Api::new(self.address).sign_in(&self.all[who].name, PASSWORD).await
    }

    /// The body of a sign-in.
    pub(crate) fn sign_in_body(&self, who: usize) -> String {
        api::sign_in_body(&name(&self.tag, who), PASSWORD).to_string()
    }

    /// The body of a sign-up: of somebody who is not among them.
    pub(crate) fn sign_up_body(&self, who: usize) -> String {
        api::sign_up_body(&name(&self.tag, who), PASSWORD).to_string()
    }

    /// The body of the call that deletes an account.
    pub(crate) fn leave_body() -> String {
        api::leave_body(PASSWORD).to_string()
    }

    /// Keeps the people for a server that now listens on another address.
    pub(crate) fn follow(&mut self, address: Address) {
        self.address = address;
    }

    /// Deletes them all from a server that goes on, so that it is as it was.
    pub(crate) async fn leave(&self) -> Result<(), Trouble> {
        if self.accounts.may_stay || self.accounts.all().is_empty() {
            return Ok(());
        }
        // One that hangs is not asked for each of them.
        let answered = timeout(LAST_ANSWERS, Api::new(self.address).is_ready()).await;
        answered.map_err(|_| Trouble::because("the server does not answer any more"))??;
        let open = self.accounts.all();
        let lanes = (0..AT_ONCE.min(open.len())).map(|lane| {
            let mine = open.iter().skip(lane).step_by(AT_ONCE);
            async move {
                let mut api = Api::new(self.address);
                for &n in mine {
                    let token = api.sign_in(&name(&self.tag, n), PASSWORD).await?;
                    api.leave(&token, PASSWORD).await?;
                    self.accounts.remove(n);
                }
                Ok::<_, Trouble>(())
            }
        });
        try_join_all(lanes).await?;
        say("The accounts made for this run are deleted again.");
        Ok(())
    }
}

/// Accounts there are, by their numbers. However a run ends: those that are
/// left on a server that goes on are told of.
struct Accounts {
    tag: String,
    open: Mutex<BTreeSet<usize>>,
    is_told: bool,
    may_stay: bool,
}

impl Accounts {
    fn new(tag: &str, against: &Against) -> Self {
        let goes_on = against.url.is_some();
        Self { tag: tag.to_owned(), open: Mutex::default(), is_told: goes_on, may_stay: !goes_on || against.keep }
    }

    fn add(&self, n: usize) {
        self.open().insert(n);
    }

    fn remove(&self, n: usize) {
        self.open().remove(&n);
    }

    fn all(&self) -> Vec<usize> {
        self.open().iter().copied().collect()
    }

    fn open(&self) -> MutexGuard<'_, BTreeSet<usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Accounts {
    fn drop(&mut self) {
        let stay = self.open().len();
        if self.is_told && stay > 0 {
            say(&format!("{stay} accounts stay on the server: b{}…", self.tag));
        }
    }
}

fn name(tag: &str, n: usize) -> String {
    format!("b{tag}{n:05}")
}

/// Ten characters that fit into a name with five digits behind them: two
/// runs in the same microsecond would be needed for the same ones.
fn tag(now: Duration) -> String {
    let mut micros = now.as_micros();
    let mut tag: Vec<char> = (0..10)
        .map(|_| {
            let digit = char::from_digit((micros % 36) as u32, 36).unwrap_or('0');
            micros /= 36;
            digit
        })
        .collect();
    tag.reverse();
    tag.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_ten_characters_of_a_name_and_grows_with_time() {
        let (early, late) = (tag(Duration::from_micros(1)), tag(Duration::from_secs(4_000_000_000)));
        assert_eq!((early.as_str(), late.len()), ("0000000001", 10));
        assert!(late > early && late.chars().all(|c| c.is_ascii_alphanumeric()));
        // 36^10 µs are 115 years.
        assert_ne!(tag(Duration::from_secs(1_795_000_000)), tag(Duration::from_secs(1_795_000_001)));
    }
}
