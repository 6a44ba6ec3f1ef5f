//! The operator's commands, with and without a running server.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;

use image::ImageFormat;

use crate::support::form::{Form, picture};
use crate::support::person::{Person, is_alive, send_note};
use crate::support::server::{Folder, Server, annon, files_below, printed, refusal};
use crate::support::test_socket::TestSocket;

/// What a command prints when it succeeds.
#[track_caller]
pub(crate) fn done(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.annon(arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    printed(&output.stdout)
}

/// The one sentence of a command that fails.
#[track_caller]
pub(crate) fn failed(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.annon(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    let text = printed(&output.stderr);
    assert_eq!(text.lines().count(), 1, "{text}");
    text.strip_prefix("annon: ").unwrap_or_else(|| panic!("{text}")).trim().to_owned()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn stats_tell_how_the_server_is_doing() {
    let (server, person) = Person::with(&[]);
    let _socket = TestSocket::of(&server, &person);
    send_note(&server, &person.target(&server), "a note that is counted");
    let stats = done(&server.folder, &["stats"]);
    let figure = |name: &str| {
        let line = stats.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap_or_else(|| panic!("no {name} in {stats}")).trim().to_owned()
    };
    assert_eq!(figure("store takes writes"), "true");
    assert_eq!(figure("notes since start"), "1");
    assert_eq!(figure("inboxes open now"), "1");
    assert!(figure("commits since start").parse::<u64>().unwrap() > 1);
    assert!(figure("database bytes").parse::<u64>().unwrap() > 0);
    assert!(figure("free bytes on disk").parse::<u64>().unwrap() > 0);
}

#[test]
fn a_check_fails_if_a_start_has_found_something_missing() {
    let folder = Folder::new();
    for _ in 0..2 {
        let mut server = Server::on(&folder, &[]);
        assert_eq!(done(&folder, &["check"]).trim(), "nothing was found damaged or missing");
        assert!(server.stop().success());
    }
    fs::remove_file(folder.data().join("commit-log/0000000001.log")).unwrap();
    let _server = Server::on(&folder, &[]);
    let output = folder.annon(&["check"]);
    let (text, why) = (printed(&output.stdout), printed(&output.stderr));
    assert!(output.status.code() == Some(1) && why.contains("damaged or missing"), "{output:?}");
    assert!(text.lines().count() == 1 && text.contains("0000000001.log: missing"), "{text}");
}

#[test]
fn an_account_the_operator_deletes_is_gone_at_once() {
    let server = Server::start();
    let (person, other) = (Person::named(&server, "Some-Body"), Person::new(&server));
    let (target, mut socket) = (person.target(&server), TestSocket::of(&server, &person));
    let listed = done(&server.folder, &["user", "list"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    assert!(listed.contains("  Some-Body         Some-Body@mail.example\n"), "{listed}");

    assert_eq!(done(&server.folder, &["user", "delete", "some-body"]), "deleted\n");
    socket.assert_signed_out();
    assert!(!is_alive(&server, &person.token) && is_alive(&server, &other.token));
    assert_eq!(send_note(&server, &target, "a note to nobody").status, 404);
    assert!(!done(&server.folder, &["user", "list"]).contains("Some-Body"));
    for nobody in ["some-body", "x", "settings", "nobody\nhere"] {
        for command in ["delete", "reset", "unlock", "export"] {
            let output = server.folder.annon(&["user", command, nobody]);
            assert_eq!(output.status.code(), Some(1));
            assert_eq!(printed(&output.stderr), format!("annon: there is nobody named {nobody}\n"));
        }
    }
}

#[test]
fn feedback_is_read_and_cleared() {
    let server = Server::start();
    // Marks for the direction of text have no effect in a terminal.
    Form::with_text("words without \u{202e}a picture\u{2066}").send(&server).assert(201, "Feedback sent");
    let form = Form::with_text("words with a picture").picture(&picture(64, 32, ImageFormat::Png));
    form.send(&server).assert(201, "Feedback sent");
    let listed = done(&server.folder, &["feedback", "list"]);
    let ids: Vec<_> = listed.lines().step_by(2).map(|line| line.split(' ').next().unwrap()).collect();
    assert!(listed.lines().next().unwrap().ends_with("(with a picture)"), "newest first: {listed}");
    assert!(listed.contains("words without a picture\n"), "{listed}");

    let shown = done(&server.folder, &["feedback", "show", ids[0]]);
    assert!(shown.contains("words with a picture") && shown.contains("--picture FILE"), "{shown}");
    let file = server.folder.file("shown.jpg");
    let save = ["feedback", "show", ids[0], "--picture", file.to_str().unwrap()];
    done(&server.folder, &save);
    assert_eq!((mode(&file), image::image_dimensions(&file).unwrap()), (0o600, (64, 32)));
    let again = server.folder.annon(&save);
    assert!(printed(&again.stderr).contains("can't write"), "an existing file is left alone: {again:?}");

    let pictures = || files_below(&server.folder.data().join("images")).len();
    assert_eq!(pictures(), 1);
    assert_eq!(done(&server.folder, &["feedback", "delete", ids[0]]), "deleted\n");
    assert_eq!(pictures(), 0);
    assert_eq!(failed(&server.folder, &["feedback", "delete", ids[0]]), format!("there is no feedback {}", ids[0]));
    assert_eq!(failed(&server.folder, &["feedback", "show", ids[0]]), format!("there is no feedback {}", ids[0]));
    assert_eq!(server.folder.annon(&["feedback", "show", "x"]).status.code(), Some(2));
    assert_eq!(done(&server.folder, &["feedback", "list"]).lines().count(), 2);
}

#[test]
fn a_backup_is_restored_if_it_is_whole_and_only_into_an_empty_folder() {
    let (server, person) = Person::with(&[]);
    let target = person.target(&server);
    Form::with_text("words with a picture").picture(&picture(8, 8, ImageFormat::Png)).send(&server);
    send_note(&server, &target, "a note from before").assert(201, "Anonymous Message Sent");
    let file = server.folder.file("backup");
    let backup = ["backup", file.to_str().unwrap()];
    let text = done(&server.folder, &backup);
    assert!(text.contains("Anyone who has this file can read everything in it."), "{text}");
    assert_eq!(mode(&file), 0o600);
    assert!(failed(&server.folder, &backup).contains("exists already"));
    let (piped, to_stdout) = (server.folder.file("piped"), ["backup", "-", "--data-dir"]);
    let hand_on = |to: File| annon().args(to_stdout).arg(server.folder.data()).stdout(to).status().unwrap();
    assert!(hand_on(File::create(&piped).unwrap()).success());
    done(&Folder::new(), &["restore", piped.to_str().unwrap()]);
    assert_eq!(hand_on(File::create("/dev/full").unwrap()).code(), Some(1), "not all of it could be written");
    let (nobody_reads, closed) = std::io::pipe().unwrap();
    drop(nobody_reads);
    let output = annon().args(to_stdout).arg(server.folder.data()).stdout(closed).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output.stderr).contains("has closed the pipe before its end"), "{output:?}");

    let elsewhere = Folder::new();
    let restore =
        |folder: &Folder, name: &str| failed(folder, &["restore", server.folder.file(name).to_str().unwrap()]);
    let whole = fs::read(&file).unwrap();
    for (name, bytes) in [("cut", &whole[..whole.len() - 1]), ("empty", b"")] {
        fs::write(server.folder.file(name), bytes).unwrap();
        let text = restore(&elsewhere, name);
        assert!(text.contains("is not a whole backup"), "{name}: {text}");
        assert!(!elsewhere.data().exists(), "{name}: nothing is left behind");
    }
    let text = restore(&server.folder, "backup");
    assert!(text.contains("is not empty"), "{text}");
    restore(&elsewhere, "nowhere");

    assert!(done(&elsewhere, &["restore", file.to_str().unwrap()]).contains("and 1 pictures"));
    let again = Server::on(&elsewhere, &[]);
    assert!(!is_alive(&again, &person.token), "it may have been signed out since");
    let person = Person { token: person.sign_in(&again), ..person };
    assert_eq!(person.inbox(&again)["data"][0]["message"], "a note from before");
    let listed = done(&elsewhere, &["feedback", "list"]);
    let file = elsewhere.file("picture");
    done(&elsewhere, &["feedback", "show", &listed[..36], "--picture", file.to_str().unwrap()]);
    send_note(&again, &target, "life goes on there").assert(201, "Anonymous Message Sent");
}

#[test]
fn without_a_server_every_command_says_so_in_a_sentence() {
    let id = "0193b0a0-0000-7000-8000-000000000000";
    let (nothing, stopped) = (Folder::new(), Folder::new());
    assert!(Server::on(&stopped, &[]).stop().success());
    let killed = Server::start();
    let left_behind = killed.folder.clone();
    drop(killed);
    assert!(left_behind.data().join("control.sock").exists());
    for folder in [nothing, stopped, left_behind] {
        let backup = folder.file("backup");
        for arguments in [
            &["stats"][..],
            &["check"],
            &["user", "list"],
            &["user", "find", "some"],
            &["user", "export", "somebody"],
            &["room", "list"],
            &["room", "close", id],
            &["user", "delete", "somebody"],
            &["user", "reset", "somebody"],
            &["user", "unlock", "somebody"],
            &["user", "suspend", "somebody", "--days", "1", "--reason", "spam"],
            &["user", "restore", "somebody"],
            &["mail"],
            &["mail", "test", "some@body.example"],
            &["report", "list"],
            &["report", "show", id],
            &["report", "close", id],
            &["feedback", "list"],
            &["feedback", "show", id],
            &["feedback", "delete", id],
            &["backup", backup.to_str().unwrap()],
            &["backup", "-"],
        ] {
            let text = failed(&folder, arguments);
            assert!(text.starts_with("no server is running on the data folder "), "{text}");
        }
        assert!(!backup.exists());
    }
}

#[test]
fn the_folder_and_everything_in_it_is_its_owners_alone() {
    let (server, person) = Person::with(&[]);
    send_note(&server, &person.target(&server), "a note that is nobody's business");
    Form::with_text("words with a picture").picture(&picture(8, 8, ImageFormat::Png)).send(&server);
    let data = server.folder.data();
    assert_eq!((mode(&data), mode(&data.join("control.sock"))), (0o700, 0o600));
    for private in ["secret", "keys", "images"] {
        assert_eq!(mode(&data.join(private)) & 0o077, 0, "{private}");
    }
    for folder in ["commit-log", "images", "index"] {
        assert!(!files_below(&data.join(folder)).is_empty(), "{folder}");
        for (path, _) in files_below(&data.join(folder)) {
            assert_eq!(mode(&path), 0o600, "{path:?}");
        }
    }
}

#[test]
fn nonsense_at_the_operators_door_is_turned_away() {
    let server = Server::start();
    let ask = |bytes: &[u8]| {
        let mut door = UnixStream::connect(server.folder.data().join("control.sock")).unwrap();
        let _ = door.write_all(bytes);
        door.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = Vec::new();
        let _ = door.read_to_end(&mut answer);
        printed(&answer)
    };
    for odd in [
        &b"\n"[..],
        b"nonsense\n",
        b"{\"user\":7}\n",
        b"{\"user\":\"list\"",
        b"\"openapi\"\n",
        b"\xff\xfe\n",
        &[b'x'; 100_000],
    ] {
        let answer = ask(odd);
        assert!(answer.is_empty() || answer.starts_with("{\"failed\":"), "{answer}");
    }
    assert!(ask(b"{\"user\":{\"list\":{\"json\":true}}}\n").ends_with("\"end\"\n"));
}

#[test]
fn a_second_server_on_a_folder_or_a_port_is_refused_in_a_sentence() {
    let server = Server::start();
    let (code, text) = refusal(&server.folder, &[]);
    assert_eq!(code, Some(1));
    assert!(text.contains("another annon is running on the data folder"), "{text}");
    let output = annon()
        .args(["--listen", &server.address.to_string(), "--log-format", "json", "--data-dir"])
        .arg(Folder::new().data())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(printed(&output.stderr).contains(&format!("can't listen on {}", server.address)), "{output:?}");
    server.get("/healthz").send().assert(200, "alive");
    assert!(done(&server.folder, &["stats"]).contains("store takes writes"), "its door is still there");
}

#[test]
fn a_shell_completes_commands_and_the_manual_has_a_page_for_each() {
    let folder = Folder::new();
    for (shell, words) in [("bash", "complete -F _annon"), ("zsh", "#compdef annon"), ("fish", "complete -c annon")] {
        let script = done(&folder, &["completions", shell]);
        assert!(script.contains(words) && script.contains("healthcheck"), "{shell}");
    }
    let pages = folder.file("pages");
    let path = pages.to_str().unwrap();
    assert!(failed(&folder, &["man", path]).starts_with("can't write into "), "there is no folder");
    fs::create_dir(&pages).unwrap();
    done(&folder, &["man", path]);
    let names: Vec<_> = files_below(&pages).into_iter().map(|(page, _)| page.file_name().unwrap().to_owned()).collect();
    for page in ["annon.1", "annon-backup.1", "annon-user-list.1"] {
        assert!(names.iter().any(|name| name == page), "{page} is not among {names:?}");
    }
    assert!(!names.iter().any(|name| name.to_str().unwrap().contains("help")), "{names:?}");
    assert!(fs::read_to_string(pages.join("annon.1")).unwrap().contains("ANNON_PUBLIC_URL"));
    assert!(!fs::read_to_string(pages.join("annon-user.1")).unwrap().contains("ANNON_SMTP_URL"));
}
