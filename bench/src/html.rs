//! A run as one page: nothing is loaded from anywhere else, so that it can
//! be mailed, kept, and opened in ten years.

use std::fmt::Write;

use serde_json::Value;

use crate::html::plot::escape;
use crate::html::plots::plots;
use crate::html::table::{plain, sentence, table};

mod plot;
mod plots;
mod remarks;
mod table;

const STYLE: &str = include_str!("html/page.css");

/// The page of a run, from what `--json` writes.
pub(crate) fn page(whole: &Value) -> String {
    let word = |key: &str| whole[key].as_str().unwrap_or_default();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>annon-bench {0}</title><style>{STYLE}</style></head><body><h1>{0}</h1>",
        escape(word("scenario"))
    );
    let command: Vec<_> = whole["command"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let _ = write!(
        out,
        "<p><code>{}</code></p><p class=\"quiet\">{}</p>",
        escape(&command.join(" ")),
        escape(word("begun"))
    );
    let (ending, is_bad) = remarks::ending(whole);
    let _ = write!(out, "<p{}>{}</p>", if is_bad { " class=\"wrong\"" } else { "" }, escape(&ending));
    machine(&whole["machine"], &mut out);
    let results = &whole["results"];
    facts(results, &mut out);
    let plots: Vec<_> = plots(results).iter().filter_map(plot::Plot::svg).collect();
    if !plots.is_empty() {
        let _ = write!(out, "<h2>Plots</h2><div class=\"plots\">{}</div>", plots.concat());
    }
    let remarks = remarks::remarks(results);
    if !remarks.is_empty() {
        let lines = remarks.iter().map(|line| format!("<li>{}</li>", escape(line)));
        let _ = write!(out, "<h2>Remarks</h2><ul>{}</ul>", lines.collect::<String>());
    }
    for (title, rows) in results.as_object().into_iter().flatten() {
        if let Value::Array(rows) = rows {
            table(title, rows, &mut out);
        }
    }
    let _ = writeln!(out, "<p class=\"quiet\">annon-bench {}</p></body></html>", escape(word("version")));
    out
}

fn machine(machine: &Value, out: &mut String) {
    let mut facts = String::new();
    let mut fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(facts, "<dt>{name}</dt><dd>{}</dd>", escape(&value));
        }
    };
    let word = |key: &str| machine[key].as_str().map(str::to_owned);
    let cores = machine["cores"].as_u64().map(|cores| format!("{cores} × {}", word("cpu").unwrap_or_default()));
    fact("Processor", cores);
    fact("Memory", machine["memory_mib"].as_u64().map(|mib| format!("{mib} MiB")));
    fact("Kernel", word("kernel"));
    fact("Load before", machine["load_before"].as_f64().map(|load| format!("{load:.2}")));
    let _ = write!(out, "<h2>Machine</h2><dl>{facts}</dl>");
}

/// Single values of the results.
fn facts(results: &Value, out: &mut String) {
    let mut facts = String::new();
    for (name, value) in results.as_object().into_iter().flatten() {
        let shown = match value {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.as_f64().map_or_else(|| number.to_string(), plain),
            Value::Bool(is) => is.to_string(),
            Value::Object(fields) => sentence(fields),
            Value::Null | Value::Array(_) => continue,
        };
        let _ = write!(facts, "<dt>{}</dt><dd>{}</dd>", escape(&name.replace('_', " ")), escape(&shown));
    }
    if !facts.is_empty() {
        let _ = write!(out, "<h2>Run</h2><dl>{facts}</dl>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_holds_everything_and_asks_for_nothing() {
        let whole = json!({
            "scenario": "fanout", "version": "0.1.0", "command": ["annon-bench", "fanout", "<b>"], "ending": "wrong",
            "machine": {"cores": 2, "cpu": "Some CPU", "memory_mib": 1024, "kernel": "6.1", "load_before": 0.5},
            "results": {"server_version": "0.1.0", "stages": [
                {"rooms": 20, "latency": {"p50": 1000, "p99": 2000, "max": 3000}, "faults": {"lost": 3, "examples": ["x"]}},
            ]},
        });
        let page = page(&whole);
        for part in ["Some CPU", "&lt;b&gt;", "class=\"wrong\"", "<polyline", "latency p99", "faults lost", "20 rooms"]
        {
            assert!(page.contains(part), "{part}");
        }
        for outside in ["<script", "http://", "https://", "src=", "<link", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
    }
}
