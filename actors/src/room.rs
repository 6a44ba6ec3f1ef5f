//! Rooms. So far the part that decides: a state machine without a clock, a
//! socket or a disk.

pub mod command;
pub mod face;
pub mod machine;
