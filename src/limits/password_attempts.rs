//! Limits how often a password may be guessed for one account, wherever the
//! guesses come from. Above the limit every password is wrong for a while,
//! after the same work: nobody learns that there is a limit, or an account.
//!
//! With that alone a stranger could keep an account's owner out by guessing. So
//! a browser that signs in gets a token to show the next time. The attempts of
//! an account's known browsers and signed-in callers have a limit of their own.
//! Whoever stole an access token can't use up all of it, and each known browser
//! has a few attempts that nobody else can use up.

use std::collections::HashMap;

use annon_actors::clock::SharedClock;
use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_contract::limits::KNOWN_BROWSERS;
use annon_store::account::{AccountId, LoginName, TokenId};
use aws_lc_rs::{constant_time, hmac};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use parking_lot::Mutex;

use crate::error::ApiError;
use crate::limits::Nodes;
use crate::limits::digest::{Digest, DigestKey};
use crate::limits::rate_limit::{Buckets, Call};

/// The most names that are remembered. Each new name costs a password hash, and
/// is forgotten after `WRONG_PASSWORDS_PER` without attempts. In this time a
/// machine of 16 cores can just about fill this.
const REMEMBERED: usize = 200_000;
/// Bytes of half a device's token: one half is random, the other our MAC.
const HALF: usize = 16;

type DeviceToken = [u8; HALF];

/// An account and its current version, which changes when all of its tokens
/// end, also those of its browsers: after a new password, for example.
#[derive(Debug, Clone, Copy)]
pub struct AccountVersion(pub AccountId, pub u32);

impl AccountVersion {
    fn bytes(self) -> Vec<u8> {
        [&self.0.0.as_bytes()[..], &self.1.to_be_bytes()].concat()
    }
}

/// Counts wrong passwords by account.
pub struct PasswordAttempts {
    names: DigestKey,
    devices: hmac::Key,
    clock: SharedClock,
    nodes: Nodes,
    attempts: Mutex<Buckets<(Call, Digest)>>,
    /// The last tokens of each account's browsers. They are only in memory: after a
    /// restart, the first valid tokens that browsers show are taken.
    tokens: Mutex<HashMap<Digest, Vec<DeviceToken>>>,
}

impl PasswordAttempts {
    /// `devices` is one of the data folder's secrets. `None` if the system has
    /// no random numbers.
    pub fn new(devices: &[u8; 32], clock: SharedClock, nodes: Nodes) -> Option<Self> {
        let devices = hmac::Key::new(hmac::HMAC_SHA256, devices);
        let (attempts, tokens) = (Mutex::new(Buckets::new(REMEMBERED)), Mutex::default());
        Some(Self { names: DigestKey::new()?, devices, clock, nodes, attempts, tokens })
    }

    /// Whether a password that was compared is taken as right: above the limit none is. A wrong one is
    /// counted, and nobody is told of it before that: so attempts at the same time can't pass the
    /// limit, and right ones use up nothing, however many there are at once.
    pub fn takes_as_right(
        &self,
        name: &LoginName,
        account: Option<AccountVersion>,
        device: Option<&str>,
        is_right: bool,
    ) -> bool {
        self.is_allowed(name, account, device, is_right) && is_right
    }

    fn is_allowed(
        &self,
        name: &LoginName,
        account: Option<AccountVersion>,
        device: Option<&str>,
        is_right: bool,
    ) -> bool {
        if let Some((account, token)) = account.zip(device)
            && self.knows(account, token)
        {
            let own = (Call::WrongPasswordOfBrowser, self.names.digest(token.as_bytes()));
            if self.count(&[self.known(account)], is_right) || self.count(&[own], is_right) {
                return true;
            }
        }
        // An account has a name and an address, and one count for both.
        let who = match (account, name) {
            (Some(AccountVersion(id, _)), _) => self.names.digest(id.0.as_bytes()),
            // An id, a name and an address never have the same bytes.
            (None, LoginName::Username(name)) => self.names.digest(name.folded().as_bytes()),
            (None, LoginName::Email(email)) => self.names.digest(email.folded().as_bytes()),
            // Neither a username nor an address: there is nothing to compare.
            (None, LoginName::Nobody) => return false,
        };
        self.count(&[(Call::WrongPassword, who)], is_right)
    }

    /// The same of a signed-in caller, who is counted apart: so guessing at the sign-in keeps nobody
    /// from changing the password.
    pub fn takes_as_right_of(&self, account: AccountVersion, token: TokenId, is_right: bool) -> bool {
        self.is_allowed_to(account, token, is_right) && is_right
    }

    fn is_allowed_to(&self, account: AccountVersion, token: TokenId, is_right: bool) -> bool {
        let own = (Call::WrongPasswordOfToken, self.names.digest(token.0.as_bytes()));
        self.count(&[own, self.known(account)], is_right)
    }

    /// Forgets the wrong passwords of an account, from wherever they came.
    pub fn forget(&self, account: AccountVersion) {
        let mut attempts = self.attempts.lock();
        attempts.forget(&(Call::WrongPassword, self.names.digest(account.0.0.as_bytes())));
        attempts.forget(&self.known(account));
    }

    /// A token for a browser whose user has proved to own the account: `shown`
    /// if valid, or else a new one. It reveals nothing without our key.
    pub fn token_for(&self, account: AccountVersion, shown: Option<String>) -> Result<String, ApiError> {
        if let Some(shown) = shown.filter(|shown| self.knows(account, shown)) {
            return Ok(shown);
        }
        let random: [u8; 32] = random_bytes().ok_or(Code::Internal)?;
        let mut token = DeviceToken::default();
        token.copy_from_slice(&random[..HALF]);
        self.tokens_of(account, |tokens| {
            if tokens.len() == KNOWN_BROWSERS {
                tokens.remove(0);
            }
            tokens.push(token);
        });
        let ours = self.seal_of(account, &token);
        Ok(BASE64_URL_SAFE_NO_PAD.encode([&token, &ours.as_ref()[..HALF]].concat()))
    }

    /// Whether a token is one of the account's last. The first ones that are
    /// shown after a restart are added to these.
    pub fn knows(&self, account: AccountVersion, token: &str) -> bool {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).ok().and_then(|bytes| <[u8; 2 * HALF]>::try_from(bytes).ok());
        let Some((token, shown)) = bytes.as_ref().and_then(|bytes| bytes.split_first_chunk::<HALF>()) else {
            return false;
        };
        let ours = self.seal_of(account, token);
        if constant_time::verify_slices_are_equal(shown, &ours.as_ref()[..HALF]).is_err() {
            return false;
        }
        self.tokens_of(account, |tokens| {
            if tokens.len() < KNOWN_BROWSERS && !tokens.contains(token) {
                tokens.push(*token);
            }
            tokens.contains(token)
        })
    }

    fn tokens_of<T>(&self, account: AccountVersion, look: impl FnOnce(&mut Vec<DeviceToken>) -> T) -> T {
        let mut tokens = self.tokens.lock();
        // A forgotten token is added again when a browser shows it.
        if tokens.len() >= REMEMBERED {
            tokens.clear();
        }
        look(tokens.entry(self.names.digest(&account.bytes())).or_default())
    }

    fn seal_of(&self, account: AccountVersion, token: &DeviceToken) -> hmac::Tag {
        hmac::sign(&self.devices, &[&account.bytes()[..], token].concat())
    }

    /// What an account's known browsers and signed-in callers have together.
    fn known(&self, account: AccountVersion) -> (Call, Digest) {
        (Call::WrongPasswordOfKnown, self.names.digest(&account.bytes()))
    }

    /// Whether each of these has room for one more wrong password, which is counted if this one is.
    fn count(&self, counts: &[(Call, Digest)], is_right: bool) -> bool {
        let now = self.clock.moment();
        let (mut attempts, nodes) = (self.attempts.lock(), self.nodes.alive());
        let mut take = |count: &&(Call, Digest)| attempts.take(**count, count.0.rate_at_one_of(nodes), 1, now).is_ok();
        let taken = counts.iter().take_while(&mut take).count();
        let is_allowed = taken == counts.len();
        if is_right || !is_allowed {
            counts[..taken].iter().for_each(|count| attempts.give_back(count, count.0.rate_at_one_of(nodes)));
        }
        is_allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annon_actors::clock::SystemClock;
    use std::sync::Arc;

    fn attempts() -> PasswordAttempts {
        PasswordAttempts::new(&[7; 32], Arc::new(SystemClock), Nodes::default()).unwrap()
    }

    fn account(n: u128) -> Option<AccountVersion> {
        Some(AccountVersion(AccountId(uuid::Uuid::from_u128(n)), 0))
    }

    fn token(n: u128) -> TokenId {
        TokenId(uuid::Uuid::from_u128(n))
    }

    fn name(raw: &str) -> LoginName {
        LoginName::try_from(raw.to_owned()).unwrap()
    }

    /// How many of a hundred attempts are allowed.
    fn allowed(attempts: &PasswordAttempts, raw: &str, account: Option<AccountVersion>, device: Option<&str>) -> usize {
        (0..100).filter(|_| attempts.is_allowed(&name(raw), account, device, false)).count()
    }

    #[test]
    fn a_name_has_ten_wrong_passwords_whether_or_not_anybody_has_it() {
        let attempts = attempts();
        assert_eq!(allowed(&attempts, "Nobody-here", None, None), 10);
        assert_eq!(allowed(&attempts, "nobody-HERE", None, None), 0);
        assert_eq!(allowed(&attempts, "nobody@mail.example", None, None), 10);
        assert_eq!(allowed(&attempts, "some-body", account(1), None), 10);
        assert_eq!(allowed(&attempts, "some@body.example", account(1), None), 0, "by its address it is the same one");
        assert_eq!(allowed(&attempts, "other-body", account(2), None), 10);
    }

    #[test]
    fn only_wrong_ones_count() {
        let attempts = attempts();
        for _ in 0..100 {
            assert!(attempts.takes_as_right(&name("some-body"), account(1), None, true));
        }
        assert_eq!(allowed(&attempts, "some-body", account(1), None), 10);
        assert!(!attempts.takes_as_right(&name("some-body"), account(1), None, true), "above the limit none is right");
    }

    #[test]
    fn known_browsers_are_counted_apart_and_only_for_their_account() {
        let attempts = attempts();
        let one = account(1).unwrap();
        let [device, other] = [(), ()].map(|()| attempts.token_for(one, None).unwrap());
        assert_eq!(allowed(&attempts, "some-body", account(1), None), 10);
        for bad in [&other[1..], "", "AAAA", &"A".repeat(43), &other.replace(|c: char| c.is_ascii_digit(), "_")[..40]] {
            assert_eq!(allowed(&attempts, "some-body", account(1), Some(bad)), 0, "{bad}");
        }
        assert_eq!(allowed(&attempts, "some-body", account(1), Some(&device)), 10 + 3, "its owner still gets in");
        assert!(!attempts.is_allowed_to(one, token(1), true), "the ten are everybody's who is known");
        assert_eq!(allowed(&attempts, "some-body", account(1), Some(&other)), 3, "and three are each browser's own");
        assert_eq!(allowed(&attempts, "other-body", account(2), Some(&device)), 10, "it is worth nothing elsewhere");
    }

    #[test]
    fn one_access_token_leaves_attempts_to_others() {
        let attempts = attempts();
        let one = account(1).unwrap();
        let guesses = |n| (0..100).filter(|_| attempts.is_allowed_to(one, token(n), false)).count();
        assert_eq!([guesses(1), guesses(2), guesses(3)], [7, 3, 0]);
        let attempts = PasswordAttempts::new(&[7; 32], Arc::new(SystemClock), Nodes::default()).unwrap();
        for _ in 0..100 {
            assert!(attempts.takes_as_right_of(one, token(1), true));
        }
    }

    #[test]
    fn an_account_knows_five_browsers_until_its_tokens_end() {
        let attempts = attempts();
        let one = account(1).unwrap();
        let tokens: Vec<_> = (0..=KNOWN_BROWSERS).map(|_| attempts.token_for(one, None).unwrap()).collect();
        assert!(!attempts.knows(one, &tokens[0]) && tokens[1..].iter().all(|token| attempts.knows(one, token)));
        assert_eq!(attempts.token_for(one, Some(tokens[1].clone())).unwrap(), tokens[1], "a browser keeps its token");
        assert!(!attempts.knows(AccountVersion(one.0, 1), &tokens[1]));
        attempts.tokens.lock().clear();
        assert_eq!(tokens.iter().filter(|token| attempts.knows(one, token)).count(), KNOWN_BROWSERS, "after a restart");
    }
}
