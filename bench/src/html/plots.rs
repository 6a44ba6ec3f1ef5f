//! Which plots a run's results hold.

use serde_json::Value;

use crate::html::plot::{Across, Line, Plot};

mod growth;

const PERCENTILES: [&str; 5] = ["p50", "p90", "p99", "p99.9", "max"];

/// All there are, in the order of the page.
pub(super) fn plots(results: &Value) -> Vec<Plot> {
    let stages = stages(results);
    let mut plots = percentiles(&with_latencies(results));
    plots.extend(over_time(&stages));
    plots.extend(intervals(results));
    for (what, key, unit, up_name) in [
        ("Processor time for a delivery, by size", "server_cpu_per_million", 1.0, "seconds per million"),
        ("Memory for a connection, by size", "memory_per_connection", 1024.0, "KiB"),
        ("Deliveries a second, by size", "deliveries_per_second", 1.0, "a second"),
    ] {
        plots.extend(by_size(&stages, what, (key, unit), up_name));
    }
    plots.extend(by_rate(&stages));
    plots.extend(growth::plots(results));
    plots
}

fn stages(results: &Value) -> Vec<&Value> {
    results["stages"].as_array().into_iter().chain(results["shares"].as_array()).flatten().collect()
}

/// Something that has latencies.
struct Timed<'a> {
    stage: String,
    /// What of the stage, where it is made of several.
    part: Option<String>,
    latency: &'a Value,
}

fn with_latencies(results: &Value) -> Vec<Timed<'_>> {
    // The chat of a mixed day is a share of it, and a stage as well.
    let list = if results["shares"].is_array() { &results["shares"] } else { &results["stages"] };
    let mut found = Vec::new();
    for stage in list.as_array().into_iter().flatten() {
        if stage["latency"].is_object() {
            found.push(Timed { stage: name(stage), part: None, latency: &stage["latency"] });
            continue;
        }
        let parts = stage.as_object().into_iter().flatten();
        for (part, value) in parts.filter(|(_, value)| value["latency"].is_object()) {
            found.push(Timed { stage: name(stage), part: Some(part.replace('_', " ")), latency: &value["latency"] });
        }
    }
    found
}

/// What tells a stage from the others.
pub(super) fn name(stage: &Value) -> String {
    let parts =
        ["rooms", "connections", "clients", "notes", "messages", "page", "what"].iter().filter_map(|key| match &stage
            [*key]
        {
            Value::Number(number) => Some(format!("{number} {key}")),
            Value::String(text) => Some(text.clone()),
            _ => None,
        });
    let mut name = parts.collect::<Vec<_>>().join(", ");
    if let Some(rate) = stage["rate"].as_f64() {
        name.push_str(&format!(", {rate}/s"));
    }
    name
}

/// One for each part: beside the slowest the others would lie on the axis.
fn percentiles(latencies: &[Timed<'_>]) -> Vec<Plot> {
    let line = |timed: &Timed<'_>| {
        let at = |key: &str| Some(timed.latency[key].as_f64()? / 1000.0);
        let points = PERCENTILES.iter().enumerate().filter_map(|(n, key)| Some((n as f64, at(key)?)));
        Line { name: timed.stage.clone(), points: points.collect() }
    };
    let mut plots: Vec<Plot> = Vec::new();
    for timed in latencies {
        let line = line(timed);
        let title = timed.part.as_ref().map_or("Latency".to_owned(), |part| format!("Latency: {part}"));
        match plots.iter_mut().find(|plot| plot.title == title) {
            _ if line.points.is_empty() => {}
            Some(plot) => plot.lines.push(line),
            None => plots.push(Plot {
                title,
                across: Across::Names(PERCENTILES.map(str::to_owned).to_vec()),
                across_name: "",
                up_name: "ms",
                lines: vec![line],
            }),
        }
    }
    plots
}

/// Deliveries and slowest hundredth, second by second.
fn over_time(stages: &[&Value]) -> Vec<Plot> {
    let plot = |title: &str, up_name, value: fn(&Value) -> Option<f64>| {
        let line = |stage: &&Value| {
            let ticks = stage["ticks"].as_array()?;
            let points = ticks.iter().enumerate().filter_map(|(n, tick)| Some(((n + 1) as f64, value(tick)?)));
            Some(Line { name: name(stage), points: points.collect() })
        };
        let lines = stages.iter().filter_map(line).filter(|line| line.points.len() > 1).collect();
        Plot { title: title.to_owned(), across: Across::Numbers, across_name: "seconds", up_name, lines }
    };
    vec![
        plot("Deliveries over time", "a second", |tick| tick["deliveries"].as_f64()),
        plot("p99 over time", "ms", |tick| Some(tick["latency"]["p99"].as_f64()? / 1000.0)),
    ]
}

/// What a soak has seen.
fn intervals(results: &Value) -> Vec<Plot> {
    let Some(intervals) = results["intervals"].as_array() else { return Vec::new() };
    let points = intervals
        .iter()
        .filter_map(|interval| Some((interval["minutes"].as_f64()?, interval["memory"].as_f64()? / 1024.0 / 1024.0)));
    let line = Line { name: "memory".to_owned(), points: points.collect() };
    let title = "The server's memory over time".to_owned();
    vec![Plot { title, across: Across::Numbers, across_name: "minutes", up_name: "MiB", lines: vec![line] }]
}

/// How something changes with the number of rooms or connections.
fn by_size(stages: &[&Value], title: &str, (key, unit): (&str, f64), up_name: &'static str) -> Option<Plot> {
    let size = |stage: &Value| {
        let members = stage["members"].as_f64().unwrap_or(1.0);
        stage["connections"].as_f64().or_else(|| Some(stage["rooms"].as_f64()? * members))
    };
    let mut points: Vec<_> =
        stages.iter().filter_map(|stage| Some((size(stage)?, stage[key].as_f64()? / unit))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by_key(|point| point.0);
    let lines = vec![Line { name: key.to_owned(), points }];
    let is_curve = lines[0].points.len() > 1;
    let (title, across) = (title.to_owned(), Across::Factors);
    is_curve.then_some(Plot { title, across, across_name: "connections", up_name, lines })
}

/// The slowest hundredth by the rate that was asked for.
fn by_rate(stages: &[&Value]) -> Option<Plot> {
    let point = |stage: &&Value| Some((stage["rate"].as_f64()?, stage["latency"]["p99"].as_f64()? / 1000.0));
    let mut points: Vec<_> = stages.iter().filter_map(point).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by_key(|point| point.0);
    let is_curve = points.len() > 1;
    let lines = vec![Line { name: "p99".to_owned(), points }];
    let title = "p99 by the rate of sends".to_owned();
    is_curve.then_some(Plot { title, across: Across::Factors, across_name: "sends a second", up_name: "ms", lines })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_fan_out_of_several_sizes_has_all_its_curves() {
        let stage = |rooms: u64| {
            let latency = json!({"p50": 1000, "p90": 1500, "p99": 2000, "p99.9": 3000, "max": 4000});
            let tick = json!({"deliveries": 100, "latency": {"p99": 2000}});
            json!({"rooms": rooms, "members": 10, "rate": null, "latency": latency, "ticks": [tick, tick],
                   "server_cpu_per_million": 2.5, "memory_per_connection": 4096.0, "deliveries_per_second": 50.0})
        };
        let results = json!({"stages": [stage(10), stage(100)]});
        let drawn: Vec<_> =
            plots(&results).iter().filter(|plot| plot.svg().is_some()).map(|plot| plot.title.clone()).collect();
        assert_eq!(drawn.len(), 6, "{drawn:?}");
        let memory = by_size(&stages(&results), "m", ("memory_per_connection", 1024.0), "KiB").unwrap();
        assert_eq!(memory.lines[0].points, [(100.0, 4.0), (1000.0, 4.0)]);
    }

    #[test]
    fn what_a_stage_is_made_of_has_its_own_plot_and_nothing_has_two() {
        let latency = json!({"latency": {"p50": 1000, "p99": 2000}});
        let login = json!({"stages": [{"clients": 4, "sign_ins": latency, "quiet_chat": latency, "times_p50": 1.0}]});
        let names = |results: &Value| -> Vec<_> {
            let drawn = plots(results).into_iter().filter(|plot| plot.title.starts_with("Latency"));
            drawn.map(|plot| (plot.title, plot.lines[0].name.clone(), plot.lines.len())).collect()
        };
        let plot = |title: &str, line: &str| (title.to_owned(), line.to_owned(), 1);
        // Beside seconds for a sign-in nothing could be seen of a chat.
        assert_eq!(names(&login), [plot("Latency: quiet chat", "4 clients"), plot("Latency: sign ins", "4 clients")]);
        let share = json!({"what": "chat", "latency": {"p50": 1000, "p99": 2000}});
        let mixed = json!({"shares": [share], "stages": [{"rooms": 4, "latency": {"p50": 1000, "p99": 2000}}]});
        assert_eq!(names(&mixed), [plot("Latency", "chat")]);
    }

    #[test]
    fn other_runs_have_what_they_have() {
        assert!(plots(&json!({})).iter().all(|plot| plot.svg().is_none()));
        let soak = json!({"intervals": [{"minutes": 1.0, "memory": 1_048_576}, {"minutes": 2.0, "memory": 2_097_152}]});
        assert_eq!(intervals(&soak)[0].lines[0].points, [(1.0, 1.0), (2.0, 2.0)]);
    }
}
