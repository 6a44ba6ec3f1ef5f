//! What is set when PostgreSQL keeps everything.

use std::fs;
use std::path::Path;

use annon_store::{PostgresOptions, ServerPlace};

use super::Config;

/// What a data folder has that was used without a database.
const OF_A_FOLDER: [&str; 3] = ["commit-log", "index", "keys"];

impl Config {
    /// How a server uses PostgreSQL; `None` without it. The error is a sentence that says
    /// what to do.
    pub fn served_databases(&self) -> Result<Option<PostgresOptions>, String> {
        let Some(databases) = self.databases()? else { return Ok(None) };
        if self.public_url.is_none() {
            return Err(needs("--public-url: otherwise each server would take its own address for the site's"));
        }
        if self.smtp_url.is_none() && self.mail_folder.is_none() {
            return Err(needs("--smtp-url or --mail-folder: mails in one server's memory would be found on no other"));
        }
        if OF_A_FOLDER.iter().any(|name| self.data_dir.join(name).exists()) {
            return Err(format!(
                "the data folder {} has data of its own, which a server with --database-url doesn't serve: name another \
                 folder with --data-dir, or take a backup of it into the databases (annon migrate)",
                self.data_dir.display()
            ));
        }
        Ok(Some(databases))
    }

    /// The databases; `None` without them. The error is a sentence that says what to do.
    pub fn databases(&self) -> Result<Option<PostgresOptions>, String> {
        let Some(url) = &self.database_url else { return Ok(None) };
        let keys_url = self.keys_url.as_ref().ok_or_else(|| {
            needs("--keys-url: the URL of a second database, for the keys, or «same» if their backups may be one")
        })?;
        let secret = self.secret_file.clone().ok_or_else(|| {
            needs("--secret-file: make one with `annon secret FILE` for the first server, and copy it for the others")
        })?;
        let record = place(url, self.database_password_file.as_deref(), "a database's")?;
        let keys = if keys_url == "same" {
            record.clone()
        } else {
            place(keys_url, self.keys_password_file.as_deref(), "a database's")?
        };
        let nats = self.nats_url.as_ref().map(|url| place(url, self.nats_password_file.as_deref(), "NATS's"));
        Ok(Some(PostgresOptions {
            record,
            keys,
            secret,
            nats: nats.transpose()?,
            certificates: self.database_certificates.clone(),
            node: self.node_name.clone().unwrap_or_else(host_name),
            most_accounts: self.most_accounts(),
            picture_bytes: self.pictures_mb.map(|mb| mb.saturating_mul(1024 * 1024)),
            record_bytes: self.database_bytes,
        }))
    }
}

fn needs(what: &str) -> String {
    format!("--database-url needs {what}")
}

fn place(url: &str, password_file: Option<&Path>, whose: &str) -> Result<ServerPlace, String> {
    let read = |file: &Path| {
        let password = fs::read_to_string(file);
        password.map_err(|error| format!("can't read {whose} password from {}: {error}", file.display()))
    };
    let password = password_file.map(read).transpose()?;
    let password = password.map(|password| password.trim_end_matches(['\r', '\n']).to_owned());
    Ok(ServerPlace { url: url.to_owned(), password })
}

pub(super) fn host_name() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "a node".to_owned() } else { name.trim().to_owned() }
}
