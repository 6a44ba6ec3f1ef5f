//! The `annon` command.

use std::io::Write;
use std::process::ExitCode;

use annon::config::Cli;
use annon::{operator, serve, telemetry};
use clap::Parser;

fn main() -> ExitCode {
    let Cli { command, config } = Cli::parse();
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
