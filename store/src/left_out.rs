//! Conditions that a build leaves out, to see that the judge of a run finds what follows (`make judge-can-fail`). All of
//! it is there only with the feature `left-out`, which no release build takes.

use std::sync::LazyLock;

/// A condition on which a promise hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// An append is written only where the log ends.
    Place,
    /// A commit that comes with a notice is no yes.
    Notice,
    /// A beat waits for the standby.
    Standby,
    /// A seat is given when the record has it.
    Seat,
}

/// Whether this process leaves it out: the variable `LEFT_OUT` has its name.
pub fn leaves_out(condition: Condition) -> bool {
    static NAME: LazyLock<String> = LazyLock::new(|| std::env::var("LEFT_OUT").unwrap_or_default());
    *NAME == format!("{condition:?}").to_lowercase()
}
