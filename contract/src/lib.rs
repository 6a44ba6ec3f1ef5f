//! What the server and the web app agree on: limits, codes and their sentences,
//! the palette of emojis, what nobody can be called, and the table of pages.
//!
//! This crate stands below all others of ours and knows neither HTTP nor the
//! API's description. Its one test holds the web app's copy,
//! `web/src/shared/contract/`, and `make wire` writes it.

pub mod code;
pub mod limits;
pub mod names;
pub mod pages;
pub mod palette;
#[cfg(test)]
mod typescript;
