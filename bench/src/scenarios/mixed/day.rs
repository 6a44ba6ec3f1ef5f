//! What a day is made of, as a file says it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::load::pace::Rate;
use crate::trouble::Trouble;

/// The day that is built in, and an example to edit.
pub(super) const BUILT_IN: &str = include_str!("day.toml");

/// A group lives 86400 seconds, of which making it and clearing up take some.
const LONGEST: f64 = 86_000.0;

/// Rates are a second, over everybody; 0 leaves something out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Day {
    pub(super) seconds: f64,
    pub(super) rooms: usize,
    pub(super) members: usize,
    /// Letters of a chat message.
    pub(super) length: usize,
    pub(super) inboxes: usize,
    pub(super) picture_width: u32,
    #[serde(rename = "per_second")]
    pub(super) rates: Rates,
}

/// So many a second of each.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rates {
    pub(super) chat: f64,
    pub(super) notes: f64,
    pub(super) inbox_reads: f64,
    pub(super) sign_ins: f64,
    pub(super) comings: f64,
    pub(super) pictures: f64,
}

impl Day {
    /// The file's, or the one that is built in.
    pub(super) fn load(file: Option<&Path>, seconds: Option<Duration>) -> Result<Self, Trouble> {
        let shown = file.map_or("the day that is built in".to_owned(), |file| file.display().to_string());
        let because = |why: &dyn std::fmt::Display| Trouble::because(format!("{shown}: {why}"));
        let text = file.map_or(Ok(BUILT_IN.to_owned()), fs::read_to_string).map_err(|error| because(&error))?;
        let mut day = Self::parse(&text).map_err(|why| because(&why))?;
        day.seconds = seconds.map_or(day.seconds, |seconds| seconds.as_secs_f64());
        if day.seconds > LONGEST {
            return Err(because(&format!("seconds is {}, and at most {LONGEST}: a group lives 24 hours", day.seconds)));
        }
        Ok(day)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let day: Self = toml::from_str(text).map_err(|error| told(text, &error))?;
        let Self { seconds, rooms, members, length, inboxes, picture_width, .. } = day;
        let ranges = [
            ("seconds", seconds, 0.1, LONGEST),
            ("rooms", rooms as f64, 1.0, 1000.0),
            ("members", members as f64, 1.0, 10.0),
            ("length", length as f64, 8.0, 255.0),
            ("inboxes", inboxes as f64, 1.0, 10_000.0),
            ("picture_width", f64::from(picture_width), 16.0, 4096.0),
        ];
        if let Some((field, value, from, to)) = ranges.iter().find(|(_, value, from, to)| !(from..=to).contains(&value))
        {
            return Err(format!("{} is {value}, and can be {from} to {to}", at(text, field)));
        }
        match day.rates.all().iter().find(|(_, rate)| *rate != 0.0 && !(0.001..=1e6).contains(rate)) {
            Some((field, rate)) => {
                Err(format!("{} is {rate}, and can be 0, or 0.001 to 1000000 a second", at(text, field)))
            }
            None => Ok(day),
        }
    }
}

/// The parser draws what it means; here it is one sentence.
fn told(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().replace('\n', ", ");
    // What is missing stands in no line.
    let span = error.span().filter(|_| !message.starts_with("missing field"));
    let Some(before) = span.and_then(|span| text.get(..span.start)) else { return message };
    let number = before.matches('\n').count();
    let line = text.lines().nth(number).unwrap_or_default().trim();
    format!("line {}, `{line}`: {message}", number + 1)
}

/// A field, and the line it stands in.
fn at(text: &str, field: &str) -> String {
    let is_it =
        |line: &str| line.trim_start().strip_prefix(field).is_some_and(|rest| rest.trim_start().starts_with('='));
    match text.lines().position(is_it) {
        Some(line) => format!("line {}: {field}", line + 1),
        None => field.to_owned(),
    }
}

impl Rates {
    fn all(self) -> [(&'static str, f64); 6] {
        let Self { chat, notes, inbox_reads, sign_ins, comings, pictures } = self;
        [
            ("chat", chat),
            ("notes", notes),
            ("inbox_reads", inbox_reads),
            ("sign_ins", sign_ins),
            ("comings", comings),
            ("pictures", pictures),
        ]
    }
}

/// A rate, unless it is nothing.
pub(super) fn rate(per_second: f64) -> Option<Rate> {
    (per_second > 0.0).then_some(Rate(per_second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_that_is_built_in_is_one() {
        let day = Day::load(None, None).unwrap();
        assert!(day.rates.all().iter().all(|(_, rate)| *rate > 0.0), "{day:?}");
        assert_eq!(Day::load(None, Some(Duration::from_secs(3))).unwrap().seconds, 3.0);
        assert!(Day::load(None, Some(Duration::from_secs(86_400))).is_err(), "longer than its groups live");
    }

    #[test]
    fn what_is_no_day_is_refused_in_one_line() {
        for (bad, words) in [
            ("seconds = ".to_owned(), "line 1, `seconds =`: "),
            (BUILT_IN.replace("rooms = ", "zimmer = "), "line 4, `zimmer = 20`: unknown field `zimmer`"),
            (BUILT_IN.replace("rooms = ", "rooms = -"), "line 4, `rooms = -20`: "),
            (BUILT_IN.replace("rooms = 20\n", ""), "missing field `rooms`"),
            (BUILT_IN.replace("members = ", "members = 9"), "line 5: members is 910, and can be 1 to 10"),
            (BUILT_IN.replace("chat = ", "chat = -"), "line 11: chat is -100, and can be 0, or 0.001 to"),
            (BUILT_IN.replace("chat = 100", "chat = 1e-300"), "line 11: chat is 0.000"),
            (BUILT_IN.replace("chat = 100", "chat = nan"), "line 11: chat is NaN"),
        ] {
            let why = Day::parse(&bad).unwrap_err();
            assert!(why.lines().count() == 1 && why.starts_with(words), "{why}");
        }
    }
}
