//! Accounts that a run makes for itself.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::load::api::{Api, word};
use crate::load::clock;
use crate::load::http::{Call, Who};
use crate::load::stop::Stop;
use crate::load::target::Address;
use crate::report::say;
use crate::trouble::Trouble;

const PASSWORD: &str = "bench: correct horse";
/// Sign-ups at the same time: enough to keep the server hashing, few enough
/// that none is told to come back.
const AT_ONCE: usize = 4;
/// How long a server may take for what it was asked before a run was ended.
const LAST_ANSWERS: Duration = Duration::from_secs(2);

/// Somebody who has an account.
#[derive(Debug, Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    /// Where notes to them go.
    pub(crate) target: String,
}

impl Person {
    pub(crate) fn sign_in(&self) -> Call {
        sign_in(&self.name)
    }

    /// A token for them.
    pub(crate) async fn token(&self, address: Address) -> Result<String, Trouble> {
        token(&mut Api::new(address), &self.name).await
    }
}

pub(crate) fn sign_up(name: &str) -> Call {
    let body = json!({"username": name, "email": format!("{name}@bench.example"), "password": PASSWORD});
    Call::new("POST", "/api/register", Who::Nobody, Some(body.to_string()))
}

pub(crate) fn sign_in(name: &str) -> Call {
    let body = json!({"email_or_username": name, "password": PASSWORD});
    Call::new("POST", "/api/login", Who::Nobody, Some(body.to_string()))
}

/// The call that deletes an account.
pub(crate) fn delete(token: &str) -> Call {
    Call::new("DELETE", "/api/user/delete", Who::Token(token), Some(json!({"password": PASSWORD}).to_string()))
}

async fn token(api: &mut Api, name: &str) -> Result<String, Trouble> {
    let call = sign_in(name);
    word(&api.expect(200, &call).await?, "access_token", &call)
}

/// All accounts that a run has made on one server. However a run ends: those
/// that are left on a server that goes on are told of.
pub(crate) struct People {
    /// Different in every run, and so in every name and note of it.
    pub(crate) tag: String,
    next: Cell<usize>,
    open: RefCell<BTreeSet<usize>>,
    /// One that is started for the run takes its accounts along.
    goes_on: bool,
    may_stay: bool,
}

impl People {
    pub(crate) fn new(goes_on: bool, may_stay: bool) -> Self {
        Self { tag: tag(clock::since_1970()), next: Cell::new(0), open: RefCell::default(), goes_on, may_stay }
    }

    /// The name of account `n`.
    fn name(&self, n: usize) -> String {
        format!("b{}{n:05}", self.tag)
    }

    /// Makes so many accounts.
    pub(crate) async fn sign_up(&self, address: Address, count: usize, stop: &Stop) -> Result<Vec<Person>, Trouble> {
        let first = self.next.replace(self.next.get() + count);
        let is_over = Cell::new(false);
        let lanes = (0..AT_ONCE.min(count)).map(|lane| {
            let mine = (first + lane..first + count).step_by(AT_ONCE);
            self.sign_up_some(address, mine, &is_over)
        });
        // A sign-up that is under way is waited for: the server finishes it
        // anyway.
        let patience = async {
            stop.asked().await;
            is_over.set(true);
            sleep(LAST_ANSWERS).await;
        };
        let lanes: Result<Vec<_>, _> = tokio::select! {
            lanes = join_all(lanes) => lanes.into_iter().collect(),
            () = patience => Err(Trouble::Interrupted),
        };
        stop.check()?;
        let mut people: Vec<_> = lanes?.into_iter().flatten().collect();
        people.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(people)
    }

    async fn sign_up_some(
        &self,
        address: Address,
        numbers: impl Iterator<Item = usize>,
        is_over: &Cell<bool>,
    ) -> Result<Vec<Person>, Trouble> {
        let (mut api, mut people) = (Api::new(address), Vec::new());
        for n in numbers {
            if is_over.get() {
                break;
            }
            let name = self.name(n);
            let signed_up = async {
                api.expect(201, &sign_up(&name)).await?;
                if self.goes_on {
                    self.open.borrow_mut().insert(n);
                }
                api.target(&name).await
            };
            let target = signed_up.await.inspect_err(|_| is_over.set(true))?;
            people.push(Person { name, target });
        }
        Ok(people)
    }

    /// Deletes them all from a server that goes on, so that it is as it was.
    pub(crate) async fn leave(&self, address: Address) -> Result<(), Trouble> {
        let open: Vec<_> = self.open.borrow().iter().copied().collect();
        if self.may_stay || open.is_empty() {
            return Ok(());
        }
        // One that hangs is not asked for each of them.
        let answered = timeout(LAST_ANSWERS, Api::new(address).is_ready()).await;
        answered.map_err(|_| Trouble::because("the server does not answer any more"))??;
        let lanes = (0..AT_ONCE.min(open.len())).map(|lane| {
            let mine = open.iter().skip(lane).step_by(AT_ONCE);
            async move {
                let mut api = Api::new(address);
                for &n in mine {
                    let token = token(&mut api, &self.name(n)).await?;
                    api.expect(200, &delete(&token)).await?;
                    self.open.borrow_mut().remove(&n);
                }
                Ok::<_, Trouble>(())
            }
        });
        try_join_all(lanes).await?;
        say("The accounts made for this run are deleted again.");
        Ok(())
    }
}

impl Drop for People {
    fn drop(&mut self) {
        let stay = self.open.borrow().len();
        if stay > 0 {
            say(&format!("{stay} accounts stay on the server: b{}…", self.tag));
        }
    }
}

/// Ten characters that fit into a name with five digits behind them: two
/// runs in the same microsecond would be needed for the same ones.
fn tag(now: Duration) -> String {
    let micros = now.as_micros();
    let digit = |place: u32| char::from_digit((micros / 36_u128.pow(place) % 36) as u32, 36).unwrap_or('0');
    (0..10).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_ten_characters_of_a_name_and_grows_with_time() {
        let (early, late) = (tag(Duration::from_micros(1)), tag(Duration::from_secs(4_000_000_000)));
        assert_eq!((early.as_str(), late.len()), ("0000000001", 10));
        assert!(late > early && late.chars().all(|c| c.is_ascii_alphanumeric()));
    }
}
