//! What a run says: a table for people while it runs, one JSON object for
//! programs when it has ended.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::clock;
use crate::html::page;
use crate::machine::Machine;
use crate::trouble::Trouble;
use crate::view::make_room;

/// Everything a run has found so far.
pub(crate) struct Report {
    scenario: &'static str,
    machine: Machine,
    /// When, in UTC.
    begun: String,
    results: Map<String, Value>,
}

impl Report {
    /// Opens with a line on where this takes place.
    pub(crate) fn begin(scenario: &'static str) -> Self {
        let machine = Machine::describe();
        let this = Self { scenario, machine, begun: clock::utc(clock::since_1970()), results: Map::new() };
        this.say(&this.machine.line());
        if this.machine.is_busy() {
            this.say("Careful: others keep this machine busy; the numbers are worse than it can do, and vary.");
        }
        this
    }

    /// A line for people.
    pub(crate) fn say(&self, line: &str) {
        say(line);
    }

    /// A value for programs.
    pub(crate) fn set(&mut self, name: &str, value: impl Serialize) {
        self.results.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
    }

    /// One more value in a list for programs.
    pub(crate) fn push(&mut self, name: &str, value: impl Serialize) {
        let list = self.results.entry(name).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(serde_json::to_value(value).unwrap_or_default());
        }
    }

    /// Writes the files that were asked for: for programs, and as a page.
    /// They are whole also when the run was not: `ending` then says why.
    pub(crate) fn write(&self, json: Option<&Path>, html: Option<&Path>, ending: &str) -> Result<(), Trouble> {
        let whole = json!({
            "scenario": self.scenario,
            "version": env!("CARGO_PKG_VERSION"),
            "command": std::env::args().collect::<Vec<_>>(),
            "begun": self.begun,
            "machine": self.machine,
            "ending": ending,
            "results": self.results,
        });
        let write = |file: &Path, text: String| {
            let written = fs::write(file, text);
            written.map_err(|error| Trouble::because(format!("can't write {}: {error}", file.display())))
        };
        json.map_or(Ok(()), |file| write(file, format!("{whole:#}\n")))?;
        html.map_or(Ok(()), |file| write(file, page(&whole)))
    }
}

/// Hours later would be late to find that out.
pub(crate) fn can_write(file: &Path) -> Result<(), Trouble> {
    let is_new = !file.exists();
    let opened = fs::OpenOptions::new().create(true).append(true).open(file);
    opened.map_err(|error| Trouble::because(format!("can't write {}: {error}", file.display())))?;
    if is_new {
        let _ = fs::remove_file(file);
    }
    Ok(())
}

/// A line on the terminal. A closed pipe (`| head`) is no reason to stop.
pub(crate) fn say(line: &str) {
    make_room();
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// A table whose rows are shown as they come, so that Ctrl-C loses none.
pub(crate) struct Table(pub(crate) &'static [&'static str]);

impl Table {
    /// Columns are as wide as their titles, and never narrower than a number.
    const NARROWEST: usize = 8;

    pub(crate) fn head(&self) -> String {
        self.row(&self.0.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    pub(crate) fn row(&self, cells: &[String]) -> String {
        let mut line = String::new();
        for (title, cell) in self.0.iter().zip(cells) {
            let width = title.chars().count().max(Self::NARROWEST);
            line.push_str(&format!("{cell:>width$}  "));
        }
        line.trim_end().to_owned()
    }
}

/// A line on a stage that somebody ended.
pub(crate) fn unfinished(seconds: f64, of: f64) -> String {
    format!("    Unfinished: ended after {seconds:.1} s of {of}.")
}

/// How many times the first the last is; nothing where that says nothing.
pub(crate) fn times(last: Option<f64>, first: Option<f64>) -> Option<f64> {
    last.zip(first.filter(|first| *first > 0.0)).map(|(last, first)| last / first)
}

/// A number, or a dash where there is none.
pub(crate) fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_s_columns_stand_under_each_other() {
        let table = Table(&["clients", "notes/commit", "p50 ms"]);
        let cells = ["16".to_owned(), cell(Some(12.345), 1), cell(None, 0)];
        assert_eq!(table.head(), " clients  notes/commit    p50 ms");
        assert_eq!(table.row(&cells), "      16          12.3         –");
    }
}
