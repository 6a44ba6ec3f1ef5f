//! Flags and `ANNON_*` variables: the same names, and defaults that run.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use annon_store::limits::ROOM_MESSAGES_MIN;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use crate::mail;

mod memory;
mod value;
pub use value::{Hours, MetricsListen, Network, PublicUrl, Secret, SecurityContact, is_among};

/// Bytes.
const MIB: usize = 1024 * 1024;

/// Anonymous notes and short-lived group chats, in one binary.
///
/// Without a command it serves. Each option can also be set by the variable
/// shown with it; a flag wins.
#[derive(Debug, Parser)]
#[command(name = "annon", version, max_term_width = 100)]
pub struct Cli {
    /// What to do; nothing means: serve.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to do it.
    #[command(flatten)]
    pub config: Config,
}

/// What to do instead of serving.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the configuration and say what it comes to.
    CheckConfig,
    /// Write a backup of the running server to a new file.
    Backup {
        /// Where to write it. Whoever has it can read everything in it.
        file: PathBuf,
    },
    /// Put a backup into an empty data folder.
    Restore {
        /// What `annon backup` wrote.
        file: PathBuf,
    },
    /// Show how the running server is doing.
    Stats,
    /// Show the mails of the last half hour, newest last, where there is no
    /// mail server to send them.
    Mail,
    /// Read and clear the feedback people sent.
    #[command(subcommand)]
    Feedback(FeedbackCommand),
    /// See and delete accounts.
    #[command(subcommand)]
    User(UserCommand),
    /// Print the API's description (OpenAPI 3.1).
    Openapi,
    /// Exit with 0 when the server at --listen is ready, else with 1.
    Healthcheck,
}

/// What to do with feedback.
#[derive(Debug, Clone, Subcommand)]
pub enum FeedbackCommand {
    /// List it, newest first.
    List,
    /// Show one whole, and save its picture with --picture.
    Show {
        /// Which one.
        id: String,
        /// Where to save its picture.
        #[arg(long, value_name = "FILE")]
        picture: Option<PathBuf>,
    },
    /// Delete one for good.
    Delete {
        /// Which one.
        id: String,
    },
}

/// What to do with accounts.
#[derive(Debug, Clone, Subcommand)]
pub enum UserCommand {
    /// List them.
    List,
    /// Delete one, with its inbox and everything else.
    Delete {
        /// The name in its personal link.
        username: String,
    },
}

/// Everything that can be set.
#[derive(Debug, Clone, Args)]
pub struct Config {
    /// Where to listen. Port 0 picks a free one.
    #[arg(long, global = true, env = "ANNON_LISTEN", value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// Where Prometheus asks for numbers, never the public address. Not set:
    /// 127.0.0.1:9464, unless somebody else has it.
    #[arg(long, global = true, env = "ANNON_METRICS_LISTEN", value_name = "ADDR:PORT|off")]
    pub metrics_listen: Option<MetricsListen>,

    /// The folder that holds everything; made when it isn't there.
    #[arg(long, global = true, env = "ANNON_DATA_DIR", value_name = "PATH", default_value = "data")]
    pub data_dir: PathBuf,

    /// The address people type, for links in mails and for checking where a
    /// socket comes from. Not set: http(s)://ADDR:PORT as listened on.
    #[arg(long, global = true, env = "ANNON_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Threads that serve requests. Not set: one per core.
    #[arg(long, global = true, env = "ANNON_WORKERS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// Hours a group lives unless its creator says otherwise, as the web
    /// app's form always does. Parts of an hour are for tests.
    #[arg(long, global = true, env = "ANNON_ROOM_LIFETIME_HOURS", value_name = "N", default_value = "24")]
    pub room_lifetime_hours: Hours,

    /// Messages and notices a group keeps; the oldest go.
    #[arg(long, global = true, env = "ANNON_ROOM_MESSAGES", value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(i64::from(ROOM_MESSAGES_MIN)..=1_000_000))]
    pub room_messages: u32,

    /// MiB of memory that groups may hold together. Past that, groups nobody
    /// is in leave memory, and the largest of the others read what was said
    /// long ago from the disk. Not set: an eighth of what there is, from 64
    /// to 1024.
    #[arg(long, global = true, env = "ANNON_ROOMS_MEMORY_MB", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rooms_memory_mb: Option<u32>,

    /// Messages a second each seat of a group may send; 0 is no limit.
    #[arg(long, global = true, env = "ANNON_SENDS_PER_SECOND", value_name = "N", default_value_t = 10)]
    pub sends_per_second: u32,

    /// The mail server, as smtp://user:password@host:587 (STARTTLS),
    /// smtps://… (TLS) or smtp+plain://… (neither, for a relay on this
    /// machine). Not set: mails are kept in memory for half an hour, and
    /// `annon mail` shows them. A password does not belong on the command
    /// line, where `ps` shows it: use the variable or --smtp-password-file.
    #[arg(long, global = true, env = "ANNON_SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// A file with the mail server's password, for a URL without one.
    #[arg(long, global = true, env = "ANNON_SMTP_PASSWORD_FILE", value_name = "FILE", requires = "smtp_url")]
    pub smtp_password_file: Option<PathBuf>,

    /// Whether the mail server was named by the flag, and not by the variable.
    #[arg(skip)]
    pub smtp_url_is_a_flag: bool,

    /// Without a mail server: a folder to put mails into as .eml files, for
    /// half an hour. They hold addresses and links in plain text. Not set:
    /// they are kept in memory only.
    #[arg(long, global = true, env = "ANNON_MAIL_FOLDER", value_name = "DIR", conflicts_with = "smtp_url")]
    pub mail_folder: Option<PathBuf>,

    /// Who mails come from. Not set: annon@ the public address's host.
    #[arg(long, global = true, env = "ANNON_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// Where somebody who has found a hole can tell of it: a mail address or
    /// an https:// page, for /.well-known/security.txt. Not set: there is none.
    #[arg(long, global = true, env = "ANNON_SECURITY_CONTACT", value_name = "CONTACT")]
    pub security_contact: Option<SecurityContact>,

    /// Proxies whose X-Forwarded-For is believed.
    #[arg(long, global = true, env = "ANNON_TRUSTED_PROXIES", value_name = "CIDR,…", value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,

    /// A certificate chain (PEM) to serve TLS with; needs --tls-key.
    #[arg(long, global = true, env = "ANNON_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's private key (PEM).
    #[arg(long, global = true, env = "ANNON_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Least time between two syncs of the disk while several calls share
    /// one; whoever is alone never waits.
    #[arg(long, global = true, env = "ANNON_COMMIT_PAUSE_MS", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub commit_pause_ms: u64,

    /// Whether an acknowledgement waits for the disk. Off is for measuring:
    /// a power cut then loses what was acknowledged last, and may leave a
    /// folder that goes back to its last export (of up to six hours ago), or,
    /// where there is none yet, doesn't open again.
    #[arg(long, global = true, env = "ANNON_SYNC", value_name = "on|off", default_value = "on")]
    pub sync: Switch,

    /// Disk space in MiB to keep free: below it pictures are refused, below
    /// half of it everything that grows.
    #[arg(long, global = true, env = "ANNON_DISK_RESERVE_MB", value_name = "N", default_value_t = 256)]
    pub disk_reserve_mb: u64,

    /// Disk space in MiB that all pictures together may take; past it they are
    /// refused. Not set: a quarter of the data folder's disk.
    #[arg(long, global = true, env = "ANNON_PICTURES_MB", value_name = "N")]
    pub pictures_mb: Option<u64>,

    /// How many accounts there may be, each with about 1 kB of memory; past
    /// that nobody can sign up. 0 is no limit.
    #[arg(long, global = true, env = "ANNON_ACCOUNTS_MAX", value_name = "N", default_value_t = 1_000_000)]
    pub accounts_max: usize,

    /// Limits per address on sign-ins, sign-ups, notes and the like. Off is
    /// for load tests; limits per account and on storage stay.
    #[arg(long, global = true, env = "ANNON_ADDRESS_LIMITS", value_name = "on|off", default_value = "on")]
    pub address_limits: Switch,

    /// How log lines look.
    #[arg(long, global = true, env = "ANNON_LOG_FORMAT", value_name = "pretty|json", default_value = "pretty")]
    pub log_format: LogFormat,

    /// How much is logged: error, warn, info or debug. No level says
    /// anything about a person.
    #[arg(long, global = true, env = "ANNON_LOG_LEVEL", value_name = "LEVEL", default_value = "info")]
    pub log_level: LogLevel,
}

impl Cli {
    /// What the command line and the variables say.
    pub fn of_the_process() -> Self {
        let matches = Self::command().get_matches();
        let mut this = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        let said = matches.subcommand().map_or(&matches, |(_, of_command)| of_command);
        this.config.smtp_url_is_a_flag = said.value_source("smtp_url") == Some(ValueSource::CommandLine);
        this
    }
}

impl Config {
    /// A warning for the operator, when the mail server's password is where
    /// everybody on the machine can read it.
    pub fn shown_password(&self) -> Option<&'static str> {
        let has_password = || self.smtp_url.as_ref().is_some_and(|url| mail::has_password(&url.0));
        (self.smtp_url_is_a_flag && has_password()).then_some(
            "the mail server's password stands on the command line, where ps shows it to everybody on this machine: \
             use ANNON_SMTP_URL or --smtp-password-file",
        )
    }

    /// Threads that serve requests.
    pub fn worker_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, usize::from);
        self.workers.map_or_else(cores, usize::from)
    }

    /// Bytes of memory that groups may hold together.
    pub fn rooms_memory(&self) -> usize {
        let derived = || (memory::of_this_machine() / 8 / MIB).clamp(64, 1024);
        self.rooms_memory_mb.map_or_else(derived, |mib| mib as usize) * MIB
    }

    /// How many accounts there may be.
    pub fn most_accounts(&self) -> usize {
        if self.accounts_max == 0 { usize::MAX } else { self.accounts_max }
    }

    /// The least time between two syncs.
    pub fn commit_pause(&self) -> Duration {
        Duration::from_millis(self.commit_pause_ms)
    }

    /// Where mails go, in a word.
    pub fn mail_goes(&self) -> &'static str {
        match (&self.smtp_url, &self.mail_folder) {
            (Some(_), _) => "smtp",
            (None, Some(_)) => "folder",
            (None, None) => "memory",
        }
    }

    /// The address people type, given where the server listens.
    pub fn public_url(&self, listening: SocketAddr) -> PublicUrl {
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
            PublicUrl::of(scheme, listening)
        })
    }
}

/// On or off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// On.
    On,
    /// Off.
    Off,
}

impl Switch {
    /// Whether it is on.
    pub fn is_on(self) -> bool {
        self == Self::On
    }
}

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For eyes.
    Pretty,
    /// For machines, an object a line.
    Json,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogLevel {
    /// Only what needs a hand.
    Error,
    /// And what may soon.
    Warn,
    /// And what happens.
    Info,
    /// And why.
    Debug,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
