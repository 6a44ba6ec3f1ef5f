//! The operator's commands, on the side of the terminal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use annon_store::Erasing;
use annon_store::text::without_directions;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use uuid::Uuid;

use crate::config::{Command, Config, FeedbackCommand, UserCommand};
use crate::control::{Line, Order, connect};
use crate::metrics::listener::USUAL;
use crate::openapi::Document;
use crate::{mail, tls};

/// Does what a command says. The error is a sentence.
pub fn run(command: Command, config: &Config) -> Result<(), String> {
    match command {
        Command::CheckConfig => check(config),
        Command::Openapi => say(&Document::new().map_err(in_words)?.0),
        Command::Healthcheck => health(config),
        Command::Backup { file } => back_up(config, &file),
        Command::Restore { file } => {
            let restored = annon_store::restore(&file, &config.data_dir).map_err(in_words)?;
            say(&format!("restored {} records and {} pictures", restored.records, restored.pictures))
        }
        Command::Stats => ask(config, &Order::Stats, print),
        Command::Mail => ask(config, &Order::Mail, print),
        Command::User(UserCommand::List) => ask(config, &Order::UserList, print),
        Command::User(UserCommand::Delete { username }) => {
            ask(config, &Order::UserDelete(username), print)?;
            say("deleted")
        }
        Command::Feedback(FeedbackCommand::List) => ask(config, &Order::FeedbackList, print),
        Command::Feedback(FeedbackCommand::Show { id, picture }) => {
            ask(config, &Order::FeedbackShow(feedback_id(&id)?), |line| match (line, &picture) {
                (Line::Picture(base64), Some(file)) => save_picture(&base64, file),
                (Line::Picture(_), None) => say("(it has a picture: save it with --picture FILE)"),
                (other, _) => print(other),
            })
        }
        Command::Feedback(FeedbackCommand::Delete { id }) => {
            ask(config, &Order::FeedbackDelete(feedback_id(&id)?), print)?;
            say("deleted")
        }
    }
}

fn feedback_id(raw: &str) -> Result<Uuid, String> {
    Uuid::try_parse(raw).map_err(|_| format!("{raw} is not the id of feedback; annon feedback list shows them"))
}

fn in_words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// A line of the terminal, on which what strangers wrote stands beside what
/// is known.
fn say(text: &str) -> Result<(), String> {
    match writeln!(io::stdout().lock(), "{}", without_directions(text)) {
        // `annon user list | head` is no mistake.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(in_words(error)),
        _ => Ok(()),
    }
}

fn print(line: Line) -> Result<(), String> {
    if let Line::Text(text) = line { say(&text) } else { Ok(()) }
}

fn send(config: &Config, order: &Order) -> Result<BufReader<UnixStream>, String> {
    let data_dir = config.data_dir.display();
    let mut stream = connect(&config.data_dir).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::ConnectionRefused => {
            format!("no server is running on the data folder {data_dir} (name another with --data-dir)")
        }
        io::ErrorKind::PermissionDenied => format!("the data folder {data_dir} belongs to somebody else"),
        _ => format!("can't reach the server on {data_dir}: {error}"),
    })?;
    let mut bytes = serde_json::to_vec(order).map_err(in_words)?;
    bytes.push(b'\n');
    stream.write_all(&bytes).map_err(in_words)?;
    Ok(BufReader::new(stream))
}

fn next_line(answer: &mut impl BufRead) -> Result<Line, String> {
    let mut line = String::new();
    answer.read_line(&mut line).map_err(in_words)?;
    match serde_json::from_str(&line) {
        Ok(Line::Failed(why)) => Err(why),
        Ok(line) => Ok(line),
        Err(_) => Err("the server's answer was cut short; its log may say why".to_owned()),
    }
}

fn ask(config: &Config, order: &Order, mut each: impl FnMut(Line) -> Result<(), String>) -> Result<(), String> {
    let mut answer = send(config, order)?;
    loop {
        match next_line(&mut answer)? {
            Line::End => return Ok(()),
            line => each(line)?,
        }
    }
}

fn new_private(file: &Path) -> Result<File, String> {
    let options = OpenOptions::new().write(true).create_new(true).mode(0o600).to_owned();
    options.open(file).map_err(|error| format!("can't write {}: {error}", file.display()))
}

fn save_picture(base64: &str, file: &Path) -> Result<(), String> {
    let jpeg = BASE64_STANDARD.decode(base64).map_err(in_words)?;
    new_private(file)?.write_all(&jpeg).map_err(in_words)?;
    say(&format!("(its picture is in {})", file.display()))
}

/// Written beside its name and renamed when it is whole and on disk.
fn back_up(config: &Config, file: &Path) -> Result<(), String> {
    if file.exists() {
        return Err(format!("{} exists already; a backup is written to a new file", file.display()));
    }
    let mut answer = send(config, &Order::Backup)?;
    if !matches!(next_line(&mut answer)?, Line::Bytes) {
        return Err("the server sent something else than a backup".to_owned());
    }
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let part = Path::new(&part);
    let written = (|| {
        let mut out = new_private(part)?;
        let bytes = io::copy(&mut answer, &mut out).map_err(in_words)?;
        out.sync_all().map_err(in_words)?;
        annon_store::check_backup(part).map_err(in_words)?;
        fs::rename(part, file).map_err(in_words)?;
        Ok(bytes)
    })();
    match written {
        Ok(bytes) => {
            say(&format!("{bytes} bytes in {}. Whoever has this file can read everything in it.", file.display()))
        }
        Err(why) => {
            let _ = fs::remove_file(part);
            Err(why)
        }
    }
}

fn check(config: &Config) -> Result<(), String> {
    if let (Some(chain), Some(key)) = (&config.tls_cert, &config.tls_key) {
        tls::server_config(chain, key)?;
    }
    let route = mail::Route::of(config)?;
    if let Some(from) = &config.mail_from {
        from.parse::<lettre::Address>().map_err(|_| "--mail-from is not a mail address".to_owned())?;
    }
    let on = |is_on: bool| if is_on { "on" } else { "off" };
    let proxies = config.trusted_proxies.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    for (name, value) in [
        ("listen", config.listen.to_string()),
        ("metrics-listen", config.metrics_listen.map_or_else(|| USUAL.to_string(), |wish| wish.to_string())),
        ("data-dir", config.data_dir.display().to_string()),
        ("public-url", config.public_url(config.listen).origin().to_owned()),
        ("workers", config.worker_count().to_string()),
        ("room-lifetime-hours", (config.room_lifetime_hours.as_secs_f64() / 3600.0).to_string()),
        ("room-messages", config.room_messages.to_string()),
        ("rooms-memory-mb", (config.rooms_memory() / 1024 / 1024).to_string()),
        ("sends-per-second", config.sends_per_second.to_string()),
        ("mail", route.to_string()),
        ("trusted-proxies", if proxies.is_empty() { "none".to_owned() } else { proxies }),
        ("tls", on(config.tls_cert.is_some()).to_owned()),
        ("commit-pause-ms", config.commit_pause_ms.to_string()),
        ("sync", on(config.sync).to_owned()),
        ("disk-reserve-mb", config.disk_reserve_mb.to_string()),
        ("erasing", Erasing::at(&config.data_dir).map_or_else(in_words, in_words)),
        ("pictures-mb", config.pictures_mb.map_or("a quarter of the disk".to_owned(), |mb| mb.to_string())),
        ("accounts-max", if config.accounts_max == 0 { "none".to_owned() } else { config.accounts_max.to_string() }),
        ("address-limits", on(config.address_limits).to_owned()),
    ] {
        say(&format!("{name:<22}{value}"))?;
    }
    if let Some(warning) = config.shown_password() {
        say(&format!("warning: {warning}"))?;
    }
    say("the configuration is in order")
}

/// One plain request, for a container's health check. With TLS it only
/// looks whether somebody answers.
fn health(config: &Config) -> Result<(), String> {
    let mut address = config.listen;
    if address.ip().is_unspecified() {
        let loopback = if address.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() };
        address = SocketAddr::new(loopback, address.port());
    }
    let not_ready = |error: io::Error| format!("not ready: {error}");
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(2)).map_err(not_ready)?;
    if config.tls_cert.is_some() {
        return say("listening");
    }
    stream.set_read_timeout(Some(Duration::from_secs(2))).map_err(not_ready)?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").map_err(not_ready)?;
    let mut first = String::new();
    BufReader::new(stream).read_line(&mut first).map_err(not_ready)?;
    if first.starts_with("HTTP/1.1 200") { say("ready") } else { Err("not ready".to_owned()) }
}
