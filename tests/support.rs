//! What the tests share: a server, and its clients.
//!
//! `client.rs` compares every answer with the API's own description (`contract.rs`).

pub(crate) mod certificate;
pub(crate) mod client;
#[path = "../store/tests/support/cluster.rs"]
pub(crate) mod cluster;
pub(crate) mod contract;
pub(crate) mod database;
pub(crate) mod form;
pub(crate) mod log;
#[path = "../store/tests/support/nats.rs"]
pub(crate) mod nats;
pub(crate) mod patience;
pub(crate) mod person;
pub(crate) mod push;
pub(crate) mod reused_connection;
pub(crate) mod server;
pub(crate) mod talk;
pub(crate) mod test_socket;
