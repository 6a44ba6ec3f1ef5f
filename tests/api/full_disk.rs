//! A disk without a free byte. Where the test may not mount one, it says so and passes.

use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use serde_json::json;

use crate::support::patience::wait_until;
use crate::support::person::{Person, is_alive, register, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server, annon, printed};

const SENT: &str = "Anonymous Message Sent";
const NO_SPACE: &str = "The server has no space left for this. Try again later.";

/// A small disk for the data folder. It is unmounted when dropped.
struct Disk(PathBuf);

impl Disk {
    fn under(folder: &Folder) -> Option<Self> {
        let at = folder.data();
        fs::create_dir(&at).unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=64m", "tmpfs"]).arg(&at).output();
        if mount.is_ok_and(|done| done.status.success()) {
            return Some(Self(at));
        }
        eprintln!("this machine mounts nothing, and the test looks at nothing");
        None
    }

    fn fill(&self) -> PathBuf {
        let filler = self.0.join("filler");
        let mut file = File::create(&filler).unwrap();
        for piece in [1 << 20, 4096, 1] {
            while file.write_all(&vec![1; piece]).is_ok() {}
        }
        filler
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn a_server_starts_on_a_full_disk_reads_and_writes_again_when_there_is_room() {
    let folder = Folder::new();
    let Some(disk) = Disk::under(&folder) else { return };
    let flags = ["--disk-reserve-mb", "8", NO_LIMITS[0], NO_LIMITS[1]];
    let mut server = Server::on(&folder, &flags);
    let (person, leaver) = (Person::new(&server), Person::new(&server));
    let target = person.target(&server);
    send_note(&server, &target, "before the disk was full").assert(201, SENT);
    let ballast = || fs::metadata(folder.data().join("ballast")).map_or(0, |about| about.len());
    wait_until("the first sweep takes ballast on", || ballast() >= 4 << 20);
    assert!(server.stop().success());
    let filler = disk.fill();

    for _ in 0..2 {
        let mut server = Server::on(&folder, &flags);
        assert!(server.log.lines().iter().any(|line| line.contains("the disk is full")), "{:?}", server.log.lines());
        assert_eq!(person.inbox(&server)["data"][0]["message"], "before the disk was full");
        send_note(&server, &target, "while the disk is full").assert(507, NO_SPACE);
        register(&server, "latecomer", "late@mail.example", "correct horse").assert(507, NO_SPACE);
        server.get("/readyz").send().assert(200, "ready to read, but the disk is full");
        let listen = server.address.to_string();
        let check = |more: &[&str]| annon().args(["healthcheck", "--listen", &listen]).args(more).output().unwrap();
        let (lenient, strict) = (check(&[]), check(&["--strict"]));
        assert_eq!((lenient.status.code(), strict.status.code()), (Some(0), Some(1)));
        assert_eq!(printed(&lenient.stdout), "ready to read, but the disk is full\n");
        assert_eq!(printed(&strict.stderr), "annon: ready to read, but the disk is full\n");
        assert_eq!((server.metric("annon_disk_full"), server.metric("annon_store_healthy")), (1.0, 1.0));
        assert!(printed(&folder.annon(&["stats"]).stdout).contains("false: the disk is full"));
        assert!(ballast() >= 2 << 20, "{}", ballast());
        assert!(server.stop().success());
    }

    let mut server = Server::on(&folder, &flags);
    assert_eq!(person.call(&server, "DELETE", "/api/messages").send().status, 200, "whoever wants to make room can");
    leaver.delete(&server, &leaver.password).assert(200, "Account Deleted");
    server.post("/api/logout").bearer(&person.sign_in(&server)).send().assert(200, "User Logged Out");
    assert!(server.stop().success());

    let server = Server::on(&folder, &flags);
    assert_eq!(person.inbox(&server)["data"], json!([]));
    assert!(!is_alive(&server, &leaver.token));
    send_note(&server, &target, "while the disk is full").assert(507, NO_SPACE);
    fs::remove_file(filler).unwrap();
    wait_until("the server notices", || server.metric("annon_disk_full") == 0.0);
    send_note(&server, &target, "when there was room again").assert(201, SENT);
    server.get("/readyz").send().assert(200, "ready");
    assert_eq!(person.inbox(&server)["message"], 1);
    assert!(server.log.wait_for("the disk has room again, and writing goes on").is_some());
    drop(server);
    drop(disk);
}
