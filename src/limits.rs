//! Limits for one caller and for all together: calls, attempts at a password,
//! uploads under way, and answers that wait to be read.

use std::sync::Arc;

use annon_store::wire::Wire;

pub mod digest;
pub mod password_attempts;
pub mod rate_limit;
pub mod response_quota;
pub mod upload_slots;

/// The nodes that share what an account may do.
#[derive(Clone, Default)]
pub struct Nodes(Option<Arc<dyn Wire>>);

impl Nodes {
    pub fn new(wire: Option<Arc<dyn Wire>>) -> Self {
        Self(wire)
    }

    /// How many are alive.
    pub fn alive(&self) -> u32 {
        self.0.as_ref().map_or(1, |wire| u32::try_from(wire.nodes()).unwrap_or(u32::MAX))
    }
}
