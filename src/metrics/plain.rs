//! The text that Prometheus had before OpenMetrics, which more programs read.

use std::borrow::Cow;

/// Makes it of OpenMetrics: a counter's description has the name of its samples, and there are no units and no end.
pub fn plain(metrics: &str) -> String {
    let lines: Vec<_> = metrics.lines().collect();
    let kind_of =
        |name: &str| lines.iter().find_map(|line| line.strip_prefix("# TYPE ")?.strip_prefix(name)?.strip_prefix(' '));
    let suffix_of = |name: &str| match kind_of(name) {
        Some("counter") => "_total",
        Some("info") => "_info",
        _ => "",
    };
    let described = |line: &str| -> Option<String> {
        let (what, rest) = line.strip_prefix("# ")?.split_once(' ')?;
        let (name, says) = rest.split_once(' ')?;
        let says = if says == "info" { "gauge" } else { says };
        Some(format!("# {what} {name}{} {says}", suffix_of(name)))
    };
    let kept = lines.iter().filter(|line| !line.starts_with("# UNIT ") && **line != "# EOF");
    let mut text = String::with_capacity(metrics.len());
    for line in kept.map(|line| described(line).map_or(Cow::Borrowed(*line), Cow::Owned)) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_described_under_the_name_of_their_samples() {
        let metrics = "# HELP annon_mails Mails.\n# TYPE annon_mails counter\nannon_mails_total 3\n\
            # HELP annon_build The version.\n# TYPE annon_build info\nannon_build_info{version=\"1\"} 1\n\
            # HELP annon_disk_bytes Free.\n# TYPE annon_disk_bytes gauge\n# UNIT annon_disk_bytes bytes\n\
            annon_disk_bytes 7\n# EOF\n";
        let expected = "# HELP annon_mails_total Mails.\n# TYPE annon_mails_total counter\nannon_mails_total 3\n\
            # HELP annon_build_info The version.\n# TYPE annon_build_info gauge\nannon_build_info{version=\"1\"} 1\n\
            # HELP annon_disk_bytes Free.\n# TYPE annon_disk_bytes gauge\nannon_disk_bytes 7\n";
        assert_eq!(plain(metrics), expected);
    }
}
