//! The calls for probes and dashboards, and the metrics.

use serde_json::json;

use crate::support::client::{Call, Connection, with_code};
use crate::support::contract::{document, operations};
use crate::support::person::Person;
use crate::support::server::{Folder, Server, annon, printed, refusal};

#[test]
fn a_fresh_server_is_alive_ready_and_counts() {
    let server = Server::start();
    let alive = server.get("/healthz").send();
    alive.assert(200, "alive");
    assert_eq!(alive.header("strict-transport-security"), None, "nobody came over https");
    server.get("/readyz").send().assert(200, "ready");
    let person = Person::new(&server);
    crate::support::person::send_note(&server, &person.target(&server), "a note that is counted");
    let answer = server.metrics();
    assert_eq!(answer.header("content-type"), Some("application/openmetrics-text; version=1.0.0; charset=utf-8"));
    let text = answer.text();
    assert!(text.ends_with("# EOF\n"), "{text}");
    assert_eq!(server.metric("annon_notes_delivered_total"), 1.0);
    assert_eq!(server.metric("annon_store_healthy"), 1.0);
    assert!(!text.contains("annon_nodes"), "there is only one");
    assert_eq!(
        server.metric("annon_http_requests_total{method=\"GET\",route=\"/api/annon/{username}\",status=\"200\"}"),
        1.0
    );
}

#[test]
fn the_numbers_come_as_plain_text_where_that_is_asked_for() {
    let server = Server::start();
    let ask = |accept: &str| Call::new(server.metrics.unwrap(), "GET", "/metrics").header("Accept", accept).send();
    for (accept, kind) in [
        ("text/plain", "text/plain; version=0.0.4; charset=utf-8"),
        ("text/plain;version=0.0.4;q=0.5,*/*;q=0.1", "text/plain; version=0.0.4; charset=utf-8"),
        (
            "application/openmetrics-text;version=1.0.0,text/plain;q=0.5",
            "application/openmetrics-text; version=1.0.0; charset=utf-8",
        ),
        ("*/*", "application/openmetrics-text; version=1.0.0; charset=utf-8"),
    ] {
        let answer = ask(accept);
        assert_eq!(answer.header("content-type"), Some(kind), "{accept}");
        assert_eq!(answer.text().contains("# EOF"), kind.starts_with("application"), "{accept}");
    }
    let text = ask("text/plain").text();
    assert!(text.contains("# TYPE annon_http_requests_total counter\n") && !text.contains("# UNIT"), "{text}");
    let [whole, heap, mapped] =
        ["process_resident_memory_bytes", "annon_memory_heap_bytes", "annon_memory_mapped_bytes"]
            .map(|name| server.metric(name));
    assert!(heap > 0.0 && mapped > 0.0 && (heap + mapped - whole).abs() < 1e6, "{heap} {mapped} {whole}");
}

/// Routes, methods and statuses come from tables; nothing that a stranger sends becomes a label.
#[test]
fn nobody_can_make_the_metrics_grow() {
    let server = Server::start();
    let series = || server.metrics().text().lines().count();
    let visit = |n: usize| {
        for path in [format!("/api/annon/nobody-{n}"), format!("/api/nonsense-{n}"), format!("/nobody-{n}")] {
            let status = server.get(&path).send().status;
            assert!(status < 500, "{path}");
            server.call(&format!("BREW{n}"), &path).send();
        }
    };
    visit(0);
    // The first request for the metrics is counted in the second.
    series();
    let before = series();
    (1..20).for_each(visit);
    assert_eq!(series(), before);
}

/// Strangers who read the counters would learn what a call has caused.
#[test]
fn the_numbers_are_on_a_listener_of_their_own_and_never_on_the_public_one() {
    let server = Server::start();
    let numbers = server.metrics.unwrap();
    assert_eq!(Call::new(numbers, "HEAD", "/metrics").send().status, 200);
    let page = server.get("/metrics").send();
    assert_eq!(page.status, 404, "it is a page of the web app's");
    assert!(!page.text().contains("annon_"), "{page:?}");
    for path in ["/", "/healthz", "/api/dashboard", "/some-body"] {
        let mut connection = Connection::open(numbers);
        connection.send(&Call::new(numbers, "GET", path).bytes()).unwrap();
        assert_eq!(connection.read("GET").unwrap().status, 404, "{path}");
    }
    let off = Server::run_with_metrics(annon(), &Folder::new(), &["--metrics-listen", "off"], &[]);
    assert_eq!(off.metrics, None);
}

/// Connections to the metrics are limited, and take no place from the public listener.
#[test]
fn sixteen_connections_ask_for_numbers_at_once_and_the_next_waits_for_a_place() {
    let server = Server::start();
    let ask = Call::new(server.metrics.unwrap(), "GET", "/metrics").bytes();
    let connect = || {
        let mut connection = Connection::open(server.metrics.unwrap());
        connection.send(&ask).unwrap();
        connection
    };
    // A connection that has a place keeps it by asking again and again.
    let mut held: Vec<_> = (0..16).map(|_| connect()).collect();
    held.iter_mut().for_each(|one| assert_eq!(one.read("GET").unwrap().status, 200));
    let mut next = connect();
    for one in &mut held {
        one.send(&ask).unwrap();
        assert_eq!(one.read("GET").unwrap().status, 200);
    }
    assert!(next.is_silent(), "there are sixteen places");
    server.get("/healthz").send().assert(200, "alive");
    drop(held);
    assert_eq!(next.read("GET").unwrap().status, 200);
}

/// A configured metrics address that is taken is an error. The default one may be another server's.
#[test]
fn a_taken_port_for_the_numbers_stops_only_who_asked_for_it() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = taken.local_addr().unwrap().to_string();
    let (code, text) = refusal(&Folder::new(), &["--metrics-listen", &at]);
    assert_eq!(code, Some(1));
    assert!(text.contains(&format!("can't listen on {at} for metrics")), "{text}");
    // This listener or another process has the default port.
    let _usual = std::net::TcpListener::bind("127.0.0.1:9464");
    let server = Server::run_with_metrics(annon(), &Folder::new(), &[], &[]);
    assert_eq!(server.metrics, None);
    assert_eq!(
        server.log.count("no metrics: the usual port for them is taken; --metrics-listen names another, or off"),
        1
    );
}

#[test]
fn who_has_found_a_hole_is_told_whom_to_tell_where_the_operator_has_said_so() {
    const PATH: &str = "/.well-known/security.txt";
    assert_eq!(Server::start().get(PATH).send().status, 404);
    let server = Server::with(&["--security-contact", "safe@annon.example", "--public-url", "https://annon.example"]);
    let answer = server.get(PATH).send();
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    let text = answer.text();
    let field = |name: &str| {
        let fields: Vec<_> = text.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).collect();
        fields.concat()
    };
    assert_eq!(field("Contact"), "mailto:safe@annon.example");
    assert_eq!(field("Canonical"), "https://annon.example/.well-known/security.txt");
    let expires = field("Expires");
    assert!(expires.len() == 20 && expires.ends_with('Z') && &expires[10..11] == "T", "{expires}");
    assert_eq!(server.call("HEAD", PATH).send().status, 200);
}

#[test]
fn the_description_is_the_one_the_command_prints() {
    let server = Server::start();
    let answer = server.get("/api/openapi.json").send();
    assert_eq!(answer.status, 200);
    let output = annon().arg("openapi").output().unwrap();
    assert_eq!(answer.text().trim(), printed(&output.stdout).trim());
    assert_eq!(answer.json()["openapi"], "3.1.0");
}

#[test]
fn a_probe_may_ask_for_the_head_alone() {
    let server = Server::start();
    for path in ["/healthz", "/readyz"] {
        let mut connection = Connection::open(server.address);
        for _ in 0..2 {
            let answer = server.call("HEAD", path).send_on(&mut connection);
            assert_eq!((answer.status, answer.text().as_str()), (200, ""), "{path}");
        }
    }
}

#[test]
fn everything_described_is_there_and_takes_no_other_method() {
    let server = Server::start();
    assert!(operations().len() >= 19, "{:?}", operations());
    for (pattern, method) in operations() {
        let path = pattern.replace(['{', '}'], "");
        let answer = server.call(&method.to_uppercase(), &path).send();
        assert!(answer.status != 405, "{method} {path}: {answer:?}");
        if answer.status == 404 {
            assert_ne!(answer.message(), "There is no such call.", "{method} {path}");
        }
        let described = |other: &str| !document()["paths"][pattern][other.to_ascii_lowercase()].is_null();
        for other in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            if described(other) {
                continue;
            }
            let answer = server.call(other, &path).send();
            answer.assert(405, "This call takes another method; the Allow header says which.");
            assert!(
                answer.header("allow").is_some_and(|allow| allow.contains(&method.to_uppercase())),
                "{other} {path}"
            );
        }
    }
}

#[test]
fn what_is_not_a_call_is_said_so_in_the_envelope() {
    let server = Server::start();
    for path in ["/api/", "/api/nonsense", "/api/login/", "/api/login/x", "/api/annon", "/api/annon/", "/api/LOGIN"] {
        for method in ["GET", "POST", "DELETE", "BREW"] {
            let answer = server.call(method, path).send();
            assert_eq!(
                answer.json(),
                with_code(json!({ "status": 404, "message": "There is no such call." })),
                "{method} {path}"
            );
        }
    }
}
