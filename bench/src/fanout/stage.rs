//! What one stage of a fan-out came to.

use std::time::Duration;

use serde::Serialize;

use crate::crowd::Size;
use crate::drive::Cost;
use crate::engine::book::Faults;
use crate::engine::live::Tick;
use crate::engine::pace::{Course, Pace};
use crate::engine::{Measured, Overload};
use crate::latency::{Summary, careful};
use crate::report::{Table, cell, unfinished};
use crate::trouble::Trouble;

pub(crate) const TABLE: Table = Table(&[
    "rooms",
    "members",
    "sends/s",
    "deliveries/s",
    "p50 ms",
    "p99 ms",
    "p99.9 ms",
    "max ms",
    "server s/million",
    "own s/million",
    "KiB/connection",
    "refused",
    "wrong",
]);

/// Deliveries that no server makes without any processor time.
const MANY: u64 = 50_000;

/// Seconds in which nothing can be measured: it ended in its warm-up.
const NOTHING: f64 = 0.01;

/// Memory of the server, in bytes.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Memory {
    pub(crate) per_connection: Option<f64>,
    pub(crate) whole: Option<u64>,
}

/// One stage, as programs read it. Latencies in microseconds.
#[derive(Serialize)]
pub(crate) struct Stage {
    pub(crate) rooms: usize,
    pub(crate) members: usize,
    /// Sends a second that were asked for; nothing in a closed loop.
    pub(crate) rate: Option<f64>,
    /// Messages each room has on their way; nothing in an open loop.
    pub(crate) on_their_way: Option<usize>,
    pub(crate) seconds: f64,
    /// What it was to last, in seconds, if somebody ended it before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cut_short_of: Option<f64>,
    pub(crate) sends_per_second: f64,
    pub(crate) deliveries: u64,
    pub(crate) deliveries_per_second: f64,
    /// Deliveries that were on their way when somebody ended the run.
    pub(crate) unheard: u64,
    pub(crate) latency: Summary,
    pub(crate) own_lateness: Summary,
    #[serde(skip)]
    pub(crate) server_cpu: Option<Duration>,
    /// Processor seconds for a million deliveries.
    pub(crate) server_cpu_per_million: Option<f64>,
    pub(crate) own_cpu_per_million: Option<f64>,
    /// Bytes that each connection, with its seat, added to the server.
    pub(crate) memory_per_connection: Option<f64>,
    /// Bytes of the whole server when the stage had ended.
    pub(crate) memory: Option<u64>,
    /// Messages that were due and that the server left no room to send.
    pub(crate) untaken: u64,
    pub(crate) refused: u64,
    pub(crate) refusal: Option<String>,
    #[serde(skip)]
    pub(crate) is_limited: bool,
    /// It was this program that was measured.
    pub(crate) overload: Option<Overload>,
    pub(crate) faults: Faults,
    pub(crate) ticks: Vec<Tick>,
}

impl Stage {
    pub(crate) fn new(size: Size, course: &Course, measured: Measured, cost: Cost, memory: Memory) -> Self {
        let (rate, on_their_way) = match course.pace {
            Pace::Open(rate) => (Some(rate.0), None),
            Pace::Closed { on_their_way } => (None, Some(on_their_way)),
        };
        Self {
            rooms: size.rooms,
            members: size.members,
            rate,
            on_their_way,
            seconds: measured.seconds,
            cut_short_of: measured.is_cut_short.then_some(course.length.as_secs_f64()),
            sends_per_second: measured.sends as f64 / measured.seconds,
            deliveries: measured.deliveries,
            deliveries_per_second: measured.deliveries as f64 / measured.seconds,
            unheard: measured.unheard,
            latency: measured.latency,
            own_lateness: measured.own_lateness,
            server_cpu: cost.server,
            server_cpu_per_million: Cost::per_million(cost.server, measured.deliveries),
            own_cpu_per_million: Cost::per_million(cost.own, measured.deliveries),
            memory_per_connection: memory.per_connection,
            memory: memory.whole,
            untaken: measured.untaken,
            refused: measured.refused,
            refusal: measured.refusal,
            is_limited: measured.is_limited,
            overload: measured.overload,
            faults: measured.faults,
            ticks: measured.ticks,
        }
    }

    /// Why this says nothing of the server, if it doesn't.
    pub(crate) fn not_measured(&self) -> Option<Trouble> {
        if self.is_limited {
            let why =
                "the server limits how much one socket may send: start it with --sends-per-second 0, or give a --rate";
            return Some(Trouble::because(why));
        }
        self.overload?;
        let rate = self.rate.unwrap_or_default();
        Some(Trouble::because(format!(
            "this program itself can't keep up with {rate} sends a second to {} members here: ask for a lower --rate",
            self.members
        )))
    }

    pub(crate) fn row(&self) -> String {
        let latency = &self.latency;
        let times = [latency.p50, latency.p99, latency.p99_9, latency.max].map(|micros| latency.shown(micros));
        let first = [
            self.rooms.to_string(),
            self.members.to_string(),
            cell(Some(self.sends_per_second), 0),
            cell(Some(self.deliveries_per_second), 0),
        ];
        let last = [
            cell(self.server_cpu_per_million, 2),
            cell(self.own_cpu_per_million, 2),
            cell(self.memory_per_connection.map(|bytes| bytes / 1024.0), 1),
            self.refused.to_string(),
            if self.faults.is_none() { "–".to_owned() } else { "WRONG".to_owned() },
        ];
        TABLE.row(&[first.as_slice(), &times, &last].concat())
    }

    /// A line on that, if somebody ended it before its time was up.
    pub(crate) fn cut_short(&self) -> Option<String> {
        let length = self.cut_short_of?;
        Some(if self.seconds < NOTHING {
            "    Unfinished: ended in the warm-up, before any message counts.".to_owned()
        } else {
            unfinished(self.seconds, length)
        })
    }

    pub(crate) fn remarks(&self) -> Vec<String> {
        let mut lines = Vec::from_iter(self.cut_short());
        if self.unheard > 0 && self.overload.is_none() {
            lines.push(format!("    {} deliveries were still on their way when it was ended.", self.unheard));
        }
        if self.untaken > 0 {
            let untaken = self.untaken;
            lines.push(format!(
                "    {untaken} were due and never went out: the server took no more. They count as late."
            ));
        }
        if let Some(Overload { behind_seconds, unsent, closed }) = &self.overload {
            let closed = match closed {
                0 => String::new(),
                closed => format!(", and the server closed {closed} connections that were not read in time"),
            };
            lines.push(format!(
                "    Careful: this measured this program, which fell {behind_seconds:.1} s behind: {unsent} messages \
                 never went out{closed}."
            ));
        }
        if let Some(why) = &self.refusal {
            lines.push(format!("    {} were refused: {why}", self.refused));
        }
        if self.overload.is_none() {
            lines.extend(careful(&self.own_lateness, "messages"));
        }
        if self.server_cpu.is_some_and(|cpu| cpu.is_zero()) && self.deliveries > MANY {
            lines.push(format!(
                "    Careful: the server used no processor time for {} deliveries: is --server-pid its process?",
                self.deliveries
            ));
        }
        if !self.faults.is_none() {
            lines.push(format!("    WRONG: {}.", self.faults.line()));
            lines.extend(self.faults.examples.iter().map(|example| format!("    {example}")));
        }
        lines
    }
}
