//! Connections: which are accepted, whose they are, and which leave actix-web.

pub mod admission;
pub mod client;
pub mod compress;
pub mod origin;
pub mod slow_client;
pub mod takeover;
pub mod tls;
