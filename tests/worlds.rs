//! Two worlds that differ only in a secret: whoever must not know it sees the same in both.
//!
//! A test here is a row of the table in `worlds/table.rs`: a secret, and a watcher who must not learn
//! it. Its script runs twice, once with the secret being so and once with it being otherwise, and the
//! answers and frames that the watcher gets are compared, byte by byte and in their order. What is
//! random is replaced by names (`worlds/names.rs`), so that the same thing has one name everywhere.
//!
//! To add a row: a line in `ROWS`, a test that calls `worlds` with its name, and the name at each
//! call and event in `CALLS` and `EVENTS` that the row looks at. The row fails if it doesn't look at
//! them, and `table.rs` fails if a call or an event of the API isn't in them at all.

mod ends;
mod groups;
mod mails;
mod names;
mod nodes;
mod notes;
mod pushes;
mod senders;
mod table;
mod times;
mod watcher;
mod world;
