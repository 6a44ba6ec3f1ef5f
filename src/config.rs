//! The options: flags, `ANNON_*` variables and the settings of a file, all of the
//! same names. A server runs with the defaults alone.

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use annon_contract::limits::{PICTURES_SHARE, ROOM_MESSAGES_MIN};
use annon_store::account::Email;
use clap::builder::BoolishValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, CommandFactory, ValueEnum};
use ipnet::IpNet;
use tracing_subscriber::filter::LevelFilter;

use crate::metrics::listener::USUAL;

mod cli;
mod command;
mod community;
mod database;
mod events;
mod file;
mod given;
mod memory;
mod push;
mod retention;
mod value;
mod warnings;
pub use cli::Cli;
pub use command::{
    Command, FeedbackCommand, InviteCommand, MailCommand, NewInvitation, ReportCommand, RoomCommand, UserCommand,
};
pub use community::{ANNON, Community, SignUp};
pub use events::{EventFile, Events};
pub use push::Push;
pub use retention::Retention;
pub use value::{Contact, MetricsListen, PublicUrl, is_among};
pub use warnings::Warning;

const MIB: usize = 1024 * 1024;

/// All options. They may hold a password, so this type has no `Debug`.
#[derive(Clone, Args)]
pub struct Config {
    /// The address and port to listen on. Port 0 picks a free one.
    #[arg(long, global = true, env = "ANNON_LISTEN", value_name = "ADDR:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The address and port for Prometheus metrics; don't make it public.
    /// Default: 127.0.0.1:9464, unless another program uses that port.
    #[arg(long, global = true, env = "ANNON_METRICS_LISTEN", value_name = "ADDR:PORT|off")]
    pub metrics_listen: Option<MetricsListen>,

    /// The folder for all data; created if missing.
    #[arg(long, global = true, env = "ANNON_DATA_DIR", value_name = "PATH", default_value = "data")]
    pub data_dir: PathBuf,

    /// PostgreSQL instead of the data folder, as
    /// postgresql://user:password@host1,host2/annon; docs/CLUSTER.md says when
    /// that is worth it. Don't put a password on the command line, where `ps`
    /// shows it: use the variable or --database-password-file.
    #[arg(long, global = true, env = "ANNON_DATABASE_URL", value_name = "URL", hide_env_values = true)]
    pub database_url: Option<String>,

    /// A file with the database's password, for a URL without a password.
    #[arg(long, global = true, env = "ANNON_DATABASE_PASSWORD_FILE", value_name = "FILE", requires = "database_url")]
    pub database_password_file: Option<PathBuf>,

    /// The database of the keys that open what is in the other one. With «same»
    /// the keys are beside it, and what is deleted is gone once the oldest
    /// backup is.
    #[arg(
        long,
        global = true,
        env = "ANNON_KEYS_URL",
        value_name = "URL|same",
        requires = "database_url",
        hide_env_values = true
    )]
    pub keys_url: Option<String>,

    /// A file with the password of the keys' database, for a URL without a
    /// password.
    #[arg(long, global = true, env = "ANNON_KEYS_PASSWORD_FILE", value_name = "FILE", requires = "keys_url")]
    pub keys_password_file: Option<PathBuf>,

    /// The file of the secret, the same on all nodes: `secret` of a data folder.
    #[arg(long, global = true, env = "ANNON_SECRET_FILE", value_name = "FILE", requires = "database_url")]
    pub secret_file: Option<PathBuf>,

    /// Certificates (PEM) that the databases and NATS show, or that have signed
    /// those. Default: the system's.
    #[arg(long, global = true, env = "ANNON_DATABASE_CERTIFICATES", value_name = "FILE", requires = "database_url")]
    pub database_certificates: Option<PathBuf>,

    /// NATS, as nats://user@host1,host2 or tls://…: servers then hear of each
    /// other through it, and no more through the database. All servers need
    /// the same.
    #[arg(
        long,
        global = true,
        env = "ANNON_NATS_URL",
        value_name = "URL",
        requires = "database_url",
        hide_env_values = true
    )]
    pub nats_url: Option<String>,

    /// A file with the password for NATS, for a URL without a password.
    #[arg(long, global = true, env = "ANNON_NATS_PASSWORD_FILE", value_name = "FILE", requires = "nats_url")]
    pub nats_password_file: Option<PathBuf>,

    /// Bytes that the database may take; above it, everything that needs space
    /// is refused. Default: no limit but the disk.
    #[arg(long, global = true, env = "ANNON_DATABASE_BYTES", value_name = "N", requires = "database_url", value_parser = clap::value_parser!(u64).range(1..))]
    pub database_bytes: Option<u64>,

    /// What this server is called among others that use the database. Default:
    /// the name of the machine.
    #[arg(long, global = true, env = "ANNON_NODE_NAME", value_name = "NAME", requires = "database_url")]
    pub node_name: Option<String>,

    /// How long the server waits at its start for databases that are away. Meanwhile it is alive and not ready.
    #[arg(long, global = true, env = "ANNON_WAIT_FOR_DATABASE", value_name = "SECONDS", requires = "database_url", default_value_t = 60, value_parser = clap::value_parser!(u16).range(0..=3600))]
    pub wait_for_database: u16,

    /// How long the server closes its sockets, one after the other, before it
    /// stops; meanwhile it isn't ready. Default: 20 with a database, where
    /// their clients find another server; otherwise 0, and they wait for the
    /// next start.
    #[arg(long, global = true, env = "ANNON_DRAIN_SECONDS", value_name = "N", value_parser = clap::value_parser!(u16).range(0..=3600))]
    pub drain_seconds: Option<u16>,

    /// The site's public address. It is used for links in mails and to refuse
    /// requests from other sites' pages. Default: http(s)://ADDR:PORT of the
    /// listener.
    #[arg(long, global = true, env = "ANNON_PUBLIC_URL", value_name = "URL")]
    pub public_url: Option<PublicUrl>,

    /// Threads that serve requests. Default: one per core.
    #[arg(long, global = true, env = "ANNON_WORKERS", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub workers: Option<u16>,

    /// Hours a group lives if its creator doesn't choose; the web app's form
    /// always chooses. Fractions are for tests.
    #[arg(long, global = true, env = "ANNON_ROOM_LIFETIME_HOURS", value_name = "N", default_value = "24", value_parser = value::hours)]
    pub room_lifetime_hours: Duration,

    /// Messages and notices a group keeps; the oldest are deleted.
    #[arg(long, global = true, env = "ANNON_ROOM_MESSAGES", value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(i64::from(ROOM_MESSAGES_MIN)..=1_000_000))]
    pub room_messages: u32,

    /// MiB of memory for all groups together. Above it, groups that nobody is
    /// connected to leave memory, and the largest of the others read old
    /// messages from the disk. Default: an eighth of the memory, 64 to 1024.
    #[arg(long, global = true, env = "ANNON_ROOMS_MEMORY_MB", value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub rooms_memory_mb: Option<u32>,

    /// Messages per second that each seat of a group may send; 0 means no limit.
    #[arg(long, global = true, env = "ANNON_SENDS_PER_SECOND", value_name = "N", default_value_t = 10)]
    pub sends_per_second: u32,

    /// The mail server, as smtp://user:password@host:587 (STARTTLS),
    /// smtps://… (TLS) or smtp+plain://… (unencrypted, for a relay on this
    /// machine). Default: mails are kept in memory for half an hour, and
    /// `annon mail` shows them. Don't put a password on the command line,
    /// where `ps` shows it: use the variable or --smtp-password-file.
    #[arg(long, global = true, env = "ANNON_SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<String>,

    /// A file with the mail server's password, for a URL without a password.
    #[arg(long, global = true, env = "ANNON_SMTP_PASSWORD_FILE", value_name = "FILE", requires = "smtp_url")]
    pub smtp_password_file: Option<PathBuf>,

    /// Certificates (PEM) that the mail server shows, or that have signed its own.
    /// Default: the system's.
    #[arg(long, global = true, env = "ANNON_SMTP_CERTIFICATES", value_name = "FILE", requires = "smtp_url")]
    pub smtp_certificates: Option<PathBuf>,

    /// A folder that takes mails as .eml files for half an hour if there is no
    /// mail server. The files hold addresses and links in plain text. Default:
    /// mails are kept in memory only.
    #[arg(long, global = true, env = "ANNON_MAIL_FOLDER", value_name = "DIR", conflicts_with = "smtp_url")]
    pub mail_folder: Option<PathBuf>,

    /// The sender of mails. Default: annon@ and the host of the public address.
    #[arg(long, global = true, env = "ANNON_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

    /// The operator's address: it gets a mail, at most once an hour, when a report, feedback or damage waits, with no
    /// word of anybody in it. Default: nobody is told.
    #[arg(long, global = true, env = "ANNON_OPERATOR_MAIL", value_name = "ADDRESS", value_parser = value::address)]
    pub operator_mail: Option<Email>,

    /// Where to report a vulnerability: an email address or an https:// page,
    /// for /.well-known/security.txt. Default: that of --site-contact; without
    /// both, that page doesn't exist.
    #[arg(long, global = true, env = "ANNON_SECURITY_CONTACT", value_name = "CONTACT")]
    pub security_contact: Option<Contact>,

    /// Proxies whose X-Forwarded-For header is trusted.
    #[arg(long, global = true, env = "ANNON_TRUSTED_PROXIES", value_name = "CIDR,…", value_delimiter = ',', value_parser = value::network)]
    pub trusted_proxies: Vec<IpNet>,

    /// A certificate chain (PEM), to serve TLS; needs --tls-key.
    #[arg(long, global = true, env = "ANNON_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,

    /// The certificate's private key (PEM).
    #[arg(long, global = true, env = "ANNON_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,

    /// Shortest time in milliseconds between two disk syncs while several
    /// calls share a sync. A call that is alone doesn't wait.
    #[arg(long, global = true, env = "ANNON_COMMIT_PAUSE_MS", value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub commit_pause_ms: u64,

    /// Whether an acknowledgement waits for the disk. Off is for measuring: a
    /// power cut then loses what was acknowledged last, and may leave a folder
    /// that doesn't open again.
    #[arg(long, global = true, env = "ANNON_SYNC", value_name = "on|off", default_value = "on", action = ArgAction::Set, hide_possible_values = true, value_parser = BoolishValueParser::new())]
    pub sync: bool,

    /// Disk space in MiB to keep free. With less, pictures are refused; with
    /// less than half of it, everything that needs space.
    #[arg(long, global = true, env = "ANNON_DISK_RESERVE_MB", value_name = "N", default_value_t = 256)]
    pub disk_reserve_mb: u64,

    /// Disk space in MiB for all pictures together; above it, pictures are
    /// refused. Default: a quarter of the data folder's disk.
    #[arg(long, global = true, env = "ANNON_PICTURES_MB", value_name = "N")]
    pub pictures_mb: Option<u64>,

    /// The most accounts, each of which takes about 1 kB of memory; above it,
    /// nobody can sign up. 0 means no limit.
    #[arg(long, global = true, env = "ANNON_ACCOUNTS_MAX", value_name = "N", default_value_t = 1_000_000)]
    pub accounts_max: usize,

    /// Limits per network address on sign-ins, sign-ups, notes and so on. Off
    /// is for load tests; limits per account and on storage stay on.
    #[arg(long, global = true, env = "ANNON_ADDRESS_LIMITS", value_name = "on|off", default_value = "on", action = ArgAction::Set, hide_possible_values = true, value_parser = BoolishValueParser::new())]
    pub address_limits: bool,

    #[command(flatten)]
    pub community: Community,

    #[command(flatten)]
    pub events: Events,

    #[command(flatten)]
    pub retention: Retention,

    #[command(flatten)]
    pub push: Push,

    /// The format of log lines: pretty, for people, or one JSON object per line.
    #[arg(
        long,
        global = true,
        env = "ANNON_LOG_FORMAT",
        value_name = "pretty|json",
        default_value = "pretty",
        hide_possible_values = true
    )]
    pub log_format: LogFormat,

    /// How much is logged: error, warn, info or debug. No level logs anything
    /// about a person.
    #[arg(long, global = true, env = "ANNON_LOG_LEVEL", value_name = "LEVEL", default_value = "info", hide_possible_values = true, value_parser = value::log_level())]
    pub log_level: LevelFilter,

    /// A file with settings, in TOML: each is named as its flag is, without the
    /// dashes before it. Flags and variables win over it.
    #[arg(long, global = true, env = "ANNON_CONFIG", value_name = "FILE")]
    pub config: Option<PathBuf>,

    /// A file with variables, as systemd's EnvironmentFile: a line each, as
    /// ANNON_LISTEN=127.0.0.1:80. Flags and variables that are set win over it.
    #[arg(long, global = true, env = "ANNON_ENV_FILE", value_name = "FILE")]
    pub env_file: Option<PathBuf>,

    /// The options as they were given, wherever that was.
    #[arg(skip)]
    given: ArgMatches,
    /// The ids of those that the files gave.
    #[arg(skip)]
    in_file: Vec<String>,
    /// What is wrong in the files. Only `check-config` goes on with any.
    #[arg(skip)]
    pub mistakes: Vec<String>,
    /// Variables of a file that no option has.
    #[arg(skip)]
    unknown: Vec<String>,
}

impl Config {
    /// Every option with its value, except values that may hold a password.
    pub fn settings(&self) -> Vec<(String, String)> {
        let command = Cli::command();
        let options = command.get_arguments().filter(|option| option.get_env().is_some());
        let show = |option: &Arg| {
            let name = option.get_long().unwrap_or_default();
            let given = self.given.get_raw(option.get_id().as_str());
            let value = match (self.worked_out(name), given) {
                (Some(value), _) => value,
                (None, None) => "none".to_owned(),
                (None, Some(_)) if option.is_hide_env_values_set() => "given".to_owned(),
                (None, Some(given)) => given.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(","),
            };
            (name.to_owned(), value)
        };
        options.map(show).collect()
    }

    /// The value of an option whose default depends on other options or on the
    /// machine; `None` for any other option.
    fn worked_out(&self, name: &str) -> Option<String> {
        Some(match name {
            "metrics-listen" => self.metrics_listen.unwrap_or(MetricsListen::At(USUAL)).to_string(),
            "drain-seconds" => self.drain().as_secs().to_string(),
            "public-url" => self.public_url(self.listen).origin().to_owned(),
            "workers" => self.worker_count().to_string(),
            "rooms-memory-mb" => (self.rooms_memory() / MIB).to_string(),
            "pictures-mb" if self.pictures_mb.is_none() && self.database_url.is_some() => "no limit".to_owned(),
            "pictures-mb" if self.pictures_mb.is_none() => format!("1/{PICTURES_SHARE} of the disk"),
            "node-name" if self.database_url.is_some() => self.node_name.clone().unwrap_or_else(database::host_name),
            "mail-from" => self.sender(&self.public_url(self.listen)),
            _ => return None,
        })
    }

    /// The sender of mails. The default is `annon@` and the host of the public
    /// address or, if that host is no domain name, `annon@localhost`.
    pub fn sender(&self, public_url: &PublicUrl) -> String {
        let host = public_url.host();
        let is_name = host.contains('.') && host.parse::<IpAddr>().is_err();
        let usual = || format!("annon@{}", if is_name { host.as_str() } else { "localhost" });
        self.mail_from.clone().unwrap_or_else(usual)
    }

    /// How long sockets are closed before the server stops.
    pub fn drain(&self) -> Duration {
        let usual = if self.database_url.is_some() { 20 } else { 0 };
        Duration::from_secs(self.drain_seconds.unwrap_or(usual).into())
    }

    pub fn worker_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, usize::from);
        self.workers.map_or_else(cores, usize::from)
    }

    /// How many threads do work that takes so many bytes at once.
    pub fn threads_of(&self, each: usize) -> usize {
        memory::threads(self.worker_count(), memory::of_this_machine(), each)
    }

    /// The most bytes of memory that all groups may take together.
    pub fn rooms_memory(&self) -> usize {
        let derived = || (memory::of_this_machine() / 8 / MIB).clamp(64, 1024);
        self.rooms_memory_mb.map_or_else(derived, |mib| mib as usize) * MIB
    }

    pub fn most_accounts(&self) -> usize {
        if self.accounts_max == 0 { usize::MAX } else { self.accounts_max }
    }

    /// The shortest time between two disk syncs.
    pub fn commit_pause(&self) -> Duration {
        Duration::from_millis(self.commit_pause_ms)
    }

    /// Where mails go, as one word.
    pub fn mail_goes(&self) -> &'static str {
        match (&self.smtp_url, &self.mail_folder) {
            (Some(_), _) => "smtp",
            (None, Some(_)) => "folder",
            (None, None) => "memory",
        }
    }

    /// The public address; by default that of the listener, `listening`.
    pub fn public_url(&self, listening: SocketAddr) -> PublicUrl {
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
            PublicUrl::of(scheme, listening)
        })
    }
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    Pretty,
    Json,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_has_the_variable_of_its_name() {
        let command = Cli::command();
        let options = command.get_arguments().filter_map(|option| Some((option.get_long()?, option.get_env())));
        for (name, variable) in options.filter(|(name, _)| !["help", "version"].contains(name)) {
            let expected = format!("ANNON_{}", name.to_uppercase().replace('-', "_"));
            assert_eq!(variable.and_then(OsStr::to_str), Some(&*expected));
        }
    }
}
