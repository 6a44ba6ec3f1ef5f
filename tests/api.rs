//! Black-box tests: the real binary on port 0, spoken to as strangers,
//! users, pages, mail servers and operators do. A module for each file of
//! `src/http/`, and one for each thing that goes across them.
//!
//! Every answer that comes through `client.rs` is held against the API's
//! own description on the way (`contract.rs`), whatever its test is about.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test ends at the first thing that isn't as it should be, and says where"
)]

#[path = "api/client.rs"]
mod client;
#[path = "api/contract.rs"]
mod contract;
#[path = "api/far_end.rs"]
mod far_end;
#[path = "api/form.rs"]
mod form;
#[path = "api/line.rs"]
mod line;
#[path = "api/log.rs"]
mod log;
#[path = "api/patience.rs"]
mod patience;
#[path = "api/person.rs"]
mod person;
#[path = "api/server.rs"]
mod server;
#[path = "api/window.rs"]
mod window;

#[path = "api/abuse.rs"]
mod abuse;
#[path = "api/account.rs"]
mod account;
#[path = "api/auth.rs"]
mod auth;
#[path = "api/config.rs"]
mod config;
#[path = "api/confirm.rs"]
mod confirm;
#[path = "api/feedback.rs"]
mod feedback;
#[path = "api/full_disk.rs"]
mod full_disk;
#[path = "api/fuzz.rs"]
mod fuzz;
#[path = "api/headers.rs"]
mod headers;
#[path = "api/health.rs"]
mod health;
#[path = "api/hostile.rs"]
mod hostile;
#[path = "api/inbox.rs"]
mod inbox;
#[path = "api/json.rs"]
mod json;
#[path = "api/late_damage.rs"]
mod late_damage;
#[path = "api/lifecycle.rs"]
mod lifecycle;
#[path = "api/limits.rs"]
mod limits;
#[path = "api/mail.rs"]
mod mail;
#[path = "api/memory.rs"]
mod memory;
#[path = "api/note.rs"]
mod note;
#[path = "api/openapi.rs"]
mod openapi;
#[path = "api/operator.rs"]
mod operator;
#[path = "api/password.rs"]
mod password;
#[path = "api/privacy.rs"]
mod privacy;
#[path = "api/promises.rs"]
mod promises;
#[path = "api/reset.rs"]
mod reset;
#[path = "api/service.rs"]
mod service;
#[path = "api/socket.rs"]
mod socket;
#[path = "api/tls.rs"]
mod tls;
