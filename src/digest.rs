//! Digests: a mail a day, at most, to those who want it. It counts what is waiting for them, and has a link that ends
//! it.

use std::time::Duration;

use actix_web::rt;
use actix_web::web::Data;
use annon_store::StoreError;
use annon_store::account::{AccountId, Timestamp};
use annon_store::conversation::Side;
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use aws_lc_rs::hmac;
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use uuid::Uuid;

use crate::app::App;
use crate::error::ApiError;
use crate::mail::{Counts, Letter, to_owner_of_waiting};

/// How often it is looked whether digests are due.
const LOOKS_EVERY: Duration = Duration::from_secs(60);
/// Digests that are made in one look. The others come with the next one.
const AT_ONCE: usize = 128;
/// The newest notes and conversations that are looked at.
const NEWEST: usize = 200;
const DAY: Timestamp = 24 * 60 * 60;
/// The seconds for which the date of a note is exact.
const DATES: Timestamp = 60;

/// Makes and reads the links that end digests, and spreads digests over the day.
pub struct DigestLinks {
    key: RandomizedNonceKey,
    times: hmac::Key,
}

impl DigestLinks {
    /// `None` if there can't be such a key.
    pub fn new(links: &[u8; 32], times: &[u8; 32]) -> Option<Self> {
        let key = RandomizedNonceKey::new(&AES_256_GCM, links).ok()?;
        Some(Self { key, times: hmac::Key::new(hmac::HMAC_SHA256, times) })
    }

    /// The secret of a link: whose digest it is, and when that was switched on, sealed.
    fn token(&self, account: AccountId, began: Timestamp) -> Option<String> {
        let mut sealed = [&account.0.as_bytes()[..], &began.to_be_bytes()].concat();
        let nonce = self.key.seal_in_place_append_tag(Aad::empty(), &mut sealed).ok()?;
        Some(BASE64_URL_SAFE_NO_PAD.encode([&nonce.as_ref()[..], &sealed].concat()))
    }

    /// What a link ends.
    pub fn opened(&self, token: &str) -> Option<(AccountId, Timestamp)> {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(token).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_LEN>()?;
        let mut sealed = sealed.to_vec();
        let plain = self.key.open_in_place(Nonce::from(nonce), Aad::empty(), &mut sealed).ok()?;
        let (account, began) = plain.split_at_checked(16)?;
        Some((AccountId(Uuid::from_slice(account).ok()?), Timestamp::from_be_bytes(began.try_into().ok()?)))
    }

    /// When the first digest of an account is due that is switched on now: each has a time of day of its own.
    pub fn first_due(&self, account: AccountId, now: Timestamp) -> Timestamp {
        let drawn = hmac::sign(&self.times, account.0.as_bytes());
        let drawn = drawn.as_ref().first_chunk().copied().map_or(0, u32::from_be_bytes);
        let today = now / DAY * DAY + u64::from(drawn) % DAY;
        if today > now { today } else { today + DAY }
    }
}

/// Sends digests, for as long as the server runs.
pub async fn keep_sent(app: Data<App>) {
    loop {
        // What can't be read now is looked at again; why, the log says elsewhere.
        if app.pausing.may_write().is_ok() {
            let _ = send_due(&app).await;
        }
        rt::time::sleep(LOOKS_EVERY).await;
    }
}

async fn send_due(app: &App) -> Result<(), ApiError> {
    let digests = app.store.digests();
    for account in digests.due(app.clock.timestamp(), AT_ONCE).await? {
        // Another node may have been faster.
        let now = app.clock.timestamp();
        let Some(digest) = digests.take(account, now).await? else { continue };
        let Some(owner) = app.accounts.by_id(account).await?.filter(|owner| owner.confirmed) else { continue };
        if app.suspensions.of(account, now).await?.is_some() {
            continue;
        }
        let Some(counts) = news(app, account, digest.since, now).await? else { continue };
        let Some(token) = app.digest_links.token(account, digest.began) else { continue };
        let (page, end) = (app.public_url.page("/homepage"), app.public_url.page(&format!("/mails/{token}")));
        let words = to_owner_of_waiting(digest.language, counts, &page, &end);
        let letter = Letter { to: owner.email, words, ends_by: Some(end) };
        let (mailer, digests) = (app.mailer.clone(), digests.clone());
        rt::spawn(async move {
            // What a mail doesn't tell because it was lost, or because this node dies, the next day's does.
            if mailer.hand_over(letter).await {
                let _ = digests.sent(account, digest.began, now).await;
            }
        });
    }
    Ok(())
}

/// How much an owner is shown and hasn't seen; `None` if nothing of it came since a time.
async fn news(app: &App, owner: AccountId, since: Timestamp, now: Timestamp) -> Result<Option<Counts>, StoreError> {
    let inbox = app.inbox.page(owner, None, NEWEST, now).await?;
    let is_new = |at: Timestamp| at > since;
    let mut has_news = inbox.notes.iter().any(|note| !note.seen && is_new(note.date + DATES));
    let mut replies = 0;
    for found in app.conversations.page(owner, None, NEWEST, now).await? {
        let unread = found.conversation.unread_by(Side::Owner);
        let last = found.conversation.lines.iter().rfind(|line| line.from == Side::Sender && line.text.is_some());
        has_news |= unread > 0 && last.is_some_and(|line| is_new(line.at));
        replies += unread;
    }
    let counts = Counts { notes: inbox.unread as usize, replies };
    Ok((has_news && counts != Counts::default()).then_some(counts))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(key: u8) -> DigestLinks {
        DigestLinks::new(&[key; 32], &[key; 32]).unwrap()
    }

    #[test]
    fn a_link_tells_its_own_server_alone_what_it_ends() {
        let (account, began) = (AccountId(Uuid::from_u128(7)), 1_790_000_000);
        let tokens = [(); 2].map(|()| links(1).token(account, began).unwrap());
        assert_ne!(tokens[0], tokens[1]);
        for token in &tokens {
            assert_eq!(links(1).opened(token), Some((account, began)));
            assert_eq!(links(2).opened(token), None);
            assert_eq!(links(1).opened(&token[..token.len() - 2]), None);
        }
        for bad in ["", "x", "AAAA", &BASE64_URL_SAFE_NO_PAD.encode([0; 52])] {
            assert_eq!(links(1).opened(bad), None, "{bad}");
        }
    }

    #[test]
    fn digests_are_due_within_a_day_at_times_that_are_spread() {
        let now = 20_000 * DAY + 5_000;
        let due: Vec<_> = (0..240).map(|n| links(1).first_due(AccountId(Uuid::from_u128(n)), now)).collect();
        assert!(due.iter().all(|due| (now + 1..=now + DAY).contains(due)));
        let in_hour = |hour: u64| due.iter().filter(|due| (**due - now - 1) / 3_600 == hour).count();
        assert!((0..24).all(|hour| in_hour(hour) < 30), "they come at one time");
        let again = links(1).first_due(AccountId(Uuid::from_u128(3)), now + DAY);
        assert_eq!(again, due[3] + DAY, "each day at the same time");
    }
}
