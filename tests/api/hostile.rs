//! Requests that no page would send: each gets a sentence, and no other client notices.

use std::net::TcpStream;
use std::process::Command;

use serde_json::json;

use crate::api::json::{NOT_JSON, WRONG_FIELDS};
use crate::support::client::{Connection, dial_from, raw};
use crate::support::patience::wait_until;
use crate::support::person::{Person, register};
use crate::support::reused_connection::ReusedConnection;
use crate::support::server::{ANNON, Folder, NO_LIMITS, Server, holds};

const TOO_LARGE: &str = "That is more than this call takes.";

#[test]
fn a_body_that_is_too_large_is_refused_whether_it_is_announced_or_not() {
    let server = Server::with(NO_LIMITS);
    let mut connection = ReusedConnection::open(&server);
    let most = 16 * 1024;
    let padded = |length: usize| format!("{{{}}}", " ".repeat(length - 2));
    let login = || server.post("/api/login").header("Content-Type", "application/json");
    connection.send(login().body(padded(most))).assert(400, WRONG_FIELDS);
    for length in [most + 1, 200_000, 5_000_000] {
        connection.send(login().body(padded(length))).assert(413, TOO_LARGE);
    }
    let announce = |length: &str| {
        let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length:";
        raw(server.address, format!("{head} {length}\r\n\r\n").as_bytes(), "POST", "/api/login")
    };
    announce("16385").assert(413, TOO_LARGE);
    announce("99999999999").assert(413, TOO_LARGE);
    announce("18446744073709551615").assert(413, TOO_LARGE);

    let chunked = |chunks: usize| {
        let head = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
        let body = format!("3e8\r\n{}\r\n", " ".repeat(1000)).repeat(chunks);
        raw(server.address, format!("{head}{body}0\r\n\r\n").as_bytes(), "POST", "/api/login")
    };
    chunked(10).assert(400, NOT_JSON);
    chunked(17).assert(413, TOO_LARGE);
    chunked(2000).assert(413, TOO_LARGE);
}

#[test]
fn a_body_that_is_cut_short_is_refused_and_does_nothing() {
    let server = Server::with(NO_LIMITS);
    let body = json!({ "username": "half-person", "email": "half@mail.example", "password": "password" });
    let whole = server.post("/api/register").json(&body).bytes();
    for missing in [1, 20] {
        let mut connection = Connection::open(server.address);
        connection.send(&whole[..whole.len() - missing]).unwrap();
        connection.finish();
        connection.answer_to("POST", "/api/register").assert(400, "The request was cut short. Try again.");
    }
    // The client closes without waiting for an answer.
    let mut connection = Connection::open(server.address);
    connection.send(&whole[..whole.len() - 1]).unwrap();
    drop(connection);
    register(&server, "half-person", "half@mail.example", "correct horse").assert(201, "User Account Created");
}

#[test]
fn a_refused_call_with_a_body_nobody_reads_is_still_answered() {
    let server = Server::start();
    let mut connection = ReusedConnection::open(&server);
    for length in [10, 10_000, 3_000_000] {
        let body = "x".repeat(length);
        for (path, status) in [
            ("/api/user/change-password", 401),
            ("/api/nonsense", 404),
            ("/api/dashboard", 405),
            ("/api/feedback", 415),
            ("/healthz", 405),
        ] {
            let answer = connection.send(server.post(path).body(body.as_str()));
            assert_eq!(answer.status, status, "{path} with {length} bytes");
        }
        assert_eq!(connection.send(server.get("/healthz").body(body.as_str())).status, 200);
    }
}

/// Paths that try to leave their folder.
const RUDE: &str = r"
    /../../../../etc/passwd /%2e%2e/%2e%2e/%2e%2e/etc/passwd /..%2f..%2f..%2fetc%2fpasswd /..%5c..%5cetc
    /./ /assets/../../secret /assets/..%2f..%2fsecret /assets/%00 /data/secret /secret //etc/passwd ///
    /%00 /% /%zz /%FF%FE /%25%32%65 /;/ /? /?? /?% /# /~ /.git/config /.env /api/../secret
    /api/%2e%2e/secret //api//login /api// /api/annon/%00%0d%0a /api/annon/a%2Fb /api/message/%FF
    /api/message/%00 /api/mark_as_seen/..%2f..%2f /api/messages?before=%FF&limit=%00
    /api/messages?before[]=x&limit[$gt]= /api/messages?&&&=== /api/openapi.json/
    /api/openapi.json%00.html
";

#[test]
fn paths_that_lead_elsewhere_lead_nowhere() {
    let (server, person) = Person::with(NO_LIMITS);
    let mut connection = ReusedConnection::open(&server);
    let secret = std::fs::read(server.folder.data().join("secret")).unwrap()[..32].to_vec();
    for path in RUDE.split_whitespace() {
        for method in ["GET", "POST", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "BREW"] {
            let answer = connection.send(person.call(&server, method, path));
            assert!(answer.status < 500, "{method} {path}: {answer:?}");
            assert!(!holds(&answer.body, &secret) && !holds(&answer.body, b"root:x:"), "{method} {path}");
        }
    }
    let long = format!("/{}", "x/".repeat(20_000));
    assert!(connection.send(server.get(&long)).status < 500);
}

/// A request that is not valid HTTP gets a status, and the server goes on.
#[test]
fn what_is_hardly_http_gets_a_4xx_and_hurts_nobody() {
    let server = Server::start();
    let flood: String = (0..1000).map(|n| format!("X-{n}: y\r\n")).collect();
    let long = "y".repeat(300_000);
    let login = "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    for bytes in [
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\n{flood}\r\n").as_bytes(),
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX: {long}\r\n\r\n").as_bytes(),
        format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n").as_bytes(),
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\nno colon here\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: x\r\n: nameless\r\n\r\n",
        b"GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\u{e9} HTTP/1.1\r\nHost: x\r\n\r\n".as_bytes(),
        b"GET /<>\"`{}|^\\ HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://elsewhere.example/no/such HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
        b"\r\n\r\n \r\n\r\n",
        b"<policy-file-request/>\0\r\n\r\n",
        format!("{login}Content-Length: -5\r\n\r\n{{}}").as_bytes(),
        format!("{login}Content-Length: five\r\n\r\n{{}}").as_bytes(),
        format!("{login}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}x").as_bytes(),
        format!("{login}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n").as_bytes(),
        format!("{login}Transfer-Encoding: gzip\r\n\r\n{{}}").as_bytes(),
        format!("{login}Transfer-Encoding: chunked\r\n\r\nzz\r\n{{}}\r\n0\r\n\r\n").as_bytes(),
        format!("{login}Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n").as_bytes(),
    ] {
        let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(90)]).into_owned();
        let mut connection = Connection::open(server.address);
        connection.send(bytes).unwrap();
        let answer = connection.read("GET").unwrap_or_else(|error| panic!("{error}: {shown}"));
        assert!((400..500).contains(&answer.status), "{shown}: {answer:?}");
        server.get("/healthz").send().assert(200, "alive");
    }
}

/// A proxy may send the next request before the last one is answered.
#[test]
fn requests_sent_in_one_piece_are_answered_in_their_order() {
    let server = Server::start();
    let mut piece = Vec::new();
    for _ in 0..10 {
        piece.extend(server.get("/healthz").bytes());
        piece.extend(server.post("/api/login").header("Content-Type", "application/json").body("{}").bytes());
        piece.extend(server.get("/api/nonsense").bytes());
    }
    let mut connection = Connection::open(server.address);
    connection.send(&piece).unwrap();
    for _ in 0..10 {
        connection.answer_to("GET", "/healthz").assert(200, "alive");
        connection.answer_to("POST", "/api/login").assert(400, WRONG_FIELDS);
        connection.answer_to("GET", "/api/nonsense").assert(404, "There is no such call.");
    }
}

/// Whether the server answers a client at this address of the machine.
fn is_there_for(from: [u8; 4], server: &Server) -> bool {
    let Ok(stream) = dial_from(from, server.address) else { return false };
    let mut connection = Connection::over(stream);
    connection.send(&server.get("/readyz").bytes()).is_ok()
        && connection.read("GET").is_ok_and(|answer| answer.status == 200)
}

#[test]
fn who_holds_all_the_connections_they_can_leaves_some_to_others() {
    let mut few = Command::new("sh");
    few.args(["-c", r#"ulimit -n 256; exec "$0" "$@""#, ANNON]);
    let server = Server::run(few, &Folder::new(), &[]);
    let held: Vec<_> = (0..300).map(|_| TcpStream::connect(server.address).unwrap()).collect();
    for _ in 0..20 {
        assert!(is_there_for([127, 0, 0, 2], &server));
    }
    assert!(!is_there_for([127, 0, 0, 1], &server), "so many are too many");
    drop(held);
    wait_until("room for one more", || is_there_for([127, 0, 0, 1], &server));
}
