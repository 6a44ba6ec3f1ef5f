//! One backend of a server crashes, and the server goes on as after a crash of its own, under the same start.

use std::future::pending;
use std::time::Duration;

use annon_store::Engine as _;
use annon_store::Kept;
use futures_util::future::join;
use tokio::io::copy;
use tokio::net::{TcpListener, UnixStream};
use tokio::time::{sleep, timeout};
use tokio_postgres::NoTls;

use crate::support::cluster::as_its_user;
use crate::support::people::*;
use crate::support::postgres::{Cluster, Databases};

/// A port in front of a server. When the server ends a connection, the node is not told.
async fn silent_port(cluster: &Cluster) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (port, socket) = (listener.local_addr().unwrap().port(), format!("{}/.s.PGSQL.5432", cluster.folder));
    tokio::spawn(async move {
        while let Ok((mut node, _)) = listener.accept().await {
            let socket = socket.clone();
            tokio::spawn(async move {
                let Ok(mut server) = UnixStream::connect(&socket).await else { return };
                let ((mut answers, mut asks), (mut from, mut to)) = (server.split(), node.split());
                let _ = join(copy(&mut answers, &mut to), copy(&mut from, &mut asks)).await;
                // Neither end is closed.
                pending::<()>().await
            });
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_goes_on_after_the_crash_of_a_backend_counts_as_another() {
    let cluster = Cluster::start();
    let mut databases = Databases::in_clusters(&cluster, Cluster::shared()).await;
    let through =
        format!("host=127.0.0.1 port={} user=annon dbname=record sslmode=disable", silent_port(&cluster).await);
    databases.options.record.url = databases.options.record.url.replace(&cluster.url("record"), &through);
    let node = databases.open().await;
    node.accounts().create(account(1)).await.unwrap();
    let server = node.record().server();

    let (client, connection) = tokio_postgres::connect(&cluster.url("record"), NoTls).await.unwrap();
    tokio::spawn(connection);
    let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await.unwrap().get(0);
    assert!(as_its_user(&["kill", "-9", &pid.to_string()]).status().unwrap().success());
    // Others may answer until they are ended as well.
    while !client.is_closed() || tokio_postgres::connect(&cluster.url("record"), NoTls).await.is_err() {
        sleep(Duration::from_millis(20)).await;
    }
    // Connections that the node believes in answer no more. Once they are all in use it makes a new one.
    let accounts = node.accounts();
    for _ in 0..100 {
        let read = timeout(Duration::from_millis(500), accounts.by_id(account_id(1))).await;
        if let Ok(Ok(found)) = read {
            assert!(found.is_some());
            assert_ne!(node.record().server(), server, "what it shows was confirmed before the crash, and not since");
            return;
        }
    }
    panic!("nothing is read any more");
}
