//! Puts load on a running Annon server over HTTP, and measures it. It knows nothing of the server
//! but its API, so it measures what a user gets.
//!
//! A run exits with 0 if the server did everything right, 1 if the server lost or mixed up
//! something, 2 if nothing could be measured, and 130 after Ctrl-C, when the results are printed.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};
use tokio::task::LocalSet;

use crate::load::Stop;
use crate::report::{Report, print_line};
use crate::scenarios::Scenario;
use crate::trouble::{Because, Fallible, Trouble, exit_code};

mod args;
mod history;
mod judge;
mod load;
mod report;
mod scenarios;
mod sealing;
mod trouble;

/// Puts load on an Annon server over HTTP, and measures it.
///
/// It measures a running server (--url), or starts one on a temporary folder
/// and stops it after the run. Every column names its unit. p50, p99 and p99.9
/// are percentiles: 99 of 100 calls took the p99 or less. `server` and `own`
/// are the processor time of the server and of this program, which share the
/// machine's cores.
///
/// Without --rate, each client waits for an answer before it asks again (a
/// closed loop). That shows how much a server can do, and hides its stalls.
/// With --rate, requests go out when they are due, whatever the server does
/// (an open loop), and latency counts from then.
///
/// It checks every answer. The exit code is 0 if the server did everything
/// right, 1 if not (a note was lost, for example), 2 if nothing could be
/// measured, and 130 if the run was stopped early. A stopped run still prints
/// what it measured; a second Ctrl-C ends it at once.
#[derive(Debug, Parser)]
#[command(name = "annon-bench", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    scenario: Scenario,
    /// Also write the results to this file as one JSON object. Times are in
    /// microseconds, unless their names say otherwise.
    #[arg(long, global = true, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Also write the results, with plots, to this file as an HTML page.
    #[arg(long, global = true, value_name = "FILE")]
    html: Option<PathBuf>,
    /// An earlier run, as --json wrote it, to be shown beside this one on the page.
    #[arg(long, global = true, value_name = "FILE", requires = "html")]
    beside: Option<PathBuf>,
}

fn main() -> ExitCode {
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let name = matches.subcommand_name().unwrap_or_default();
    // One thread only: the cores belong to the server that is measured.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().because("can't begin");
    let ending = runtime.and_then(|runtime| {
        let ending = runtime.block_on(LocalSet::new().run_until(measure(&cli, name)));
        // After a second Ctrl-C the program does not wait for unfinished tasks.
        runtime.shutdown_background();
        ending
    });
    if let Err(Trouble::Because(sentence)) = &ending {
        // An error may contain others' text, which may have several lines or commands for a
        // terminal.
        let line = sentence.replace(char::is_control, " ");
        report::view::make_room();
        let _ = writeln!(std::io::stderr().lock(), "annon-bench: {line}");
    }
    exit_code(&ending)
}

async fn measure(cli: &Cli, name: &str) -> Fallible {
    let stop = Stop::listen()?;
    if let Scenario::Chat(chat) = &cli.scenario {
        return chat.run(&stop).await;
    }
    if let Scenario::History(convert) = &cli.scenario {
        return convert.run();
    }
    for file in [&cli.json, &cli.html].into_iter().flatten() {
        report::can_write(file)?;
    }
    let beside = cli.beside.as_deref().map(report::earlier).transpose()?.unwrap_or_default();
    let mut report = Report::begin(name);
    let ending = tokio::select! {
        ending = scenarios::run(&cli.scenario, &mut report, &stop) => ending,
        () = stop.asked_times(2) => Err(Trouble::Interrupted),
    };
    if ending == Err(Trouble::Interrupted) {
        print_line("Interrupted: no more was measured than what stands above.");
    }
    let how = ending.as_ref().map_or_else(ToString::to_string, |()| "right".to_owned());
    let written = report.write(cli.json.as_deref(), cli.html.as_deref(), &beside, &how);
    // The first error counts more.
    ending.and(written)
}
