//! How long things are kept, as the page about privacy has it.

use annon_store::lapse::Kept;

use super::super::put_in;
use crate::config::Events;

/// In days, as text: nothing where no limit is set.
pub(super) struct Limits {
    pub(super) notes: String,
    pub(super) feedback: String,
    pub(super) accounts: String,
    /// Of addresses: nothing where none are kept, and `ENDLESS` where no limit is set.
    pub(super) events: String,
}

const ENDLESS: &str = "endless";

impl Limits {
    pub(super) fn of(Kept { notes, feedback, accounts }: Kept, events: &Events) -> Self {
        let text = |days: Option<u32>| days.map(|days| days.to_string()).unwrap_or_default();
        let endless = || if events.keep_addresses() { ENDLESS.to_owned() } else { String::new() };
        let of_events = events.event_log_kept_days.filter(|_| events.keep_addresses());
        Self {
            notes: text(notes),
            feedback: text(feedback),
            accounts: text(accounts),
            events: of_events.map_or_else(endless, |days| days.to_string()),
        }
    }

    /// The marks of rows that aren't true of this site.
    pub(super) fn untrue(&self) -> Vec<&'static str> {
        let of = |days: &str, set, unset| if days.is_empty() { set } else { unset };
        let mut untrue = vec![
            of(&self.notes, "data-kept=\"notes\"", "data-kept=\"no-notes\""),
            of(&self.feedback, "data-kept=\"feedback\"", "data-kept=\"no-feedback\""),
            of(&self.accounts, "data-kept=\"accounts\"", "data-kept=\"no-accounts\""),
        ];
        let (limited, endless) = ("data-kept=\"events\"", "data-kept=\"endless-events\"");
        untrue.extend(match &*self.events {
            "" => vec![limited, endless],
            ENDLESS => vec![limited],
            _ => vec![endless],
        });
        untrue
    }

    /// Puts the numbers into a page that was drawn when the app was built.
    pub(super) fn put_into(&self, drawn: &str) -> String {
        put_in(
            drawn,
            &[
                ("{notes-days}", &*self.notes),
                ("{feedback-days}", &*self.feedback),
                ("{accounts-days}", &*self.accounts),
                ("{events-days}", &*self.events),
            ],
        )
    }
}
