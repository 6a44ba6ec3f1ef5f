//! Annon's HTTP server: it parses each request, asks the store and the actors,
//! and answers. `http.rs` is the table of calls; `serve.rs` starts it all.

pub mod app;
pub mod auth;
pub mod body;
pub mod config;
pub mod digest;
pub mod error;
pub mod event_log;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod http;
pub mod lapsing;
pub mod limits;
pub mod link;
pub mod mail;
pub mod metrics;
pub mod net;
pub mod openapi;
pub mod operator;
pub mod own_words;
pub mod password;
pub mod pausing;
pub mod picture;
pub mod pool;
pub mod push;
pub mod seat;
pub mod serve;
#[cfg(test)]
mod stopped_clock;
pub mod telemetry;
pub mod waits;
