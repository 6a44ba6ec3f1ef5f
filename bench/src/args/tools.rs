//! The flags of the commands that measure nothing themselves.

use std::path::PathBuf;

use clap::Args;

use crate::args::value::{labelled, noise};
use crate::target::Target;

/// Flags of `chat`.
#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// The server.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) url: Target,
    /// The group: the last part of its link.
    #[arg(long, value_name = "ID")]
    pub(crate) room: String,
    /// A file for the seat and the last message seen, to come back later as
    /// the same member.
    #[arg(long, value_name = "FILE")]
    pub(crate) cookie: Option<PathBuf>,
}

/// Flags of `floor`.
#[derive(Debug, Args)]
pub(crate) struct Floor {
    /// The port on 127.0.0.1; 0 picks a free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) port: u16,
}

/// Flags of `side-by-side`.
#[derive(Debug, Args)]
pub(crate) struct SideBySide {
    /// A label for a run, and the file that --json wrote. Runs with the same
    /// label become one row, with their median.
    #[arg(required = true, value_name = "LABEL=FILE", value_parser = labelled)]
    pub(crate) runs: Vec<(String, PathBuf)>,
}

/// Flags of `compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The earlier run, as --json wrote it.
    pub(crate) before: PathBuf,
    /// The later run, as --json wrote it.
    pub(crate) after: PathBuf,
    /// Changes of up to this many percent count as noise.
    #[arg(long, value_name = "N", default_value_t = 5.0, value_parser = noise)]
    pub(crate) noise: f64,
}
