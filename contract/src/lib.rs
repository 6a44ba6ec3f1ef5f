//! What the server and the web app agree on: limits, codes and their sentences,
//! the palette of emojis, the signs to react with, reserved names, passwords that are too common, and the
//! table of pages.
//!
//! No other crate of ours is below this one. It has nothing of HTTP and of the
//! API's description. `make wire` writes the web app's copy into
//! `web/src/shared/contract/`; a test in `typescript.rs` compares it.

pub mod code;
pub mod limits;
pub mod names;
pub mod pages;
pub mod palette;
pub mod passwords;
pub mod signs;
#[cfg(test)]
mod typescript;
