//! The server on PostgreSQL.

mod balancers;
mod cluster;
mod migrate;
mod nodes;
mod outages;
mod refusals;
mod watching;
mod whole;
