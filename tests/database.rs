//! The server on PostgreSQL.

mod balancers;
mod cluster;
mod nodes;
mod outages;
mod refusals;
mod whole;
