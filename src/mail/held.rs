//! Mails without a mail server: they are kept in memory for as long as a reset
//! link works, and shown to the operator.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use annon_contract::limits::RESET_LIFETIME;
use annon_store::account::Timestamp;
use parking_lot::Mutex;
use zeroize::{Zeroize, ZeroizeOnDrop};

/// Most mails that are kept, about a kilobyte each. The oldest is dropped.
const HELD_MAX: usize = 1_000;

/// A mail as the operator sees it. Its link opens an account, so it is wiped.
#[derive(Debug, Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct HeldMail {
    pub written: Timestamp,
    /// The whole mail, head and text.
    pub text: String,
}

/// The mails of the last half hour.
#[derive(Default)]
pub struct HeldMails(Mutex<VecDeque<(Instant, HeldMail)>>);

impl HeldMails {
    pub fn keep(&self, mail: HeldMail, now: Instant) {
        let mut mails = self.0.lock();
        drop_old(&mut mails, now);
        if mails.len() == HELD_MAX {
            mails.pop_front();
        }
        mails.push_back((now, mail));
    }

    /// The mails that are not too old, newest last.
    pub fn mails(&self, now: Instant) -> Vec<HeldMail> {
        let mut mails = self.0.lock();
        drop_old(&mut mails, now);
        mails.iter().map(|(_, mail)| mail.clone()).collect()
    }

    pub fn clear(&self, now: Instant) {
        drop_old(&mut self.0.lock(), now);
    }
}

fn drop_old(mails: &mut VecDeque<(Instant, HeldMail)>, now: Instant) {
    const KEPT_FOR: Duration = RESET_LIFETIME;
    while mails.front().is_some_and(|(kept, _)| now.saturating_duration_since(*kept) >= KEPT_FOR) {
        mails.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annon_actors::clock::{Clock, SystemClock};

    fn mail(n: usize) -> HeldMail {
        HeldMail { written: 7, text: format!("mail {n}") }
    }

    #[test]
    fn a_mail_is_kept_for_half_an_hour_and_shown_newest_last() {
        let (held, begin) = (HeldMails::default(), SystemClock.moment());
        let minute = |n: u64| begin + Duration::from_secs(n * 60);
        held.keep(mail(1), begin);
        held.keep(mail(2), minute(10));
        assert_eq!(held.mails(minute(29)), [mail(1), mail(2)]);
        assert_eq!(held.mails(minute(30)), [mail(2)]);
        held.clear(minute(40));
        assert_eq!(held.0.lock().len(), 0, "nothing stays that is only not shown");
    }

    #[test]
    fn there_are_never_more_than_the_bound() {
        let (held, now) = (HeldMails::default(), SystemClock.moment());
        (0..HELD_MAX + 5).for_each(|n| held.keep(mail(n), now));
        let mails = held.mails(now);
        assert_eq!((mails.len(), &mails[0]), (HELD_MAX, &mail(5)));
    }
}
