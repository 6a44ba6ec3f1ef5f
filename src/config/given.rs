//! What an option refuses of the command line and of the environment: all of it at once, so that nobody has to try
//! again for each mistake.

use std::env;
use std::ffi::OsString;

use clap::{Arg, CommandFactory};

use crate::config::Cli;
use crate::config::file::{check, is_flag};

/// Values that options refuse.
#[derive(Default)]
pub(super) struct Refused {
    /// A sentence each.
    pub(super) mistakes: Vec<String>,
    /// The ids of options whose variables are wrong.
    pub(super) variables: Vec<String>,
}

impl Refused {
    /// Removes from the line what its options refuse, and looks at the variables of all options.
    pub(super) fn of(line: &mut Vec<OsString>) -> Self {
        let mut refused = Self::default();
        for option in Cli::command().get_arguments() {
            if let (Some(name), Some(variable)) = (option.get_long(), option.get_env()) {
                let typed = line.iter().position(|word| is_flag(word, name));
                refused.variable(option, name, variable.to_str().unwrap_or_default(), typed.is_some());
                if let Some(at) = typed {
                    refused.typed(line, at, name);
                }
            }
        }
        refused
    }

    fn typed(&mut self, line: &mut Vec<OsString>, at: usize, name: &str) {
        let (value, words) = match line[at].to_str().map(|word| word.split_once('=')) {
            Some(Some((_, value))) => (Some(value.to_owned()), 1),
            Some(None) => (line.get(at + 1).and_then(|word| word.to_str()).map(str::to_owned), 2),
            // It is no text, which the parser says.
            None => return,
        };
        let Some(value) = value else { return };
        if let Err(why) = check(&format!("--{name}={value}"), name) {
            self.mistakes.push(why);
            line.drain(at..at + words);
        }
    }

    fn variable(&mut self, option: &Arg, name: &str, variable: &str, is_typed: bool) {
        let Some(value) = env::var_os(variable) else { return };
        if let Err(why) = check(&format!("--{name}={}", value.to_string_lossy()), name) {
            self.variables.push(option.get_id().to_string());
            // A flag wins, also behind a command, where the parser would look at the variable first.
            if !is_typed {
                self.mistakes.push(format!("{variable}: {why}"));
            }
        }
    }
}
