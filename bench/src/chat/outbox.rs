//! Lines that were typed and have not come back yet. The echo is the
//! acknowledgement; until then a line is sent again on every connection.

use serde_json::{Value, json};

use crate::clock;

/// Lines on their way, oldest first.
pub(crate) struct Outbox {
    /// Different in every run, and so in every id of it.
    tag: u128,
    sent: u64,
    unheard: Vec<(String, String)>,
}

impl Outbox {
    pub(crate) fn new() -> Self {
        Self { tag: clock::since_1970().as_micros(), sent: 0, unheard: Vec::new() }
    }

    /// Takes a line; what is to be sent of it.
    pub(crate) fn push(&mut self, line: String) -> Value {
        self.sent += 1;
        let id = id(self.tag, self.sent);
        let message = said(&id, &line);
        self.unheard.push((id, line));
        message
    }

    /// A line has come back, or was refused.
    pub(crate) fn heard(&mut self, id: &str) {
        self.unheard.retain(|(unheard, _)| unheard != id);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.unheard.is_empty()
    }

    pub(crate) fn unheard(&self) -> impl Iterator<Item = Value> + '_ {
        self.unheard.iter().map(|(id, line)| said(id, line))
    }
}

fn said(id: &str, line: &str) -> Value {
    json!({"event": "event.chat", "id": id, "message": line})
}

/// Fifteen characters: eleven of the time, four of the count.
fn id(tag: u128, n: u64) -> String {
    format!("{:011x}{:04x}", tag & 0xfff_ffff_ffff, n & 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_sent_again_until_it_has_come_back() {
        let mut outbox = Outbox::new();
        let (one, two) = (outbox.push("one".to_owned()), outbox.push("two".to_owned()));
        assert_ne!(one["id"], two["id"]);
        assert_eq!(outbox.unheard().collect::<Vec<_>>(), [one.clone(), two.clone()]);
        outbox.heard(one["id"].as_str().unwrap());
        assert_eq!(outbox.unheard().collect::<Vec<_>>(), std::slice::from_ref(&two));
        outbox.heard(two["id"].as_str().unwrap());
        assert!(outbox.is_empty());
    }

    #[test]
    fn ids_have_fifteen_characters() {
        for (tag, n) in [(0, 0), (u128::MAX, u64::MAX), (clock::since_1970().as_micros(), 7)] {
            let id = id(tag, n);
            assert!(id.len() == 15 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
        }
    }
}
