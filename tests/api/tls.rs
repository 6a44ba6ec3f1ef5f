//! TLS by certificate files.

use std::fs;
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::ClientRequestBuilder;
use tokio_tungstenite::tungstenite::{Message, client};

use crate::client::{Call, Connection};
use crate::patience::HANG;
use crate::server::{Folder, Server, annon, printed, refusal};
use crate::window::{SOCKET, handshake};

/// A certificate for this machine that vouches for itself.
fn certify(folder: &Folder, name: &str) -> (String, String) {
    let path = |kind: &str| folder.file(&format!("{name}.{kind}")).to_str().unwrap().to_owned();
    let (certificate, key) = (path("crt"), path("key"));
    let status = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-out", &certificate, "-keyout", &key])
        .stderr(Stdio::null())
        .status()
        .expect("openssl is needed here");
    assert!(status.success());
    (certificate, key)
}

fn connect(server: &Server, certificate: &str) -> Connection<StreamOwned<ClientConnection, TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(certificate).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").unwrap();
    let stream = TcpStream::connect(server.address).unwrap();
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
        answer.says(200, "ready");
        assert_eq!(answer.header("strict-transport-security"), Some("max-age=31536000"));
    }
    // A page opened here is from here, and the scheme is the configured one.
    let origin = format!("https://{}", server.address);
    connection.send(&handshake(&server, "bearer, x").header("Origin", &origin).bytes()).unwrap();
    connection.answer_to("GET", crate::window::SOCKET).says(401, crate::person::SIGNED_OUT);
    let mut connection = connect(&server, &certificate);

    let address = server.address.to_string();
    let flags = ["--listen", &address, "--tls-cert", &certificate, "--tls-key", &key];
    let output = annon().arg("healthcheck").args(flags).output().unwrap();
    assert_eq!(printed(&output.stdout), "listening\n");

    // Somebody who forgets the s gets no answer, and hurts nobody.
    let mut plain = Connection::open(server.address);
    plain.send(&server.get("/readyz").bytes()).unwrap();
    assert!(plain.read("GET").is_err());
    connection.send(&server.get("/healthz").bytes()).unwrap();
    connection.answer_to("GET", "/healthz").says(200, "alive");
    assert!(server.stop().success(), "an open connection doesn't hold it up");
}

#[test]
fn a_window_through_tls_hears_everything_and_its_goodbye() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "own");
    let mut server = Server::on(&folder, &["--tls-cert", &certificate, "--tls-key", &key]);
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
    let mut heard = || loop {
        match socket.read().unwrap() {
            Message::Ping(_) => {}
            other => return other,
        }
    };
    assert_eq!(heard(), Message::text(r#"{"event":"event.ready"}"#));
    let target = {
        connection.send(&server.get("/api/annon/through-tls").bytes()).unwrap();
        connection.answer_to("GET", "/api/annon/through-tls").message()
    };
    // More than a socket takes at once.
    let words = "🙂".repeat(280);
    for n in 1..=50 {
        connection
            .send(&server.post("/api/annon-message").json(&json!({ "id": target, "message": words })).bytes())
            .unwrap();
        connection.read("POST").unwrap().says(201, "Anonymous Message Sent");
        let frame: Value = serde_json::from_str(heard().to_text().unwrap()).unwrap();
        assert_eq!((&frame["unread"], &frame["note"]["message"]), (&json!(n), &json!(words)));
    }
    assert!(server.stop().success());
    let Message::Close(Some(goodbye)) = heard() else { panic!("no goodbye") };
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
    for (chain, private, told) in [
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
        let (code, said) = refusal(&Folder::new(), &flags);
        assert!(code == Some(1) && said.contains(told), "{said}");
        let output = annon().arg("check-config").args(flags).output().unwrap();
        assert!(output.status.code() == Some(1) && printed(&output.stderr).contains(told), "{output:?}");
    }
    let output = annon().args(["check-config", "--tls-cert", &certificate]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output.stderr).contains("--tls-key"), "{output:?}");
}
