//! Annon's HTTP side: it parses at the door, asks the store and the actors,
//! and answers. `http.rs` is the table of calls; `serve` starts it all.

pub mod app;
pub mod auth;
pub mod body;
pub mod client;
pub mod config;
pub mod control;
pub mod descriptors;
pub mod door;
pub mod error;
pub mod guesses;
pub mod http;
pub mod link;
pub mod mail;
pub mod metrics;
pub mod openapi;
pub mod operator;
pub mod origin;
pub mod packed;
pub mod password;
pub mod patient;
pub mod picture;
pub mod pool;
pub mod rate_limit;
pub mod seat;
pub mod serve;
pub mod takeover;
pub mod telemetry;
pub mod tls;
pub mod unread;
pub mod uploads;
