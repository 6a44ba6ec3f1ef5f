//! PostgreSQL as the record: what the contract tests don't ask of every engine.

mod appends;
mod nodes;
mod opening;
mod outcomes;
mod race;
mod rooms;
