//! The operator's commands, in the terminal; `control.rs` is the server's side.

pub mod control;
mod doctor;
mod feedback;
mod healthcheck;
mod invitations;
mod pause;
mod progress;
mod reports;
pub(crate) mod rooms;
mod users;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufRead, BufReader, IsTerminal, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::os::unix::net::UnixStream;
use std::path::Path;

use annon_store::text::without_directions;
use annon_store::{Erasing, Migrated, Node, Postgres, Unit};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustix::fs::{Access, access};
use rustix::process::geteuid;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::config::{Cli, Command, Config, FeedbackCommand, ReportCommand};
use crate::http::web_hash::WebHash;
use crate::mail;
use crate::net::tls;
use crate::openapi::Document;
use crate::operator::control::{AnswerLine, connect};
use crate::operator::healthcheck::health;
use crate::operator::progress::shown;
use crate::own_words;

const WRITING: &str = "writing the backup";

/// Runs a command. The error is a sentence.
pub fn run(command: Command, config: &Config) -> Result<(), String> {
    match &command {
        Command::CheckConfig => check_config(config),
        Command::Openapi => print_line(&Document::new().map_err(in_words)?.0),
        Command::Sbom => print_line(include_str!(concat!(env!("OUT_DIR"), "/sbom.json"))),
        Command::WebHash => print_line(&WebHash::of_this().printed()),
        Command::Healthcheck { strict } => print_line(&health(config, *strict)?),
        Command::Doctor { json } => doctor::examine(config, *json),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Cli::whole(), "annon", &mut io::stdout().lock());
            Ok(())
        }
        Command::Man { folder } => clap_mangen::generate_to(Cli::manual(), folder)
            .map_err(|error| format!("can't write into {}: {error}", folder.display())),
        Command::Backup { file } if file == Path::new("-") => hand_on_backup(config, &command),
        Command::Backup { file } => back_up(config, &command, file),
        Command::Restore { file } => {
            refuse_root_on_anothers(&config.data_dir)?;
            let restored =
                shown(|progress| annon_store::restore(file, &config.data_dir, progress)).map_err(in_words)?;
            print_line(&format!("restored {} records and {} pictures", restored.records, restored.pictures))
        }
        Command::Migrate { file, verify } => migrate(config, file, *verify),
        Command::Secret { file } => {
            annon_store::make_secret(file).map_err(|error| format!("can't write {}: {error}", file.display()))?;
            print_line(&format!(
                "the secret is in {}; copy it to every server, and keep it with the backups",
                file.display()
            ))
        }
        Command::Nodes { json } => list_nodes(config, *json),
        Command::Feedback(FeedbackCommand::Show { picture: Some(file), .. }) => {
            ask(config, &command, |base64| save_picture(base64, file))
        }
        Command::Report(ReportCommand::Show { pictures: Some(folder), .. }) => {
            DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(in_words)?;
            let mut numbers = 1..;
            ask(config, &command, |base64| {
                let number = numbers.next().unwrap_or(0);
                save_picture(base64, &folder.join(format!("{number}.jpg")))
            })
        }
        Command::Check
        | Command::Stats
        | Command::Mail { .. }
        | Command::Feedback(_)
        | Command::User(_)
        | Command::Invite { .. }
        | Command::Pause { .. }
        | Command::Room(_)
        | Command::Report(_) => {
            ask(config, &command, |_| print_line("(it has a picture: save it with --picture FILE)"))
        }
    }
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Prints a line. Strangers' text stands beside ours in it, so marks that
/// change the direction of writing are removed.
fn print_line(text: &str) -> Result<(), String> {
    match writeln!(io::stdout().lock(), "{}", without_directions(text)) {
        // `annon user list | head` closes the pipe, which is no failure.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(in_words(error)),
        _ => Ok(()),
    }
}

fn send(config: &Config, command: &Command) -> Result<BufReader<UnixStream>, String> {
    let data_dir = config.data_dir.display();
    let mut stream = connect(&config.data_dir).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
            format!("no server is running on the data folder {data_dir} (name another with --data-dir)")
        }
        io::ErrorKind::PermissionDenied => format!("the data folder {data_dir} belongs to somebody else"),
        _ => format!("can't reach the server on {data_dir}: {error}"),
    })?;
    let mut bytes = serde_json::to_vec(command).map_err(in_words)?;
    bytes.push(b'\n');
    stream.write_all(&bytes).map_err(in_words)?;
    Ok(BufReader::new(stream))
}

fn next_line(answer: &mut impl BufRead) -> Result<AnswerLine, String> {
    let mut line = String::new();
    answer.read_line(&mut line).map_err(in_words)?;
    match serde_json::from_str(&line) {
        Ok(AnswerLine::Failed(why)) => Err(why),
        Ok(line) => Ok(line),
        Err(_) => Err("the server's answer was cut short; its log may say why".to_owned()),
    }
}

/// Sends a command to the running server, and prints the answer. `picture` gets each picture in it.
fn ask(config: &Config, command: &Command, mut picture: impl FnMut(&str) -> Result<(), String>) -> Result<(), String> {
    let mut answer = send(config, command)?;
    let mut is_empty = true;
    loop {
        match next_line(&mut answer)? {
            AnswerLine::Text(text) => {
                is_empty = false;
                print_line(&text)?;
            }
            AnswerLine::Picture(base64) => picture(&base64)?,
            AnswerLine::End | AnswerLine::Bytes | AnswerLine::Failed(_) => break,
        }
    }
    // Programs read the standard output, and are not disturbed.
    if is_empty && let Some(what) = command.lists() {
        let _ = writeln!(io::stderr(), "there are no {what}");
    }
    Ok(())
}

fn new_private(file: &Path) -> Result<File, String> {
    let options = OpenOptions::new().write(true).create_new(true).mode(0o600).to_owned();
    options.open(file).map_err(|error| format!("can't write {}: {error}", file.display()))
}

fn save_picture(base64: &str, file: &Path) -> Result<(), String> {
    let jpeg = BASE64_STANDARD.decode(base64).map_err(in_words)?;
    new_private(file)?.write_all(&jpeg).map_err(in_words)?;
    print_line(&format!("(its picture is in {})", file.display()))
}

fn ask_for_backup(config: &Config, command: &Command) -> Result<BufReader<UnixStream>, String> {
    let mut answer = send(config, command)?;
    match next_line(&mut answer)? {
        AnswerLine::Bytes => Ok(answer),
        _ => Err("the server sent something else than a backup".to_owned()),
    }
}

/// Writes a backup to the standard output. Only the exit status tells whether it
/// is whole.
fn hand_on_backup(config: &Config, command: &Command) -> Result<(), String> {
    if io::stdout().is_terminal() {
        return Err("a backup is no text for a terminal: put a pipe or a file behind it".to_owned());
    }
    shown(|progress| {
        let coming = progress.counting(ask_for_backup(config, command)?);
        progress.begin(WRITING, Unit::Bytes, annon_store::about_bytes_of_backup(&config.data_dir));
        annon_store::hand_on_backup(coming, io::stdout().lock()).map_err(in_words)
    })
}

/// Writes a backup to `FILE.part`, which is renamed once whole and on disk.
fn back_up(config: &Config, command: &Command, file: &Path) -> Result<(), String> {
    if file.exists() {
        return Err(format!("{} exists already; a backup is written to a new file", file.display()));
    }
    let answer = ask_for_backup(config, command)?;
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let written = shown(|progress| {
        let mut out = new_private(part)?;
        progress.begin(WRITING, Unit::Bytes, annon_store::about_bytes_of_backup(&config.data_dir));
        let bytes = io::copy(&mut progress.counting(answer), &mut out).map_err(in_words)?;
        out.sync_all().map_err(in_words)?;
        annon_store::check_backup(part, progress).map_err(in_words)?;
        fs::rename(part, file).map_err(in_words)?;
        Ok(bytes)
    });
    match written {
        Ok(bytes) => print_line(&format!(
            "{bytes} bytes in {}. Anyone who has this file can read everything in it.",
            file.display()
        )),
        Err(why) => {
            let _ = fs::remove_file(part);
            Err(why)
        }
    }
}

/// Prints the settings, and all that is wrong with them: whoever mends one mistake at a time would
/// otherwise start this once for each.
fn check_config(config: &Config) -> Result<(), String> {
    let mut mistakes = config.mistakes.clone();
    let mut note = |checked: Result<(), String>| mistakes.extend(checked.err());
    if let (Some(chain), Some(key)) = (&config.tls_cert, &config.tls_key) {
        note(tls::Certificate::read(chain, key).map(drop));
    }
    own_words::mistakes(&config.community).for_each(|why| note(Err(why)));
    let route = mail::Route::of(config).map(|route| route.to_string());
    note(route.clone().map(drop));
    if let Some(from) = &config.mail_from {
        let address = from.parse::<lettre::Address>().map(drop);
        note(address.map_err(|_| "--mail-from is not a mail address".to_owned()));
    }
    let erasing = Erasing::at(&config.data_dir).map_or_else(in_words, in_words);
    let mut warnings: Vec<_> = config.warnings().iter().map(ToString::to_string).collect();
    match config.served_databases() {
        Ok(Some(databases)) => match runtime()?.block_on(Postgres::look(&databases)) {
            Ok(more) => warnings.extend(more),
            Err(why) => note(Err(in_words(why))),
        },
        Ok(None) => {}
        Err(why) => note(Err(why)),
    }
    note(can_be_a_folder(&config.data_dir));
    let found =
        [("mail".to_owned(), route.unwrap_or_else(|_| "can't be used".to_owned())), ("erasing".to_owned(), erasing)];
    for (name, value) in config.settings().into_iter().chain(found) {
        print_line(&format!("{name:<24}{value}"))?;
    }
    for warning in warnings {
        print_line(&format!("warning: {warning}"))?;
    }
    if mistakes.is_empty() { print_line("the configuration is in order") } else { Err(mistakes.join("\nannon: ")) }
}

/// Takes a backup into the databases, and prints what there is.
fn migrate(config: &Config, file: &Path, verify: bool) -> Result<(), String> {
    let databases = config.databases()?.ok_or("name the databases with --database-url and --keys-url")?;
    let runtime = runtime()?;
    let migrated = shown(|progress| runtime.block_on(annon_store::migrate(file, &databases, verify, progress)));
    let migrated = migrated.map_err(in_words)?;
    let Migrated {
        accounts,
        notes,
        answers,
        pages,
        conversations,
        groups,
        records,
        feedback,
        reports,
        suspensions,
        invitations,
        pictures,
        damaged,
        shields: _,
        others: _,
    } = migrated;
    print_line(&format!(
        "taken over: {accounts} accounts, {notes} notes, {conversations} conversations, {groups} groups with {records} \
         records, {answers} public answers, {pages} personal pages, {feedback} pieces of feedback, {reports} reports, \
         {suspensions} suspensions, {invitations} invitations and {pictures} pictures"
    ))?;
    if damaged > 0 {
        print_line(&format!("{damaged} damaged records were left out: nobody could read them before, either"))?;
    }
    print_line("everybody has to sign in again")
}

/// Prints which servers use the database, and whether each is alive.
fn list_nodes(config: &Config, json: bool) -> Result<(), String> {
    let databases = config.databases()?.ok_or("without --database-url there is only this server")?;
    let nodes = runtime()?.block_on(Postgres::nodes(&databases)).map_err(in_words)?;
    for node in &nodes {
        let (Node { name, version, reads, silent }, alive) = (node, node.is_alive());
        // Two servers that have one name are no fault by themselves, and nobody can tell which is which.
        let is_shared = alive && nodes.iter().filter(|other| other.is_alive() && other.name == *name).count() > 1;
        let seconds = silent.as_secs();
        print_line(&if json {
            let fields = json!({
                "name": name, "version": version, "reads": reads, "alive": alive, "silent_seconds": seconds,
                "name_is_shared": is_shared,
            });
            fields.to_string()
        } else {
            let heard = match (alive, is_shared) {
                (_, true) => "alive, and so is another of this name (--node-name gives it its own)".to_owned(),
                (true, false) => "alive".to_owned(),
                (false, _) => format!("silent for {seconds} s"),
            };
            format!("{name:<20}{version:<10}reads tables {reads:<4}{heard}")
        })?;
    }
    Ok(())
}

/// What a command needs to ask a database.
fn runtime() -> Result<Runtime, String> {
    Builder::new_current_thread().enable_all().build().map_err(in_words)
}

/// Refuses root a folder of somebody else's: what root writes there, the service can't read afterwards.
pub fn refuse_root_on_anothers(folder: &Path) -> Result<(), String> {
    let owner = fs::metadata(folder).map_or(0, |known| known.uid());
    if owner == 0 || !geteuid().is_root() {
        return Ok(());
    }
    let shown = folder.display();
    Err(format!(
        "the data folder {shown} belongs to another user (of the id {owner}), who couldn't read what root writes there: \
         start the service, or run this as that user (runuser -u \"$(id -nu {owner})\" -- annon …)"
    ))
}

/// Whether the server could have its data here, as far as can be told without
/// writing anything.
fn can_be_a_folder(path: &Path) -> Result<(), String> {
    let whole = std::path::absolute(path).map_err(in_words)?;
    let Some(there) = whole.ancestors().find(|part| part.exists()) else { return Ok(()) };
    let (folder, there_is) = (path.display(), there.display());
    if !there.is_dir() {
        return Err(format!("the data folder {folder} can't be: {there_is} is a file"));
    }
    access(there, Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|_| format!("the data folder {folder} can't be: this user can't write into {there_is}"))
}
