//! Limits for one caller and for all together: calls, attempts at a password,
//! uploads under way, and answers that wait to be read.

pub mod digest;
pub mod password_attempts;
pub mod rate_limit;
pub mod response_quota;
pub mod upload_slots;
