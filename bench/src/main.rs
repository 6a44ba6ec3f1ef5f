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
mod chat;
mod churn;
mod clock;
mod cpu;
mod crowd;
mod dialect;
mod disk;
mod drive;
mod engine;
mod fanout;
mod frame;
mod growth;
mod history;
mod html;
mod http;
mod idle;
mod images;
mod latency;
mod load;
mod login;
mod machine;
mod metrics;
mod mixed;
mod notes;
mod pages;
mod people;
mod report;
mod server;
mod socket;
mod start;
mod stop;
mod storm;
mod subject;
mod target;
mod trouble;
mod turns;
mod view;

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
            let ending = runtime.block_on(measure(&cli));
            // Nor is anybody waited for whom a second Ctrl-C has left behind.
            runtime.shutdown_background();
            ending
        }
        Err(error) => Err(Trouble::because(format!("can't begin: {error}"))),
    };
    exit_code(&complain(ending))
}

async fn measure(cli: &Cli) -> Result<Finding, Trouble> {
    if cli.scenario.measures_nothing() && (cli.json.is_some() || cli.html.is_some()) {
        let name = cli.scenario.name();
        return Err(Trouble::because(format!("{name} measures nothing: there is nothing to write into a file")));
    }
    // What it prints is a file for --day: nothing else may stand there.
    if let Scenario::Mixed(args) = &cli.scenario
        && args.print
    {
        mixed::print();
        return Ok(Finding::Right);
    }
    let stop = Stop::listen()?;
    if let Scenario::Chat(args) = &cli.scenario {
        return chat::run(args, &stop).await;
    }
    if cli.json.is_some() && cli.json == cli.html {
        return Err(Trouble::because("--json and --html name the same file"));
    }
    for file in [&cli.json, &cli.html].into_iter().flatten() {
        report::can_write(file)?;
    }
    let mut report = Report::begin(cli.scenario.name());
    let ending = tokio::select! {
        ending = run(&cli.scenario, &mut report, &stop) => ending,
        () = stop.asked_again() => Err(Trouble::Interrupted),
    };
    if ending == Err(Trouble::Interrupted) {
        report.say("Interrupted: no more was measured than what stands above.");
    }
    let said = match &ending {
        Ok(Finding::Right) => "right".to_owned(),
        Ok(Finding::Wrong) => "wrong".to_owned(),
        Err(trouble) => trouble.to_string(),
    };
    let written = report.write(cli.json.as_deref(), cli.html.as_deref(), &said);
    // An earlier trouble is the one to tell.
    written.or_else(|unwritten| if ending.is_ok() { Err(unwritten) } else { Ok(()) })?;
    ending
}

async fn run(scenario: &Scenario, report: &mut Report, stop: &Stop) -> Result<Finding, Trouble> {
    match scenario {
        Scenario::Fanout(args) => fanout::run(args, report, stop).await,
        Scenario::Idle(args) => idle::run(args, report, stop).await,
        Scenario::Storm(args) => storm::run(args, report, stop).await,
        Scenario::Churn(args) => churn::run(args, report, stop).await,
        Scenario::Images(args) => images::run(args, report, stop).await,
        Scenario::Mixed(args) => mixed::run(args, report, stop).await,
        Scenario::Chat(_) => Ok(Finding::Right),
        Scenario::Notes(args) => notes::run(args, report, stop).await,
        Scenario::Login(args) => login::run(args, report, stop).await,
        Scenario::Start(args) => start::run(args, report, stop).await,
        Scenario::Pages(args) => pages::run(args, report, stop).await,
        Scenario::History(args) => history::run(args, report, stop).await,
        Scenario::Growth(args) => growth::run(args, report, stop).await,
        Scenario::Disk(args) => disk::run(args, report, stop).await,
    }
}

fn complain(ending: Result<Finding, Trouble>) -> Result<Finding, Trouble> {
    if let Err(Trouble::Because(sentence)) = &ending {
        // What others say in it may have several lines, or command a terminal.
        let line = sentence.replace(char::is_control, " ");
        view::make_room();
        let _ = writeln!(std::io::stderr().lock(), "annon-bench: {line}");
    }
    ending
}

/// clap says what is wrong first, then how everything works.
fn in_a_sentence(error: &clap::Error) -> Trouble {
    let text = error.to_string();
    let first = &complaint(&text);
    match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Trouble::because(format!("say what to measure: {SCENARIOS}"))
        }
        ErrorKind::InvalidSubcommand => Trouble::because(format!("{first}; what can be measured: {SCENARIOS}")),
        _ => Trouble::because(format!("{first} (--help tells more)")),
    }
}

/// The first line, and what stands indented below it until it says how
/// everything works: which flags are missing, or what a flag can be.
fn complaint(text: &str) -> String {
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().trim_start_matches("error: ");
    let below: Vec<_> = lines
        .take_while(|line| line.is_empty() || line.starts_with(' '))
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    if below.is_empty() { first.to_owned() } else { format!("{first} {}", below.join(", ")) }
}

const SCENARIOS: &str = "fanout, idle, storm, churn, notes, login, images, mixed, start, pages, history, growth or disk (--help tells more)";
