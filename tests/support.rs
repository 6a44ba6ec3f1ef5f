//! What the tests share: a server, and who speaks to it.
//!
//! Every answer that comes through `client.rs` is held against the API's own
//! description on the way (`contract.rs`), whatever its test is about.

pub(crate) mod client;
pub(crate) mod contract;
pub(crate) mod form;
pub(crate) mod line;
pub(crate) mod log;
pub(crate) mod patience;
pub(crate) mod person;
pub(crate) mod server;
pub(crate) mod window;
