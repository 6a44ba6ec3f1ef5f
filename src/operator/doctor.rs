//! Looks at what a server depends on and can't do anything about: what is wrong,
//! and what to do.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::iter;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::Command as Program;
use std::time::Duration;

use annon_actors::clock::{Clock, SystemClock};
use annon_store::{Erasing, Postgres};
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};
use serde_json::json;

use super::control::{connect, last_backup};
use super::healthcheck::health;
use super::{can_be_a_folder, in_words, print_line, runtime};
use crate::config::Config;
use crate::mail::Route;
use crate::net::tls;

/// Less free space than this is too little.
const ENOUGH_SPACE: u64 = 1 << 30;
/// Syncs that are timed.
const SYNCS: usize = 64;
/// A sync that takes longer is felt by everybody who sends.
const SYNC_SLOW: Duration = Duration::from_millis(20);
/// No disk that really stores is so fast.
const SYNC_TOO_FAST: Duration = Duration::from_micros(10);
/// A certificate that ends sooner should have been renewed.
const CERTIFICATE_LEFT: Duration = Duration::from_hours(14 * 24);
const BACKUP_OLD: Duration = Duration::from_hours(48);
/// Each connection is a descriptor.
const ENOUGH_DESCRIPTORS: u64 = 8_192;
const DAY: u64 = 86_400;

enum State {
    Fine,
    /// Whether it is wrong, only the operator knows.
    Note,
    Wrong,
}

impl State {
    fn word(&self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Note => "note",
            Self::Wrong => "wrong",
        }
    }
}

struct Finding {
    about: &'static str,
    state: State,
    /// What there is and, if it is wrong, what to do.
    says: String,
}

fn fine(about: &'static str, says: impl Into<String>) -> Finding {
    Finding { about, state: State::Fine, says: says.into() }
}

fn note(about: &'static str, says: impl Into<String>) -> Finding {
    Finding { about, state: State::Note, says: says.into() }
}

fn wrong(about: &'static str, says: impl Into<String>) -> Finding {
    Finding { about, state: State::Wrong, says: says.into() }
}

/// Prints what was found. Fails if anything is wrong, so that a script can tell.
pub(super) fn examine(config: &Config, json: bool) -> Result<(), String> {
    let mut wrongs = 0;
    for Finding { about, state, says } in findings(config) {
        wrongs += usize::from(matches!(state, State::Wrong));
        print_line(&if json {
            json!({ "about": about, "state": state.word(), "says": says }).to_string()
        } else {
            format!("{:<6}{about:<14}{says}", state.word())
        })?;
    }
    match wrongs {
        0 => Ok(()),
        1 => Err("one thing is wrong".to_owned()),
        many => Err(format!("{many} things are wrong")),
    }
}

fn findings(config: &Config) -> Vec<Finding> {
    let mut all: Vec<_> = config.warnings().into_iter().map(|warning| wrong(warning.about, warning.says)).collect();
    let is_said = |all: &[Finding], about| all.iter().any(|finding| finding.about == about);
    all.extend([folder(config), space(&config.data_dir), erasing(&config.data_dir)]);
    all.extend(sync(config));
    all.extend(clock());
    all.extend([descriptors(), swap(), mail(config)]);
    if !is_said(&all, "address") {
        all.push(address(config));
    }
    all.extend(certificate(config));
    all.extend(databases(config));
    all.extend(server(config));
    all
}

fn folder(config: &Config) -> Finding {
    match can_be_a_folder(&config.data_dir) {
        Ok(()) if config.data_dir.is_dir() => fine("data folder", config.data_dir.display().to_string()),
        Ok(()) => note("data folder", format!("{} isn't there yet: a start makes it", config.data_dir.display())),
        Err(why) => wrong("data folder", why),
    }
}

fn space(folder: &Path) -> Finding {
    let Some(disk) = folder.ancestors().find_map(|part| statvfs(part).ok()) else {
        return note("disk", "how much space is free can't be told");
    };
    let (free, all) = (disk.f_bavail * disk.f_frsize, disk.f_blocks * disk.f_frsize);
    let says = format!("{} of {} are free", size(free), size(all));
    if free < ENOUGH_SPACE {
        wrong("disk", format!("{says}: make room; on a full disk nobody can write"))
    } else {
        fine("disk", says)
    }
}

/// A size of a disk, in a unit in which it isn't nothing.
fn size(bytes: u64) -> String {
    const MB: u64 = 1_000_000;
    if bytes < 10_000 * MB { format!("{} MB", bytes / MB) } else { format!("{} GB", bytes / 1_000 / MB) }
}

fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

fn erasing(folder: &Path) -> Finding {
    match Erasing::at(folder) {
        Ok(Erasing::Holds) => fine("erasing", "what is deleted is gone from this file system"),
        Ok(erasing @ (Erasing::HoldsWithoutSnapshots | Erasing::Unknown)) => note("erasing", erasing.to_string()),
        Ok(erasing) => wrong("erasing", format!("{erasing}: put the data folder on ext4 or XFS")),
        Err(error) => note("erasing", error.to_string()),
    }
}

/// Times syncs as the commit log does them, where the data is.
fn sync(config: &Config) -> Option<Finding> {
    if !config.sync || !config.data_dir.is_dir() || config.database_url.is_some() {
        return None;
    }
    Some(match time_of_a_sync(&config.data_dir) {
        Ok(took) if took > SYNC_SLOW => {
            wrong("sync", format!("a sync takes {took:.1?}, and every sender waits for one: use a faster disk"))
        }
        Ok(took) if took < SYNC_TOO_FAST => {
            note("sync", format!("a sync takes {took:.1?}: this disk hardly stores anything before it says so"))
        }
        Ok(took) => fine("sync", format!("a sync takes {took:.1?}")),
        Err(error) => wrong("sync", format!("nothing can be written and synced there: {error}")),
    })
}

fn time_of_a_sync(folder: &Path) -> io::Result<Duration> {
    let path = folder.join(format!("doctor-{}", std::process::id()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let times = (|| {
        let mut times = Vec::with_capacity(SYNCS);
        for _ in 0..SYNCS {
            let begun = SystemClock.moment();
            file.write_all(&[0; 4096])?;
            file.sync_data()?;
            times.push(SystemClock.moment().duration_since(begun));
        }
        Ok(times)
    })();
    fs::remove_file(&path)?;
    times.map(|mut times: Vec<_>| {
        times.sort();
        times[times.len() / 2]
    })
}

fn clock() -> Option<Finding> {
    let asked = Program::new("timedatectl").args(["show", "--property", "NTPSynchronized", "--value"]).output().ok()?;
    match asked.stdout.trim_ascii() {
        b"yes" => Some(fine("clock", "it is set by the network")),
        b"no" => Some(wrong("clock", "nothing sets it: `timedatectl set-ntp true`, or install chrony")),
        _ => None,
    }
}

fn descriptors() -> Finding {
    match getrlimit(Resource::Nofile).maximum {
        Some(most) if most < ENOUGH_DESCRIPTORS => wrong(
            "connections",
            format!(
                "a process may have {most} files and connections open: LimitNOFILE=65536 in the unit, or ulimit -n"
            ),
        ),
        Some(most) => fine("connections", format!("a process may have {most} files and connections open")),
        None => fine("connections", "a process may have any number open"),
    }
}

fn swap() -> Finding {
    let swaps = fs::read_to_string("/proc/swaps").map_or(0, |swaps| swaps.lines().skip(1).count());
    if swaps == 0 {
        return fine("swap", "none: keys stay in memory");
    }
    note("swap", "this machine has some, and keys may get there: encrypt it, or use the unit, which does without")
}

fn mail(config: &Config) -> Finding {
    match Route::of(config) {
        Err(why) => wrong("mail", why),
        Ok(route @ Route::Smtp(_)) => match runtime().map(|runtime| runtime.block_on(route.answers())) {
            Ok(Ok(())) => fine("mail", "the mail server answers; `annon mail test ADDRESS` writes one"),
            Ok(Err(why)) => wrong("mail", format!("the mail server can't be used: {why}")),
            Err(why) => note("mail", why),
        },
        Ok(route) => note("mail", format!("{route}: nobody gets a link by mail; --smtp-url names a mail server")),
    }
}

fn address(config: &Config) -> Finding {
    let url = config.public_url(config.listen);
    let origin = url.origin();
    match &config.public_url {
        None => note("address", format!("mailed links lead to {origin}: --public-url names the public address")),
        Some(url) if !url.is_https() => {
            note("address", format!("{origin} is not encrypted: what people write can be read on the way"))
        }
        Some(_) => fine("address", origin),
    }
}

fn certificate(config: &Config) -> Option<Finding> {
    let (chain, key) = (config.tls_cert.as_ref()?, config.tls_key.as_ref()?);
    let ends = match tls::Certificate::read(chain, key).and_then(|certificate| certificate.ends()) {
        Ok(ends) => ends,
        Err(why) => return Some(wrong("certificate", why)),
    };
    let left = ends.checked_sub(SystemClock.now());
    Some(match left {
        None => wrong("certificate", "it has expired: renew it, and SIGHUP"),
        Some(left) => {
            let says = format!("it is valid for {}", counted(left.as_secs() / DAY, "day"));
            if left < CERTIFICATE_LEFT {
                wrong("certificate", format!("{says}: renew it, and SIGHUP"))
            } else {
                fine("certificate", says)
            }
        }
    })
}

fn databases(config: &Config) -> Vec<Finding> {
    const ABOUT: &str = "databases";
    let databases = match config.served_databases() {
        Ok(Some(databases)) => databases,
        Ok(None) => return Vec::new(),
        Err(why) => return vec![wrong(ABOUT, why)],
    };
    match runtime().and_then(|runtime| runtime.block_on(Postgres::look(&databases)).map_err(in_words)) {
        Ok(warnings) if warnings.is_empty() => vec![fine(ABOUT, "both answer, and are as they should be")],
        Ok(warnings) => warnings.into_iter().map(|warning| wrong(ABOUT, warning)).collect(),
        Err(why) => vec![wrong(ABOUT, why)],
    }
}

/// What can be told of the server that runs on the data folder.
fn server(config: &Config) -> Vec<Finding> {
    if connect(&config.data_dir).is_err() {
        return vec![note("server", "none runs on the data folder; --data-dir names another")];
    }
    let answers = match health(config, true) {
        Ok(message) => fine("server", message),
        Err(why) => wrong("server", format!("{why}; its log says more")),
    };
    let age = last_backup(&config.data_dir).map(|at| SystemClock.now().saturating_sub(Duration::from_secs(at)));
    // That there is none yet is said with the settings.
    let backup = age.map(|age| match age {
        age if age > BACKUP_OLD => {
            wrong("backup", format!("the last one was {} ago: look at the timer", counted(age.as_secs() / DAY, "day")))
        }
        age => fine("backup", format!("the last one was {} ago", counted(age.as_secs() / 3600, "hour"))),
    });
    iter::once(answers).chain(backup).collect()
}
