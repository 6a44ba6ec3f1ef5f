//! What one node of several has met. A server without a database shows none of it.

use annon_actors::rooms::Rooms;
use annon_store::NodeFigures;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use super::number;

pub(super) fn register(all: &mut Registry, figures: NodeFigures, rooms: &Rooms) {
    let NodeFigures {
        conflicts,
        locked,
        unknown,
        beats,
        beating,
        hears_all,
        gaps,
        nodes,
        skew,
        oldest_stale,
        oldest_dead_key,
        oldest_snapshot,
    } = figures;
    let counters = [
        ("append_conflicts", "Appends that another node was faster with, and that were decided again", conflicts),
        ("append_locked", "Appends that waited because somebody else was at the group's row", locked),
        ("commits_unknown", "Commits of which nobody knew whether they were done and kept", unknown),
        ("confirms", "Commits that confirmed what was read", beats),
        ("group_catch_ups", "How often a group read what other nodes had written", rooms.catch_ups()),
        ("group_differences", "Groups that differed between two nodes: each is a bug", rooms.differences()),
        ("wire_gaps", "How often a node that is alive was not heard any more", gaps),
    ];
    for (name, help, count) in counters {
        all.register(name, help, ConstCounter::new(count));
    }
    let took = ConstCounter::new(beating.as_secs_f64());
    all.register_with_unit("confirm", "Time that those commits took", Unit::Seconds, took);
    all.register("wire_up", "1 while every node that is alive is heard", ConstGauge::new(i64::from(hears_all)));
    all.register("nodes", "Nodes that are alive, with this one", number(nodes as u64));
    let seconds = [
        ("clock_skew", "How far this machine's clock is from the database's, at least", skew),
        ("oldest_stale_group", "How long a group has waited for a new key at most", oldest_stale.as_secs_f64()),
        ("oldest_dead_key", "How long a dead key has been in the keys' files at most", oldest_dead_key.as_secs_f64()),
        ("oldest_snapshot", "How long one moment of a database has been read at most", oldest_snapshot.as_secs_f64()),
    ];
    for (name, help, value) in seconds {
        all.register_with_unit(name, help, Unit::Seconds, ConstGauge::new(value));
    }
}
