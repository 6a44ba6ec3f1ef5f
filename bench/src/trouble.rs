//! How a run can end.

use std::process::ExitCode;

use crate::report::say;

/// Why a run could not go on.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    /// Something about the input, the server or this machine: one sentence.
    #[error("{0}")]
    Because(String),
    /// Somebody pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

impl Trouble {
    pub(crate) fn because(sentence: impl Into<String>) -> Self {
        Self::Because(sentence.into())
    }
}

/// What a run that went on to its end has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finding {
    /// Everything is as it should be.
    Right,
    /// The server has lost, doubled or mixed up something.
    Wrong,
}

/// 1 is kept for a server that is wrong, so that a script can tell it from
/// a run that never took place.
pub(crate) fn exit_code(ending: &Result<Finding, Trouble>) -> ExitCode {
    match ending {
        Ok(Finding::Right) => ExitCode::SUCCESS,
        Ok(Finding::Wrong) => ExitCode::from(1),
        Err(Trouble::Because(_)) => ExitCode::from(2),
        // What a shell says of a command that Ctrl-C ended.
        Err(Trouble::Interrupted) => ExitCode::from(130),
    }
}

/// What a run comes to that ended like this, and was cleared up after like
/// that: what the measuring found counts more. A server that was wrong is
/// often one that has ended, and can't be cleared up after.
pub(crate) fn cleared_up(
    measured: Result<Finding, Trouble>,
    clearing: Result<(), Trouble>,
) -> Result<Finding, Trouble> {
    match (measured?, clearing) {
        (found, Ok(())) => Ok(found),
        (Finding::Wrong, Err(Trouble::Because(why))) => {
            say(&format!("Besides: {why}."));
            Ok(Finding::Wrong)
        }
        (_, Err(trouble)) => Err(trouble),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_wrong_counts_more_than_what_came_after() {
        let gone = || Err(Trouble::because("the server is gone"));
        assert_eq!(cleared_up(Ok(Finding::Wrong), gone()), Ok(Finding::Wrong));
        assert_eq!(cleared_up(Ok(Finding::Right), gone()), Err(Trouble::because("the server is gone")));
        assert_eq!(cleared_up(Err(Trouble::Interrupted), gone()), Err(Trouble::Interrupted));
        assert_eq!(cleared_up(Ok(Finding::Wrong), Err(Trouble::Interrupted)), Err(Trouble::Interrupted));
    }
}
