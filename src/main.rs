//! The `annon` command.

use std::io::Write;
use std::process::ExitCode;

use annon::config::{Cli, Command};
use annon::{operator, serve, telemetry};
use rustix::fs::Mode;
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit, umask};

/// A message takes a few small allocations. One thread makes them and another
/// frees them, which the system's own allocator does more slowly.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    keep_memory_private();
    let Cli { command, config } = Cli::of_the_process();
    // What is made here is its user's alone, but for the manual. The files of the index can only be
    // made so by this: sled has no setting for it.
    if !matches!(command, Some(Command::Man { .. })) {
        umask(Mode::RWXG | Mode::RWXO);
    }
    if let Some(command) = command {
        return match operator::run(command, &config) {
            Ok(()) => ExitCode::SUCCESS,
            Err(why) => {
                let _ = writeln!(std::io::stderr(), "annon: {why}");
                ExitCode::FAILURE
            }
        };
    }
    telemetry::start(config.log_format, config.log_level);
    let system = actix_web::rt::System::new();
    let code = system.block_on(serve::serve(config));
    // Everything acknowledged is on disk by now. Dropping the runtime would
    // wait for its blocking threads, and one may be writing a backup that
    // nobody reads.
    std::mem::forget(system);
    code
}

/// Keys, messages and passwords are in memory: so core dumps, which would write
/// them to a disk, are forbidden, and so is reading them by other processes of
/// the same user. If the system refuses this, the server runs all the same.
fn keep_memory_private() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
