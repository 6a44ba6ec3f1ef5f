//! What a course came to.

use std::time::Duration;

use serde::Serialize;

use crate::engine::book::Faults;
use crate::engine::live::Tick;
use crate::latency::Summary;

/// Of an open loop, behind by less than this nothing is said about.
const BEHIND: Duration = Duration::from_millis(100);
/// And by less than this share of the time it had.
const BEHIND_SHARE: f64 = 0.1;

pub(crate) struct Measured {
    pub(crate) seconds: f64,
    /// Whether somebody ended it before its time was up.
    pub(crate) is_cut_short: bool,
    pub(crate) sends: u64,
    pub(crate) deliveries: u64,
    /// Deliveries that were still on their way when somebody ended the run:
    /// they are nobody's fault.
    pub(crate) unheard: u64,
    pub(crate) latency: Summary,
    /// How late messages went out, for which the server can do nothing.
    pub(crate) own_lateness: Summary,
    /// Messages that were due and that the server left no room to send.
    pub(crate) untaken: u64,
    /// Messages the server said no to, and the first reason it gave.
    pub(crate) refused: u64,
    pub(crate) refusal: Option<String>,
    /// The server's limit on sends was met by a closed loop.
    pub(crate) is_limited: bool,
    pub(crate) overload: Option<Overload>,
    pub(crate) faults: Faults,
    pub(crate) ticks: Vec<Tick>,
}

/// This program could not keep up with the rate it was given: it measured
/// itself. Who does not read in time is hung up on, which is then no fault
/// of the server's, nor is what it could not say any more.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Overload {
    pub(crate) behind_seconds: f64,
    /// Messages that were due and never went out.
    pub(crate) unsent: u64,
    /// Connections that the server closed meanwhile.
    pub(crate) closed: u64,
}

impl Overload {
    /// Of somebody who had so much time, and is behind by so much.
    pub(super) fn of(had: Duration, behind: Duration, unsent: u64) -> Option<Self> {
        let is_far = behind > BEHIND && behind > had.mul_f64(BEHIND_SHARE);
        is_far.then_some(Self { behind_seconds: behind.as_secs_f64(), unsent, closed: 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_s_delay_is_no_overload() {
        let of = |had, behind| Overload::of(Duration::from_millis(had), Duration::from_millis(behind), 7).is_some();
        assert_eq!([of(5000, 400), of(500, 90), of(5000, 600), of(500, 110)], [false, false, true, true]);
    }
}
