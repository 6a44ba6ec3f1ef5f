//! Commands that take long say how far they are, and never where data is expected.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;

use crate::support::patience::HANG;
use crate::support::person::{Person, send_note};
use crate::support::server::{ANNON, Folder, NO_LIMITS, Server, annon, printed};

/// A server whose backup is more than pipes and sockets hold: it isn't whole before
/// somebody reads it.
fn server() -> Server {
    let (server, person) = Person::with(NO_LIMITS);
    let (target, words) = (person.target(&server), "🙂".repeat(280));
    for _ in 0..600 {
        send_note(&server, &target, &words).assert(201, "Anonymous Message Sent");
    }
    server
}

fn can_be_restored(backup: &[u8]) -> bool {
    let folder = Folder::new();
    let file = folder.file("backup");
    fs::write(&file, backup).unwrap();
    let output = folder.annon(&["restore", file.to_str().unwrap()]);
    let said = printed(&output.stdout);
    assert_eq!(printed(&output.stderr), "", "what is short needs no line");
    output.status.success() && said.starts_with("restored 6")
}

/// Reads until there are these words. The rest is read, too, so that nobody waits for it.
fn wait_for_words(mut from: impl Read + Send + 'static, words: &'static str) {
    let (found, heard) = channel();
    thread::spawn(move || {
        let (mut all, mut some) = (Vec::new(), [0; 1024]);
        while let Ok(length @ 1..) = from.read(&mut some) {
            all.extend_from_slice(&some[..length]);
            if String::from_utf8_lossy(&all).contains(words) {
                let _ = found.send(());
            }
        }
    });
    heard.recv_timeout(HANG).unwrap_or_else(|_| panic!("nobody says {words}"));
}

fn end_well(mut process: Child, what: &str) {
    assert!(process.wait().unwrap().success(), "{what}");
}

#[test]
fn in_a_log_a_backup_through_a_pipe_says_how_far_it_is_and_the_pipe_has_only_the_backup() {
    let server = server();
    let mut command = annon();
    command.args(["backup", "-", "--data-dir"]).arg(server.folder.data());
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    assert!(line.starts_with("annon: writing the backup: ") && line.contains(" kB a second"), "{line}");
    let mut backup = Vec::new();
    process.stdout.take().unwrap().read_to_end(&mut backup).unwrap();
    end_well(process, "the backup");
    assert!(can_be_restored(&backup));
}

#[test]
fn on_a_terminal_a_backup_shows_a_line_that_is_written_anew() {
    let server = server();
    let fifo = server.folder.file("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let typed = format!("{ANNON} backup - --data-dir {} > {}", server.folder.data().display(), fifo.display());
    // It gives the command a terminal.
    let mut script = Command::new("script");
    script.args(["--quiet", "--flush", "--return", "--command", &typed, "/dev/null"]);
    let mut process = script.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = File::open(&fifo).unwrap();
    wait_for_words(process.stdout.take().unwrap(), "\r\x1b[Kwriting the backup: ");
    let mut backup = Vec::new();
    out.read_to_end(&mut backup).unwrap();
    end_well(process, "the backup");
    assert!(can_be_restored(&backup));
}
