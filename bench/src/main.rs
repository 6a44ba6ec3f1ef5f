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
use tokio::task::LocalSet;

use crate::args::Cli;
use crate::load::stop::Stop;
use crate::report::Report;
use crate::trouble::{Trouble, exit_code};

mod args;
mod load;
mod report;
mod scenarios;
mod trouble;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => return exit_code(&complain(Err(in_a_sentence(&error)))),
        Err(help) => {
            let _ = help.print();
            return ExitCode::SUCCESS;
        }
    };
    // One thread: what measures must leave the cores to what is measured.
    let ending = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => {
            let ending = runtime.block_on(LocalSet::new().run_until(measure(&cli)));
            // Nor is anybody waited for whom a second Ctrl-C has left behind.
            runtime.shutdown_background();
            ending
        }
        Err(error) => Err(Trouble::because(format!("can't begin: {error}"))),
    };
    exit_code(&complain(ending))
}

async fn measure(cli: &Cli) -> Result<(), Trouble> {
    let files = [&cli.json, &cli.html];
    let name = cli.scenario.name();
    if cli.scenario.measures_nothing() {
        if files.into_iter().any(Option::is_some) {
            return Err(Trouble::because(format!("{name} measures nothing: there is nothing to write into a file")));
        }
        return scenarios::without_report(&cli.scenario).await;
    }
    if cli.json.is_some() && cli.json == cli.html {
        return Err(Trouble::because("--json and --html name the same file"));
    }
    for file in files.into_iter().flatten() {
        report::can_write(file)?;
    }
    let (stop, mut report) = (Stop::listen()?, Report::begin(name));
    let ending = tokio::select! {
        ending = scenarios::run(&cli.scenario, &mut report, &stop) => ending,
        () = stop.asked_again() => Err(Trouble::Interrupted),
    };
    if ending == Err(Trouble::Interrupted) {
        report.say("Interrupted: no more was measured than what stands above.");
    }
    let said = ending.as_ref().map_or_else(ToString::to_string, |()| "right".to_owned());
    let written = report.write(cli.json.as_deref(), cli.html.as_deref(), &said);
    // An earlier trouble is the one to tell.
    ending.and(written)
}

fn complain(ending: Result<(), Trouble>) -> Result<(), Trouble> {
    if let Err(Trouble::Because(sentence)) = &ending {
        // What others say in it may have several lines, or command a terminal.
        let line = sentence.replace(char::is_control, " ");
        report::view::make_room();
        let _ = writeln!(std::io::stderr().lock(), "annon-bench: {line}");
    }
    ending
}

/// clap says what is wrong first, then how everything works.
fn in_a_sentence(error: &clap::Error) -> Trouble {
    const SCENARIOS: &str =
        "fanout, idle, storm, churn, notes, login, images, mixed, pages or start (--help tells more)";
    let first = complaint(&error.to_string());
    Trouble::because(match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => format!("say what to measure: {SCENARIOS}"),
        ErrorKind::InvalidSubcommand => format!("{first}; what can be measured: {SCENARIOS}"),
        _ => format!("{first} (--help tells more)"),
    })
}

/// The first line, and what stands indented below it until it says how
/// everything works: which flags are missing, or what a flag can be.
fn complaint(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let below = lines.take_while(|line| line.is_empty() || line.starts_with(' ')).map(str::trim);
    let below: Vec<_> = below.filter(|line| !line.is_empty()).collect();
    if below.is_empty() { first.to_owned() } else { format!("{first} {}", below.join(", ")) }
}
