//! PostgreSQL as the record: what the contract tests don't ask of every engine.

mod appends;
mod backup;
mod crashed;
mod crowd;
mod cuts;
mod dropped;
mod erasure;
mod figure;
mod locks;
mod migrate;
mod nodes;
mod opening;
mod outcomes;
mod pictures;
mod race;
mod rooms;
mod trips;
mod wire;
