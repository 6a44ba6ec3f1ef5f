//! Connections: accepting them, finding their addresses, taking them over.

pub mod admission;
pub mod client;
pub mod compress;
pub mod origin;
pub mod slow_client;
pub mod takeover;
pub mod tls;
