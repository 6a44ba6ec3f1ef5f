//! Plots as inline SVG: lines over an axis, nothing that needs a script.

use std::fmt::Write;

/// One line of a plot.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// What the horizontal axis shows.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Across {
    /// Numbers, evenly spread.
    Numbers,
    /// Numbers that grow by factors.
    Factors,
    /// Names at 0, 1, 2…
    Names(Vec<String>),
}

/// A plot with its title and the names of its axes.
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) across: Across,
    pub(super) across_name: &'static str,
    pub(super) up_name: &'static str,
    pub(super) lines: Vec<Line>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 44.0;
/// Told apart also by those who don't see all colours, and on both grounds.
const COLOURS: [&str; 7] = ["#4477aa", "#e05566", "#228833", "#997700", "#0e8aab", "#b8509a", "#7f7f7f"];
/// And when there are more lines than colours.
const DASHES: [&str; 4] = ["none", "7 4", "2 4", "9 3 2 3"];
const GRID_LINES: usize = 4;
/// Between the middles of two names on the axis.
const NAME_WIDTH: f64 = 56.0;

impl Plot {
    /// Nothing when there is nothing to draw.
    pub(super) fn svg(&self) -> Option<String> {
        let points = || self.lines.iter().flat_map(|line| &line.points).copied();
        let highest = round_up(points().map(|(_, y)| y).fold(0.0, f64::max))?;
        let first = points().map(|(x, _)| x).fold(f64::INFINITY, f64::min);
        let last = points().map(|(x, _)| x).fold(f64::NEG_INFINITY, f64::max);
        let spread = |x: f64| match self.across {
            Across::Factors => x.max(1.0).log10(),
            _ => x,
        };
        let (from, width) = (spread(first), (spread(last) - spread(first)).max(1e-9));
        let x_at = |x: f64| LEFT + (spread(x) - from) / width * (WIDTH - LEFT - RIGHT);
        let y_at = |y: f64| TOP + (1.0 - y / highest) * (HEIGHT - TOP - BOTTOM);
        let mut out = format!(
            "<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">",
            escape(&self.title),
            escape(&self.title)
        );
        for n in 0..=GRID_LINES {
            let value = highest * n as f64 / GRID_LINES as f64;
            let y = y_at(value);
            let _ = write!(
                out,
                "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                short(value)
            );
        }
        let mut last_name = f64::NEG_INFINITY;
        for (x, name) in self.marks(first, last) {
            if x_at(x) - last_name < NAME_WIDTH {
                continue;
            }
            last_name = x_at(x);
            let _ = write!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x_at(x),
                HEIGHT - BOTTOM + 18.0,
                escape(&name)
            );
        }
        let _ = write!(
            out,
            "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
             <text class=\"axis\" transform=\"translate(12 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (WIDTH + LEFT) / 2.0,
            HEIGHT - 6.0,
            escape(self.across_name),
            (HEIGHT - BOTTOM) / 2.0,
            escape(self.up_name)
        );
        for (n, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[n % COLOURS.len()];
            let path: Vec<_> = line.points.iter().map(|(x, y)| format!("{:.1},{:.1}", x_at(*x), y_at(*y))).collect();
            out.push_str(&stroke(n, &path.join(" ")));
            for (x, y) in line.points.iter().filter(|_| line.points.len() <= 40) {
                let _ = write!(
                    out,
                    "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"{colour}\"><title>{}: {}</title></circle>",
                    x_at(*x),
                    y_at(*y),
                    escape(&line.name),
                    short(*y)
                );
            }
        }
        out.push_str("</svg>");
        if self.lines.len() > 1 {
            out.push_str("<p class=\"legend\">");
            for (n, line) in self.lines.iter().enumerate() {
                let sample = stroke(n, "0,4 28,4");
                let _ = write!(
                    out,
                    "<span><svg aria-hidden=\"true\" viewBox=\"0 0 28 8\">{sample}</svg>{}</span>",
                    escape(&line.name)
                );
            }
            out.push_str("</p>");
        }
        out.push_str("</figure>");
        Some(out)
    }

    fn marks(&self, first: f64, last: f64) -> Vec<(f64, String)> {
        match &self.across {
            Across::Names(names) => names.iter().cloned().enumerate().map(|(n, name)| (n as f64, name)).collect(),
            Across::Factors => {
                let mut values: Vec<f64> = self.lines.iter().flat_map(|line| &line.points).map(|(x, _)| *x).collect();
                values.sort_by(f64::total_cmp);
                values.dedup();
                values.into_iter().map(|value| (value, short(value))).collect()
            }
            Across::Numbers => {
                let step = (last - first) / GRID_LINES as f64;
                (0..=GRID_LINES).map(|n| first + step * n as f64).map(|value| (value, short(value))).collect()
            }
        }
    }
}

/// A line as its number has it drawn.
fn stroke(n: usize, points: &str) -> String {
    let (colour, dashes) = (COLOURS[n % COLOURS.len()], DASHES[n / COLOURS.len() % DASHES.len()]);
    format!("<polyline fill=\"none\" stroke=\"{colour}\" stroke-dasharray=\"{dashes}\" points=\"{points}\"/>")
}

/// The next 1, 2 or 5 with noughts behind; nothing for nothing.
fn round_up(value: f64) -> Option<f64> {
    if !value.is_finite() || value <= 0.0 {
        return None;
    }
    let unit = 10_f64.powf(value.log10().floor());
    [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|round| *round >= value)
}

/// A number in as many digits as mean something.
pub(super) fn short(value: f64) -> String {
    let (value, unit) = match value.abs() {
        1e6.. => (value / 1e6, "M"),
        1e4.. => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let digits = if value.fract() == 0.0 {
        0
    } else if value.abs() < 10.0 {
        2
    } else {
        1
    };
    format!("{value:.digits$}{unit}")
}

/// As text in a page.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn axes_end_at_round_numbers() {
        assert_eq!(
            [0.9, 1.0, 1.1, 2.1, 51.0, 730.0].map(|v| round_up(v).unwrap()),
            [1.0, 1.0, 2.0, 5.0, 100.0, 1000.0]
        );
        assert_eq!([0.0, -1.0, f64::NAN, f64::INFINITY].map(round_up), [None; 4]);
        assert_eq!(
            [0.0, 0.5, 12.0, 12.34, 20_000.0, 1_250_000.0].map(short),
            ["0", "0.50", "12", "12.3", "20k", "1.25M"]
        );
    }

    #[test]
    fn every_line_can_be_seen_on_either_ground() {
        let light = |colour: &str| {
            let part = |at: usize| f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
            0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
        };
        for colour in COLOURS {
            for ground in ["#ffffff", "#15181d"] {
                let (a, b) = (light(colour) + 0.05, light(ground) + 0.05);
                assert!(a.max(b) / a.min(b) >= 3.0, "{colour} on {ground}: {:.2}", a.max(b) / a.min(b));
            }
        }
    }

    #[test]
    fn names_on_an_axis_reach_its_end_and_keep_their_distance() {
        let points = (0..40).map(|n| (500.0 * 1.1_f64.powi(n), 1.0)).collect();
        let lines = vec![Line { name: String::new(), points }];
        let plot = Plot { title: String::new(), across: Across::Factors, across_name: "", up_name: "", lines };
        let svg = plot.svg().unwrap();
        let names = svg.split("<text x=\"").filter(|text| text.contains("y=\"234.0\""));
        let at: Vec<f64> = names.filter_map(|text| text.split('"').next()?.parse().ok()).collect();
        assert!(at.len() > 4 && at.windows(2).all(|pair| pair[1] - pair[0] >= 55.9), "{at:?}");
        assert!(at[at.len() - 1] > WIDTH - RIGHT - 2.0 * NAME_WIDTH, "{at:?}");
    }

    #[test]
    fn a_plot_shows_every_line_and_nothing_when_empty() {
        let line = |name: &str, points: &[(f64, f64)]| Line { name: name.to_owned(), points: points.to_vec() };
        let mut plot = Plot {
            title: "a < b".to_owned(),
            across: Across::Factors,
            across_name: "rooms",
            up_name: "ms",
            lines: vec![line("p50", &[(10.0, 1.0), (1000.0, 2.0)]), line("p99", &[(10.0, 3.0), (1000.0, 4.0)])],
        };
        let svg = plot.svg().unwrap();
        assert_eq!(svg.matches("<polyline").count(), 4, "each in the plot and in the legend");
        assert!(svg.contains(">0</text>"), "what is flat looks flat: {svg}");
        assert!(svg.contains("a &lt; b") && svg.contains(">1000<") && svg.contains(">p99<"), "{svg}");
        let drawn: HashSet<_> = (0..COLOURS.len() * DASHES.len()).map(|n| stroke(n, "")).collect();
        assert_eq!(drawn.len(), COLOURS.len() * DASHES.len(), "no two look the same");
        plot.lines.clear();
        assert_eq!(plot.svg(), None);
    }
}
