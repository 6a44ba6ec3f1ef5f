//! The settings of deploy/one/, each before one server: TLS ends there, sockets pass, and nobody can claim
//! another address.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::certificate::certify;
use crate::support::patience::wait_until;
use crate::support::person::Person;
use crate::support::server::{Folder, Server, printed};
use crate::support::test_socket::SOCKET;

/// From here a caller asks. The server trusts the proxy's address, and this is another one.
const CALLER: &str = "127.0.0.2";
const ONE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/deploy/one");

fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A file of deploy/one/, but for what is only so in tests.
fn deployed(name: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(fs::read_to_string(Path::new(ONE).join(name)).unwrap(), |text, (there, here)| {
        assert!(text.contains(there), "{there}");
        text.replace(there, here)
    })
}

/// Asks a proxy over TLS, and returns the status.
fn curl(port: u16, path: &str, more: &[&str]) -> String {
    let mut curl = Command::new("curl");
    curl.args([
        "--insecure",
        "--silent",
        "--http1.1",
        "--interface",
        CALLER,
        "--max-time",
        "2",
        "--output",
        "/dev/null",
    ]);
    curl.args(["--write-out", "%{http_code}", "--resolve", &format!("annon.example:{port}:127.0.0.1")]);
    printed(&curl.args(more).arg(format!("https://annon.example:{port}{path}")).output().unwrap().stdout)
}

/// Tries what a site needs of its proxy.
fn serves(begin: impl FnOnce(&Server, u16, &Folder) -> Server) {
    let (folder, port) = (Folder::new(), free_port());
    let events = folder.file("events");
    let url = format!("https://annon.example:{port}");
    let flags = ["--public-url", &url, "--trusted-proxies", "127.0.0.1", "--event-log-addresses", "on", "--event-log"];
    let server = Server::on(&folder, &[&flags[..], &[events.to_str().unwrap()]].concat());
    let person = Person::new(&server);
    let _proxy = begin(&server, port, &folder);
    wait_until("the proxy", || curl(port, "/readyz", &[]) == "200");
    // A body of the largest picture passes, and is refused by the server for what it is.
    let large = folder.file("large");
    fs::write(&large, vec![b'x'; 15 * 1024 * 1024]).unwrap();
    let upload = format!("@{}", large.display());
    let upload = ["--data-binary", &upload, "-H", "Content-Type: application/json", "--max-time", "60"];
    // The server may refuse it while it is still being sent, which curl then doesn't always tell.
    wait_until("a refusal by the server", || curl(port, "/api/login", &upload) == "413");

    let protocol = format!("Sec-WebSocket-Protocol: bearer, {}", person.token);
    let upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", &protocol];
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
    let headers: Vec<_> = upgrade.into_iter().chain([key]).flat_map(|header| ["-H", header]).collect();
    assert_eq!(curl(port, SOCKET, &headers), "101", "a socket passes");

    let wrong = json!({ "email_or_username": person.username, "password": "a wrong password" }).to_string();
    let claim = "X-Forwarded-For: 203.0.113.7";
    // On a busy machine a password takes its time.
    let form = ["-H", claim, "-H", "Content-Type: application/json", "--data", &wrong, "--max-time", "60"];
    assert_eq!(curl(port, "/api/login", &form), "401");
    let said = fs::read_to_string(&events).unwrap();
    assert!(said.trim_end().ends_with(&format!("sign-in-failed address={CALLER}")), "{said}");
}

#[test]
fn nginx_is_set_before_one_server() {
    serves(|server, port, folder| {
        let (certificate, key) = certify(folder, "nginx");
        let ours = deployed(
            "nginx.conf",
            &[
                ("listen 443 ssl;", &format!("listen 127.0.0.1:{port} ssl;")),
                ("/etc/letsencrypt/live/annon.example/fullchain.pem", &certificate),
                ("/etc/letsencrypt/live/annon.example/privkey.pem", &key),
                ("127.0.0.1:8080", &server.address.to_string()),
            ],
        );
        let path = folder.file("nginx");
        fs::create_dir(&path).unwrap();
        let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|of| format!("{of}_temp_path {of};"));
        let folders = folders.join(" ");
        let whole = format!("daemon off; pid pid; error_log stderr;\nevents {{ }}\nhttp {{\n{folders}\n{ours}\n}}\n");
        fs::write(path.join("nginx.conf"), whole).unwrap();
        let mut command = Command::new("/usr/sbin/nginx");
        Server::other(command.args(["-e", "stderr", "-p"]).arg(&path).args(["-c", "nginx.conf"]), port)
    });
}

#[test]
fn haproxy_is_set_before_one_server() {
    serves(|server, port, folder| {
        let (certificate, key) = certify(folder, "haproxy");
        let both = folder.file("both.pem");
        fs::write(&both, fs::read_to_string(certificate).unwrap() + &fs::read_to_string(key).unwrap()).unwrap();
        let mut command = Command::new("/usr/sbin/haproxy");
        let command = command.args(["-db", "-f"]).arg(Path::new(ONE).join("haproxy.cfg"));
        let command = command.env("ANNON_BIND", format!("127.0.0.1:{port}")).env("ANNON_CERTIFICATE", both);
        Server::other(command.env("ANNON_SERVER", server.address.to_string()), port)
    });
}

#[test]
fn caddy_is_set_before_one_server() {
    serves(|server, port, folder| {
        // Its own authority signs here, and nothing is redirected, since port 80 may be somebody's.
        let ours = deployed(
            "Caddyfile",
            &[(
                "{\n\tlog {",
                "{\n\tadmin off\n\tskip_install_trust\n\tlocal_certs\n\tauto_https disable_redirects\n\tlog {",
            )],
        );
        let path = folder.file("Caddyfile");
        fs::write(&path, ours).unwrap();
        let mut command = Command::new("caddy");
        command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&path);
        command.env("ANNON_HOST", format!("annon.example:{port}")).env("ANNON_SERVER", server.address.to_string());
        command.envs(["XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(|of| (of, folder.file("caddy"))));
        Server::other(&mut command, port)
    });
}

#[test]
fn the_hook_for_certbot_gives_the_service_what_was_renewed() {
    let folder = Folder::new();
    let (certificate, key) = certify(&folder, "renewed");
    let [lineage, service] = ["lineage", "service"].map(|name| folder.file(name));
    for made in [&lineage, &service] {
        fs::create_dir(made).unwrap();
    }
    fs::copy(&certificate, lineage.join("fullchain.pem")).unwrap();
    fs::copy(&key, lineage.join("privkey.pem")).unwrap();
    let mut hook = Command::new(Path::new(ONE).join("certbot-hook.sh"));
    hook.env("RENEWED_LINEAGE", &lineage).env("ANNON_CERTIFICATES", &service);
    // As the service's group stands that of whoever runs this.
    let group = printed(&Command::new("id").arg("-g").output().unwrap().stdout);
    assert!(hook.env("ANNON_GROUP", group.trim()).status().unwrap().success());
    let [chain, private] = ["fullchain.pem", "privkey.pem"].map(|name| service.join(name));
    assert_eq!(fs::read(&chain).unwrap(), fs::read(&certificate).unwrap());
    assert_eq!(fs::metadata(&private).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(&service).unwrap().count(), 2, "nothing else is left");
    let flags = ["--tls-cert", chain.to_str().unwrap(), "--tls-key", private.to_str().unwrap()];
    assert!(folder.annon(&[&["check-config"], &flags[..]].concat()).status.success());
}
