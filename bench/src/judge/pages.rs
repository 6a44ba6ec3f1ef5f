//! A personal page: while its owner is suspended it isn't available, and otherwise it is.

use std::collections::HashMap;

use super::Span;
use crate::history::Step;
use crate::load::Faults;

/// The kind of the fault.
pub(super) const OUTDATED: &str = "pages as they had been before";

#[derive(Default)]
pub(super) struct Page {
    /// One after the other: when each began and ended, and whether it suspends.
    changes: Vec<(Span, bool)>,
    begun: HashMap<u64, u64>,
    /// When each began and ended, and whether the page was available.
    visits: Vec<(u64, u64, bool)>,
}

impl Page {
    pub(super) fn change(&mut self, is_suspended: bool, step: Step, time: u64) {
        match (step, self.changes.last_mut()) {
            (Step::Invoke, _) => self.changes.push((Span::begins(time), is_suspended)),
            (_, Some((span, _))) => span.ends(step, time),
            (_, None) => {}
        }
    }

    pub(super) fn visit(&mut self, op: u64, seen: Option<bool>, step: Step, time: u64) {
        match (step, seen) {
            (Step::Invoke, _) => _ = self.begun.insert(op, time),
            (_, Some(seen)) => self.visits.push((self.begun.remove(&op).unwrap_or(time), time, seen)),
            (_, None) => {}
        }
    }

    /// A visit sees what the last change before it has made, or what one has that was under way.
    pub(super) fn judge(&self, page: usize, faults: &mut Faults) {
        for (begun, ended, is_available) in &self.visits {
            let settled = self.changes.iter().rposition(|(span, _)| span.done.is_some_and(|done| done < *begun));
            let under_way = self
                .changes
                .iter()
                .skip(settled.unwrap_or_default())
                .filter(|(span, _)| span.begun <= *ended && !span.has_failed);
            let first = settled.is_none().then_some(false);
            let mut states = first.into_iter().chain(under_way.map(|(_, is_suspended)| *is_suspended));
            if !states.any(|is_suspended| is_suspended != *is_available) {
                faults.add(OUTDATED, 1, || format!("page {page} at {begun} µs: available: {is_available}"));
            }
        }
    }
}
