//! How a server leaves its service to others: it isn't ready any more, takes no new
//! sockets, and closes the open ones. They are spread evenly over a time, since their
//! clients connect to the other servers at once.

use std::sync::atomic::Ordering;
use std::time::Duration;

use actix_web::rt;
use annon_actors::ids::random_id;

use crate::app::App;

/// Ends all sockets in this time. Balancers need it, too, to see that this server isn't
/// ready: so it is waited for, also without sockets.
pub(super) async fn drain(app: &App, time: Duration) {
    if time.is_zero() {
        return;
    }
    app.is_draining.store(true, Ordering::Relaxed);
    let mut farewells = app.farewells();
    farewells.sort_by_cached_key(|_| random_id());
    let turns = u32::try_from(farewells.len() + 1).unwrap_or(u32::MAX);
    let mut turn = rt::time::interval((time / turns).max(Duration::from_nanos(1)));
    // The first turn is now.
    turn.tick().await;
    for say in farewells {
        turn.tick().await;
        say();
    }
    turn.tick().await;
}
