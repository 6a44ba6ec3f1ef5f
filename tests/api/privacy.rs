//! No file and no line of the log tells who people are or what they wrote.

use image::ImageFormat;
use rustix::process::Signal;
use serde_json::{Value, json};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;

use crate::support::client::{Answer, Call, Connection};
use crate::support::form::{Form, picture};
use crate::support::patience::{wait_for, wait_until};
use crate::support::person::{Person, fresh_name, password_is_set};
use crate::support::server::{Server, files_below, holds};
use crate::support::test_socket::{SOCKET, TestSocket, handshake};

const ADDRESS: &str = "203.0.113.77";
const AGENT: &str = "TellTaleAgent/7.1";
const COOKIE: &str = "crumbs-of-a-cookie";
const NOTE: &str = "the words of a note";
const TAG: &str = "bWFya2VkLXRhZy1vZi0xIQ";
const FEEDBACK: &str = "the words of feedback";
const REPORT: &str = "the words of a report";
const NEW_PASSWORD: &str = "battery staple";
const STRAY: &str = "typed-into-the-wrong-field";

/// Adds the headers of a browser behind a proxy.
fn from_somebody(call: Call) -> Call {
    call.header("X-Forwarded-For", ADDRESS)
        .header("User-Agent", AGENT)
        .header("Cookie", &format!("annon_token={COOKIE}"))
        .header("Referer", &format!("https://annon.example/{STRAY}"))
        .header("X-Request-Id", STRAY)
}

/// What must not be found, each with a name for the report.
type Secrets = Vec<(&'static str, String)>;

/// Does everything on the server that a person can do, with every mistake.
fn live(server: &Server) -> Secrets {
    let name = fresh_name();
    let (email, password) = (format!("{name}@tell-tale.example"), format!("password of {name}"));
    let post = |path: &str, body: &Value| from_somebody(server.post(path)).json(body).send();
    let register = json!({ "username": name, "email": email, "password": password });
    post("/api/register", &register).assert(201, "User Account Created");
    post("/api/register", &register);
    let answer = post("/api/login", &json!({ "email_or_username": email, "password": password }));
    let token = answer.json()["access_token"].as_str().unwrap().to_owned();
    let person = Person { username: name.clone(), email: email.clone(), password: password.clone(), token };
    let own = |method: &str, path: &str| from_somebody(person.call(server, method, path));
    let mut socket = TestSocket::of(server, &person);
    let target = from_somebody(server.get(&format!("/api/annon/{name}"))).send().message();
    post("/api/annon-message", &json!({ "id": target, "message": NOTE, "tag": TAG }))
        .assert(201, "Anonymous Message Sent");
    let note = socket.next_frame()["note"]["id"].as_str().unwrap().to_owned();
    socket.send_text(&json!({ "event": STRAY }).to_string());
    socket.send_text(STRAY);
    assert_eq!(own("GET", "/api/dashboard").send().status, 200);
    assert_eq!(own("GET", &format!("/api/mark_as_seen/{note}")).send().status, 200);
    assert_eq!(own("GET", &format!("/api/messages?before={note}&limit=1")).send().status, 200);

    for call in mistakes(server, &name, &email, &password) {
        let status = from_somebody(call).send().status;
        assert!((400..500).contains(&status), "{status}");
    }
    let mut rude = Connection::open(server.address);
    rude.send(format!("GET /{STRAY}\0 {STRAY}\r\n{STRAY}\r\n\r\n").as_bytes()).unwrap();
    assert_eq!(rude.read("GET").unwrap().status, 400);

    let form = Form::with_text(FEEDBACK).picture(&picture(8, 8, ImageFormat::Png));
    from_somebody(form.call(server)).send().assert(201, "Feedback sent");
    own("POST", "/api/report").json(&json!({ "about": "note", "id": note, "words": REPORT })).send().assert_reported();
    post("/api/report", &json!({ "about": "page", "id": STRAY, "words": REPORT }));
    let change = json!({ "old_password": password, "new_password": NEW_PASSWORD });
    password_is_set(&own("POST", "/api/user/change-password").json(&change).send());
    for _ in 0..4 {
        post("/api/password-reset", &json!({ "email": email }));
    }
    wait_until("a refused mail", || server.log.count("a reset link was not mailed") > 0);
    let mail = wait_for("three mails", || server.folder.mails().into_iter().nth(2));
    let reset = mail.split("/reset/").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    from_somebody(server.get(&format!("/reset/{reset}"))).send();

    let backup = server.folder.file("backup");
    for order in [
        &["user", "list"][..],
        &["mail"],
        &["feedback", "list"],
        &["report", "list", "--json"],
        &["stats"],
        &["backup", backup.to_str().unwrap()],
    ] {
        assert!(server.folder.annon(order).status.success());
    }
    let payload = person.token.split('.').nth(1).unwrap();
    let claims: Value = serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(payload).unwrap()).unwrap();
    let own = |name: &str| claims[name].as_str().unwrap().to_owned();
    let (account, sign_in) = (own("sub"), own("jti"));
    vec![
        ("address", ADDRESS.to_owned()),
        ("user agent", AGENT.to_owned()),
        ("cookie", COOKIE.to_owned()),
        ("note", NOTE.to_owned()),
        ("tag", TAG.to_owned()),
        ("feedback", FEEDBACK.to_owned()),
        ("report", REPORT.to_owned()),
        ("new password", NEW_PASSWORD.to_owned()),
        ("stray words", STRAY.to_owned()),
        ("name", name),
        ("mail address", email),
        ("password", password),
        ("token", person.token),
        ("reset token", reset),
        ("target id", target),
        ("note id", note),
        ("account id", account),
        ("sign-in id", sign_in),
    ]
}

/// Calls that fail, with something in them that must not be logged.
fn mistakes(server: &Server, name: &str, email: &str, password: &str) -> Vec<Call> {
    let json_text = |path: &str, body: &str| server.post(path).header("Content-Type", "application/json").body(body);
    vec![
        json_text("/api/login", &format!("{{\"email_or_username\":\"{name}\",\"password\":\"{STRAY}\"}}")),
        json_text("/api/login", &format!("{{\"email_or_username\":\"{STRAY}\",\"password\":\"{password}\"}}")),
        json_text("/api/login", &format!("{{\"email_or_username\":\"{email}\",\"password\":\"{password}")),
        json_text("/api/login", &format!("{{\"{password}\":7,\"email_or_username\":[\"{email}\"]}}")),
        json_text("/api/annon-message", &format!("{{\"id\":\"{STRAY}\",\"message\":\"{NOTE}\"}}")),
        json_text("/api/password-reset/confirm", &format!("{{\"token\":\"{STRAY}\",\"new_password\":\"{password}\"}}")),
        Form::with_text("short").field(STRAY, STRAY.as_bytes()).call(server),
        Form::with_text(FEEDBACK).picture(STRAY.as_bytes()).call(server),
        server.get(&format!("/api/annon/{STRAY}?{STRAY}")),
        server.get(&format!("/api/{STRAY}/{name}")),
        server.get("/api/dashboard").bearer(STRAY),
        server.get(SOCKET).header("Sec-WebSocket-Protocol", &format!("bearer, {STRAY}")),
        handshake(server, SOCKET, &format!("bearer, {STRAY}")).header("Origin", &format!("https://{STRAY}.example")),
        server.call(STRAY, &format!("/api/{STRAY}")),
    ]
}

fn assert_silent(what: &str, text: &[u8], secrets: &Secrets) {
    let text = text.to_ascii_lowercase();
    for (name, secret) in secrets {
        assert!(!holds(&text, secret.to_ascii_lowercase()), "{what} tells the {name} {secret:?}");
    }
}

#[test]
fn no_log_line_and_no_number_tells_anything_about_anybody() {
    let mut server = Server::with(&["--log-level", "debug", "--trusted-proxies", "127.0.0.1"]);
    let secrets = live(&server);
    let metrics: Answer = server.metrics();
    assert_silent("/metrics", &metrics.body, &secrets);
    server.stop();
    let lines = server.log.whole();
    assert!(lines.iter().filter(|line| line.contains("\"answered\"")).count() > 20, "debug says what is done");
    for line in &lines {
        assert_silent("the log", line.as_bytes(), &secrets);
        let is_own_address = line.contains("\"listening\"");
        assert!(is_own_address || !line.contains("127.0.0.1"), "{line}");
    }
}

/// Once the server is told to stop, and once it is killed and cannot tidy up.
#[test]
fn no_file_holds_a_word_in_plain_text() {
    for signal in [Signal::TERM, Signal::KILL] {
        let mut server = Server::with(&["--trusted-proxies", "127.0.0.1"]);
        let mut secrets = live(&server);
        server.signal(signal);
        server.wait();
        // Records are filed under ids, which lead nowhere without the keys.
        secrets.retain(|(name, _)| !name.ends_with(" id"));
        let files = files_below(&server.folder.data());
        assert!(files.iter().any(|(path, bytes)| path.extension().is_some_and(|it| it == "log") && !bytes.is_empty()));
        for (path, bytes) in files {
            assert_silent(&path.display().to_string(), &bytes, &secrets);
        }
    }
}
