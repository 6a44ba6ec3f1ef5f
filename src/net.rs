//! Connections: which are accepted, whose they are, how they are read and
//! written, and which leave actix-web for a session.

pub mod client;
pub mod compress;
pub mod descriptors;
pub mod door;
pub mod origin;
pub mod slow_client;
pub mod takeover;
pub mod tls;
