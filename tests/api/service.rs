//! The unit file for systemd confines the service.

use std::collections::BTreeSet;
use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::client::{Call, Connection};
use crate::support::patience::wait_until;
use crate::support::server::{ANNON, Folder, Server, annon, files_below, printed, refusal_of};

const UNIT: &str = include_str!("../../deploy/annon.service");
const SOCKET: &str = include_str!("../../deploy/annon.socket");
const BACKUP: &str = include_str!("../../deploy/annon-backup.service");
const TIMER: &str = include_str!("../../deploy/annon-backup.timer");

/// The values of a setting in the unit file.
fn values_of<'a>(setting: &'a str) -> impl Iterator<Item = &'static str> + 'a {
    UNIT.lines().filter_map(move |line| line.strip_prefix(setting)?.strip_prefix('='))
}

#[test]
fn the_unit_locks_the_service_in() {
    // Settings that systemd's own rating, below, leaves out.
    for (setting, value) in [
        ("LimitCORE", "0"),
        ("MemorySwapMax", "0"),
        ("UMask", "0077"),
        ("StateDirectory", "annon"),
        ("StateDirectoryMode", "0700"),
        ("User", "annon"),
        ("Type", "notify"),
    ] {
        assert_eq!(values_of(setting).collect::<Vec<_>>(), [value], "{setting}");
    }
    assert_eq!(values_of("SystemCallFilter").next(), Some("@system-service"));
    let environment: Vec<_> = values_of("Environment").flat_map(str::split_whitespace).collect();
    assert!(environment.contains(&"ANNON_DATA_DIR=/var/lib/annon"), "where StateDirectory= is: {environment:?}");
    assert!(!UNIT.contains("SMTP_URL="), "a password in a unit is anybody's to read");
}

#[test]
fn systemd_understands_the_unit_and_finds_it_safe() {
    let folder = Folder::new();
    let unit = folder.file("annon.service");
    fs::write(&unit, UNIT.replace("/usr/local/bin/annon", ANNON)).unwrap();
    let files = [("annon.socket", SOCKET), ("annon-backup.service", BACKUP), ("annon-backup.timer", TIMER)];
    let [socket, backup, timer] = files.map(|(name, text)| {
        let file = folder.file(name);
        fs::write(&file, text).unwrap();
        file
    });
    let analyze = |arguments: &[&str]| Command::new("systemd-analyze").args(arguments).arg(&unit).output();
    let Ok(verified) = Command::new("systemd-analyze").arg("verify").args([&unit, &socket, &backup, &timer]).output()
    else {
        eprintln!("there is no systemd-analyze here, and the test looks at nothing");
        return;
    };
    assert!(verified.status.success(), "{}", printed(&verified.stderr));
    // The limit is in tenths: 2.0 of 10, where 10 is unprotected.
    let rated = analyze(&["security", "--offline=true", "--threshold=20"]).unwrap();
    assert!(rated.status.success(), "{}\n{}", printed(&rated.stdout), printed(&rated.stderr));
}

#[test]
fn systemd_hears_when_the_server_is_ready_and_when_it_stops() {
    let folder = Folder::new();
    let path = folder.file("notify.sock");
    let systemd = UnixDatagram::bind(&path).unwrap();
    systemd.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let hears = || {
        let mut state = [0; 64];
        let length = systemd.recv(&mut state).unwrap();
        printed(&state[..length])
    };
    let mut command = annon();
    command.env("NOTIFY_SOCKET", &path);
    let mut server = Server::run(command, &folder, &[]);
    assert_eq!(hears(), "READY=1");
    server.get("/readyz").send().assert(200, "ready");
    assert!(server.stop().success());
    assert_eq!(hears(), "STOPPING=1");
}

/// The server as systemd starts it with these sockets, from descriptor 3 on.
fn with_socket(socket: impl Into<OwnedFd>) -> Command {
    let mut shell = Command::new("/bin/sh");
    let script = r#"exec 3<&0 0</dev/null; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#;
    shell.env_clear().stdin(socket.into()).args(["-c", script, ANNON]);
    shell
}

#[test]
fn nobody_is_refused_while_the_server_starts_anew_on_a_socket_that_systemd_keeps() {
    let socket = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = socket.local_addr().unwrap();
    let folder = Folder::new();
    let start = || Server::run(with_socket(socket.try_clone().unwrap()), &folder, &["--address-limits", "off"]);
    let mut server = start();
    assert_eq!(server.address, address);
    let (answers, is_over) = (AtomicUsize::new(0), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while is_over.load(Ordering::Relaxed) == 0 {
                    // A connection that isn't taken, or is cut, is a panic.
                    Call::new(address, "GET", "/healthz").header("Connection", "close").send().assert(200, "alive");
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for _ in 0..3 {
            let before = answers.load(Ordering::Relaxed);
            wait_until("visitors before the new start", || answers.load(Ordering::Relaxed) > before + 20);
            assert!(server.stop().success());
            // While no server runs, whoever comes waits.
            let mut waits = Connection::open(address);
            waits.send(&Call::new(address, "GET", "/readyz").bytes()).unwrap();
            server = start();
            waits.answer_to("GET", "/readyz").assert(200, "ready");
        }
        is_over.store(1, Ordering::Relaxed);
    });
}

#[test]
fn what_systemd_hands_over_has_to_be_a_socket_that_can_be_served() {
    let folder = Folder::new();
    let datagrams = UnixDatagram::bind(folder.file("datagrams")).unwrap();
    let (code, text) = refusal_of(with_socket(datagrams), &folder, &[]);
    assert!(code == Some(1) && text.contains("systemd has handed over what is no TCP socket"), "{text}");
}

/// Runs what the unit of backups runs, as systemd would.
#[test]
fn a_backup_every_night_is_whole_and_those_of_two_weeks_ago_are_removed() {
    let (server, backups) = (Server::start(), Folder::new());
    fs::create_dir(backups.data()).unwrap();
    let path = format!("{}:/usr/bin:/bin", Path::new(ANNON).parent().unwrap().display());
    let night = || {
        let lines = BACKUP.lines().filter_map(|line| line.strip_prefix("ExecStart=/bin/sh -c '")?.strip_suffix('\''));
        for script in lines.map(|line| line.replace("$$", "$").replace("%%", "%")) {
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]).env("PATH", &path).env("ANNON_DATA_DIR", server.folder.data());
            assert!(shell.env("STATE_DIRECTORY", backups.data()).status().unwrap().success(), "{script}");
        }
    };
    let days_old = |name: &str, days: u64| {
        let file = backups.data().join(name);
        let touched = Command::new("touch").arg("-d").arg(format!("{days} days ago 1 minute ago")).arg(file).status();
        assert!(touched.unwrap().success());
    };
    for (name, days) in [("annon-old", 14), ("annon-young", 13), ("somebody-elses", 99)] {
        days_old(name, days);
    }
    night();
    let mut names =
        files_below(&backups.data()).into_iter().map(|(path, _)| printed(path.file_name().unwrap().as_encoded_bytes()));
    let names: BTreeSet<_> = names.by_ref().collect();
    let (made, kept): (Vec<_>, Vec<_>) = names.iter().partition(|name| name.starts_with("annon-2"));
    assert_eq!((made.len(), kept), (1, vec![&"annon-young".to_owned(), &"somebody-elses".to_owned()]), "{names:?}");
    let whole = Folder::new().annon(&["restore", backups.data().join(made[0]).to_str().unwrap()]);
    assert!(whole.status.success(), "{whole:?}");
}
