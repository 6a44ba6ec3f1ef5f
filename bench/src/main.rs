//! Loads a running Annon server over HTTP, and measures it. It knows
//! nothing of the server but its API: what it measures is what a user gets.
//!
//! A run ends with 0 when the server did everything right, 1 when it lost or
//! mixed something up, 2 (and one sentence) when there was nothing to
//! measure, and 130 after Ctrl-C, when what was measured has been shown.

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Scenario};
use crate::report::Report;
use crate::stop::Stop;
use crate::trouble::{Finding, Trouble, exit_code};

mod api;
mod args;
mod clock;
mod cpu;
mod disk;
mod http;
mod latency;
mod load;
mod login;
mod machine;
mod metrics;
mod notes;
mod pages;
mod people;
mod report;
mod server;
mod start;
mod stop;
mod subject;
mod target;
mod trouble;
mod turns;

// One thread: what measures must leave the cores to what is measured.
#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return exit_code(&complain(Err(in_a_sentence(&error)))),
        Err(help) => {
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    let ending = measure(&cli).await;
    exit_code(&complain(ending))
}

async fn measure(cli: &Cli) -> Result<Finding, Trouble> {
    let stop = Stop::listen()?;
    let mut report = Report::begin(cli.scenario.name());
    let ending = match &cli.scenario {
        Scenario::Notes(args) => notes::run(args, &mut report, &stop).await,
        Scenario::Login(args) => login::run(args, &mut report, &stop).await,
        Scenario::Start(args) => start::run(args, &mut report, &stop).await,
        Scenario::Pages(args) => pages::run(args, &mut report, &stop).await,
        Scenario::Disk(args) => disk::run(args, &mut report, &stop).await,
    };
    if let Some(file) = &cli.json {
        let said = match &ending {
            Ok(Finding::Right) => "right".to_owned(),
            Ok(Finding::Wrong) => "wrong".to_owned(),
            Err(trouble) => trouble.to_string(),
        };
        // An earlier trouble is the one to tell.
        report.write(file, &said).or_else(|unwritten| if ending.is_ok() { Err(unwritten) } else { Ok(()) })?;
    }
    ending
}

fn complain(ending: Result<Finding, Trouble>) -> Result<Finding, Trouble> {
    if let Err(Trouble::Because(sentence)) = &ending {
        let _ = writeln!(std::io::stderr().lock(), "annon-bench: {sentence}");
    }
    ending
}

/// clap says what is wrong first, then how everything works.
fn in_a_sentence(error: &clap::Error) -> Trouble {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Trouble::because(format!("say what to measure: {SCENARIOS}"))
        }
        ErrorKind::InvalidSubcommand => Trouble::because(format!("{first}; what can be measured: {SCENARIOS}")),
        _ => Trouble::because(format!("{first} (--help tells more)")),
    }
}

const SCENARIOS: &str = "notes, login, start, pages or disk (--help tells more)";
