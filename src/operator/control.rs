//! The operator's socket in the data folder, which only its owner may open.
//! Command and answer are lines of JSON; a backup's bytes follow its line.

use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener as StdListener, UnixStream as StdStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use actix_web::rt;
use actix_web::web::Data;
use annon_actors::clock::date_and_time;
use annon_store::Commits;
use annon_store::account::Email;
use annon_store::text::is_direction;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};

use crate::app::App;
use crate::config::{Command, MailCommand};
use crate::event_log::Event;
use crate::mail::{Letter, to_test};
use crate::operator::{feedback, invitations, pause, reports, rooms, users};

/// The socket's name in the data folder.
pub const SOCKET: &str = "control.sock";
/// A file in the data folder that is as old as the last backup.
const LAST_BACKUP: &str = "last-backup";
/// The longest command, in bytes.
const COMMAND_MAX: u64 = 4096;
/// Rows fetched from the store at once.
pub(super) const ROWS: usize = 500;
/// How long to wait after a connection could not be accepted.
const ACCEPTS_AGAIN: Duration = Duration::from_secs(1);
/// How long a terminal may take no bytes before the answer is given up.
const STALLED: Duration = Duration::from_secs(30);

/// One line of an answer. `End` or `Failed` comes last.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerLine {
    /// Something to print.
    Text(String),
    /// A picture, in base64.
    Picture(String),
    /// The backup's bytes follow, to the end of the stream.
    Bytes,
    /// The answer is complete.
    End,
    /// The command failed, and why.
    Failed(String),
}

/// The open socket. Its file is removed on drop.
pub struct Control {
    path: PathBuf,
}

impl Control {
    pub fn start(app: Data<App>) -> io::Result<Self> {
        let path = app.config.data_dir.join(SOCKET);
        // This process has the folder's lock, so the server that left this
        // socket is gone.
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let listener = through_folder(&app.config.data_dir, |short| StdListener::bind(short))?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        listener.set_nonblocking(true)?;
        let listener = UnixListener::from_std(listener)?;
        rt::spawn(async move {
            loop {
                let stream = match listener.accept().await {
                    Ok((stream, _)) => stream,
                    // For example, all descriptors are in use now.
                    Err(error) => {
                        tracing::warn!(%error, "an operator could not be answered");
                        rt::time::sleep(ACCEPTS_AGAIN).await;
                        continue;
                    }
                };
                let app = app.clone();
                rt::spawn(async move {
                    if let Err(error) = answer(&app, stream).await {
                        tracing::warn!(%error, "the operator's connection ended early");
                    }
                });
            }
        });
        Ok(Self { path })
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Opens the socket by the descriptor of its folder: the path of a socket may have
/// 107 bytes, and a data folder's path may be longer.
fn through_folder<T>(folder: &Path, open: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
    let folder = fs::File::open(folder)?;
    open(&PathBuf::from(format!("/proc/self/fd/{}/{SOCKET}", folder.as_raw_fd())))
}

pub fn connect(data_dir: &Path) -> io::Result<StdStream> {
    through_folder(data_dir, |short| StdStream::connect(short))
}

async fn answer(app: &Data<App>, stream: UnixStream) -> io::Result<()> {
    let ours = rustix::process::geteuid().as_raw();
    if stream.peer_cred()?.uid() != ours && stream.peer_cred()?.uid() != 0 {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let (mut reading, writing) = stream.into_split();
    let mut line = String::new();
    BufReader::new((&mut reading).take(COMMAND_MAX)).read_line(&mut line).await?;
    // `annon doctor` only looks whether somebody listens.
    if line.is_empty() {
        return Ok(());
    }
    let mut out = AnswerWriter(writing);
    let command = serde_json::from_str(&line);
    if let Some(words) = command.as_ref().ok().and_then(Command::changes_or_tells) {
        app.events.write(Event::Operator(words), None);
    }
    let done = match command {
        Ok(Command::Backup { .. }) => return back_up(app, reading, out).await,
        Ok(command) => obey(app, command, &mut out).await,
        Err(_) => Err("this server does not know that command; is it another version?".to_owned()),
    };
    match done {
        Ok(()) => out.line(&AnswerLine::End).await,
        Err(why) => out.line(&AnswerLine::Failed(why)).await,
    }
}

pub(super) struct AnswerWriter(OwnedWriteHalf);

impl AnswerWriter {
    pub(super) async fn line(&mut self, line: &AnswerLine) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(line)?;
        bytes.push(b'\n');
        rt::time::timeout(STALLED, self.0.write_all(&bytes)).await?
    }

    pub(super) async fn send(&mut self, text: String) -> Result<(), String> {
        self.line(&AnswerLine::Text(text)).await.map_err(in_words)
    }
}

/// An object as one line. Marks of direction are written in ASCII: the terminal's side would
/// remove them, and a program shall get what is stored.
pub(super) fn json_line(value: &impl Serialize) -> Result<String, String> {
    let text = serde_json::to_string(value).map_err(in_words)?;
    if !text.contains(is_direction) {
        return Ok(text);
    }
    let escaped = |c: char| if is_direction(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Ok(text.chars().map(escaped).collect())
}

async fn obey(app: &App, command: Command, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        Command::Check => check(app, out).await,
        Command::Stats => stats(app, out).await,
        Command::Mail { command: None } => list_mails(app, out).await,
        Command::Mail { command: Some(MailCommand::Test { address }) } => {
            let to = Email::try_from(address).map_err(|_| "that is not a mail address".to_owned())?;
            let letter = Letter::new(to, to_test(app.public_url.origin()));
            out.send(app.mailer.try_out(&letter).await?).await
        }
        Command::Feedback(command) => feedback::obey(app, command, out).await,
        Command::Report(command) => reports::obey(app, command, out).await,
        Command::Room(command) => rooms::obey(app, command, out).await,
        Command::Invite { command, new } => invitations::obey(app, command, new, out).await,
        Command::Pause { words } => pause::obey(app, words, out).await,
        Command::User(command) => users::obey(app, command, out).await,
        other => Err(format!("no server does this: {other:?}")),
    }
}

pub(super) fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Fails if anything is damaged or missing, so that a script can tell.
async fn check(app: &App, out: &mut AnswerWriter) -> Result<(), String> {
    let findings = app.store.findings();
    for finding in &findings {
        out.send(finding.clone()).await?;
    }
    if findings.is_empty() {
        return out.send("nothing was found damaged or missing".to_owned()).await;
    }
    Err("this is damaged or missing; the log says what can be done".to_owned())
}

async fn stats(app: &App, out: &mut AnswerWriter) -> Result<(), String> {
    let figures = app.store.figures();
    let known = |figure: Option<u64>| figure.map_or("unknown".to_owned(), |figure| figure.to_string());
    let each = figures.commits.map(|Commits { count, calls, time }| {
        let took = time.checked_div(u32::try_from(count).unwrap_or(u32::MAX)).unwrap_or_default();
        (calls.checked_div(count).unwrap_or(0), format!("{took:.2?}"))
    });
    let (calls_each, time_each) = each.unzip();
    let takes_writes = match (app.store.is_healthy(), app.store.is_full()) {
        (false, _) => "false",
        (true, true) => "false: the disk is full",
        (true, false) => "true",
    };
    for (name, value) in [
        ("store takes writes", takes_writes.to_owned()),
        ("accounts", figures.accounts.to_string()),
        ("notes since start", app.metrics.notes_delivered().to_string()),
        ("inboxes open now", app.inboxes.watched().to_string()),
        ("groups open now", app.rooms.open().to_string()),
        ("their memory, in KiB", (app.rooms.memory() / 1024).to_string()),
        ("commits since start", known(figures.commits.map(|commits| commits.count))),
        ("calls per commit", known(calls_each)),
        ("time per commit", time_each.unwrap_or_else(|| known(None))),
        ("database bytes", known(figures.data_bytes)),
        ("bytes of pictures", known(figures.picture_bytes)),
        ("free bytes on disk", known(figures.free_bytes)),
    ] {
        out.send(format!("{name:<22}{value}")).await?;
    }
    Ok(())
}

async fn list_mails(app: &App, out: &mut AnswerWriter) -> Result<(), String> {
    for mail in app.mailer.held()? {
        let text = mail.text.trim_end().replace("\r\n", "\n");
        out.send(format!("--- {} ---\n{text}\n", date_and_time(mail.written))).await?;
    }
    Ok(())
}

/// The store writes the backup straight into the socket, and may block. The last
/// bytes of a backup tell whether it is whole.
async fn back_up(app: &Data<App>, reading: OwnedReadHalf, mut out: AnswerWriter) -> io::Result<()> {
    out.line(&AnswerLine::Bytes).await?;
    let stream = reading.reunite(out.0).map_err(io::Error::other)?.into_std()?;
    stream.set_nonblocking(false)?;
    stream.set_write_timeout(Some(STALLED))?;
    app.store.backup(Box::new(stream)).await?;
    fs::write(app.config.data_dir.join(LAST_BACKUP), "")
}

/// When the last whole backup was handed out, in seconds since 1970.
pub fn last_backup(data_dir: &Path) -> Option<u64> {
    let written = fs::metadata(data_dir.join(LAST_BACKUP)).and_then(|known| known.modified()).ok()?;
    written.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs())
}
