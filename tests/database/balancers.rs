//! The balancers of deploy/, each before two servers: members meet through them, all calls of a group
//! go to one server, and what they log leads to no group.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::rooms::group::Group;
use crate::rooms::member::{Member, fresh_id};
use crate::rooms::pictures::{png, upload};
use crate::support::client::Connection;
use crate::support::database::{Databases, with};
use crate::support::patience::wait_for;
use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, Server, printed, tester};

/// Enough groups that each server has one, but for once in a million times.
const GROUPS: usize = 20;

/// Enough calls that each server gets one, but for once in ten million times.
const AT_ONCE: usize = 40;

pub(super) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

pub(super) fn deployed(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name);
    file.to_str().unwrap().to_owned()
}

/// A file of deploy/, but for what is only so in tests.
pub(super) fn deployed_with<const N: usize>(name: &str, changes: [(&str, String); N]) -> String {
    changes.into_iter().fold(fs::read_to_string(deployed(name)).unwrap(), |text, (there, here)| {
        assert!(text.contains(there), "{there}");
        text.replace(there, &here)
    })
}

/// The addresses in deploy/, each with the server that is there. The third is not.
fn behind(servers: &[Server; 2]) -> [(&'static str, String); 3] {
    let [one, two] = [0, 1].map(|n| servers[n].address.to_string());
    [("10.0.0.1:8080", one), ("10.0.0.2:8080", two), ("10.0.0.3:8080", "127.0.0.1:1".to_owned())]
}

/// Two servers that trust a balancer. The second has a folder of its own.
fn servers(databases: &Databases) -> [Server; 2] {
    [(&databases.folder, "the first"), (&Folder::new(), "the second")].map(|(folder, name)| {
        let flags = databases.flags();
        let mut flags = with(&flags, "--node-name", Some(name));
        flags.extend(["--trusted-proxies", "127.0.0.1"]);
        Server::on(folder, &flags)
    })
}

fn haproxy(servers: &[Server; 2]) -> Server {
    let port = free_port();
    let mut command = Command::new("/usr/sbin/haproxy");
    let command = command.args(["-db", "-f", &deployed("haproxy.cfg")]).env("ANNON_BIND", format!("127.0.0.1:{port}"));
    let [one, two] = [0, 1].map(|n| servers[n].address.to_string());
    // The third is not there.
    let command = command.envs([("ANNON_ONE", one), ("ANNON_TWO", two), ("ANNON_THREE", "127.0.0.1:1".to_owned())]);
    Server::other(command, port)
}

fn nginx(servers: &[Server; 2], folder: &Folder) -> Server {
    let port = free_port();
    let [one, two, three] = behind(servers);
    let ours = deployed_with("nginx.conf", [("listen 80;", format!("listen 127.0.0.1:{port};")), one, two, three]);
    let path = folder.file("nginx");
    fs::create_dir(&path).unwrap();
    let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|of| format!("{of}_temp_path {of};"));
    let whole =
        format!("daemon off; pid pid; error_log stderr;\nevents {{ }}\nhttp {{\n{}\n{ours}\n}}\n", folders.join(" "));
    fs::write(path.join("nginx.conf"), whole).unwrap();
    let mut command = Command::new("/usr/sbin/nginx");
    let command = command.arg("-e").arg("stderr").arg("-p").arg(&path).args(["-c", "nginx.conf"]);
    Server::other(command, port)
}

fn caddy(servers: &[Server; 2], folder: &Folder) -> Server {
    let port = free_port();
    let [one, two, three] = behind(servers);
    let here = ("annon.example {", format!("http://127.0.0.1:{port} {{"));
    let ours = deployed_with("Caddyfile", [here, ("\n\tlog {", "\n\tadmin off\n\tlog {".to_owned()), one, two, three]);
    let path = folder.file("Caddyfile");
    fs::write(&path, ours).unwrap();
    let mut command = Command::new("caddy");
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(&path);
    command.envs(["XDG_DATA_HOME", "XDG_CONFIG_HOME"].map(|of| (of, folder.file("caddy"))));
    knows_its_servers(Server::other(&mut command, port))
}

fn envoy(servers: &[Server; 2], folder: &Folder) -> Server {
    let port = free_port();
    let [one, two, three] = behind(servers).map(|(there, here)| (in_envoy(there), in_envoy(&here)));
    let listens = (in_envoy("0.0.0.0:8080"), in_envoy(&format!("127.0.0.1:{port}")));
    let changes = [listens, one, two, three];
    let ours = deployed_with("envoy.yaml", changes.each_ref().map(|(there, here)| (&**there, here.clone())));
    let path = folder.file("envoy.yaml");
    fs::write(&path, ours).unwrap();
    let mut command = tester("envoy/bin/envoy");
    // A parent process would be asked for what it listens to.
    command.args(["--disable-hot-restart", "--concurrency", "1", "--log-level", "warning", "-c"]).arg(&path);
    knows_its_servers(Server::other(&mut command, port))
}

/// An address as Envoy's settings write it.
fn in_envoy(address: &str) -> String {
    let (host, port) = address.split_once(':').unwrap();
    format!("{{ address: {host}, port_value: {port} }}")
}

fn knows_its_servers(balancer: Server) -> Server {
    wait_for("knowing which servers are there", || (0..AT_ONCE).all(|_| takes_a_body(&balancer)).then_some(()));
    balancer
}

/// Whether a call with a body met a server. Each of three is met at random.
fn takes_a_body(balancer: &Server) -> bool {
    let mut connection = Connection::open(balancer.address);
    connection.send(&balancer.post("/api/login").json(&json!({})).bytes()).unwrap();
    ![502, 503].contains(&connection.read("POST").unwrap().status)
}

/// People who come through a balancer notice nothing of it, and each group is at one server.
fn serves(balancer: &Server, servers: &[Server; 2]) {
    let person = Person::new(balancer);
    send_note(balancer, &person.target(balancer), "a note through a balancer").assert(201, "Anonymous Message Sent");
    let mut members = Vec::new();
    let groups: Vec<Group> = (0..GROUPS).map(|_| Group::of(balancer, Person::new(balancer))).collect();
    for (n, group) in groups.iter().enumerate() {
        let seats: [_; 2] = group.seats(balancer);
        let [mut one, mut other] = [0, 1].map(|n| Member::open(balancer, group, &seats[n]));
        one.chat(&format!("{n} before"));
        other.await_event("event.chat");
        let path = upload(balancer, group, &seats[0], &png(40, 30)).message();
        let fields = json!({ "id": fresh_id(), "image_src": path, "image_low": path, "caption": "look" });
        one.send_event("event.image", &fields);
        assert_eq!(other.await_event("event.image")["caption"], "look");
        assert_eq!(group.words(balancer, &seats[1]), [format!("{n} before")]);
        members.extend([one, other]);
    }
    let open = [0, 1].map(|n| servers[n].metric("annon_groups_open"));
    assert_eq!(open[0] + open[1], GROUPS as f64, "no group is at both: {open:?}");
    assert!(open.iter().all(|count| *count > 0.0), "{open:?}");
    let logged = balancer.log.lines().join("\n");
    assert!(!groups.iter().any(|group| logged.contains(&group.id)), "{logged}");
}

/// Starts a balancer before two servers, with its settings in a folder.
fn serves_before_two(balancer: fn(&[Server; 2], &Folder) -> Server) {
    let databases = Databases::start();
    let servers = servers(&databases);
    let folder = Folder::new();
    serves(&balancer(&servers, &folder), &servers);
}

#[test]
fn haproxy_sends_each_group_to_one_server_and_goes_on_without_the_other() {
    let databases = Databases::start();
    let mut servers = servers(&databases);
    let balancer = haproxy(&servers);
    serves(&balancer, &servers);
    // Whichever server it is at.
    let group = Group::of(&balancer, Person::new(&balancer));
    let [mut here]: [Member; 1] = group.members(&balancer);
    let known = here.chat("before")["seq"].as_u64().unwrap();
    let at = usize::from(servers[1].metric("annon_groups_open") > servers[0].metric("annon_groups_open"));
    servers[at].signal(Signal::KILL);
    servers[at].wait();
    for n in 0..GROUPS {
        Group::of(&balancer, Person::new(&balancer)).members::<1>(&balancer)[0].chat(&format!("{n} after"));
    }
    let (mut again, _): (_, Vec<Value>) = Member::resume(&balancer, &group, &here.seat, known);
    again.chat("after");
    assert_eq!(group.words(&balancer, &again.seat), ["before", "after"]);
}

#[test]
fn nginx_sends_each_group_to_one_server() {
    serves_before_two(nginx);
}

#[test]
fn caddy_sends_each_group_to_one_server() {
    serves_before_two(caddy);
}

#[test]
fn envoy_sends_each_group_to_one_server() {
    serves_before_two(envoy);
}

/// These can't be started here: they need images and a cluster.
#[test]
fn compose_and_kubernetes_understand_their_files() {
    const SCHEMA: &str = "check-jsonschema/bin/check-jsonschema";
    const OF_COMPOSE: &[&str] = &["--builtin-schema", "vendor.compose-spec"];
    for (program, arguments, file, word) in [
        (SCHEMA, OF_COMPOSE, "compose-cluster.yml", "read"),
        (SCHEMA, OF_COMPOSE, "one/compose.yml", "restart"),
        ("kubernetes-validate/bin/kubernetes-validate", &["--strict"], "kubernetes.yaml", "read"),
    ] {
        let output = tester(program).args(arguments).arg(deployed(file)).output().unwrap();
        assert!(output.status.success(), "{}{}", printed(&output.stdout), printed(&output.stderr));
        // A field that nobody knows is found.
        let folder = Folder::new();
        let broken = folder.file(&file.replace('/', "-"));
        fs::write(&broken, deployed_with(file, [(word, "raed".to_owned())])).unwrap();
        let output = tester(program).args(arguments).arg(broken).output().unwrap();
        assert!(!output.status.success(), "{file}");
    }
}
