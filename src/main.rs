//! The `annon` command.

use std::io::Write;
use std::process::ExitCode;

use annon::config::Cli;
use annon::{operator, serve, telemetry};

/// A message is a handful of small pieces of memory, taken on one thread and
/// given back on another, which the system's own allocator is slower at.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
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
