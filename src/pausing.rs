//! The pause, as this server knows it: nothing is written meanwhile, and there are no sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::HttpResponse;
use actix_web::http::Method;
use actix_web::http::header::RETRY_AFTER;
use annon_contract::code::Code;
use annon_store::StoreError;
use annon_store::account::Timestamp;
use annon_store::pause::{Pause, Pauses};
use parking_lot::RwLock;

use crate::error::Refusal;

/// When whoever wants to write may ask again.
const AGAIN_SECONDS: &str = "60";

/// Calls that are made with POST and write nothing. Who has a seat in a group is only shown it.
const READING: [&str; 4] = ["/api/login", "/api/conversations/peek", "/api/report/receipt", "/api/room/{id}/seat"];
/// A call that is made with GET, and writes.
const WRITING: &str = "/api/mark_as_seen/{id}";
/// What is said through a socket would be written.
const SOCKET: &str = "/socket";

pub struct Pausing {
    pauses: Arc<dyn Pauses>,
    /// Asked by every request.
    is_paused: AtomicBool,
    current: RwLock<Option<Arc<Pause>>>,
}

impl Pausing {
    pub fn new(pauses: Arc<dyn Pauses>) -> Self {
        Self { pauses, is_paused: AtomicBool::new(false), current: RwLock::default() }
    }

    pub fn current(&self) -> Option<Arc<Pause>> {
        if self.is_paused.load(Ordering::Relaxed) { self.current.read().clone() } else { None }
    }

    /// When the pause began that is obeyed; 0 if there is none.
    pub fn began(&self) -> Timestamp {
        self.current().map_or(0, |pause| pause.began)
    }

    /// Refuses to write during the pause.
    pub fn may_write(&self) -> Result<(), Code> {
        if self.is_paused.load(Ordering::Relaxed) { Err(Code::PausedForMaintenance) } else { Ok(()) }
    }

    /// Looks whether there is a pause. Returns whether it is news that there is one.
    pub async fn look(&self) -> Result<bool, StoreError> {
        let found = self.pauses.current().await?.map(Arc::new);
        let is_paused = found.is_some();
        *self.current.write() = found;
        Ok(!self.is_paused.swap(is_paused, Ordering::Relaxed) && is_paused)
    }
}

/// Whether a call of the API may change what is kept. `route` is its pattern.
pub fn writes(method: &Method, route: &str) -> bool {
    match *method {
        Method::GET | Method::HEAD | Method::OPTIONS => route == WRITING || route.ends_with(SOCKET),
        Method::POST => !READING.contains(&route),
        _ => true,
    }
}

/// The answer to such a call.
pub fn refusal(pause: &Pause) -> HttpResponse {
    let (code, message) = (Code::PausedForMaintenance, pause.words.as_str().to_owned());
    HttpResponse::ServiceUnavailable().insert_header((RETRY_AFTER, AGAIN_SECONDS)).json(Refusal {
        status: 503,
        code,
        message,
        field: None,
        wait_seconds: None,
        shield: None,
    })
}
