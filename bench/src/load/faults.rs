//! What a server did wrong: how often, and a few examples.

use std::collections::BTreeMap;

use serde::Serialize;

/// How many examples of faults are shown.
const EXAMPLES: usize = 5;

/// Kinds of faults, as people read them.
pub(crate) const LOST: &str = "lost";
pub(crate) const DOUBLED: &str = "doubled";
pub(crate) const DISORDERED: &str = "out of order";
pub(crate) const GARBLED: &str = "with other contents";
pub(crate) const STRANGE: &str = "that nobody sent";
pub(crate) const CUT: &str = "connections closed by the server";

#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Faults {
    #[serde(flatten)]
    counts: BTreeMap<&'static str, u64>,
    examples: Vec<String>,
}

impl Faults {
    pub(crate) fn add(&mut self, what: &'static str, count: u64, example: impl FnOnce() -> String) {
        *self.counts.entry(what).or_default() += count;
        if self.examples.len() < EXAMPLES {
            self.examples.push(format!("{what}: {}", example()));
        }
    }

    /// How many faults of all kinds there were.
    pub(crate) fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    pub(crate) fn count_of(&self, what: &str) -> u64 {
        self.counts.get(what).copied().unwrap_or(0)
    }

    /// Does not count closed connections as faults. Returns how many there were.
    pub(crate) fn excuse_cuts(&mut self) -> u64 {
        self.examples.retain(|example| !example.starts_with(CUT));
        self.counts.remove(CUT).unwrap_or(0)
    }

    /// Lines for people; none if the server did nothing wrong.
    pub(crate) fn lines(&self) -> Vec<String> {
        if self.count() == 0 {
            return Vec::new();
        }
        let counts: Vec<_> = self.counts.iter().map(|(what, count)| format!("{count} {what}")).collect();
        let mut lines = vec![format!("WRONG: {}.", counts.join(", "))];
        lines.extend(self.examples.clone());
        lines
    }
}
