//! A walk through the whole index, to know that all of it is there, while it
//! is being changed.

use crate::error::Result;
use crate::local::table::is_about_itself;
use crate::local::tally::Tally;

/// Pairs that are read at once. Changes wait meanwhile.
const AT_ONCE: usize = 512;

/// How far a walk has got, and what it has found.
#[derive(Default)]
pub(crate) struct Walk {
    passed: Option<Vec<u8>>,
    tally: Tally,
}

impl Walk {
    /// Where it goes on.
    pub(crate) fn from(&self) -> Vec<u8> {
        self.passed.as_ref().map(|passed| [passed.as_slice(), &[0]].concat()).unwrap_or_default()
    }

    /// Takes the next pairs. The tally, if those were the last.
    pub(crate) fn step(&mut self, pairs: impl Iterator<Item = Result<(Vec<u8>, Vec<u8>)>>) -> Result<Option<Tally>> {
        let mut read = 0;
        for pair in pairs.take(AT_ONCE) {
            let (key, value) = pair?;
            read += 1;
            if !is_about_itself(&key) {
                self.tally.add(&key, &value);
            }
            self.passed = Some(key);
        }
        Ok((read < AT_ONCE).then_some(self.tally))
    }

    /// Somebody has changed a pair. What is still to come is met as it is now.
    pub(crate) fn is_changed(&mut self, key: &[u8], old: Option<&[u8]>, new: Option<&[u8]>) {
        let is_passed = self.passed.as_deref().is_some_and(|passed| key <= passed);
        if is_passed && !is_about_itself(key) {
            self.tally.replace(key, old, new);
        }
    }
}
