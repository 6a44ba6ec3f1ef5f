//! Accounts that a run makes for itself, and what it does with them.

use std::net::SocketAddr;
use std::time::Duration;

use futures_util::future::try_join_all;

use crate::api::{self, Api};
use crate::args::Against;
use crate::clock;
use crate::report::Report;
use crate::stop::Stop;
use crate::trouble::Trouble;

/// Most notes an inbox holds.
pub(crate) const INBOX_NOTES: u64 = 10_000;
const PASSWORD: &str = "bench: correct horse";
/// Sign-ups at the same time: enough to keep the server hashing, few enough
/// that none is told to come back.
const AT_ONCE: usize = 4;

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
    address: SocketAddr,
    /// Different in every run, and so in every name and note of it.
    pub(crate) tag: String,
    pub(crate) all: Vec<Person>,
}

impl People {
    /// Signs them up.
    pub(crate) async fn sign_up(address: SocketAddr, count: usize) -> Result<Self, Trouble> {
        let tag = tag(clock::since_1970());
        let lanes = (0..AT_ONCE.min(count)).map(|lane| {
            let tag = &tag;
            async move {
                let mut api = Api::new(address);
                let mut people = Vec::new();
                for n in (lane..count).step_by(AT_ONCE) {
                    let name = name(tag, n);
                    api.sign_up(&name, PASSWORD).await?;
                    let target = api.target(&name).await?;
                    people.push((n, Person { name, target }));
                }
                Ok::<_, Trouble>(people)
            }
        });
        let mut all: Vec<_> = try_join_all(lanes).await?.into_iter().flatten().collect();
        all.sort_by_key(|(n, _)| *n);
        Ok(Self { address, tag, all: all.into_iter().map(|(_, person)| person).collect() })
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

    /// The same people on a server that now listens elsewhere.
    pub(crate) fn follow(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// Deletes them all from a server that goes on, so that it is as it was.
    pub(crate) async fn leave(&self, against: &Against, report: &Report, stop: &Stop) -> Result<(), Trouble> {
        if against.url.is_none() {
            return Ok(());
        }
        let stay = format!("{} accounts stay on the server: b{}…", self.all.len(), self.tag);
        if against.keep {
            report.say(&stay);
            return Ok(());
        }
        let left = stop.or(self.delete()).await;
        report.say(if left.is_ok() { "The accounts made for this run are deleted again." } else { &stay });
        left
    }

    async fn delete(&self) -> Result<(), Trouble> {
        let lanes = (0..AT_ONCE.min(self.all.len())).map(|lane| async move {
            let mut api = Api::new(self.address);
            for person in self.all.iter().skip(lane).step_by(AT_ONCE) {
                let token = api.sign_in(&person.name, PASSWORD).await?;
                api.leave(&token, PASSWORD).await?;
            }
            Ok::<_, Trouble>(())
        });
        try_join_all(lanes).await.map(drop)
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
