//! Metrics for Prometheus. No user can add a label: a route is a pattern of the
//! route table, never a path.

use std::time::Duration;

use annon_store::Commits;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use crate::app::App;
use crate::operator::control;
use crate::waits::Waits;

pub mod listener;
mod node;
mod plain;
mod process;
pub use plain::plain;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    method: &'static str,
    route: String,
    status: u16,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: String,
}

/// What the server counts here. The other metrics are read when they are shown.
pub struct Metrics {
    /// When the server started, since 1970.
    started: Duration,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram>,
    notes: Counter,
    damaged_pictures: Counter,
}

impl Metrics {
    pub fn new(started: Duration) -> Self {
        let durations = || Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
        Self {
            started,
            requests: Family::default(),
            durations: Family::new_with_constructor(durations),
            notes: Counter::default(),
            damaged_pictures: Counter::default(),
        }
    }

    /// Counts an answer. `route` is a pattern of the route table.
    pub fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.requests.get_or_create_owned(&Request { method, route: route.to_owned(), status }).inc();
        self.durations.get_or_create_owned(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    pub fn note_delivered(&self) {
        self.notes.inc();
    }

    /// Counts a picture that could not be shown.
    pub fn picture_damaged(&self) {
        self.damaged_pictures.inc();
    }

    pub fn damaged_pictures(&self) -> u64 {
        self.damaged_pictures.get()
    }

    pub fn notes_delivered(&self) -> u64 {
        self.notes.get()
    }
}

/// All metrics, as OpenMetrics. What waits for the operator may not be known.
pub fn text(app: &App, waits: Option<Waits>) -> String {
    let App { metrics, mailer, pusher, store, inboxes, rooms, limits, config, .. } = app;
    let figures = store.figures();
    let mut whole = Registry::default();
    process::register(whole.sub_registry_with_prefix("process"), metrics.started);
    let all = whole.sub_registry_with_prefix("annon");
    process::register_memory(all);
    let build = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
    all.register("build", "The version that runs", build);
    all.register("http_requests", "Requests answered, by route and status", metrics.requests.clone());
    let of_a_request = "Time from a request's head to its answer's head";
    all.register_with_unit("http_request_duration", of_a_request, Unit::Seconds, metrics.durations.clone());
    all.register("connections", "Open connections", number(limits.connections() as u64));
    all.register("sockets", "Open sockets of inboxes and groups", number(limits.sockets() as u64));
    all.register("notes_delivered", "Anonymous notes stored since start", metrics.notes.clone());
    all.register("mails_handed_on", "Mails that were handed on, since start", mailer.handed_on.clone());
    all.register("mails_failed", "Mails that were given up, since start", mailer.failed.clone());
    let pushes = "Messages of web push since start, by what has become of them";
    all.register("push_messages", pushes, pusher.figures.clone());
    if let Some(Commits { count, calls, time }) = figures.commits {
        all.register("store_commits", "Commits of the store, each with one sync", ConstCounter::new(count));
        all.register("store_commit_calls", "Calls those commits answered", ConstCounter::new(calls));
        let time = ConstCounter::new(time.as_secs_f64());
        all.register_with_unit("store_commit", "Time spent in commits", Unit::Seconds, time);
    }
    if let Some(size) = figures.data_bytes {
        all.register_with_unit("store_size", "The database on disk", Unit::Bytes, number(size));
    }
    if let Some(free) = figures.free_bytes {
        all.register_with_unit("disk_free", "Free space on the data folder's disk", Unit::Bytes, number(free));
    }
    if let Some(seconds) = control::last_backup(&config.data_dir) {
        let of_it = "When the last whole backup was handed out, in seconds since 1970";
        all.register_with_unit("last_backup_timestamp", of_it, Unit::Seconds, number(seconds));
    }
    let is_full = number(store.is_full().into());
    all.register("disk_full", "1 while the disk is full and nothing is written but what deletes", is_full);
    all.register("accounts", "Accounts there are", number(figures.accounts as u64));
    if let Some(pictures) = figures.picture_bytes {
        all.register_with_unit("pictures", "All pictures on disk", Unit::Bytes, number(pictures));
    }
    let damaged = "Pictures asked for that could not be shown, since start";
    all.register("pictures_damaged", damaged, metrics.damaged_pictures.clone());
    if let Some(Waits { reports, feedback, damage }) = waits {
        all.register("reports_waiting", "Reports that are open", number(reports.into()));
        all.register("feedback_waiting", "Pieces of feedback that are kept", number(feedback.into()));
        all.register("damage", "What was found damaged or missing: annon check says what", number(damage.into()));
    }
    all.register("inboxes_open", "People looking at their inbox", number(inboxes.watched() as u64));
    all.register("groups_open", "Groups somebody is in, or was a minute ago", number(rooms.open() as u64));
    let is_healthy = number(store.is_healthy().into());
    all.register("store_healthy", "1 while the store takes writes", is_healthy);
    let bugs = "States that should be impossible, since start: each is a bug that the log tells of";
    if let Some(figures) = figures.node {
        node::register(all, figures, rooms);
    }
    all.register("invariants_broken", bugs, ConstCounter::new(annon_store::broken_invariants()));
    let mut out = String::new();
    if text::encode(&mut out, &whole).is_err() {
        tracing::error!("the metrics can't be written");
    }
    out
}

fn number(number: u64) -> ConstGauge<i64> {
    ConstGauge::new(i64::try_from(number).unwrap_or(i64::MAX))
}
