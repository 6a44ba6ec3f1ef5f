//! The command line.

use std::ffi::OsString;

use clap::error::ErrorKind;
use clap::{Arg, CommandFactory, FromArgMatches, Parser};
use tracing_subscriber::filter::LevelFilter;

use crate::config::file::{self, Found};
use crate::config::given::Refused;
use crate::config::{Command, Config};

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
        let mut found = file::settings(&line);
        let refused = Refused::of(&mut line);
        found.mistakes.splice(0..0, refused.mistakes);
        let wrong = refused.variables;
        if found.mistakes.is_empty() {
            return Self::with(line, found, &wrong);
        }
        // Whoever checks the settings is shown all of them; nothing else is done with half of them.
        let checked = Self::with(line.clone(), Found::default(), &wrong)
            .ok()
            .filter(|this| matches!(this.command, Some(Command::CheckConfig)));
        if checked.is_none() {
            return Err(Self::command().error(ErrorKind::Io, found.mistakes.join("\n")));
        }
        let mistakes = found.mistakes.clone();
        Self::with(line, found, &wrong).or_else(|error| {
            // An option may need one that is a mistake.
            let mut this = checked.ok_or(error)?;
            this.config.mistakes = mistakes;
            Ok(this)
        })
    }

    /// What is typed, with what was found in files, and without the variables of options that refuse them.
    fn with(mut line: Vec<OsString>, found: Found, wrong: &[String]) -> Result<Self, clap::Error> {
        // As the first flags of the line they have the same rules as all others.
        let typed = line.split_off(line.len().min(1));
        line.extend(found.settings.iter().map(|setting| setting.flag.clone()).chain(typed));
        let is_wrong = |option: &Arg| wrong.iter().any(|id| option.get_id() == id.as_str());
        let command = Self::command().mut_args(|option| if is_wrong(&option) { option.env("") } else { option });
        let matches = built(command).try_get_matches_from(line)?;
        let mut this = Self::from_arg_matches(&matches)?;
        this.config.given = matches.subcommand().map_or(&matches, |(_, of_command)| of_command).clone();
        this.config.in_file = found.settings.into_iter().map(|setting| setting.id).collect();
        (this.config.mistakes, this.config.unknown) = (found.mistakes, found.unknown);
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
    command = command.mut_args(|option| match option.get_env() {
        Some(_) => {
            let heading = heading_of(option.get_id().as_str());
            option.help_heading(heading)
        }
        None => option,
    });
    // From then on the options are in each command, too.
    command.build();
    command.mut_subcommands(|command| with_options(command, &[]))
}

fn without_help(command: clap::Command) -> clap::Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}

/// Under which heading the help has an option.
fn heading_of(id: &str) -> &'static str {
    match id {
        "config" | "env_file" => "Files of settings",
        "listen" | "metrics_listen" | "public_url" | "trusted_proxies" | "tls_cert" | "tls_key" => "How it is reached",
        "data_dir" | "sync" | "commit_pause_ms" | "disk_reserve_mb" | "pictures_mb" => "Where the data is",
        id if DATABASES.contains(&id) => "Several servers on PostgreSQL",
        "smtp_url" | "smtp_password_file" | "smtp_certificates" | "mail_folder" | "mail_from" | "operator_mail" => {
            "Mail"
        }
        "push_services" | "push_service_of_tests" => "Web push",
        "room_lifetime_hours" | "room_messages" | "rooms_memory_mb" | "sends_per_second" => "Groups",
        "workers" | "accounts_max" | "address_limits" | "drain_seconds" | "wait_for_database" => "How much it takes",
        "log_format" | "log_level" | "event_log" | "event_log_addresses" => "What is logged",
        "notes_kept_days" | "feedback_kept_days" | "accounts_kept_days" | "event_log_kept_days" => {
            "How long things are kept"
        }
        _ => "A site of your own",
    }
}

const FILES: [&str; 2] = ["config", "env_file"];
const FOLDER: [&str; 3] = ["data_dir", "config", "env_file"];
const HEALTH: [&str; 4] = ["listen", "tls_cert", "config", "env_file"];
const DATABASES: [&str; 10] = [
    "database_url",
    "database_password_file",
    "database_certificates",
    "database_bytes",
    "keys_url",
    "keys_password_file",
    "secret_file",
    "nats_url",
    "nats_password_file",
    "node_name",
];

/// Hides the server's options in a command's help, except those that it needs. `annon --help` has
/// them all, and each works everywhere.
fn with_options(command: clap::Command, of_parent: &'static [&'static str]) -> clap::Command {
    let needed: &'static [&'static str] = match command.get_name() {
        // These look at all settings.
        "check-config" | "doctor" => return command,
        "completions" | "man" | "sbom" | "openapi" | "secret" => &[],
        "healthcheck" => &HEALTH,
        "migrate" | "nodes" => &DATABASES,
        _ if of_parent.is_empty() => &FOLDER,
        _ => of_parent,
    };
    command
        .mut_args(|option| {
            let id = option.get_id().as_str();
            let is_needed = needed.contains(&id) || (!needed.is_empty() && FILES.contains(&id));
            if is_needed || option.get_env().is_none() { option } else { option.hide(true) }
        })
        .mut_subcommands(|command| with_options(command, needed))
}
