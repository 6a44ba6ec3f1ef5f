//! The accounts that wait for their address to be confirmed. One mail names all
//! that wait for an address, each with a link of its own: so whoever signs up
//! with somebody else's address, however often, keeps no link from its owner.
//!
//! They are only in memory, and addresses only as HMACs. After a restart a mail
//! names those that have asked since.

use std::collections::HashMap;
use std::time::Instant;

use annon_actors::clock::SharedClock;
use annon_contract::limits::{ACCOUNTS_IN_ONE_MAIL, CONFIRMATION_LIFETIME};
use annon_store::account::{AccountId, Email};
use parking_lot::Mutex;

use crate::limits::digest::{Digest, DigestKey};

/// The most addresses that are remembered.
const REMEMBERED: usize = 100_000;

pub struct WaitingAccounts {
    key: DigestKey,
    clock: SharedClock,
    addresses: Mutex<HashMap<Digest, Waiting>>,
}

/// The accounts that wait for one address.
#[derive(Default)]
struct Waiting {
    /// The one that asked last is the last.
    accounts: Vec<Asked>,
    /// Whether somebody is about to mail to the address.
    mail_is_due: bool,
}

/// An account that has asked for a link.
struct Asked {
    account: AccountId,
    /// Where the call came from, as an HMAC.
    network: Digest,
    at: Instant,
}

impl WaitingAccounts {
    /// `None` if the system has no random numbers.
    pub fn new(clock: SharedClock) -> Option<Self> {
        Some(Self { key: DigestKey::new()?, clock, addresses: Mutex::default() })
    }

    /// Adds an account that asks for a link. Returns whether the caller has to
    /// mail it: otherwise a mail is due already, and will name the account.
    pub fn add(&self, address: &Email, account: AccountId, network: Digest) -> bool {
        let now = self.clock.moment();
        let mut addresses = self.addresses.lock();
        if addresses.len() >= REMEMBERED {
            // The others have been named in a mail.
            addresses.retain(|_, waiting| waiting.mail_is_due);
        }
        let waiting = addresses.entry(self.digest(address)).or_default();
        waiting.accounts.retain(|asked| asked.account != account && asked.still_waits(now));
        waiting.accounts.push(Asked { account, network, at: now });
        if waiting.accounts.len() > ACCOUNTS_IN_ONE_MAIL {
            waiting.drop_one();
        }
        !std::mem::replace(&mut waiting.mail_is_due, true)
    }

    /// The accounts that a mail written now has to name, the newest first.
    pub fn named_now(&self, address: &Email) -> Vec<AccountId> {
        let now = self.clock.moment();
        let mut addresses = self.addresses.lock();
        let Some(waiting) = addresses.get_mut(&self.digest(address)) else { return Vec::new() };
        waiting.mail_is_due = false;
        waiting.accounts.retain(|asked| asked.still_waits(now));
        waiting.accounts.iter().rev().map(|asked| asked.account).collect()
    }

    /// Names an account no more: the address's owner says that it is a stranger's.
    pub fn remove(&self, address: &Email, account: AccountId) {
        if let Some(waiting) = self.addresses.lock().get_mut(&self.digest(address)) {
            waiting.accounts.retain(|asked| asked.account != account);
        }
    }

    fn digest(&self, address: &Email) -> Digest {
        self.key.digest(address.folded().as_bytes())
    }
}

impl Waiting {
    /// Drops the oldest account of the network with the most: so a few networks
    /// with many accounts don't push out those of others.
    fn drop_one(&mut self) {
        let count = |network| self.accounts.iter().filter(|asked| asked.network == network).count();
        let most = self.accounts.iter().map(|asked| count(asked.network)).max();
        if let Some(at) = self.accounts.iter().position(|asked| Some(count(asked.network)) == most) {
            self.accounts.remove(at);
        }
    }
}

impl Asked {
    fn still_waits(&self, now: Instant) -> bool {
        now.saturating_duration_since(self.at) < CONFIRMATION_LIFETIME
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use uuid::Uuid;

    use super::*;
    use crate::stopped_clock::StoppedClock;

    fn id(n: usize) -> AccountId {
        AccountId(Uuid::from_u128(n as u128))
    }

    fn email() -> Email {
        Email::try_from("some@body.example".to_owned()).unwrap()
    }

    fn of(network: u8) -> Digest {
        [network; 16]
    }

    #[test]
    fn a_mail_that_is_due_names_all_who_have_asked_the_newest_first() {
        let clock = StoppedClock::new();
        let waiting = WaitingAccounts::new(clock.clone()).unwrap();
        assert!(waiting.add(&email(), id(1), of(1)), "nobody mails yet");
        assert!(!waiting.add(&email(), id(2), of(2)) && !waiting.add(&email(), id(3), of(3)), "somebody does");
        assert!(!waiting.add(&email(), id(1), of(1)));
        waiting.remove(&email(), id(2));
        assert_eq!(waiting.named_now(&email()), [id(1), id(3)]);
        assert!(waiting.add(&email(), id(4), of(4)), "that mail was written without it");
        assert_eq!(waiting.named_now(&email()), [id(4), id(1), id(3)], "they still wait");
        let other = Email::try_from("other@body.example".to_owned()).unwrap();
        assert_eq!(waiting.named_now(&other), []);
        clock.pass(CONFIRMATION_LIFETIME - Duration::from_secs(1));
        waiting.add(&email(), id(3), of(3));
        clock.pass(Duration::from_secs(1));
        assert_eq!(waiting.named_now(&email()), [id(3)], "nobody waits longer than a link works");
    }

    #[test]
    fn a_network_with_many_accounts_pushes_nobody_elses_out() {
        let waiting = WaitingAccounts::new(StoppedClock::new()).unwrap();
        waiting.add(&email(), id(0), of(0));
        for n in 1..=200 {
            waiting.add(&email(), id(n), of(1 + (n % 4) as u8));
        }
        let named = waiting.named_now(&email());
        assert_eq!((named.len(), named[0], *named.last().unwrap()), (ACCOUNTS_IN_ONE_MAIL, id(200), id(0)));
        for n in 1..=200 {
            waiting.add(&email(), id(n), of(1));
            assert_eq!(waiting.named_now(&email())[0], id(n), "whoever has just asked is named");
        }
    }

    #[test]
    fn the_memory_of_addresses_is_bounded_and_drops_none_that_gets_a_mail() {
        let waiting = WaitingAccounts::new(StoppedClock::new()).unwrap();
        let email = |n: usize| Email::try_from(format!("person-{n}@body.example")).unwrap();
        waiting.add(&email(0), id(0), of(0));
        for n in 1..=REMEMBERED {
            waiting.add(&email(n), id(n), of(0));
            waiting.named_now(&email(n));
        }
        assert!(waiting.addresses.lock().len() < REMEMBERED);
        assert_eq!(waiting.named_now(&email(0)), [id(0)]);
    }
}
