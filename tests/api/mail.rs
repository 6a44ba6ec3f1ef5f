//! Sending mails to real mail servers: a good one, one that starts late, and some that refuse.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use rustix::process::Signal;

use crate::support::certificate::certify;
use crate::support::patience::{wait_for, wait_until};
use crate::support::person::{Person, forget_password, register};
use crate::support::server::{Folder, Process, Server, annon, files_below, holds, printed, refusal};

/// The mail server aiosmtpd, which stores in a folder what it receives.
pub(crate) struct MailServer {
    _process: Process,
    folder: PathBuf,
}

impl MailServer {
    fn start(at: SocketAddr, folder: &Folder) -> Self {
        Self::with(at, folder, &[])
    }

    fn with(at: SocketAddr, folder: &Folder, flags: &[&str]) -> Self {
        let folder = folder.file("mailbox");
        let process = Command::new("/usr/bin/python3")
            .args(["-m", "aiosmtpd", "-n", "-l", &at.to_string(), "-c", "aiosmtpd.handlers.Mailbox"])
            .args(flags)
            .arg(&folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3-aiosmtpd is needed here");
        Self { _process: Process(process), folder }
    }

    pub(crate) fn started(at: SocketAddr, folder: &Folder) -> Self {
        let server = Self::start(at, folder);
        wait_until("a mail server", || TcpStream::connect(at).is_ok());
        server
    }

    pub(crate) fn mails(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.folder.join("new")) else { return Vec::new() };
        entries.map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap()).collect()
    }
}

/// An address that nobody listens on at the moment.
pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

#[test]
fn without_a_mail_server_mails_are_shown_by_the_command_and_lie_in_no_file() {
    let server = Server::start();
    let people = [(); 2].map(|()| Person::new(&server));
    let mut mails = Vec::new();
    for person in &people {
        assert_eq!(forget_password(&server, &person.email).status, 200);
        mails = wait_for("a mail more", || Some(server.folder.mails()).filter(|now| now.len() > mails.len()));
    }
    for (mail, person) in mails.iter().zip(&people) {
        for line in [
            format!("To: {}", person.email),
            "Subject: Set a new password for Annon".to_owned(),
            format!("Hello {},", person.username),
            "nothing changes.".to_owned(),
        ] {
            assert!(mail.lines().any(|known| known == line), "no {line} in {mail}");
        }
    }
    let links: Vec<_> = mails.iter().filter_map(|mail| mail.split("/reset/").nth(1)?.lines().next()).collect();
    for (path, bytes) in files_below(&server.folder.data()) {
        for secret in links.iter().copied().chain(people.iter().map(|person| person.email.as_str())) {
            assert!(!holds(&bytes, secret), "{} tells {secret}", path.display());
        }
    }
}

#[test]
fn mails_are_files_only_where_somebody_names_a_folder() {
    let folder = Folder::new();
    let mails = folder.file("mails");
    let server = Server::on(&folder, &["--mail-folder", mails.to_str().unwrap()]);
    let person = Person::new(&server);
    assert_eq!(forget_password(&server, &person.email).status, 200);
    let mail = wait_for("a mail", || Folder::filed_mails(&mails).pop());
    assert!(mail.contains(&person.email), "{mail}");
    for path in [&mails, &files_below(&mails)[0].0] {
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{}", path.display());
    }
    let asked = folder.annon(&["mail"]);
    assert_eq!(printed(&asked.stderr), format!("annon: mails are files in {}\n", mails.display()));
    let both = annon().args(["check-config", "--smtp-url", "smtp://mail.example", "--mail-folder", "x"]).output();
    assert_eq!(both.unwrap().status.code(), Some(2));
}

const TRYING_AGAIN: &str = "the mail server did not take a mail; trying again";
const REFUSED: &str = "the mail server refused a mail";
const HANDED_OVER: &str = "a mail was handed to the mail server";

#[test]
fn a_mail_reaches_a_real_mail_server() {
    let (folder, at) = (Folder::new(), free_address());
    let mail_server = MailServer::started(at, &folder);
    let url = format!("smtp+plain://{at}");
    let server = Server::on(&folder, &["--smtp-url", &url, "--mail-from", "hello@annon.example"]);
    let person = Person::new(&server);
    let mail = wait_for("a mail", || mail_server.mails().into_iter().next());
    for line in [format!("X-RcptTo: {}", person.email), "X-MailFrom: hello@annon.example".to_owned()] {
        assert!(mail.contains(&line), "no {line} in {mail}");
    }
    assert!(mail.contains("From: Annon <hello@annon.example>"), "{mail}");
    assert!(mail.contains(&format!("http://{}/confirm/", server.address)), "{mail}");
    assert!(server.log.wait_for(HANDED_OVER).is_some());
    let asked = server.folder.annon(&["mail"]);
    assert_eq!(printed(&asked.stderr), "annon: mails go to the mail server; none are kept here\n");
}

#[test]
fn a_mail_waits_for_a_mail_server_that_comes_late() {
    let (folder, at) = (Folder::new(), free_address());
    let server = Server::on(&folder, &["--smtp-url", &format!("smtp+plain://{at}")]);
    let person = Person::new(&server);
    assert_eq!(server.log.wait_for(TRYING_AGAIN).unwrap()["reason"], "nothing listens at its address");
    let mail_server = MailServer::start(at, &folder);
    let mail = wait_for("a mail", || mail_server.mails().into_iter().next());
    assert!(mail.contains(&person.email), "{mail}");
}

#[test]
fn the_operator_tries_whether_mails_arrive_and_hears_why_they_do_not() {
    let (folder, at) = (Folder::new(), free_address());
    let server = Server::on(&folder, &["--smtp-url", &format!("smtp+plain://{at}")]);
    let test = |address: &str| {
        let output = folder.annon(&["mail", "test", address]);
        (output.status.code(), printed(&output.stdout) + &printed(&output.stderr))
    };
    let nothing = "annon: the mail server did not take the mail: nothing listens at its address\n";
    assert_eq!(test("some@body.example"), (Some(1), nothing.to_owned()));
    assert_eq!(test("nobody"), (Some(1), "annon: that is not a mail address\n".to_owned()));
    let mail_server = MailServer::started(at, &folder);
    assert_eq!(test("some@body.example"), (Some(0), "the mail server took a mail to some@body.example\n".to_owned()));
    let mails = mail_server.mails();
    assert!(mails.len() == 1 && mails[0].contains("X-RcptTo: some@body.example"), "{mails:?}");
    assert!(mails[0].contains(&format!("http://{}", server.address)), "{mails:?}");

    let silent = Folder::new();
    let _server = Server::on(&silent, &[]);
    let output = printed(&silent.annon(&["mail", "test", "some@body.example"]).stdout);
    assert_eq!(output, "there is no mail server; the mail is kept here, and annon mail shows it\n");
    assert!(silent.mails().iter().any(|mail| mail.contains("To: some@body.example")));
}

/// A reset link opens the account, so it is never sent in the clear when TLS was asked for.
#[test]
fn a_mail_does_not_leave_in_the_clear_when_tls_was_asked_for() {
    let (folder, at) = (Folder::new(), free_address());
    let mail_server = MailServer::started(at, &folder);
    for (scheme, reason) in [
        ("smtp", "it does not offer the encryption, or the way to sign in, that was asked for"),
        ("smtps", "it does not speak TLS as it should"),
    ] {
        let folder = Folder::new();
        let server = Server::on(&folder, &["--smtp-url", &format!("{scheme}://{at}")]);
        Person::new(&server);
        assert_eq!(server.log.wait_for(TRYING_AGAIN).unwrap()["reason"], reason);
    }
    assert_eq!(mail_server.mails(), [""; 0]);
}

/// Many have a mail server whose certificate they have signed themselves.
#[test]
fn a_mail_server_is_trusted_if_its_certificate_is_named() {
    for (scheme, [certificate_is, key_is]) in
        [("smtp", ["--tlscert", "--tlskey"]), ("smtps", ["--smtpscert", "--smtpskey"])]
    {
        let (folder, at) = (Folder::new(), free_address());
        let (certificate, key) = certify(&folder, "mail");
        let mail_server = MailServer::with(at, &folder, &[certificate_is, &certificate, key_is, &key]);
        wait_until("a mail server", || TcpStream::connect(at).is_ok());
        let url = format!("{scheme}://{at}");
        let test = |flags: &[&str]| {
            let folder = Folder::new();
            let _server = Server::on(&folder, &[&["--smtp-url", &url], flags].concat());
            let output = folder.annon(&["mail", "test", "some@body.example"]);
            printed(&output.stdout) + &printed(&output.stderr)
        };
        // On a busy machine it accepts connections before it speaks.
        let is_heard = |says: &String| !says.contains("it can't be reached");
        let says = wait_for("the mail server", || Some(test(&[])).filter(is_heard));
        assert!(says.contains("nobody who is trusted has signed its certificate: --smtp-certificates"), "{says}");
        assert_eq!(mail_server.mails(), [""; 0]);
        assert_eq!(test(&["--smtp-certificates", &certificate]), "the mail server took a mail to some@body.example\n");
        assert_eq!(mail_server.mails().len(), 1);
        let (other, _) = certify(&folder, "other");
        assert!(test(&["--smtp-certificates", &other]).contains("nobody who is trusted"));
    }
    for (url, file, message) in [
        ("smtps://mail.example", "/nowhere", "can't read the certificates in /nowhere"),
        ("smtps://mail.example", "/dev/null", "there is no certificate in /dev/null"),
        ("smtp+plain://mail.example", "/dev/null", "--smtp-certificates is of no use with smtp+plain://"),
    ] {
        let checked = annon().args(["check-config", "--smtp-url", url, "--smtp-certificates", file]).output().unwrap();
        assert!(checked.status.code() == Some(1) && printed(&checked.stderr).contains(message), "{checked:?}");
    }
}

/// As openssl makes one that isn't asked for anything else: an authority's.
#[test]
fn a_mail_server_with_an_authoritys_certificate_is_trusted_if_it_is_that_one() {
    for (scheme, flags) in [("smtp", ["--tlscert", "--tlskey"]), ("smtps", ["--smtpscert", "--smtpskey"])] {
        let (folder, at) = (Folder::new(), free_address());
        let make = |name: &str| {
            let [certificate, key] =
                ["crt", "key"].map(|kind| folder.file(&format!("{name}.{kind}")).display().to_string());
            let mut openssl = Command::new("openssl");
            openssl.args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]);
            openssl.args(["-days", "2", "-subj", "/CN=mail", "-out", &certificate, "-keyout", &key]);
            assert!(openssl.output().unwrap().status.success());
            (certificate, key)
        };
        let ((certificate, key), (other, _)) = (make("mail"), make("other"));
        let mail_server = MailServer::with(at, &folder, &[flags[0], &certificate, flags[1], &key]);
        wait_until("a mail server", || TcpStream::connect(at).is_ok());
        let url = format!("{scheme}://{at}");
        let doctor =
            |named: &str| printed(&folder.annon(&["doctor", "--smtp-url", &url, "--smtp-certificates", named]).stdout);
        wait_until("its answer", || doctor(&certificate).contains("the mail server answers"));
        let says = doctor(&other);
        assert!(says.contains("nobody who is trusted") || says.contains("has to name that one itself"), "{says}");
        let sent = |named: &str| {
            let folder = Folder::new();
            let _server = Server::on(&folder, &["--smtp-url", &url, "--smtp-certificates", named]);
            printed(&folder.annon(&["mail", "test", "some@body.example"]).stdout)
        };
        assert_eq!(sent(&other), "");
        assert_eq!(mail_server.mails(), [""; 0]);
        assert_eq!(sent(&certificate), "the mail server took a mail to some@body.example\n");
        assert_eq!(mail_server.mails().len(), 1);
    }
}

/// A mail server. `refusal_of` gets the connection's number and the recipient.
fn mail_server(refusal_of: impl Fn(usize, &str) -> Option<&'static str> + Clone + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp+plain://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for (nth, stream) in listener.incoming().enumerate() {
            let (stream, refusal_of) = (stream.unwrap(), refusal_of.clone());
            thread::spawn(move || converse(stream, |to| refusal_of(nth, to)));
        }
    });
    url
}

fn converse(mut stream: TcpStream, refusal: impl Fn(&str) -> Option<&'static str>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    stream.write_all(b"220 mail.example\r\n")?;
    while let Some(line) = lines.next().transpose()? {
        let answer = match line.get(..4).unwrap_or_default() {
            "EHLO" => "250-mail.example\r\n250 AUTH PLAIN",
            "AUTH" => refusal(&line).unwrap_or("235 it is you"),
            "RCPT" => refusal(&line).unwrap_or("250 fine"),
            "DATA" => "354 go on",
            "QUIT" => "221 bye",
            _ => "250 fine",
        };
        stream.write_all(format!("{answer}\r\n").as_bytes())?;
        if answer.starts_with("354") {
            while lines.next().transpose()?.is_some_and(|line| line != ".") {}
            stream.write_all(b"250 taken\r\n")?;
        }
    }
    Ok(())
}

#[test]
fn a_mail_that_is_put_off_is_tried_again_and_one_that_is_refused_is_not() {
    let server = Server::with(&["--smtp-url", &mail_server(|nth, _| (nth == 0).then_some("451 come back later"))]);
    Person::new(&server);
    assert!(server.log.wait_for(HANDED_OVER).is_some());
    assert_eq!(server.log.wait_for(TRYING_AGAIN).unwrap()["reason"], "it wants to be asked again later");
    assert_eq!(server.log.count(TRYING_AGAIN), 1);

    let (server, person) =
        Person::with(&["--smtp-url", &mail_server(|nth, _| (nth == 0).then_some("550 no such person"))]);
    let line = server.log.wait_for(REFUSED).unwrap();
    assert_eq!(line["status"], "550");
    Person::new(&server);
    assert!(server.log.wait_for(HANDED_OVER).is_some(), "the next one is not held up");
    assert_eq!(server.log.count(TRYING_AGAIN), 0);
    assert!(!server.log.lines().join("\n").contains(&person.email));
}

#[test]
fn a_new_password_for_the_mail_server_needs_no_restart() {
    let folder = Folder::new();
    let file = folder.file("password");
    fs::write(&file, "first\n").unwrap();
    let right = format!("AUTH PLAIN {}", BASE64_STANDARD.encode("\0annon\0second"));
    let wrong = move |_, line: &str| (line.starts_with("AUTH") && line != right).then_some("535 wrong");
    let url = mail_server(wrong).replace("://", "://annon@");
    let server = Server::on(&folder, &["--smtp-url", &url, "--smtp-password-file", file.to_str().unwrap()]);
    let test = || printed(&folder.annon(&["mail", "test", "some@body.example"]).stderr);
    assert_eq!(test(), "annon: the mail server refused the mail, with 535: the user or the password is wrong\n");
    let flags = ["doctor", "--smtp-url", &url, "--smtp-password-file", file.to_str().unwrap()];
    let looked = printed(&folder.annon(&flags).stdout);
    let wrong = "the mail server can't be used: it refuses, with 535: the user or the password is wrong\n";
    assert!(looked.contains(wrong), "{looked}");
    fs::remove_file(&file).unwrap();
    server.signal(Signal::HUP);
    assert!(server.log.wait_for("what signs in to the mail server stays as it was read before").is_some());
    fs::write(&file, "second\n").unwrap();
    server.signal(Signal::HUP);
    assert!(server.log.wait_for("what signs in to the mail server was read anew").is_some());
    assert_eq!(test(), "");
}

#[test]
fn a_mail_that_is_put_off_holds_up_no_other_and_many_are_one_line() {
    let refusals = Arc::new(AtomicUsize::new(0));
    let counted = refusals.clone();
    let refusal = move |_, to: &str| {
        let is_refused = to.contains("nowhere.example");
        counted.fetch_add(usize::from(is_refused), SeqCst);
        is_refused.then_some("450 come back later")
    };
    let server = Server::with(&["--smtp-url", &mail_server(refusal)]);
    for n in 0..3 {
        let email = format!("somebody-{n}@nowhere.example");
        assert_eq!(register(&server, &format!("somebody-{n}"), &email, "correct horse").status, 201);
    }
    wait_until("all of them being put off", || refusals.load(SeqCst) >= 3);
    Person::new(&server);
    // The next try for those mails is 15 seconds away.
    assert!(server.log.wait_for(HANDED_OVER).is_some());
    assert!(refusals.load(SeqCst) <= 6);
    assert_eq!(server.log.count(TRYING_AGAIN), 1);
}

#[test]
fn a_wrong_mail_server_is_refused_at_once_and_never_quoted() {
    for (flag, value, message) in [
        ("--smtp-url", "mail.example:25", "--smtp-url has to begin with smtp://, smtps:// or smtp+plain://"),
        ("--smtp-url", "http://u:hunter2@mail.example", "--smtp-url has to begin with"),
        ("--smtp-url", "smtp://u:hunter2@", "--smtp-url is not the address of a mail server"),
        ("--smtp-url", "smtp://u:hunter2@mail.example:99999", "--smtp-url is not the address of a mail server"),
        ("--mail-from", "not an address", "--mail-from is not a mail address"),
    ] {
        let (code, text) = refusal(&Folder::new(), &[flag, value]);
        assert_eq!(code, Some(1), "{value}");
        assert!(text.contains(message) && !text.contains("hunter2"), "{text}");
        let checked = annon().args(["check-config", flag, value]).output().unwrap();
        assert_eq!(checked.status.code(), Some(1), "{value}");
        let text = printed(&checked.stderr);
        assert!(text.contains(message) && !text.contains("hunter2"), "{text}");
    }
}
