//! The options of the event log.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use annon_contract::limits::KEPT_DAYS_MAX;
use clap::builder::BoolishValueParser;
use clap::{ArgAction, Args};

#[derive(Clone, Args)]
pub struct Events {
    /// A file that gets a line for each sign-in that fails, sign-up that is refused,
    /// caller who is stopped for asking too often, and command of the operator: for
    /// tools such as fail2ban. It is opened anew at SIGHUP. Default: off.
    #[arg(long, global = true, env = "ANNON_EVENT_LOG", value_name = "FILE|off")]
    pub event_log: Option<EventFile>,

    /// Whether those lines have the caller's network address. The page about
    /// privacy then says so.
    #[arg(
        long,
        global = true,
        env = "ANNON_EVENT_LOG_ADDRESSES",
        value_name = "on|off",
        default_value = "off",
        action = ArgAction::Set,
        hide_possible_values = true,
        value_parser = BoolishValueParser::new()
    )]
    pub event_log_addresses: bool,

    /// Days after which a line of the event log is removed, 1 to 365. Default: you do that.
    #[arg(
        long,
        global = true,
        env = "ANNON_EVENT_LOG_KEPT_DAYS",
        value_name = "N",
        requires = "event_log",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(KEPT_DAYS_MAX))
    )]
    pub event_log_kept_days: Option<u32>,
}

impl Events {
    pub fn file(&self) -> Option<&Path> {
        match self.event_log.as_ref()? {
            EventFile::Off => None,
            EventFile::At(path) => Some(path),
        }
    }

    /// Whether addresses of people are written to a file.
    pub fn keep_addresses(&self) -> bool {
        self.event_log_addresses && self.file().is_some()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventFile {
    Off,
    At(PathBuf),
}

impl FromStr for EventFile {
    type Err = std::convert::Infallible;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        Ok(if raw == "off" { Self::Off } else { Self::At(raw.into()) })
    }
}
