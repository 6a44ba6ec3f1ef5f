//! The server on PostgreSQL.

mod nodes;
mod outages;
mod refusals;
mod whole;
