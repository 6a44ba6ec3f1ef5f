//! `annon doctor` says what is wrong around a server, and what to do.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::process::Command;

use serde_json::Value;

use crate::api::mail::{MailServer, free_address};
use crate::support::server::{Folder, Server, printed};

/// What it says about each thing: state, and words.
fn examined(folder: &Folder, flags: &[&str]) -> BTreeMap<String, (String, String)> {
    let output = folder.annon(&[&["doctor", "--json"], flags].concat());
    let findings: Vec<Value> =
        printed(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrongs = findings.iter().filter(|finding| finding["state"] == "wrong").count();
    assert_eq!(output.status.code(), Some(i32::from(wrongs > 0)), "{output:?}");
    let counted = match wrongs {
        0 => String::new(),
        1 => "annon: one thing is wrong\n".to_owned(),
        many => format!("annon: {many} things are wrong\n"),
    };
    assert_eq!(printed(&output.stderr), counted);
    let text = |finding: &Value, field: &str| finding[field].as_str().unwrap().to_owned();
    let told = |finding: &Value| (text(finding, "about"), (text(finding, "state"), text(finding, "says")));
    findings.iter().map(told).collect()
}

#[track_caller]
fn assert_says(found: &BTreeMap<String, (String, String)>, about: &str, state: &str, words: &str) {
    let (is, says) = &found[about];
    assert!(is == state && says.contains(words), "{about}: {is}, {says}");
}

#[test]
fn a_server_without_backups_hears_of_it_until_there_is_one() {
    let server = Server::start();
    let listen = server.address.to_string();
    let flags = ["--listen", listen.as_str()];
    let found = examined(&server.folder, &flags);
    assert_says(&found, "server", "ok", "ready");
    assert_says(&found, "backup", "wrong", "there is no backup yet");
    assert_says(&found, "data folder", "ok", "data");
    assert_says(&found, "sync", "ok", "a sync takes");
    assert_says(&found, "disk", "ok", " are free");
    assert_says(&found, "mail", "note", "--smtp-url names a mail server");
    assert_says(&found, "address", "note", "--public-url names the public address");
    assert!(!found.contains_key("certificate") && !found.contains_key("databases"));

    let backup = server.folder.file("backup");
    assert!(server.folder.annon(&["backup", backup.to_str().unwrap()]).status.success());
    assert_says(&examined(&server.folder, &flags), "backup", "ok", "0 hours ago");
    let file = server.folder.data().join("last-backup");
    assert!(Command::new("touch").args(["-d", "3 days ago"]).arg(file).status().unwrap().success());
    assert_says(&examined(&server.folder, &flags), "backup", "wrong", "3 days ago");
    // It leaves nothing behind.
    let left = fs::read_dir(server.folder.data()).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("doctor")), "{left:?}");
    assert_eq!(server.log.count("the operator's connection ended early"), 0, "it is no trouble of the server");
}

#[test]
fn what_is_around_a_server_is_looked_at_before_it_starts() {
    let (folder, at): (_, SocketAddr) = (Folder::new(), free_address());
    let url = format!("smtp+plain://{at}");
    let flags = ["--smtp-url", &url, "--public-url", "https://annon.example", "--sync", "off"];
    let found = examined(&folder, &flags);
    assert_says(&found, "server", "note", "none runs on the data folder");
    assert_says(&found, "mail", "wrong", "nothing listens at its address");
    assert_says(&found, "address", "wrong", "--trusted-proxies");
    assert_says(&found, "sync", "wrong", "--sync off");
    assert_says(&found, "data folder", "note", "isn't there yet");
    assert!(!folder.data().exists(), "nothing was written");

    let _mail_server = MailServer::started(at, &folder);
    fs::create_dir(folder.data()).unwrap();
    let found = examined(&folder, &[&flags[..4], &["--trusted-proxies", "127.0.0.1"]].concat());
    assert_says(&found, "mail", "ok", "the mail server answers");
    assert_says(&found, "address", "ok", "https://annon.example");
    assert_says(&found, "sync", "ok", "a sync takes");

    fs::remove_dir(folder.data()).unwrap();
    fs::write(folder.data(), "").unwrap();
    assert_says(&examined(&folder, &[]), "data folder", "wrong", "is a file");
}

#[test]
fn a_certificate_that_ends_soon_is_said_to() {
    let folder = Folder::new();
    let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.file(name).to_str().unwrap().to_owned());
    let flags = ["--tls-cert", &certificate, "--tls-key", &key];
    for (days, state, words) in [
        ("90", "ok", "it is valid for 89 days"),
        ("5", "wrong", "it is valid for 4 days: renew it, and SIGHUP"),
        ("2", "wrong", "it is valid for 1 day: "),
    ] {
        let mut openssl = Command::new("openssl");
        openssl.args(["req", "-x509", "-newkey", "ed25519", "-noenc", "-subj", "/CN=localhost", "-days", days]);
        assert!(openssl.args(["-out", &certificate, "-keyout", &key]).output().unwrap().status.success());
        assert_says(&examined(&folder, &flags), "certificate", state, words);
    }
    fs::write(&certificate, "nonsense").unwrap();
    assert_says(&examined(&folder, &flags), "certificate", "wrong", "there is no certificate in");
}
