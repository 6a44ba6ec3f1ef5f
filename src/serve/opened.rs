//! Which engine this server has: its own folder, or PostgreSQL.

use std::fs::{DirBuilder, File};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use annon_store::{Engine, Local, Options, Postgres, PostgresError, PostgresOptions};
use rustix::fs::{FlockOperation, flock};

use crate::config::Config;
use crate::operator::refuse_root_on_anothers;

pub(super) enum Opened {
    Local(Local),
    /// The folder is locked as long as its handle is there. It has only the socket for
    /// the operator's commands.
    Postgres {
        store: Postgres,
        _folder: File,
    },
}

/// Why the engine can't be used.
pub(super) struct Unopened {
    /// A sentence for the operator.
    pub(super) why: String,
    /// Whether it may be there in a while, if nobody changes a setting.
    pub(super) may_come: bool,
}

impl From<String> for Unopened {
    fn from(why: String) -> Self {
        Self { why, may_come: false }
    }
}

impl From<PostgresError> for Unopened {
    fn from(error: PostgresError) -> Self {
        Self { why: error.to_string(), may_come: error.may_pass() }
    }
}

impl Opened {
    pub(super) async fn open(config: &Config) -> Result<Self, Unopened> {
        refuse_root_on_anothers(&config.data_dir)?;
        match config.served_databases()? {
            Some(databases) => Self::open_databases(&databases, &config.data_dir).await,
            None => Ok(open_folder(config).map(Self::Local)?),
        }
    }

    async fn open_databases(databases: &PostgresOptions, folder: &Path) -> Result<Self, Unopened> {
        for sentence in Postgres::look(databases).await? {
            tracing::warn!("{sentence}");
        }
        let of_folder = |error: std::io::Error| format!("can't use {}: {error}", folder.display());
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(of_folder)?;
        let handle = File::open(folder).map_err(of_folder)?;
        flock(&handle, FlockOperation::NonBlockingLockExclusive).map_err(|_| {
            format!("another server uses the folder {}: name another with --data-dir", folder.display())
        })?;
        let store = Postgres::open(databases).await?;
        Ok(Self::Postgres { store, _folder: handle })
    }

    pub(super) fn engine(&self) -> Arc<dyn Engine> {
        match self {
            Self::Local(local) => Arc::new(local.clone()),
            Self::Postgres { store, .. } => Arc::new(store.clone()),
        }
    }

    /// This machine's own engine, which has chores of its own.
    pub(super) fn local(&self) -> Option<&Local> {
        match self {
            Self::Local(local) => Some(local),
            Self::Postgres { .. } => None,
        }
    }
}

fn open_folder(config: &Config) -> Result<Local, String> {
    let options = Options {
        folder: config.data_dir.clone(),
        sync: config.sync,
        commit_pause: config.commit_pause(),
        disk_reserve: config.disk_reserve_mb.saturating_mul(1024 * 1024),
        picture_bytes: config.pictures_mb.map(|mb| mb.saturating_mul(1024 * 1024)),
        most_accounts: config.most_accounts(),
    };
    Local::open(&options).map_err(|error| error.to_string())
}
