//! The table of rates: what is counted, by whom, and how often it is allowed.

use std::time::Duration;

use annon_actors::bucket::Rate;
use annon_contract::limits::{
    ADDRESS_PICTURE_BYTES, CONFIRMATION_MAILS_PER_HOUR, CONFIRMATIONS_PER_HOUR, NOTES_TO_ONE_PER_DAY,
    NOTES_TO_ONE_PER_HOUR, RESETS_PER_HOUR, WRONG_PASSWORDS, WRONG_PASSWORDS_OF_BROWSER, WRONG_PASSWORDS_PER,
};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// By whom a call is counted. Each kind has buckets of its own, since anybody
/// can have many addresses and fill those of `Caller` with them.
#[derive(Debug, Clone, Copy)]
pub(super) enum CountedBy {
    /// The caller's address.
    Caller,
    /// The caller's address together with an inbox or a group.
    Pair,
    /// An account, a name, a mail address, or everybody together.
    Account,
}

macro_rules! rates {
    ($($(#[doc = $about:literal])+ $call:ident $by:ident $burst:expr, $refill:expr, $per:expr;)+) => {
        /// What is counted. The limits leave room for many people who share one
        /// address, as senders of anonymous notes often do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Call {
            $($(#[doc = $about])+ $call,)+
        }

        impl Call {
            /// By whom the call is counted.
            pub(super) fn counted_by(self) -> CountedBy {
                match self {
                    $(Self::$call => CountedBy::$by,)+
                }
            }

            /// How often it is allowed.
            fn rate(self) -> Rate {
                match self {
                    $(Self::$call => Rate { burst: $burst, refill: $refill, per: $per },)+
                }
            }
        }
    };
}

// Each row: the call, by whom it is counted, how many are allowed at once, and
// how many then come back in which time.
rates! {
    /// Trying a password.
    SignIn Caller 20, 20, MINUTE;
    /// Signing up, or using a link that confirms an address.
    SignUp Caller 30, 60, HOUR;
    /// Asking for a reset mail, or using one.
    Reset Caller 10, 20, HOUR;
    /// Sending an anonymous note.
    Note Caller 60, 60, MINUTE;
    /// Sending a note to one inbox: one stranger must not fill it.
    NoteToOne Pair NOTES_TO_ONE_PER_HOUR, NOTES_TO_ONE_PER_HOUR, HOUR;
    /// Sending a note to one inbox, counted by the day.
    NoteToOneInADay Pair NOTES_TO_ONE_PER_DAY, NOTES_TO_ONE_PER_DAY, DAY;
    /// Opening a socket: the others in a group see who comes and goes.
    Socket Caller 512, 600, MINUTE;
    /// Sending feedback.
    Feedback Caller 10, 20, HOUR;
    /// Reporting something to the operator.
    Report Caller 10, 20, HOUR;
    /// Asking how a report stands.
    Receipt Caller 60, 60, MINUTE;
    /// A byte of a picture that is stored.
    PictureBytes Caller ADDRESS_PICTURE_BYTES, ADDRESS_PICTURE_BYTES, HOUR;
    /// Asking for a name or id that doesn't exist.
    Miss Caller 60, 60, MINUTE;
    /// Reading a group's lines: each answer is made anew, and compressed. Enough
    /// for 300 people behind one address who come in at once. To scroll through
    /// 10,000 lines takes fifty calls.
    History Caller 600, 600, MINUTE;
    /// Reading a conversation, or a list of them: enough for a school class behind one
    /// address.
    ReadConversation Caller 600, 600, MINUTE;
    /// Reading public answers: each list is made anew. Enough for a school class behind one
    /// address.
    ReadAnswers Caller 600, 600, MINUTE;
    /// Publishing an answer or taking one down, or changing a personal page.
    Publish Account 120, 120, MINUTE;
    /// Having a browser told by web push: each is stored anew.
    Subscribe Account 30, 30, MINUTE;
    /// Saying something in a conversation, or changing it in another way.
    ChangeConversation Caller 120, 120, MINUTE;
    /// Asking about the conversations that a browser remembers: each call looks for up to
    /// fifty.
    Peek Caller 60, 60, MINUTE;
    /// Having a card drawn that isn't kept: it takes ten milliseconds of a core.
    Card Caller 60, 60, MINUTE;
    /// Leaving a group: a new seat can follow, and the log keeps both events
    /// until the group ends.
    Leave Caller 30, 30, MINUTE;
    /// Knocking at one group. Each visitor has three knocks in an hour; whoever forgets their
    /// cookie each time has these. The log keeps each until the group ends.
    Knock Pair 30, 30, HOUR;
    /// Asking how a knock at one group stands: enough for all fifty who can wait there.
    KnockWait Pair 300, 300, MINUTE;
    /// Locking a group or removing a member, by one account: the log keeps these events until the
    /// group ends.
    Moderation Account 30, 30, MINUTE;
    /// Answering a knock, by one account: enough for all fifty who can wait. Strangers decide how many
    /// knock, so it must not use up what locks the group.
    AnswerKnock Account 60, 60, MINUTE;
    /// Asking for a reset mail to one address, by any caller, with or without an
    /// account of that address. A link works longer than it takes until the next
    /// one is mailed: so whoever uses up the mails keeps no link from the owner.
    ResetMailTo Account RESETS_PER_HOUR, RESETS_PER_HOUR, HOUR;
    /// A mail to one address that names the accounts waiting for it.
    ConfirmationMailTo Account CONFIRMATION_MAILS_PER_HOUR, CONFIRMATION_MAILS_PER_HOUR, HOUR;
    /// Asking for such a mail, by one account.
    ConfirmationOf Account CONFIRMATIONS_PER_HOUR, CONFIRMATIONS_PER_HOUR, HOUR;
    /// Storing a link for an address without an account (a decoy), by all callers
    /// together. Each takes some hundred bytes for half an hour.
    Decoy Account 10_000, 10_000, HOUR;
    /// A wrong password for one name, from any address.
    WrongPassword Account WRONG_PASSWORDS, WRONG_PASSWORDS, WRONG_PASSWORDS_PER;
    /// A wrong password of an account's known browsers and signed-in callers.
    WrongPasswordOfKnown Account WRONG_PASSWORDS, WRONG_PASSWORDS, WRONG_PASSWORDS_PER;
    /// A wrong password of one access token: it can't use up all of those above.
    WrongPasswordOfToken Account OF_TOKEN, OF_TOKEN, WRONG_PASSWORDS_PER;
    /// A wrong password of one known browser, when those above are used up.
    WrongPasswordOfBrowser Account WRONG_PASSWORDS_OF_BROWSER, WRONG_PASSWORDS_OF_BROWSER, WRONG_PASSWORDS_PER;
}

/// So many of what is counted by account each node allows, however many nodes there are.
const LEAST: u32 = 3;

impl Call {
    /// How often one of several nodes allows it. Each counts by itself, so what is counted by
    /// account is shared out among them: whoever may guess a password is at all of them.
    pub(crate) fn rate_at_one_of(self, nodes: u32) -> Rate {
        let Rate { burst, refill, per } = self.rate();
        let share = |all: u32| match self.counted_by() {
            CountedBy::Caller | CountedBy::Pair => all,
            CountedBy::Account => (all / nodes.max(1)).max(LEAST.min(all)),
        };
        Rate { burst: share(burst), refill: share(refill), per }
    }
}

const OF_TOKEN: u32 = WRONG_PASSWORDS - WRONG_PASSWORDS_OF_BROWSER;

#[cfg(test)]
mod tests {
    use annon_contract::limits::RESET_LIFETIME;

    use super::*;

    #[test]
    fn what_an_account_may_do_is_shared_out_among_nodes_and_what_an_address_may_do_is_not() {
        let bursts = |call: Call| [0, 1, 2, 3, 4, 1000].map(|nodes| call.rate_at_one_of(nodes).burst);
        assert_eq!(bursts(Call::WrongPassword), [10, 10, 5, 3, 3, 3]);
        assert_eq!(bursts(Call::ResetMailTo), [3; 6]);
        assert_eq!(bursts(Call::SignIn), [20; 6]);
        let Rate { refill, per, .. } = Call::Moderation.rate_at_one_of(3);
        assert_eq!((refill, per), (10, MINUTE));
    }

    #[test]
    fn an_owner_whose_reset_mails_are_used_up_has_one_that_still_works() {
        let Rate { refill, per, .. } = Call::ResetMailTo.rate();
        assert!(per / refill < RESET_LIFETIME);
    }
}
