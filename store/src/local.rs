//! The engine of this machine.

#[allow(dead_code, unused_imports, reason = "the engine that is built on it comes next")]
mod tape;
