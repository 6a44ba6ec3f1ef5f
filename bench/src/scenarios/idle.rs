//! Connections that nobody says anything on: what each costs in memory, and
//! whether the server keeps them all.

use std::time::Duration;

use crate::args;
use crate::load::chat::{Course, Flow};
use crate::load::frames::SHORTEST;
use crate::report::Row;
use crate::scenarios::{Run, fanout};
use crate::trouble::Trouble;

pub(super) async fn measure(args: &args::Idle, run: &mut Run<'_>) -> Result<(), Trouble> {
    if run.subject.pid().is_none() {
        run.report.say("Without --server-pid the server's memory can't be seen.");
    }
    let (held, members) = (args.seconds.as_secs_f64(), args.members);
    run.report.say(&format!("Memory that connections add, each with its seat in a room of {members}; held {held} s"));
    let course =
        Course { flow: Flow::Closed { in_flight: 0 }, warm_up: Duration::ZERO, length: args.seconds, words: SHORTEST };
    for (stage, &connections) in args.connections.iter().enumerate() {
        // Fewer than a room has members get a smaller room.
        let members = args.members.min(connections);
        let rooms = connections.div_ceil(members);
        let (talked, memory) = fanout::hold(rooms, members, course, args.bare, stage, run).await?;
        let row = Row::default()
            .count("connections", rooms * members)
            .count("rooms", rooms)
            .bytes("KiB/connection", "memory_per_connection", memory)
            .bytes("server MiB", "memory", run.subject.memory().map(|bytes| bytes as f64))
            .number("server CPU %", "server_cpu_percent", talked.cost.server_percent(talked.seconds), 1)
            .count("closed", talked.faults.cut as usize)
            .remarks(fanout::remarks(&talked, course));
        run.report.row("stages", row);
        run.stop.check()?;
        fanout::judge(&talked, course, members)?;
    }
    Ok(())
}
