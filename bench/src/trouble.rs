//! How a run can end.

use std::process::ExitCode;

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
/// that: what the measuring found counts more.
pub(crate) fn cleared_up<T>(measured: Result<T, Trouble>, clearing: Result<(), Trouble>) -> Result<T, Trouble> {
    let found = measured?;
    clearing.map(|()| found)
}
