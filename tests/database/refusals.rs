//! What a server on PostgreSQL refuses at its start: each time it says in a sentence what to do, and
//! nothing is written.

use std::fs;
use std::io::Write;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use crate::support::cluster::as_its_user;
use crate::support::database::{Databases, file_in, psql, with};
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{Folder, Process, Server, annon, printed, refusal};

/// The sentence with which a server refuses to start.
#[track_caller]
fn sentence(folder: &Folder, flags: &[&str]) -> String {
    let (code, text) = refusal(folder, flags);
    assert_eq!(code, Some(1), "{text}");
    assert_eq!(text.lines().filter(|line| line.contains("ERROR")).count(), 1, "{text}");
    text
}

#[test]
fn what_is_missing_is_named() {
    let databases = Databases::start();
    let flags = databases.flags();
    for (flag, says) in [
        ("--keys-url", "--database-url needs --keys-url"),
        ("--secret-file", "--database-url needs --secret-file"),
        ("--public-url", "--database-url needs --public-url"),
        ("--mail-folder", "--database-url needs --smtp-url or --mail-folder"),
    ] {
        let without = with(&flags, flag, None);
        assert!(sentence(&databases.folder, &without).contains(says), "{flag}");
    }
    let output = annon().args(["check-config", "--secret-file", "/nowhere"]).output().unwrap();
    assert!(printed(&output.stderr).contains("--database-url"), "{output:?}");
    assert_eq!(databases.tables(), ["", ""], "nothing was made");
    assert!(!databases.folder.data().exists());
}

#[test]
fn databases_that_can_not_be_used_are_refused() {
    let databases = Databases::start();
    let (flags, folder) = (databases.flags(), &databases.folder);
    let url = databases.cluster.url("record");
    let read_only = format!("{url} options='-c default_transaction_read_only=on'");
    let two_passwords = format!("{url} password=one");
    let password = file_in(folder, "password", b"hunter2\n");
    for (flag, value, says) in [
        ("--database-url", "postgresql://annon@127.0.0.1:1/annon", "the database can't be reached or written"),
        ("--keys-url", "postgresql://annon@127.0.0.1:1/annon", "the keys' database can't be reached or written"),
        ("--database-url", &read_only, "allow writes"),
        ("--database-url", "a b c", "the URL of the database can't be read"),
        ("--secret-file", "/nowhere/secret", "there is no secret at /nowhere/secret"),
        ("--database-password-file", "/nowhere/password", "can't read a database's password"),
    ] {
        let text = sentence(folder, &with(&flags, flag, Some(value)));
        assert!(text.contains(says), "{flag} {value}: {text}");
    }
    let mut both = with(&flags, "--database-url", Some(&two_passwords));
    both.extend(["--database-password-file", &password]);
    let text = sentence(folder, &both);
    assert!(text.contains("leave one of them out") && !text.contains("hunter2"), "{text}");
    assert_eq!(databases.tables(), ["", ""], "nothing was made");

    databases.serve().stop();
    let before = databases.tables();
    let other = folder.file("other-secret");
    assert!(annon().arg("secret").arg(&other).output().unwrap().status.success());
    assert!(!annon().arg("secret").arg(&other).output().unwrap().status.success(), "it is there already");
    let text = sentence(folder, &with(&flags, "--secret-file", other.to_str()));
    assert!(text.contains("was made with another secret: give this node the file of the others"), "{text}");
    databases.ask("record", "UPDATE meta SET oldest_reader = 99");
    let text = sentence(folder, &with(&flags, "--secret-file", folder.file("secret").to_str()));
    assert!(text.contains("a newer annon has changed the database"), "{text}");
    assert_eq!(databases.tables(), before);
    assert_eq!(databases.ask("record", "SELECT count(*) FROM node"), "0");
}

#[test]
fn a_folder_with_data_of_its_own_is_not_passed_over_in_silence() {
    let databases = Databases::start();
    let mut local = Server::on(&databases.folder, &[]);
    Person::new(&local);
    assert!(local.stop().success());
    let flags = databases.flags();
    let text = sentence(&databases.folder, &with(&flags, "--database-bytes", None));
    assert!(text.contains("has data of its own") && text.contains("--data-dir"), "{text}");
    assert_eq!(databases.tables(), ["", ""]);
}

#[test]
fn a_second_server_needs_a_folder_of_its_own_and_one_that_was_killed_is_no_hindrance() {
    let databases = Databases::start();
    let mut first = databases.serve();
    let (flags, elsewhere) = (databases.flags(), Folder::new());
    let named = with(&flags, "--node-name", Some("the second"));
    let text = sentence(&databases.folder, &with(&flags, "--node-name", None));
    assert!(text.contains("another server uses the folder"), "{text}");
    first.signal(rustix::process::Signal::KILL);
    first.wait();
    assert_eq!(databases.ask("record", "SELECT count(*) FROM node"), "1", "it could not say so");
    let second = Server::on(&elsewhere, &named);
    second.get("/readyz").send().assert(200, "ready");
    assert!(databases.ask("record", "SELECT name FROM node").contains("the second"), "beside the one that is dead");
}

#[test]
fn the_configuration_is_checked_with_the_databases_and_no_password_is_shown() {
    let databases = Databases::start();
    let flags = databases.flags();
    let check = |flags: &[&str]| {
        let output = annon().arg("check-config").arg("--data-dir").arg(databases.folder.data()).args(flags).output();
        let output = output.unwrap();
        (output.status.success(), printed(&output.stdout) + &printed(&output.stderr))
    };
    let with_password = format!("{} password=hunter2", databases.cluster.url("record"));
    let (is_in_order, text) = check(&with(&flags, "--database-url", Some(&with_password)));
    assert!(is_in_order && !text.contains("hunter2"), "{text}");
    for part in [
        "database-url            given",
        "warning: the database is on one machine",
        "warning: the keys' database is on one machine",
        "warning: the keys' database may keep keys that are destroyed: have a look at its wal_recycle",
        "warning: a database's password is on the command line",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let (_, text) = check(&with(&flags, "--keys-url", Some("same")));
    assert!(text.contains("warning: the keys are beside what they open"), "{text}");
    let (is_in_order, text) = check(&with(&flags, "--keys-url", Some("postgresql://annon@127.0.0.1:1/annon")));
    assert!(!is_in_order && text.contains("the keys' database can't be reached"), "{text}");
    assert_eq!(databases.tables(), ["", ""], "nothing was made");
    assert!(fs::metadata(databases.folder.data()).is_err());
}

/// PgBouncer before the databases, which listens in a folder of its own.
fn bouncer(databases: &Databases, more: &str) -> (Process, String) {
    let folder = format!("{}/bouncer", databases.cluster.folder);
    // The databases' folder and their user: it refuses to run as root, as they do.
    let ini = format!(
        "[databases]\n* = host={} user=annon\n[pgbouncer]\nlisten_addr =\nlisten_port = 6432\n\
         unix_socket_dir = {folder}\nauth_type = any\npool_mode = transaction\n{more}\n",
        databases.cluster.folder
    );
    let script = format!("mkdir -p {folder} && cat >{folder}/ini && exec /usr/sbin/pgbouncer -q {folder}/ini");
    let mut command = as_its_user(&["sh", "-c", &script]);
    let mut process = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    process.stdin.take().unwrap().write_all(ini.as_bytes()).unwrap();
    let socket = format!("{folder}/.s.PGSQL.6432");
    wait_until("PgBouncer listens", || UnixStream::connect(&socket).is_ok());
    (Process(process), format!("host={folder} port=6432 user=annon dbname=record"))
}

#[test]
fn a_pool_before_the_database_is_refused() {
    let databases = Databases::start();
    let flags = databases.flags();
    for (more, says) in [
        ("", "unsupported startup parameter: options"),
        (
            "ignore_startup_parameters = options",
            "the database doesn't take the settings of a session: name PostgreSQL itself",
        ),
    ] {
        let (_bouncer, url) = bouncer(&databases, more);
        assert!(printed(&psql(&url, "SELECT 'through'")).contains("through"));
        let text = sentence(&databases.folder, &with(&flags, "--database-url", Some(&url)));
        assert!(text.contains(says), "{text}");
    }
    assert_eq!(databases.tables(), ["", ""]);
}
