//! PostgreSQL in the place of the data folder.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::support::cluster::{Cluster, binaries};
use crate::support::server::{Folder, Server, annon};

/// A database, a keys' database, and what a server on them needs.
pub(crate) struct Databases {
    pub(crate) cluster: Cluster,
    pub(crate) folder: Folder,
}

impl Databases {
    pub(crate) fn start() -> Self {
        let this = Self { cluster: Cluster::start(), folder: Folder::new() };
        let made = annon().arg("secret").arg(this.folder.file("secret")).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        this
    }

    /// The flags of a server, which listens at another port each time.
    pub(crate) fn flags(&self) -> Vec<String> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let file = |name: &str| self.folder.file(name).to_str().unwrap().to_owned();
        let flags = [
            ("--database-url", self.cluster.url("record")),
            ("--keys-url", self.cluster.url("keys")),
            ("--secret-file", file("secret")),
            ("--mail-folder", file("mails")),
            ("--public-url", format!("http://127.0.0.1:{port}")),
            ("--listen", format!("127.0.0.1:{port}")),
            ("--address-limits", "off".to_owned()),
            ("--sends-per-second", "0".to_owned()),
            // Nobody waits for a balancer, nor for a database that nobody starts.
            ("--drain-seconds", "0".to_owned()),
            ("--wait-for-database", "0".to_owned()),
        ];
        flags.into_iter().flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }

    /// A server on them.
    pub(crate) fn serve(&self) -> Server {
        let flags = self.flags();
        Server::on(&self.folder, &flags.iter().map(|flag| &**flag).collect::<Vec<_>>())
    }

    /// Executes statements, and returns what `psql` prints of their rows.
    pub(crate) fn ask(&self, database: &str, sql: &str) -> String {
        String::from_utf8(psql(&self.cluster.url(database), sql)).unwrap().trim().to_owned()
    }

    /// What both databases have, and when it was changed.
    pub(crate) fn tables(&self) -> [String; 2] {
        let tables = "SELECT string_agg(relname || pg_relation_filenode(oid)::text, ' ' ORDER BY relname) FROM pg_class \
             WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
        ["record", "keys"].map(|database| self.ask(database, tables))
    }
}

/// Executes statements at this place, and returns what `psql` prints.
pub(crate) fn psql(url: &str, sql: &str) -> Vec<u8> {
    let psql = format!("{}/psql", binaries());
    let output = Command::new(psql).args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, url]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

/// Adds a flag, or gives it another value.
pub(crate) fn with<'a>(flags: &'a [String], flag: &'a str, value: Option<&'a str>) -> Vec<&'a str> {
    let mut all: Vec<&str> = flags.iter().map(|flag| &**flag).collect();
    if let Some(at) = all.iter().position(|known| *known == flag) {
        all.drain(at..at + 2);
    }
    if let Some(value) = value {
        all.extend([flag, value]);
    }
    all
}

/// A folder with a file of this content.
pub(crate) fn file_in(folder: &Folder, name: &str, content: &[u8]) -> String {
    let path = folder.file(name);
    fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// The settings of a server that keeps in a database what others keep in this folder. There are none
/// unless `ANNON_TESTS_ON=databases` runs all tests so (`make test-databases`).
pub(crate) fn in_the_place_of(folder: &Folder, flags: &[&str]) -> Vec<(&'static str, String)> {
    if env::var("ANNON_TESTS_ON").as_deref() != Ok("databases") {
        return Vec::new();
    }
    let cluster = Cluster::shared();
    let secret = folder.file("secret");
    let name = secret.parent().and_then(Path::file_name).unwrap().to_str().unwrap();
    if !secret.exists() {
        let made = annon().arg("secret").arg(&secret).output().unwrap();
        assert!(made.status.success(), "{made:?}");
        let create = format!("CREATE DATABASE \"{name}\"");
        psql(&cluster.url("postgres"), &create);
    }
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let text = |path: PathBuf| path.to_str().unwrap().to_owned();
    let mut settings = vec![
        ("ANNON_DATABASE_URL", cluster.url(name)),
        ("ANNON_KEYS_URL", "same".to_owned()),
        ("ANNON_SECRET_FILE", text(secret)),
        ("ANNON_PUBLIC_URL", format!("http://127.0.0.1:{port}")),
        ("ANNON_LISTEN", format!("127.0.0.1:{port}")),
        ("ANNON_DRAIN_SECONDS", "0".to_owned()),
    ];
    if !flags.contains(&"--smtp-url") {
        settings.push(("ANNON_MAIL_FOLDER", text(folder.file("mails"))));
    }
    settings
}

/// Sets the clock of the database of this folder, if it has one, so many days ahead.
pub(crate) fn set_clock_ahead(folder: &Folder, days: u32) {
    let settings = in_the_place_of(folder, &[]);
    if let Some((_, url)) = settings.iter().find(|(name, _)| *name == "ANNON_DATABASE_URL") {
        let clock = "CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE";
        psql(url, &format!("{clock} AS $$SELECT pg_catalog.clock_timestamp() + interval '{days} days'$$"));
        // Our schema comes before that of PostgreSQL's own functions.
        let ours_first = "EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database())";
        psql(url, &format!("DO $$BEGIN {ours_first}; END$$"));
    }
}
