//! Calls, mails, the operator's commands and the inbox's socket. Each file of `src/http/` has a
//! module here, and so has each subject that concerns several of them.

mod abuse;
mod account;
mod auth;
mod config;
mod confirm;
mod feedback;
mod full_disk;
mod fuzz;
mod guessing;
mod headers;
mod health;
mod hostile;
mod inbox;
mod json;
mod lifecycle;
mod limits;
mod mail;
mod memory;
mod note;
mod openapi;
mod operator;
mod password;
mod privacy;
mod promises;
mod reset;
mod service;
mod socket;
mod tls;
