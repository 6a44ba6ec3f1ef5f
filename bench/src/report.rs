//! What a run says: a table for people while it runs, and when it has ended
//! one JSON object for programs and one page that draws it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::load::clock;
use crate::load::latency::Summary;
use crate::report::machine::Machine;
use crate::report::view::make_room;
use crate::trouble::Trouble;

pub(crate) mod machine;
pub(crate) mod view;

/// The page, which draws the JSON that is put into it. It loads nothing, so
/// that it can be mailed, kept, and opened in ten years.
const PAGE: &str = include_str!("report/page.html");
/// Where the JSON goes.
const HERE: &str = "\"the results\"";

/// Everything a run has found so far.
pub(crate) struct Report {
    scenario: &'static str,
    machine: Machine,
    /// Seconds since 1970.
    begun: u64,
    results: Map<String, Value>,
    /// The titles that were shown last.
    titles: Vec<&'static str>,
}

impl Report {
    /// Opens with a line on where this takes place.
    pub(crate) fn begin(scenario: &'static str) -> Self {
        let (machine, begun) = (Machine::describe(), clock::since_1970().as_secs());
        let this = Self { scenario, machine, begun, results: Map::new(), titles: Vec::new() };
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

    /// A row at once, so that Ctrl-C loses none: of a table for people, and of
    /// a list for programs.
    pub(crate) fn row(&mut self, list: &str, row: Row) {
        let titles: Vec<_> = row.cells.iter().map(|cell| cell.title).collect();
        if titles != self.titles && !titles.is_empty() {
            self.say(&format!("\n{}", line(row.cells.iter().map(|cell| (cell.title, cell.width())))));
            self.titles = titles;
        }
        if !row.cells.is_empty() {
            self.say(&line(row.cells.iter().map(|cell| (cell.shown.as_str(), cell.width()))));
        }
        row.remarks.iter().for_each(|remark_| remark(remark_));
        let mut values = row.values;
        if !row.remarks.is_empty() {
            values.insert("remarks".to_owned(), row.remarks.into());
        }
        let list = self.results.entry(list).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(values.into());
        }
    }

    /// What a server's data is on: of one in memory nothing is durable.
    pub(crate) fn data_is_on(&mut self, filesystem: Option<String>) {
        self.say(&format!("Its data is on {}", filesystem.as_deref().unwrap_or("a filesystem of unknown kind")));
        if matches!(filesystem.as_deref(), Some("tmpfs" | "ramfs")) {
            self.say("Careful: on this filesystem a sync reaches no disk; name another folder with --dir.");
        }
        self.set("filesystem", filesystem);
    }

    /// Writes the files that were asked for. They are whole also when the run
    /// was not: `ending` then says why.
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
        let write = |file: &Path, text: String| fs::write(file, text).map_err(|error| unwritten(file, &error));
        json.map_or(Ok(()), |file| write(file, format!("{whole:#}\n")))?;
        html.map_or(Ok(()), |file| write(file, page(&whole)))
    }
}

fn page(whole: &Value) -> String {
    // Nothing in it may end the script.
    PAGE.replacen(HERE, &whole.to_string().replace('<', "\\u003c"), 1)
}

/// Hours later would be late to find that out.
pub(crate) fn can_write(file: &Path) -> Result<(), Trouble> {
    let is_new = !file.exists();
    let opened = fs::OpenOptions::new().create(true).append(true).open(file);
    opened.map_err(|error| unwritten(file, &error))?;
    if is_new {
        let _ = fs::remove_file(file);
    }
    Ok(())
}

fn unwritten(file: &Path, error: &io::Error) -> Trouble {
    Trouble::because(format!("can't write {}: {error}", file.display()))
}

/// A line on the terminal. A closed pipe (`| head`) is no reason to stop.
pub(crate) fn say(line: &str) {
    make_room();
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// A line about the row above it, or about one that there is not.
pub(crate) fn remark(line: &str) {
    say(&format!("    {line}"));
}

/// One row: what people see of it, and all that programs read.
#[derive(Default)]
pub(crate) struct Row {
    cells: Vec<Cell>,
    values: Map<String, Value>,
    remarks: Vec<String>,
}

struct Cell {
    title: &'static str,
    shown: String,
    /// At least so many letters.
    wide: usize,
}

impl Cell {
    /// Columns are as wide as their titles, and never narrower than a number.
    fn width(&self) -> usize {
        self.title.chars().count().max(self.wide)
    }
}

impl Row {
    /// A value that programs alone read.
    pub(crate) fn only(mut self, key: &str, value: impl Serialize) -> Self {
        self.values.insert(key.to_owned(), serde_json::to_value(value).unwrap_or_default());
        self
    }

    /// All fields of something, for programs.
    pub(crate) fn all(mut self, fields: impl Serialize) -> Self {
        if let Ok(Value::Object(fields)) = serde_json::to_value(fields) {
            self.values.extend(fields);
        }
        self
    }

    /// What another row has for programs, and its remarks.
    pub(crate) fn also(mut self, row: Self) -> Self {
        self.values.extend(row.values);
        self.remarks(row.remarks)
    }

    /// Another row as a value of this one, for programs; its remarks are for
    /// everybody.
    pub(crate) fn part(self, key: &str, row: Self) -> Self {
        self.only(key, row.values).remarks(row.remarks)
    }

    /// A number that people alone see, or a dash where there is none.
    pub(crate) fn shown(mut self, title: &'static str, value: Option<f64>, digits: usize) -> Self {
        let shown = value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"));
        self.cells.push(Cell { title, shown, wide: 8 });
        self
    }

    /// What tells a row from others.
    pub(crate) fn count(self, key: &'static str, value: usize) -> Self {
        self.shown(key, Some(value as f64), 0).only(key, value)
    }

    /// A word that does, among words of so many letters.
    pub(crate) fn word(mut self, key: &'static str, value: &str, wide: usize) -> Self {
        self.cells.push(Cell { title: key, shown: format!("{value:wide$}"), wide });
        self.only(key, value)
    }

    pub(crate) fn number(self, title: &'static str, key: &str, value: Option<f64>, digits: usize) -> Self {
        self.shown(title, value, digits).only(key, value)
    }

    /// Bytes, which people see in MiB or KiB, as the title says.
    pub(crate) fn bytes(self, title: &'static str, key: &str, value: Option<f64>) -> Self {
        let (unit, digits) = if title.contains("MiB") { (1024.0 * 1024.0, 0) } else { (1024.0, 1) };
        self.shown(title, value.map(|bytes| bytes / unit), digits).only(key, value)
    }

    /// Some of a summary's times, in milliseconds.
    pub(crate) fn times(mut self, summary: &Summary, titles: &[&'static str]) -> Self {
        for title in titles {
            let shown = summary.shown(summary.of(title));
            self.cells.push(Cell { title, shown, wide: 8 });
        }
        self
    }

    pub(crate) fn remarks(mut self, lines: Vec<String>) -> Self {
        self.remarks.extend(lines);
        self
    }
}

fn line<'a>(cells: impl Iterator<Item = (&'a str, usize)>) -> String {
    let cells: Vec<_> = cells.map(|(cell, width)| format!("{cell:>width$}")).collect();
    cells.join("  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::latency::Latencies;

    #[test]
    fn a_table_s_columns_stand_under_each_other_and_programs_read_it_all() {
        let latency = Latencies::new().summary();
        let row = Row::default().count("clients", 16).number("notes/commit", "per_commit", Some(12.345), 1);
        let row = row.times(&latency, &["p50 ms"]).only("latency", latency);
        let cells = |of: fn(&Cell) -> &str| line(row.cells.iter().map(|cell| (of(cell), cell.width())));
        assert_eq!(cells(|cell| cell.title), " clients  notes/commit    p50 ms");
        assert_eq!(cells(|cell| &cell.shown), "      16          12.3         –");
        assert_eq!((&row.values["clients"], &row.values["per_commit"]), (&json!(16), &json!(12.345)));
        assert_eq!(row.values["latency"]["count"], 0);
    }

    #[test]
    fn a_page_holds_everything_and_asks_for_nothing() {
        let page = page(&json!({"command": ["</script><b>"], "results": {"stages": [{"rooms": 20}]}}));
        assert!(page.contains("\\u003c/script>\\u003cb>") && page.contains("\"rooms\":20") && !page.contains(HERE));
        for outside in [" src=", "<link", "@import", "url(", "import(", "fetch("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
