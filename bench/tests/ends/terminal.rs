//! What somebody sees who sits before a terminal: the line that shows how a
//! run goes, and what it leaves behind.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::program::{BENCH, server};
use crate::screen::Screen;

#[test]
fn the_line_fits_and_ctrl_c_leaves_nothing_of_it() {
    thread::scope(|scope| {
        // Nothing is what a terminal says that doesn't know its width.
        for (told, columns) in [(200, 200), (0, 80), (60, 60), (30, 30), (4, 4)] {
            scope.spawn(move || {
                let said = run(&["fanout", "--rooms", "2", "--rate", "100", "--seconds", "600"], told);
                let mut screen = Screen::new(columns);
                screen.show(&said);
                assert!(!screen.has_folded_a_bar, "{columns}: {said}");
                assert!(said.contains('░') || columns < 12, "{columns}: {said}");
                assert_eq!(said.contains("errors 0, "), columns > 30, "{columns}: {said}");
                assert_eq!(said.contains(" deliveries/s\x1b[J"), columns == 200, "{columns}: {said}");
                let left = screen.text();
                let is_left = |what: &str| left.contains(what);
                assert!(!["█", "░", "^C", "errors"].into_iter().any(is_left), "{columns}: {left}");
                assert!(screen.is_at_the_left(), "{columns}: {left}");
            });
        }
    });
}

/// Runs it in a terminal, and presses Ctrl-C after a while. Everything the
/// terminal was told.
fn run(args: &[&str], columns: u16) -> String {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave = OpenOptions::new().read(true).write(true).open(name).unwrap();
    tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let mut running = Command::new(BENCH)
        .args(args)
        .args(["--server", &server()])
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .stdout(slave.try_clone().unwrap())
        .stderr(slave)
        .spawn()
        .unwrap();
    let mut master = File::from(master);
    let mut reader = master.try_clone().unwrap();
    let shown = Arc::new(Mutex::new(Vec::new()));
    let heard = shown.clone();
    let reading = thread::spawn(move || {
        let mut bytes = [0; 4096];
        // An error is the end: nobody holds the other side any more.
        while let Some(read) = reader.read(&mut bytes).ok().filter(|read| *read > 0) {
            heard.lock().unwrap().extend_from_slice(&bytes[..read]);
        }
    });
    // Long enough for a second that is told, after the one that warms up.
    wait_for(&shown, "\x1b[J", 20);
    // The terminal shows the key, and tells nobody: it is not the child's own.
    master.write_all(b"\x03").unwrap();
    wait_for(&shown, "^C", 1);
    kill_process(Pid::from_raw(running.id().cast_signed()).unwrap(), Signal::INT).unwrap();
    assert_eq!(running.wait().unwrap().code(), Some(130));
    reading.join().unwrap();
    let said = String::from_utf8(shown.lock().unwrap().clone()).unwrap();
    assert!(said.contains("^C") && said.contains("Interrupted: "), "{said}");
    said
}

/// Until it was shown so often, or half a minute is over.
fn wait_for(shown: &Mutex<Vec<u8>>, what: &str, times: usize) {
    for _ in 0..3000 {
        if shown.lock().unwrap().windows(what.len()).filter(|bytes| *bytes == what.as_bytes()).count() >= times {
            return;
        }
        thread::sleep(Duration::from_millis(10));
    }
}
