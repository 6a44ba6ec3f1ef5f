//! Lists of results as tables: with units, and the most telling columns
//! first.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::html::plot::escape;
use crate::html::plots::name;
use crate::latency::millis;

/// What is shown otherwise, or is too long for a table.
const NOT_IN_TABLES: [&str; 5] = ["ticks", "examples", "example", "refusal", "kind"];
/// As much of how late the tester itself was as matters.
const OF_OWN_LATENESS: [&str; 2] = ["p50", "p99"];
/// What comes first, in this order; the rest comes by its name.
const ORDER: [&str; 40] = [
    "place",
    "load",
    "server",
    "what",
    "before",
    "after",
    "percent",
    "verdict",
    "page",
    "rooms",
    "members",
    "connections",
    "clients",
    "notes",
    "messages",
    "minutes",
    "rate",
    "on_their_way",
    "wanted_per_second",
    "done_per_second",
    "good_per_second",
    "sends_per_second",
    "deliveries_per_second",
    "pages_per_second",
    "back_per_second",
    "per_second",
    "sign_ins",
    "quiet_dashboard",
    "flooded_dashboard",
    "latency",
    "p50",
    "p90",
    "p99",
    "p99.9",
    "max",
    "mean",
    "p10",
    "count",
    "server_cpu_per_million",
    "memory_per_connection",
];
/// Times, which are kept in microseconds.
const TIMES: [&str; 10] =
    ["p10", "p50", "p90", "p99", "p99.9", "max", "mean", "worst_p99", "ready_after", "first_page"];

/// A number or a word, with all the names that lead to it.
struct Cell {
    path: Vec<String>,
    shown: String,
}

pub(super) fn table(title: &str, rows: &[Value], out: &mut String) {
    let flattened: Vec<_> = rows.iter().filter_map(Value::as_object).map(flat).collect();
    if flattened.is_empty() {
        return;
    }
    // What the first has none of may have come to the others.
    let mut columns: Vec<_> = flattened.iter().flatten().map(|cell| &cell.path).collect();
    columns.sort_unstable();
    columns.dedup();
    let is_parent = |path: &[String]| columns.iter().any(|other| other.len() > path.len() && other.starts_with(path));
    let parents: Vec<_> = columns.iter().filter(|path| is_parent(path)).copied().collect();
    columns.retain(|path| !parents.contains(path));
    columns.sort_by_key(|path| path.iter().map(|name| rank(name)).collect::<Vec<_>>());
    let _ = write!(out, "<h2>{}</h2><div class=\"wide\"><table><thead><tr><th></th>", escape(&title.replace('_', " ")));
    for column in &columns {
        let _ = write!(out, "<th>{}</th>", escape(&heading(column)));
    }
    out.push_str("</tr></thead><tbody>");
    for (row, cells) in rows.iter().zip(&flattened) {
        let _ = write!(out, "<tr><td>{}</td>", escape(&name(row)));
        for column in &columns {
            let cell = cells.iter().find(|cell| cell.path == **column).map_or("–", |cell| &cell.shown);
            let _ = write!(out, "<td>{}</td>", escape(cell));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div>");
}

/// The fields of something that is no list, in a sentence.
pub(super) fn sentence(fields: &Map<String, Value>) -> String {
    flat(fields).iter().map(|cell| format!("{} {}", heading(&cell.path), cell.shown)).collect::<Vec<_>>().join(", ")
}

/// One that has no name here comes behind those that do.
fn rank(name: &str) -> (usize, String) {
    let place = ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
    (place, name.to_owned())
}

fn heading(path: &[String]) -> String {
    let (_, unit) = unit(path);
    let words = path.join(" ").replace('_', " ");
    if unit.is_empty() { words } else { format!("{words}, {unit}") }
}

/// How many of what is kept make one of what is shown.
fn unit(path: &[String]) -> (f64, &'static str) {
    match path.last().map_or("", String::as_str) {
        time if TIMES.contains(&time) => (1000.0, "ms"),
        "memory" | "on_disk" => (1024.0 * 1024.0, "MiB"),
        "memory_per_connection" => (1024.0, "KiB"),
        "server_cpu_each" | "own_cpu_each" => (1.0, "µs"),
        "server_cpu_per_million" | "own_cpu_per_million" | "server_cpu" | "own_cpu" => (1.0, "s"),
        _ => (1.0, ""),
    }
}

/// The numbers and words of a stage, those within others with both names.
fn flat(fields: &Map<String, Value>) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (name, value) in fields.iter().filter(|(name, _)| !NOT_IN_TABLES.contains(&name.as_str())) {
        let path = vec![name.clone()];
        let shown = match value {
            Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), |value| shown(&path, value)),
            Value::String(text) => text.clone(),
            Value::Bool(is) => is.to_string(),
            Value::Null => "–".to_owned(),
            Value::Object(inner) => {
                let is_wanted =
                    |cell: &Cell| name != "own_lateness" || OF_OWN_LATENESS.contains(&cell.path[0].as_str());
                let inner = flat(inner).into_iter().filter(is_wanted);
                cells.extend(inner.map(|cell| Cell { path: [path.clone(), cell.path].concat(), shown: cell.shown }));
                continue;
            }
            Value::Array(_) => continue,
        };
        cells.push(Cell { path, shown });
    }
    cells
}

/// As the terminal has it.
fn shown(path: &[String], value: f64) -> String {
    match unit(path) {
        (_, "ms") => millis(value as u64),
        (factor, _) => plain(value / factor),
    }
}

/// A number with two digits behind the point where they mean something.
pub(super) fn plain(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 1000.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_have_units_and_the_most_telling_come_first() {
        let latency = json!({"count": 9, "max": 17_700, "p50": 1000, "p99": 2000});
        let row = || {
            json!({"clients": 4, "behind": 0, "memory": 3 * 1024 * 1024, "good_per_second": 12345.6,
                         "latency": latency.clone(), "ticks": [], "server_cpu_each": 12.345})
        };
        let mut out = String::new();
        table("stages", &[row()], &mut out);
        let headings: Vec<_> = out.split("<th>").skip(1).filter_map(|part| part.split("</th>").next()).collect();
        assert_eq!(
            headings[1..],
            [
                "clients",
                "good per second",
                "latency p50, ms",
                "latency p99, ms",
                "latency max, ms",
                "latency count",
                "behind",
                "memory, MiB",
                "server cpu each, µs"
            ]
        );
        let mut out = String::new();
        let late = json!({"p50": 10, "p99": 20, "max": 30});
        let rows = [
            json!({"clients": 1, "failures": {}, "overload": null}),
            json!({"clients": 2, "failures": {"500": 3}, "overload": {"unsent": 9}, "own_lateness": late}),
        ];
        table("stages", &rows, &mut out);
        let headings: Vec<_> = out.split("<th>").skip(2).filter_map(|part| part.split("</th>").next()).collect();
        assert_eq!(
            headings,
            ["clients", "failures 500", "overload unsent", "own lateness p50, ms", "own lateness p99, ms"],
            "also what the first row has none of"
        );
        let mut out = String::new();
        table("stages", &[row()], &mut out);
        for cell in ["<td>12346</td>", "<td>1.00</td>", "<td>17.7</td>", "<td>3</td>", "<td>12.35</td>"] {
            assert!(out.contains(cell), "{cell}: {out}");
        }
    }
}
