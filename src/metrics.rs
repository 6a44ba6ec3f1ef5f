//! Numbers for Prometheus. No label can be grown by a user: routes are the
//! table's patterns, never paths.

use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use annon_store::Store;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Registry, Unit};

use annon_actors::inbox::Inboxes;
use annon_actors::rooms::Rooms;

pub mod listener;

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

/// Everything that is counted.
pub struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter>,
    durations: Family<Route, Histogram>,
    notes: Counter,
    commits: Counter,
    commit_calls: Counter,
    commit_seconds: Counter<f64, AtomicU64>,
    database_bytes: Gauge,
    disk_free_bytes: Gauge,
    disk_full: Gauge,
    accounts: Gauge,
    picture_bytes: Gauge,
    damaged_pictures: Counter,
    open_inboxes: Gauge,
    open_rooms: Gauge,
    healthy: Gauge,
    /// Two who ask at once must not both raise what is counted elsewhere.
    asked: Mutex<()>,
}

impl Metrics {
    /// All at nothing.
    pub fn new() -> Self {
        let requests = Family::<Request, Counter>::default();
        let durations =
            Family::<Route, Histogram>::new_with_constructor(|| Histogram::new(exponential_buckets(0.000_1, 2.0, 16)));
        let mut this = Self {
            registry: Registry::with_prefix("annon"),
            requests,
            durations,
            notes: Counter::default(),
            commits: Counter::default(),
            commit_calls: Counter::default(),
            commit_seconds: Counter::default(),
            database_bytes: Gauge::default(),
            disk_free_bytes: Gauge::default(),
            disk_full: Gauge::default(),
            accounts: Gauge::default(),
            picture_bytes: Gauge::default(),
            damaged_pictures: Counter::default(),
            open_inboxes: Gauge::default(),
            open_rooms: Gauge::default(),
            healthy: Gauge::default(),
            asked: Mutex::default(),
        };
        let registry = &mut this.registry;
        registry.register("http_requests", "Requests answered, by route and status", this.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from a request's head to its answer's head",
            Unit::Seconds,
            this.durations.clone(),
        );
        registry.register("notes_delivered", "Anonymous notes stored since start", this.notes.clone());
        registry.register("store_commits", "Commits of the store, each with one sync", this.commits.clone());
        registry.register("store_commit_calls", "Calls those commits answered", this.commit_calls.clone());
        registry.register_with_unit(
            "store_commit",
            "Time spent in commits",
            Unit::Seconds,
            this.commit_seconds.clone(),
        );
        registry.register_with_unit("store_size", "The database on disk", Unit::Bytes, this.database_bytes.clone());
        registry.register_with_unit(
            "disk_free",
            "Free space on the data folder's disk",
            Unit::Bytes,
            this.disk_free_bytes.clone(),
        );
        registry.register(
            "disk_full",
            "1 while the disk is full and nothing is written but what deletes",
            this.disk_full.clone(),
        );
        registry.register("accounts", "Accounts there are", this.accounts.clone());
        registry.register_with_unit("pictures", "All pictures on disk", Unit::Bytes, this.picture_bytes.clone());
        registry.register(
            "pictures_damaged",
            "Pictures asked for that could not be shown, since start",
            this.damaged_pictures.clone(),
        );
        registry.register("inboxes_open", "People looking at their inbox", this.open_inboxes.clone());
        registry.register("groups_open", "Groups somebody is in, or was a minute ago", this.open_rooms.clone());
        registry.register("store_healthy", "1 while the store takes writes", this.healthy.clone());
        this
    }

    /// Counts an answer. `route` is a pattern of the route table.
    pub fn answered(&self, method: &'static str, route: &str, status: u16, took: Duration) {
        self.requests.get_or_create_owned(&Request { method, route: route.to_owned(), status }).inc();
        self.durations.get_or_create_owned(&Route { route: route.to_owned() }).observe(took.as_secs_f64());
    }

    /// Counts a note.
    pub fn note_delivered(&self) {
        self.notes.inc();
    }

    /// Counts a picture that could not be shown.
    pub fn picture_damaged(&self) {
        self.damaged_pictures.inc();
    }

    /// Notes stored since start.
    pub fn notes_delivered(&self) -> u64 {
        self.notes.get()
    }

    /// Everything, in Prometheus's text form.
    pub fn text(&self, store: &Store, inboxes: &Inboxes, rooms: &Rooms) -> String {
        let _alone = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let figures = store.figures();
        let raise = |counter: &Counter, to: u64| counter.inc_by(to.saturating_sub(counter.get()));
        raise(&self.commits, figures.commits);
        raise(&self.commit_calls, figures.calls);
        self.commit_seconds.inc_by((figures.commit_time.as_secs_f64() - self.commit_seconds.get()).max(0.0));
        let whole = |bytes| i64::try_from(bytes).unwrap_or(i64::MAX);
        self.database_bytes.set(whole(figures.database_bytes));
        self.disk_free_bytes.set(whole(figures.disk_free_bytes));
        self.disk_full.set(i64::from(figures.disk_is_full));
        self.accounts.set(whole(figures.accounts as u64));
        self.picture_bytes.set(whole(figures.picture_bytes));
        self.open_inboxes.set(whole(inboxes.watched() as u64));
        self.open_rooms.set(whole(rooms.open() as u64));
        self.healthy.set(i64::from(store.is_healthy()));
        let mut out = String::new();
        if text::encode(&mut out, &self.registry).is_err() {
            tracing::error!("the metrics can't be written");
        }
        out
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
