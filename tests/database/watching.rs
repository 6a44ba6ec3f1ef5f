//! What deploy/ has for Prometheus and Grafana, before a real Prometheus that watches a server on its
//! own folder and one on databases.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

use serde_json::Value;

use crate::database::balancers::{deployed, deployed_with, free_port};
use crate::support::database::Databases;
use crate::support::patience::wait_for;
use crate::support::server::{Folder, Server, printed};

/// Starts Prometheus with the settings of deploy/, but for what is only so in tests.
fn prometheus(folder: &Folder, servers: [&Server; 2]) -> Server {
    let port = free_port();
    let at = |server: &Server| format!("\"{}\"", server.metrics.unwrap());
    let changes = [("15s", "1s".to_owned()), ("\"127.0.0.1:9464\"", servers.map(at).join(", "))];
    let settings = deployed_with("prometheus/prometheus.yml", changes);
    fs::write(folder.file("prometheus.yml"), settings).unwrap();
    fs::copy(deployed("prometheus/alerts.yml"), folder.file("alerts.yml")).unwrap();
    let mut command = Command::new("prometheus");
    command.arg(format!("--config.file={}", folder.file("prometheus.yml").display()));
    command.arg(format!("--storage.tsdb.path={}", folder.file("series").display()));
    command.arg(format!("--web.listen-address=127.0.0.1:{port}"));
    Server::other(&mut command, port)
}

fn ask(arguments: &[&str], last: &str) -> Output {
    Command::new("promtool").args(arguments).arg(last).output().expect("prometheus is needed here")
}

fn asked(arguments: &[&str], last: &str) -> String {
    let output = ask(arguments, last);
    assert!(output.status.success(), "{arguments:?} {last}: {output:?}");
    printed(&output.stdout)
}

/// The names of series that a text has.
fn names_in(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    words.filter(|word| word.starts_with("annon_") || word.starts_with("process_")).collect()
}

fn expressions(board: &Value) -> Vec<&str> {
    let targets = board["panels"].as_array().unwrap().iter().filter_map(|panel| panel["targets"].as_array());
    targets.flatten().map(|target| target["expr"].as_str().unwrap()).collect()
}

#[test]
fn the_alerts_and_the_board_ask_for_what_servers_tell() {
    let [rules, cases] = ["prometheus/alerts.yml", "prometheus/alerts.test.yml"].map(deployed);
    asked(&["check", "rules"], &rules);
    asked(&["test", "rules"], &cases);

    let (databases, folder) = (Databases::start(), Folder::new());
    let (node, single) = (databases.serve(), Server::start());
    assert!(single.folder.annon(&["backup", folder.file("backup").to_str().unwrap()]).status.success());
    // Requests have no series before the first.
    single.get("/readyz").send().assert(200, "ready");
    let prometheus = prometheus(&folder, [&node, &single]);
    let url = format!("http://{}", prometheus.address);
    let known = wait_for("both being watched", || {
        // It listens before it has opened its series, and refuses queries until then.
        let up = ask(&["query", "instant", &url], "count(up == 1)");
        printed(&up.stdout).contains("=> 2 @").then(|| asked(&["query", "labels", &url], "__name__"))
    });
    let known = names_in(&known);
    let board = fs::read_to_string(deployed("grafana/annon.json")).unwrap();
    for file in [&board, &fs::read_to_string(&rules).unwrap(), &fs::read_to_string(&cases).unwrap()] {
        let unknown: Vec<_> = names_in(file).into_iter().filter(|name| !known.contains(name)).collect();
        assert!(unknown.is_empty(), "{unknown:?} is not in {known:?}");
    }
    let board: Value = serde_json::from_str(&board).unwrap();
    let expressions = expressions(&board);
    assert!(expressions.len() > 20);
    for expression in expressions {
        let meant = expression.replace("$server", ".*").replace("$__rate_interval", "5m");
        asked(&["query", "instant", &url], &meant);
    }
    // Nothing is wrong with these servers. Some alerts wait until it is certain.
    assert_eq!(asked(&["query", "instant", &url], r#"ALERTS{alertstate="firing"}"#).trim(), "");
}
