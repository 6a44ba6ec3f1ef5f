//! What a day is made of, as a file says it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::trouble::Trouble;
use crate::turns::Rate;

/// The day that is built in, and an example to edit.
pub(crate) const BUILT_IN: &str = include_str!("day.toml");

/// Rates are a second, over everybody; 0 leaves something out.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Day {
    pub(crate) seconds: f64,
    pub(crate) rooms: usize,
    pub(crate) members: usize,
    /// Letters of a chat message.
    pub(crate) length: usize,
    pub(crate) inboxes: usize,
    pub(crate) picture_width: u32,
    #[serde(rename = "per_second")]
    pub(crate) rates: Rates,
}

/// So many a second of each.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rates {
    pub(crate) chat: f64,
    pub(crate) notes: f64,
    pub(crate) inbox_reads: f64,
    pub(crate) sign_ins: f64,
    pub(crate) comings: f64,
    pub(crate) pictures: f64,
}

impl Day {
    /// The file's, or the one that is built in.
    pub(crate) fn load(file: Option<&Path>, seconds: Option<Duration>) -> Result<Self, Trouble> {
        let shown = file.map_or("the day that is built in".to_owned(), |file| file.display().to_string());
        let because = |why: &dyn std::fmt::Display| Trouble::because(format!("{shown}: {why}"));
        let text = file.map_or(Ok(BUILT_IN.to_owned()), fs::read_to_string).map_err(|error| because(&error))?;
        let mut day = Self::parse(&text).map_err(|why| because(&why))?;
        day.seconds = seconds.map_or(day.seconds, |seconds| seconds.as_secs_f64());
        Ok(day)
    }

    fn parse(text: &str) -> Result<Self, String> {
        // The first line says what and where; the rest draws it.
        let day: Self = toml::from_str(text).map_err(|error| error.to_string().replace('\n', " "))?;
        let Self { seconds, rooms, members, length, inboxes, picture_width, .. } = day;
        let is_possible = (0.1..=86_400.0).contains(&seconds)
            && (1..=1000).contains(&rooms)
            && (1..=10).contains(&members)
            && (8..=255).contains(&length)
            && (1..=10_000).contains(&inboxes)
            && (16..=4096).contains(&picture_width);
        if !is_possible {
            return Err("a number is out of its range: seconds 0.1 to 86400, rooms 1 to 1000, members 1 to 10, \
                        length 8 to 255, inboxes 1 to 10000, picture_width 16 to 4096"
                .to_owned());
        }
        if day.rates.all().iter().any(|(_, rate)| *rate != 0.0 && !(0.001..=1e6).contains(rate)) {
            return Err("a rate is 0, or 0.001 to 1000000 a second".to_owned());
        }
        Ok(day)
    }
}

impl Rates {
    fn all(self) -> [(&'static str, f64); 6] {
        let Self { chat, notes, inbox_reads, sign_ins, comings, pictures } = self;
        [
            ("chat", chat),
            ("notes", notes),
            ("inbox reads", inbox_reads),
            ("sign-ins", sign_ins),
            ("comings", comings),
            ("pictures", pictures),
        ]
    }
}

/// A rate, unless it is nothing.
pub(crate) fn rate(per_second: f64) -> Option<Rate> {
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
    }

    #[test]
    fn what_is_no_day_is_refused_in_one_line() {
        for bad in [
            "seconds = ".to_owned(),
            BUILT_IN.replace("rooms = ", "zimmer = "),
            BUILT_IN.replace("rooms = ", "rooms = -"),
            BUILT_IN.replace("members = ", "members = 9"),
            BUILT_IN.replace("chat = ", "chat = -"),
            BUILT_IN.replace("chat = 100", "chat = 1e-300"),
            BUILT_IN.replace("chat = 100", "chat = nan"),
        ] {
            let why = Day::parse(&bad).unwrap_err();
            assert!(why.lines().count() == 1, "{why}");
        }
    }
}
