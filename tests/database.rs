//! The server on PostgreSQL.

mod outages;
mod refusals;
mod whole;
