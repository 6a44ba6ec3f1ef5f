//! The command line.

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser};
use tracing_subscriber::filter::LevelFilter;

use crate::config::{Command, Config, file};

/// Anonymous notes and short-lived group chats, in one binary.
///
/// Without a command, annon runs the server. Each option can also be set by
/// the environment variable shown with it, or in the file of --config; a flag
/// overrides the variable, and both override the file.
#[derive(Parser)]
#[command(name = "annon", version, max_term_width = 100)]
pub struct Cli {
    /// What to do; by default, run the server.
    #[command(subcommand)]
    pub command: Option<Command>,
    #[command(flatten)]
    pub config: Config,
}

impl Cli {
    /// Reads the command line of this process, its variables, and the files that these name.
    pub fn of_the_process() -> Self {
        Self::read().unwrap_or_else(|error| error.exit())
    }

    /// The log's level that this process would have if it started now: what is in the
    /// files may have changed. The error is a sentence.
    pub fn log_level_now() -> Result<LevelFilter, String> {
        let in_a_sentence = |error: clap::Error| {
            let text = error.to_string();
            text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
        };
        Self::read().map(|this| this.config.log_level).map_err(in_a_sentence)
    }

    fn read() -> Result<Self, clap::Error> {
        let mut line: Vec<_> = std::env::args_os().collect();
        let settings = file::settings(&line).map_err(|why| Self::command().error(ErrorKind::Io, why))?;
        // As the first flags of the line they have the same rules as all others.
        let typed = line.split_off(line.len().min(1));
        line.extend(settings.iter().map(|setting| setting.flag.clone()).chain(typed));
        let matches = Self::whole().try_get_matches_from(line)?;
        let mut this = Self::from_arg_matches(&matches)?;
        this.config.given = matches.subcommand().map_or(&matches, |(_, of_command)| of_command).clone();
        this.config.in_file = settings.into_iter().map(|setting| setting.id).collect();
        Ok(this)
    }

    /// Everything that can be typed, with what its help shows.
    pub fn whole() -> clap::Command {
        built(Self::command())
    }

    /// Everything that can be typed, for the manual, which needs no commands for help.
    pub fn manual() -> clap::Command {
        built(without_help(Self::command()))
    }
}

fn built(mut command: clap::Command) -> clap::Command {
    // From then on the options are in each command, too.
    command.build();
    command.mut_subcommands(without_options)
}

fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Hides the server's options in a command's help, except those that say which
/// server is meant. `annon --help` has them all, and each works everywhere.
fn without_options(command: clap::Command) -> clap::Command {
    let is_whole = command.get_name() == "check-config";
    command
        .mut_args(|option| {
            let says_which = ["data_dir", "listen"].contains(&option.get_id().as_str());
            if is_whole || says_which || option.get_env().is_none() { option } else { option.hide(true) }
        })
        .mut_subcommands(without_options)
}
