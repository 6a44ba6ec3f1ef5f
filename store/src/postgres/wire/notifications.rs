//! What carries the wire if nothing else is there: `LISTEN` and `NOTIFY`, on a connection of
//! its own to the record, in one channel.

use tokio::sync::mpsc::Sender;
use tokio_postgres::{Client, Statement};

use super::Unsaid;
use super::message::{Mark, Marks, POKED_AT_ONCE};
use crate::postgres::Open;
use crate::postgres::errors::Failure;
use crate::wire::NodeId;

/// Payloads in one statement.
const TOGETHER: usize = 256;
const PUBLISH: &str = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload";

/// A connection that hears and says.
pub(super) struct Session {
    client: Client,
    publish: Statement,
    channel: String,
}

/// The channel of a cluster.
fn channel(cluster: &str) -> String {
    format!("annon_{cluster}")
}

impl Session {
    /// Connects, and hands on what is heard. If too much waits, the connection is closed.
    pub(super) async fn connect(open: &Open, cluster: &str, heard: Sender<String>) -> Result<Self, Failure> {
        let client = open.record.connect_to_hear(heard).await?;
        let channel = channel(cluster);
        // What is said is not worth a wait for the disk.
        let statements = format!("SET application_name = 'annon wire'; SET synchronous_commit = off; LISTEN {channel}");
        client.batch_execute(&statements).await.map_err(|_| Failure::Again)?;
        let publish = client.prepare(PUBLISH).await.map_err(|_| Failure::Again)?;
        Ok(Self { client, publish, channel })
    }

    /// Says what waits: while one statement is under way, the next one's grows. Returns
    /// whether it was said.
    pub(super) async fn say(&self, node: NodeId, unsaid: Unsaid) -> bool {
        let poked: Vec<Mark> = unsaid.pokes.into_iter().collect();
        let pokes = poked.chunks(POKED_AT_ONCE).filter_map(|marks| Marks::poke(node, marks));
        let payloads: Vec<_> = pokes.chain(unsaid.messages.into_iter().map(|(_, payload)| payload)).collect();
        for payloads in payloads.chunks(TOGETHER) {
            if self.client.execute(&self.publish, &[&self.channel, &payloads]).await.is_err() {
                return false;
            }
        }
        true
    }
}

/// Says something without a connection of its own.
pub(super) async fn say_at_last(open: &Open, cluster: &str, payload: &str) {
    if let Ok(mut lease) = open.record.lease().await {
        let _ = lease.read("SELECT pg_notify($1, $2)", &[&channel(cluster), &payload]).await;
    }
}
