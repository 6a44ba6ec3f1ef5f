//! Values a flag can have, and what is wrong with those it can't.

use std::time::Duration;

use crate::engine::words::SHORTEST;

pub(super) fn seconds(raw: &str) -> Result<Duration, &'static str> {
    let seconds: f64 = raw.parse().map_err(|_| "that is no number of seconds")?;
    if (0.1..=86_400.0).contains(&seconds) { Ok(Duration::from_secs_f64(seconds)) } else { Err("0.1 to 86400 seconds") }
}

fn within(raw: &str, most: u64) -> Result<u64, String> {
    let number = raw.parse().ok().filter(|number| (1..=most).contains(number));
    number.ok_or_else(|| format!("a whole number from 1 to {most}"))
}

pub(super) fn clients(raw: &str) -> Result<usize, String> {
    // Past that one address of ours has no ports left for one of theirs.
    within(raw, 25_000).map(|clients| clients as usize)
}

pub(super) fn people(raw: &str) -> Result<usize, String> {
    within(raw, 99_999).map(|people| people as usize)
}

pub(super) fn connections(raw: &str) -> Result<usize, String> {
    within(raw, 500_000).map(|connections| connections as usize)
}

pub(super) fn rooms(raw: &str) -> Result<usize, String> {
    within(raw, 0xffff).map(|rooms| rooms as usize)
}

pub(super) fn members(raw: &str) -> Result<usize, String> {
    within(raw, 0xfff).map(|members| members as usize)
}

pub(super) fn in_flight(raw: &str) -> Result<usize, String> {
    within(raw, 1000).map(|in_flight| in_flight as usize)
}

pub(super) fn chat_length(raw: &str) -> Result<usize, &'static str> {
    raw.parse().ok().filter(|length| (SHORTEST..=255).contains(length)).ok_or("8 to 255 characters")
}

pub(super) fn notes(raw: &str) -> Result<u64, String> {
    within(raw, crate::people::INBOX_NOTES)
}

/// What a group keeps, unless its server was told otherwise.
pub(super) fn said(raw: &str) -> Result<u32, String> {
    within(raw, 10_000).map(|messages| messages as u32)
}

pub(super) fn measured(raw: &str) -> Result<usize, String> {
    within(raw, crate::growth::fill::MEASURED).map(|calls| calls as usize)
}

pub(super) fn stored(raw: &str) -> Result<u64, String> {
    within(raw, 100_000_000)
}

pub(super) fn length(raw: &str) -> Result<usize, &'static str> {
    // Shorter, the words that tell notes apart don't fit; longer ones are refused.
    raw.parse().ok().filter(|length| (80..=280).contains(length)).ok_or("80 to 280 characters")
}
