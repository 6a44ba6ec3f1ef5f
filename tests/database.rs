//! The server on PostgreSQL.

mod balancers;
mod nodes;
mod outages;
mod refusals;
mod whole;
