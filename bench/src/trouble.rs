//! How a run can end.

use std::fmt::Display;
use std::process::ExitCode;

/// Why a run did not end well.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Trouble {
    /// The server has lost, doubled or mixed up something. The details are printed already.
    #[error("wrong")]
    Wrong,
    /// Something about the input, the server or this machine: one sentence.
    #[error("{0}")]
    Because(String),
    /// Somebody pressed Ctrl-C.
    #[error("interrupted")]
    Interrupted,
}

/// The result of what may end the run.
pub(crate) type Fallible<T = ()> = Result<T, Trouble>;

impl Trouble {
    pub(crate) fn because<T>(sentence: impl Into<String>) -> Fallible<T> {
        Err(Self::Because(sentence.into()))
    }
}

/// Makes an error that ends the run: what could not be done, and why.
pub(crate) trait Because<T> {
    fn because(self, what: impl Display) -> Fallible<T>;
}

impl<T, E: Display> Because<T> for Result<T, E> {
    fn because(self, what: impl Display) -> Fallible<T> {
        self.map_err(|error| Trouble::Because(format!("{what}: {error}")))
    }
}

/// 1 means that the server was wrong, so that a script can tell it from a run that measured
/// nothing.
pub(crate) fn exit_code(ending: &Fallible) -> ExitCode {
    match ending {
        Ok(()) => ExitCode::SUCCESS,
        Err(Trouble::Wrong) => ExitCode::from(1),
        Err(Trouble::Because(_)) => ExitCode::from(2),
        // The code of a command that Ctrl-C ended in a shell.
        Err(Trouble::Interrupted) => ExitCode::from(130),
    }
}
