//! What a run found: rows of figures. A table of them is printed while it runs. At the end all of
//! them are written as one JSON object for programs, and as one page that draws it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use rustix::fs::statfs;
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::load::{clock, latency};
use crate::report::view::make_room;
use crate::trouble::{Because, Fallible, Trouble};

pub(crate) mod view;

/// The page, which draws the JSON that is put into it. It loads nothing, so it can be mailed, kept,
/// and opened in ten years.
const PAGE: &str = include_str!("report/page.html");
/// What is put into the page: the JSON of this run, that of an earlier one, and uPlot 1.6.32 (MIT), which
/// draws the plots.
const RUN: &str = "\"the results\"";
const BESIDE: &str = "\"those of an earlier run\"";
const PARTS: [(&str, &str); 2] = [
    ("/* uPlot's style */", include_str!("report/uplot.min.css")),
    ("/* uPlot */", include_str!("report/uplot.min.js")),
];

/// The columns of a table, in groups. Each has its title, with the unit, and where its figure is in
/// a row, as in `p50 ms = latency/p50`. Times are kept in microseconds and memory in bytes, and
/// printed in the unit of the title.
pub(crate) type Columns = &'static [&'static [&'static str]];
/// Columns of a latency.
pub(crate) const LATENCY: &[&str] = &["p50 ms = latency/p50", "p99 ms = latency/p99", "max ms = latency/max"];
/// Columns of a latency with p99.9, for stages with very many calls.
pub(crate) const TAIL_LATENCY: &[&str] =
    &["p50 ms = latency/p50", "p99 ms = latency/p99", "p99.9 ms = latency/p99.9", "max ms = latency/max"];

/// One row of figures, and remarks on it.
#[derive(Default)]
pub(crate) struct Row {
    values: Map<String, Value>,
    remarks: Vec<String>,
}

impl Row {
    /// A row with all fields of `fields`.
    pub(crate) fn of(fields: impl Serialize) -> Self {
        match serde_json::to_value(fields) {
            Ok(Value::Object(values)) => Self { values, remarks: Vec::new() },
            _ => Self::default(),
        }
    }

    pub(crate) fn with(mut self, key: &str, value: impl Serialize) -> Self {
        self.values.insert(key.to_owned(), serde_json::to_value(value).unwrap_or_default());
        self
    }

    pub(crate) fn remarks(mut self, lines: Vec<String>) -> Self {
        self.remarks.extend(lines);
        self
    }
}

/// Everything a run has found so far.
pub(crate) struct Report {
    scenario: String,
    machine: Value,
    /// Seconds since 1970.
    begun: u64,
    results: Map<String, Value>,
    /// The columns of each list of rows in the results.
    tables: Map<String, Value>,
    /// The table of the last row.
    last_table: &'static str,
}

impl Report {
    /// Begins with a line about this machine: without it the numbers say nothing.
    pub(crate) fn begin(scenario: &str) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let cpuinfo = read("/proc/cpuinfo");
        let cpu = cpuinfo.lines().find_map(|line| Some(line.strip_prefix("model name")?.split_once(": ")?.1));
        let (cpu, release) = (cpu.unwrap_or("unknown"), read("/proc/sys/kernel/osrelease"));
        let kernel = release.trim();
        // The load of the minute before the run. Other programs make the machine slower.
        let load_before = read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()).unwrap_or(0.0);
        print_line(&format!("{cores} × {cpu}, kernel {kernel}, load before {load_before:.2}"));
        if load_before > cores as f64 / 4.0 {
            print_line("Careful: others keep this machine busy; the numbers are worse than it can do, and vary.");
        }
        let machine = json!({"cores": cores, "cpu": cpu, "kernel": kernel, "load_before": load_before});
        let (scenario, begun) = (scenario.to_owned(), clock::since_1970().as_secs());
        Self { scenario, machine, begun, results: Map::new(), tables: Map::new(), last_table: "" }
    }

    /// Says what was looked at beside the figures, and was right.
    pub(crate) fn checked(&mut self, what: &str) {
        print_line(&format!("Checked: {what}"));
        if let Value::Array(all) = self.results.entry("checked").or_insert_with(|| json!([])) {
            all.push(json!(what));
        }
    }

    /// Sets a value that is in no table.
    pub(crate) fn set(&mut self, name: &str, value: impl Serialize) {
        self.results.insert(name.to_owned(), serde_json::to_value(value).unwrap_or_default());
    }

    /// Adds a row to a table and prints it at once, so that Ctrl-C loses none.
    pub(crate) fn row(&mut self, table: &'static str, columns: Columns, row: Row) {
        let columns = &columns.concat();
        if self.last_table != table {
            self.last_table = table;
            self.tables.insert(table.to_owned(), json!(columns));
            print_line(&format!("\n{}", line(columns, |title, _| title.to_owned())));
        }
        let mut values = Value::Object(row.values);
        print_line(&line(columns, |title, path| figure(title, values.pointer(&format!("/{path}")))));
        row.remarks.iter().for_each(|line| print_remark(line));
        values["remarks"] = json!(row.remarks);
        if let Value::Array(rows) = self.results.entry(table).or_insert_with(|| json!([])) {
            rows.push(values);
        }
    }

    /// Records the server's data folder. What is in memory is not durable.
    pub(crate) fn data_is_in(&mut self, folder: &Path) {
        /// The kernel's numbers of `tmpfs` and `ramfs`.
        const IN_MEMORY: [i64; 2] = [0x0102_1994, 0x8584_58f6];
        let is_in_memory = statfs(folder).is_ok_and(|about| IN_MEMORY.contains(&about.f_type));
        if is_in_memory {
            print_line(
                "Careful: the server's data is in memory, where a sync reaches no disk; name a folder with --dir.",
            );
        }
        self.set("data_is_in_memory", is_in_memory);
    }

    /// Writes the requested files, the page with an earlier run beside this one. They are whole also
    /// when the run was not: then `ending` says why.
    pub(crate) fn write(&self, json: Option<&Path>, html: Option<&Path>, beside: &Value, ending: &str) -> Fallible {
        let whole = json!({
            "scenario": self.scenario,
            "version": env!("CARGO_PKG_VERSION"),
            "command": std::env::args().collect::<Vec<_>>(),
            "begun": self.begun,
            "machine": self.machine,
            "ending": ending,
            "results": self.results,
            "tables": self.tables,
        });
        // No text in the JSON may end the script.
        let script = |json: &Value| json.to_string().replace('<', "\\u003c");
        let page = || {
            let page = PARTS.iter().fold(PAGE.to_owned(), |page, (place, part)| page.replacen(place, part, 1));
            page.replacen(BESIDE, &script(beside), 1).replacen(RUN, &script(&whole), 1)
        };
        let write = |file: &Path, text: String| fs::write(file, text).because(unwritten(file));
        json.map_or(Ok(()), |file| write(file, format!("{whole:#}\n")))?;
        html.map_or(Ok(()), |file| write(file, page()))
    }
}

/// Reads what `--json` wrote of an earlier run.
pub(crate) fn earlier(file: &Path) -> Fallible<Value> {
    let text = fs::read_to_string(file).because(format!("can't read {}", file.display()))?;
    let run: Value = serde_json::from_str(&text).because(format!("{} has no run", file.display()))?;
    if run["tables"].is_object() { Ok(run) } else { Trouble::because(format!("{} has no run", file.display())) }
}

/// Checks this at the start, because hours later would be late to find out.
pub(crate) fn can_write(file: &Path) -> Fallible {
    fs::OpenOptions::new().create(true).append(true).open(file).because(unwritten(file)).map(drop)
}

fn unwritten(file: &Path) -> String {
    format!("can't write {}", file.display())
}

/// Prints a line. A closed pipe (`| head`) is no reason to stop.
pub(crate) fn print_line(line: &str) {
    make_room();
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

/// Prints a remark about the row above, or about a row that is missing.
pub(crate) fn print_remark(line: &str) {
    print_line(&format!("    {line}"));
}

/// A line of a table: a column is as wide as its title, or as its widest cell.
fn line(columns: &[&str], cell: impl Fn(&str, &str) -> String) -> String {
    let cells = columns.iter().map(|column| {
        let (title, path) = column.split_once(" = ").unwrap_or((column, column));
        let least = match path {
            "call" => 28,
            "what" => 14,
            _ => 8,
        };
        format!("{:>width$}", cell(title, path), width = title.chars().count().max(least))
    });
    cells.collect::<Vec<_>>().join("  ")
}

/// A figure in the unit of its title; a dash if there is none.
fn figure(title: &str, value: Option<&Value>) -> String {
    let is_in = |unit| title.split([' ', '/']).any(|word| word == unit);
    let unit = match () {
        () if is_in("ms") => 1000.0,
        () if is_in("KiB") => 1024.0,
        () if is_in("MiB") => 1024.0 * 1024.0,
        () => 1.0,
    };
    match value {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Number(number)) if unit == 1.0 && !number.is_f64() => number.to_string(),
        // Zero milliseconds are printed as a dash, because nothing takes no time at all.
        Some(Value::Number(number)) if unit != 1000.0 || number.as_f64() != Some(0.0) => {
            number.as_f64().map_or_else(String::new, |number| latency::digits(number / unit))
        }
        _ => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_s_columns_stand_under_each_other_in_the_units_of_their_titles() {
        let columns = &["clients", "p50 ms = latency/p50", "KiB/connection = memory"];
        assert_eq!(line(columns, |title, _| title.to_owned()), " clients    p50 ms  KiB/connection");
        let row = json!({"clients": 16, "latency": {"p50": 12_345}, "memory": 6_000.0});
        let cells = line(columns, |title, path| figure(title, row.pointer(&format!("/{path}"))));
        assert_eq!(cells, "      16      12.3            5.86");
        assert_eq!([figure("p50 ms", None), figure("p50 ms", Some(&json!(0)))], ["–", "–"]);
        assert_eq!([figure("failed", Some(&json!(0))), figure("what", Some(&json!("sent")))], ["0", "sent"]);
    }

    #[test]
    fn a_page_asks_for_nothing() {
        let places = [RUN, BESIDE].into_iter().chain(PARTS.map(|(place, _)| place));
        places.for_each(|place| assert_eq!(PAGE.matches(place).count(), 1, "{place}"));
        for outside in [" src=", "<link", "@import", "url(", "import(", "fetch("] {
            assert!([PAGE, PARTS[0].1, PARTS[1].1].iter().all(|part| !part.contains(outside)), "{outside}");
        }
        assert!(!PARTS[1].1.contains("</script"));
    }
}
