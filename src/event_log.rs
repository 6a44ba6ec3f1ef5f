//! The event log: a line for each thing that tools such as fail2ban act upon. A line has
//! the time and what it was, and a network address only where the operator has asked for
//! that. It never has a name, a text or a token.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use actix_web::http::StatusCode;
use actix_web::rt;
use annon_actors::clock::{SharedClock, date_and_time};
use annon_store::account::Timestamp;
use parking_lot::Mutex;

use crate::config::Events;

/// Lines of one second. A stranger must not be able to fill a disk: what is more is
/// counted in the next line.
const A_SECOND: u32 = 50;
const HOUR: u64 = 60 * 60;
const DAY: u64 = 24 * HOUR;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    SignInFailed,
    PasswordWrong,
    SignUpRefused,
    FloodRefused,
    /// A command of the operator, as "user-deleted".
    Operator(&'static str),
}

impl Event {
    /// What the answer to a call tells.
    pub fn of(route: Option<&str>, status: StatusCode) -> Option<Self> {
        match (route, status) {
            (_, StatusCode::TOO_MANY_REQUESTS) => Some(Self::FloodRefused),
            (Some("/api/login"), StatusCode::UNAUTHORIZED) => Some(Self::SignInFailed),
            (Some("/api/register"), StatusCode::FORBIDDEN) => Some(Self::SignUpRefused),
            (Some("/api/user/change-password" | "/api/user/delete"), StatusCode::FORBIDDEN) => {
                Some(Self::PasswordWrong)
            }
            _ => None,
        }
    }
}

impl std::fmt::Display for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::SignInFailed => f.write_str("sign-in-failed"),
            Self::PasswordWrong => f.write_str("password-wrong"),
            Self::SignUpRefused => f.write_str("sign-up-refused"),
            Self::FloodRefused => f.write_str("flood-refused"),
            Self::Operator(command) => write!(f, "operator-{command}"),
        }
    }
}

/// The file, if there is one.
pub struct EventLog(Option<Written>);

struct Written {
    path: PathBuf,
    has_addresses: bool,
    kept_days: Option<u32>,
    clock: SharedClock,
    state: Mutex<State>,
}

struct State {
    file: File,
    second: Timestamp,
    lines: u32,
    left_out: u64,
    has_failed: bool,
}

impl EventLog {
    /// Opens the file. The error is a sentence for the operator.
    pub fn open(events: &Events, clock: SharedClock) -> Result<Self, String> {
        let Some(path) = events.file().map(Path::to_owned) else { return Ok(Self(None)) };
        let file = open(&path).map_err(|error| format!("--event-log: can't write {}: {error}", path.display()))?;
        let state = Mutex::new(State { file, second: 0, lines: 0, left_out: 0, has_failed: false });
        let (has_addresses, kept_days) = (events.keep_addresses(), events.event_log_kept_days);
        Ok(Self(Some(Written { path, has_addresses, kept_days, clock, state })))
    }

    /// Opens the file anew, as after it was renamed for a new one to begin. After an error
    /// it goes on with the old one.
    pub fn renew(&self) -> Result<(), String> {
        let Some(written) = &self.0 else { return Ok(()) };
        written.state.lock().file =
            open(&written.path).map_err(|error| format!("can't write {}: {error}", written.path.display()))?;
        Ok(())
    }

    /// Removes lines that are too old, if that is set. Others write meanwhile: what they add is copied at the end.
    pub async fn drop_old(&self) -> io::Result<()> {
        let Some(Written { path, kept_days: Some(days), clock, state, .. }) = &self.0 else { return Ok(()) };
        // Somewhat earlier, so that the file isn't copied all the time.
        let at = |ago: u64| date_and_time(clock.timestamp().saturating_sub(ago)).replace(' ', "T");
        let (oldest, since) = (at(u64::from(*days) * DAY - HOUR), at(u64::from(*days) * DAY - DAY / 2));
        let old = path.clone();
        let copied = rt::task::spawn_blocking(move || copy_since(&old, &oldest, &since)).await;
        let Some((part, place)) = copied.map_err(io::Error::other)?? else { return Ok(()) };
        let mut state = state.lock();
        copy_behind(path, place, &part)?;
        fs::rename(&part, path)?;
        state.file = open(path)?;
        Ok(())
    }

    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Writes a line, if there is a file. That it can't be written is logged once.
    pub fn write(&self, event: Event, address: Option<IpAddr>) {
        let Some(Written { has_addresses, clock, state, .. }) = &self.0 else { return };
        let (now, mut state) = (clock.timestamp(), state.lock());
        if now != state.second {
            (state.second, state.lines) = (now, 0);
        }
        if state.lines == A_SECOND {
            state.left_out += 1;
            return;
        }
        state.lines += 1;
        let mut line = format!("{}Z {event}", date_and_time(now).replace(' ', "T"));
        if let Some(address) = address.filter(|_| *has_addresses) {
            line += &format!(" address={address}");
        }
        if state.left_out > 0 {
            line += &format!(" left-out-before={}", std::mem::take(&mut state.left_out));
        }
        line.push('\n');
        let written = state.file.write_all(line.as_bytes());
        if let Err(error) = &written
            && !state.has_failed
        {
            tracing::error!(%error, "the event log can't be written");
        }
        state.has_failed = written.is_err();
    }
}

/// Copies the lines since a time into a file beside it, if the first line is older than `oldest`. Returns that file, and
/// how far was read.
fn copy_since(path: &Path, oldest: &str, since: &str) -> io::Result<Option<(PathBuf, u64)>> {
    let mut lines = BufReader::new(File::open(path)?);
    let (mut line, mut read) = (String::new(), 0);
    // Lines are in the order of their times, with which they begin.
    while lines.read_line(&mut line)? > 0 && *line < *since {
        if read == 0 && *line >= *oldest {
            return Ok(None);
        }
        read += line.len() as u64;
        line.clear();
    }
    if read == 0 {
        return Ok(None);
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let mut copy = File::options().write(true).create(true).truncate(true).mode(0o600).open(&part)?;
    lines.seek(SeekFrom::Start(read))?;
    read += io::copy(&mut lines, &mut copy)?;
    Ok(Some((part.into(), read)))
}

/// Copies what is behind a place, too.
fn copy_behind(path: &Path, place: u64, part: &Path) -> io::Result<()> {
    let mut rest = File::open(path)?;
    rest.seek(SeekFrom::Start(place))?;
    let mut copy = open(part)?;
    io::copy(&mut rest, &mut copy)?;
    copy.sync_all()
}

fn open(path: &Path) -> io::Result<File> {
    File::options().append(true).create(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;
    use crate::config::Cli;
    use crate::stopped_clock::StoppedClock;

    #[test]
    fn more_than_fifty_lines_of_a_second_are_counted_in_the_next() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("events");
        let Cli { config, .. } = Cli::parse_from(["annon", "--event-log", file.to_str().unwrap()]);
        let clock = StoppedClock::new();
        let log = EventLog::open(&config.events, clock.clone()).unwrap();
        (0..60).for_each(|_| log.write(Event::SignInFailed, Some(IpAddr::from([192, 0, 2, 1]))));
        clock.pass(std::time::Duration::from_secs(1));
        log.write(Event::Operator("user-deleted"), None);
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 51, "{text}");
        assert!(lines[..50].iter().all(|line| line.ends_with("Z sign-in-failed")), "no address: {text}");
        assert!(lines[50].ends_with("Z operator-user-deleted left-out-before=10"), "{text}");
    }

    #[actix_web::test]
    async fn old_lines_go_before_their_days_are_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("events");
        let flags = ["annon", "--event-log", file.to_str().unwrap(), "--event-log-kept-days", "2"];
        let (Cli { config, .. }, clock) = (Cli::parse_from(flags), StoppedClock::new());
        let log = EventLog::open(&config.events, clock.clone()).unwrap();
        let lines = || fs::read_to_string(&file).unwrap().lines().count();
        let pass = |hours: u64| clock.pass(std::time::Duration::from_secs(hours * HOUR));
        for _ in 0..3 {
            log.write(Event::SignInFailed, None);
            log.write(Event::FloodRefused, None);
            pass(10);
        }
        // The first are 30, the last 10 hours old.
        log.drop_old().await.unwrap();
        assert_eq!(lines(), 6);
        pass(18);
        log.drop_old().await.unwrap();
        assert_eq!(lines(), 2, "what is older than a day and a half went with what is nearly two days old");
        log.write(Event::SignUpRefused, None);
        assert_eq!(lines(), 3, "the file goes on");
        pass(99);
        log.drop_old().await.unwrap();
        assert_eq!(lines(), 0);
    }
}
