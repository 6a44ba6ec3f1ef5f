//! The server on PostgreSQL.

mod answers;
mod balancers;
mod cluster;
mod conversations;
mod links;
mod migrate;
mod nats;
mod nodes;
mod outages;
mod pushes;
mod refusals;
mod suspensions;
mod watching;
mod whole;
