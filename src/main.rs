//! The `annon` command.

use std::io::Write;
use std::process::ExitCode;

use annon::config::Cli;
use annon::{operator, serve, telemetry};
use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};

/// A message takes a few small allocations, which one thread makes and another
/// frees. The system's own allocator is slower at that.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    keep_memory_private();
    let Cli { command, config } = Cli::of_the_process();
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

/// Keys, words and passwords are in memory: no core dump is to write them to
/// a disk, and nobody else of the same user is to read them there. Where the
/// system allows neither the server runs all the same.
fn keep_memory_private() {
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
