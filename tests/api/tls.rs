//! TLS by certificate files.

use std::fs;
use std::net::TcpStream;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::{Message, client};

use crate::support::certificate::certify;
use crate::support::client::{Call, Connection, dial_from};
use crate::support::patience::{HANG, timed, wait_for, wait_until};
use crate::support::server::{ANNON, Folder, Server, annon, printed, refusal};
use crate::support::test_socket::{SOCKET, handshake};

type Secure = Connection<StreamOwned<ClientConnection, TcpStream>>;

fn connect(server: &Server, certificate: &str) -> Secure {
    over(TcpStream::connect(server.address).unwrap(), certificate)
}

fn over(stream: TcpStream, certificate: &str) -> Secure {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    stream.set_read_timeout(Some(HANG)).unwrap();
    Connection::over(StreamOwned::new(ClientConnection::new(Arc::new(config), name).unwrap(), stream))
}

#[test]
fn a_server_with_a_certificate_speaks_https() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "own");
    let mut server = Server::on(&folder, &["--tls-cert", &certificate, "--tls-key", &key]);
    let mut connection = connect(&server, &certificate);
    for _ in 0..2 {
        connection.send(&server.get("/readyz").bytes()).unwrap();
        let answer = connection.answer_to("GET", "/readyz");
        answer.assert(200, "ready");
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"));
    }
    // A page from this server has its origin with the configured scheme.
    let origin = format!("https://{}", server.address);
    connection.send(&handshake(&server, SOCKET, "bearer, x").header("Origin", &origin).bytes()).unwrap();
    connection.answer_to("GET", SOCKET).assert(401, crate::support::person::SIGNED_OUT);
    let mut connection = connect(&server, &certificate);

    let address = server.address.to_string();
    let flags = ["--listen", &address, "--tls-cert", &certificate, "--tls-key", &key];
    let check = |more: &[&str]| annon().arg("healthcheck").args(flags).args(more).output().unwrap();
    let output = check(&["--strict"]);
    assert_eq!((output.status.code(), printed(&output.stdout).as_str()), (Some(0), "ready\n"), "{output:?}");
    // A certificate that was renewed, and that the server hasn't noticed yet, is no reason to end it.
    let (renewed, its_key) = certify(&folder, "renewed");
    let renewed = ["--listen", &address, "--tls-cert", &renewed, "--tls-key", &its_key];
    for (strict, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let output = annon().arg("healthcheck").args(renewed).args(strict).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        let says = printed(&output.stdout) + &printed(&output.stderr);
        assert!(says.contains("ready, but its certificate is not the one in"), "{says}");
    }
    server.folder.annon(&["pause", "for a moment"]);
    let output = check(&[]);
    assert_eq!(printed(&output.stdout), "ready to read, but paused for maintenance\n", "{output:?}");
    assert_eq!(check(&["--strict"]).status.code(), Some(1));
    server.folder.annon(&["pause", "off"]);

    // A client that speaks plain HTTP gets no answer, and disturbs nobody.
    let mut plain = Connection::open(server.address);
    plain.send(&server.get("/readyz").bytes()).unwrap();
    assert!(plain.read("GET").is_err());
    connection.send(&server.get("/healthz").bytes()).unwrap();
    connection.answer_to("GET", "/healthz").assert(200, "alive");
    assert!(server.stop().success(), "an open connection doesn't hold it up");
}

#[test]
fn a_renewed_certificate_needs_no_restart_and_a_broken_one_changes_nothing() {
    let folder = Folder::new();
    let ((certificate, key), (renewed, its_key)) = (certify(&folder, "own"), certify(&folder, "renewed"));
    let server = Server::on(&folder, &["--tls-cert", &certificate, "--tls-key", &key]);
    let old = fs::read(&certificate).unwrap();
    let is_served = |certificate: &str| {
        let mut connection = connect(&server, certificate);
        connection.send(&server.get("/healthz").bytes()).is_ok() && connection.read("GET").is_ok()
    };
    fs::write(folder.file("first.crt"), old).unwrap();
    let first = folder.file("first.crt");
    let mut open = connect(&server, &certificate);
    open.send(&server.get("/healthz").bytes()).unwrap();
    open.answer_to("GET", "/healthz").assert(200, "alive");

    // The certificate alone doesn't fit the key.
    fs::copy(&renewed, &certificate).unwrap();
    server.signal(Signal::HUP);
    assert!(server.log.wait_for("the certificate stays the one that was read before").is_some());
    assert!(is_served(first.to_str().unwrap()) && !is_served(&renewed));

    fs::copy(&its_key, &key).unwrap();
    server.signal(Signal::HUP);
    assert!(server.log.wait_for("new connections get the renewed certificate").is_some());
    assert!(is_served(&renewed) && !is_served(first.to_str().unwrap()));
    open.send(&server.get("/healthz").bytes()).unwrap();
    open.answer_to("GET", "/healthz").assert(200, "alive");
}

#[test]
fn a_window_through_tls_hears_everything_and_its_goodbye() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "own");
    let mut server = Server::on(&folder, &["--tls-cert", &certificate, "--tls-key", &key, "--address-limits", "off"]);
    let mut connection = connect(&server, &certificate);
    let mut ask = |call: Call| {
        connection.send(&call.bytes()).unwrap();
        connection.read("POST").unwrap()
    };
    let account = json!({ "username": "through-tls", "email": "tls@mail.example", "password": "correct horse" });
    assert_eq!(ask(server.post("/api/register").json(&account)).status, 201);
    let login = json!({ "email_or_username": "through-tls", "password": "correct horse" });
    let answer = ask(server.post("/api/login").json(&login)).json();
    let token = answer["access_token"].as_str().unwrap();

    let uri = format!("wss://{}{SOCKET}", server.address).parse().unwrap();
    let request = ClientRequestBuilder::new(uri).with_sub_protocol("bearer").with_sub_protocol(token);
    let stream = connect(&server, &certificate).into_stream();
    let (mut socket, _) = client(request, stream).unwrap_or_else(|error| panic!("{error}"));
    let mut next = || loop {
        match socket.read().unwrap() {
            Message::Ping(_) => {}
            other => return other,
        }
    };
    assert_eq!(next(), Message::text(r#"{"event":"event.ready"}"#));
    let target = ask(server.get("/api/annon/through-tls")).message();
    // This is more than a socket takes at once.
    let words = "🙂".repeat(280);
    for n in 1..=50 {
        let note = json!({ "id": target, "message": words });
        ask(server.post("/api/annon-message").json(&note)).assert(201, "Anonymous Message Sent");
        let frame: Value = serde_json::from_str(next().to_text().unwrap()).unwrap();
        assert_eq!((&frame["unread"], &frame["note"]["message"]), (&json!(n), &json!(words)));
    }
    assert!(server.stop().success());
    let Message::Close(Some(goodbye)) = next() else { panic!("no goodbye") };
    assert_eq!((u16::from(goodbye.code), goodbye.reason.as_str()), (1012, "restarting"));
}

#[test]
fn files_that_can_not_be_served_with_are_refused_in_a_sentence() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "own");
    let (_, other_key) = certify(&folder, "other");
    let odd = |name: &str, text: &str| {
        let path = folder.file(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (empty, broken) =
        (odd("empty", ""), odd("broken", "-----BEGIN CERTIFICATE-----\n!!\n-----END CERTIFICATE-----\n"));
    for (chain, private, message) in [
        ("/nowhere/at/all", &*key, "can't read the certificates in /nowhere/at/all"),
        (&empty, &key, "there is no certificate in"),
        (&broken, &key, "can't read the certificates in"),
        (&key, &key, "there is no certificate in"),
        (&certificate, "/nowhere/at/all", "can't read the private key in /nowhere/at/all"),
        (&certificate, &empty, "can't read the private key in"),
        (&certificate, &certificate, "can't read the private key in"),
        (&certificate, &other_key, "the certificate and the key can't be used"),
    ] {
        let flags = ["--tls-cert", chain, "--tls-key", private];
        let (code, text) = refusal(&Folder::new(), &flags);
        assert!(code == Some(1) && text.contains(message), "{text}");
        let output = annon().arg("check-config").args(flags).output().unwrap();
        assert!(output.status.code() == Some(1) && printed(&output.stderr).contains(message), "{output:?}");
    }
    let output = annon().args(["check-config", "--tls-cert", &certificate]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output.stderr).contains("--tls-key"), "{output:?}");
}

/// The status of a call through TLS, or `None` without an answer.
fn status(server: &Server, stream: TcpStream, certificate: &str) -> Option<u16> {
    let mut connection = over(stream, certificate);
    connection.send(&server.get("/healthz").bytes()).ok()?;
    Some(connection.read("GET").ok()?.status)
}

/// A connection that sends the first bytes of a handshake and no more.
fn begin(server: &Server) -> Connection {
    let mut connection = Connection::open(server.address);
    // A server that has no room for the connection may have closed it already.
    let _ = connection.send(&[0x16, 0x03, 0x01, 0x02, 0x00]);
    connection
}

#[test]
fn a_handshake_that_does_not_end_counts_as_a_connection_until_it_is_given_up() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "own");
    let mut limited = Command::new("/bin/sh");
    // 256 descriptors allow 192 connections, of which one address may have 48.
    limited.env_clear().args(["-c", r#"ulimit -n 256; exec "$0" "$@""#, ANNON]);
    let mut server = Server::run(limited, &folder, &["--tls-cert", &certificate, "--tls-key", &key]);
    let sockets = server.open_sockets();

    // On a busy machine the first connections may end too early; then the test opens new ones.
    let begun = wait_for("the surplus being turned away", || {
        let begun: Vec<_> = (0..150).map(|_| begin(&server)).collect();
        while begun[0].is_silent() && server.open_sockets() > sockets + 60 {}
        begun[0].is_silent().then_some(begun)
    });
    let other = dial_from([127, 0, 0, 2], server.address).unwrap();
    assert_eq!(status(&server, other, &certificate), Some(200), "there is room for others");
    let another = TcpStream::connect(server.address).unwrap();
    assert_eq!(status(&server, another, &certificate), None, "its address has as many as one can have");

    // The server gives up handshakes, the client gives up others, and some connections begin none.
    wait_until("the end of their time", || !begun[0].is_silent());
    for _ in 0..3 {
        wait_until("all being given back", || server.open_sockets() <= sockets + 10);
        drop((0..48).map(|_| begin(&server)).collect::<Vec<_>>());
        let nonsense = (0..40).map(|_| server.get("/").bytes());
        let mut nonsense: Vec<_> = nonsense.map(|bytes| (Connection::open(server.address), bytes)).collect();
        nonsense.iter_mut().for_each(|(connection, bytes)| drop(connection.send(bytes)));
    }
    wait_until("a free place", || {
        TcpStream::connect(server.address).is_ok_and(|stream| status(&server, stream, &certificate) == Some(200))
    });
    let _half = begin(&server);
    let (ended, took) = timed(|| server.stop());
    assert!(ended.success() && took < Duration::from_secs(20), "a handshake holds up the end: {took:?}");
}
