//! Flags and `ANNON_*` variables: the same names, and defaults that run.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use annon_store::limits::ROOM_MESSAGES_MIN;
use clap::{Args, Parser, Subcommand, ValueEnum};
use url::Url;

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

    /// Hours a group lives unless its creator says otherwise. Parts of an
    /// hour are for tests.
    #[arg(long, global = true, env = "ANNON_ROOM_LIFETIME_HOURS", value_name = "N", default_value = "24")]
    pub room_lifetime_hours: Hours,

    /// Messages a group keeps; the oldest go.
    #[arg(long, global = true, env = "ANNON_ROOM_MESSAGES", value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(i64::from(ROOM_MESSAGES_MIN)..=1_000_000))]
    pub room_messages: u32,

    /// Messages a second each seat of a group may send; 0 is no limit.
    #[arg(long, global = true, env = "ANNON_SENDS_PER_SECOND", value_name = "N", default_value_t = 10)]
    pub sends_per_second: u32,

    /// The mail server, as smtp://user:password@host:587 (STARTTLS),
    /// smtps://… (TLS) or smtp+plain://… (neither, for a relay on this
    /// machine). Not set: mails are files in the data folder's outbox/.
    #[arg(long, global = true, env = "ANNON_SMTP_URL", value_name = "URL", hide_env_values = true)]
    pub smtp_url: Option<Secret>,

    /// Who mails come from. Not set: annon@ the public address's host.
    #[arg(long, global = true, env = "ANNON_MAIL_FROM", value_name = "ADDRESS")]
    pub mail_from: Option<String>,

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
    #[arg(long, global = true, env = "ANNON_COMMIT_PAUSE_MS", value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(0..=1000))]
    pub commit_pause_ms: u64,

    /// Whether an acknowledgement waits for the disk. Off is for measuring:
    /// a power cut then loses what was acknowledged last.
    #[arg(long, global = true, env = "ANNON_SYNC", value_name = "on|off", default_value = "on")]
    pub sync: Switch,

    /// Disk space in MiB to keep free: below it pictures are refused, below
    /// half of it everything that grows.
    #[arg(long, global = true, env = "ANNON_DISK_RESERVE_MB", value_name = "N", default_value_t = 256)]
    pub disk_reserve_mb: u64,

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

impl Config {
    /// Threads that serve requests.
    pub fn worker_count(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(2, usize::from);
        self.workers.map_or_else(cores, usize::from)
    }

    /// The least time between two syncs.
    pub fn commit_pause(&self) -> Duration {
        Duration::from_millis(self.commit_pause_ms)
    }

    /// The address people type, given where the server listens.
    pub fn public_url(&self, listening: SocketAddr) -> PublicUrl {
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = if self.tls_cert.is_some() { "https" } else { "http" };
            PublicUrl(format!("{scheme}://{listening}"))
        })
    }
}

/// A time in hours, up to a week.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hours(f64);

impl Hours {
    /// In whole seconds, at least one.
    pub fn seconds(self) -> u64 {
        Duration::from_secs_f64(self.0 * 3600.0).as_secs().max(1)
    }
}

impl FromStr for Hours {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        let hours = raw.parse().map_err(|_| "it has to be a number of hours".to_owned())?;
        if hours > 0.0 && hours <= 168.0 { Ok(Self(hours)) } else { Err("it has to be more than 0 and at most 168".to_owned()) }
    }
}

impl std::fmt::Display for Hours {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
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

/// Something that must not be shown, also not by `check-config`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub String);

impl FromStr for Secret {
    type Err = std::convert::Infallible;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Ok(Self(raw.to_owned()))
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Scheme, host and port, and nothing after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// As a browser writes it in `Origin`.
    pub fn origin(&self) -> &str {
        &self.0
    }

    /// A page of it.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }

    /// The name in it, without a port.
    pub fn host(&self) -> String {
        Url::parse(&self.0).ok().and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }

    /// Whether pages are served over TLS, here or by a proxy.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https:")
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        let url = Url::parse(raw).map_err(|error| error.to_string())?;
        let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err("it has to begin with http:// or https://".to_owned());
        }
        if !is_bare || !url.username().is_empty() || url.password().is_some() {
            return Err("only scheme, host and port: nothing may follow".to_owned());
        }
        Ok(Self(url.origin().ascii_serialization()))
    }
}

/// A range of addresses, as `10.0.0.0/8` or `::1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    bits: u8,
}

impl Network {
    /// Whether an address is in it.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.first, address.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(address)) => {
                let mask = u32::MAX.checked_shl(32 - u32::from(self.bits)).unwrap_or(0);
                first.to_bits() & mask == address.to_bits() & mask
            }
            (IpAddr::V6(first), IpAddr::V6(address)) => {
                let mask = u128::MAX.checked_shl(128 - u32::from(self.bits)).unwrap_or(0);
                first.to_bits() & mask == address.to_bits() & mask
            }
            _ => false,
        }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.first, self.bits)
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(raw: &str) -> Result<Self, String> {
        let (address, bits) = match raw.trim().split_once('/') {
            Some((address, bits)) => (address, Some(bits)),
            None => (raw.trim(), None),
        };
        let first: IpAddr = address.parse().map_err(|_| format!("{address} is not an address"))?;
        let most = if first.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            Some(bits) => bits.parse().ok().filter(|bits| *bits <= most).ok_or(format!("/{bits} is not 0 to {most}"))?,
            None => most,
        };
        Ok(Self { first, bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_public_url_is_an_origin() {
        let parse = |raw: &str| raw.parse::<PublicUrl>().map(|url| url.origin().to_owned());
        assert_eq!(parse("https://Annon.Example/").as_deref(), Ok("https://annon.example"));
        assert_eq!(parse("http://127.0.0.1:8080").as_deref(), Ok("http://127.0.0.1:8080"));
        assert_eq!(parse("https://a.example:443").as_deref(), Ok("https://a.example"));
        for bad in ["annon.example", "ftp://a.example", "https://a.example/x", "https://u:p@a.example", "https://a.example/?q"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn networks_contain_their_addresses_and_no_others() {
        let net = |raw: &str| raw.parse::<Network>().unwrap();
        let ip = |raw: &str| raw.parse::<IpAddr>().unwrap();
        assert!(net("10.0.0.0/8").contains(ip("10.255.0.1")));
        assert!(!net("10.0.0.0/8").contains(ip("11.0.0.1")));
        assert!(net("0.0.0.0/0").contains(ip("1.2.3.4")));
        assert!(net("127.0.0.1").contains(ip("::ffff:127.0.0.1")));
        assert!(net("fd00::/8").contains(ip("fd12::1")));
        assert!(!net("fd00::/8").contains(ip("10.0.0.1")));
        for bad in ["10.0.0.0/33", "x", "::/129", "10.0.0.0/-1"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }

    #[test]
    fn secrets_are_not_printed() {
        assert!(!format!("{:?}", Secret("hunter2".into())).contains("hunter2"));
    }
}
