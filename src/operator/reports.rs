//! What the operator does with reports, in the server.

use annon_actors::clock::date_and_time;
use annon_store::StoreError;
use annon_store::account::Timestamp;
use annon_store::conversation::Side;
use annon_store::report::{About, Quoted, Report, ReportId, ReportPicture};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::App;
use crate::config::ReportCommand;
use crate::operator::control::{AnswerLine, AnswerWriter, ROWS, in_words, json_line};

pub(super) async fn obey(app: &App, command: ReportCommand, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        ReportCommand::List { json, all } => list(app, all, json, out).await,
        ReportCommand::Show { id, pictures } => show(app, id, pictures.is_some(), out).await,
        ReportCommand::Close { id } => {
            let closed = app.reports.close(ReportId(id), app.clock.timestamp()).await;
            closed.map_err(|error| if error == StoreError::NotFound { nothing(id) } else { in_words(error) })?;
            out.send("closed; it is kept for 90 days from now".to_owned()).await
        }
    }
}

fn nothing(id: Uuid) -> String {
    format!("there is no report {id}")
}

/// What it is about, as one word, and its id or path if it has one.
fn about(about: &About) -> (&'static str, Option<&str>) {
    match about {
        About::Note => ("note", None),
        About::Conversation(_) => ("conversation", None),
        About::Room(id) => ("group", Some(id)),
        About::Page(path) => ("page", Some(path)),
    }
}

/// The first line: what it is about and, if somebody is responsible who has an account, who.
fn heading(report: &Report, now: Timestamp) -> String {
    let (kind, id) = about(&report.about);
    let mut heading = format!("{}  {}  {kind}", report.id.0, date_and_time(report.date));
    if let Some(id) = id {
        heading += &format!(" {id}");
    }
    match &report.about {
        About::Conversation(Side::Owner) => heading += ", reported by its owner",
        About::Conversation(Side::Sender) => heading += ", reported by the sender",
        About::Note | About::Room(_) | About::Page(_) => {}
    }
    if let Some(account) = &report.account {
        heading += &format!("  (account {account})");
    }
    match report.closed {
        Some(closed) => heading += &format!("  closed {}", date_and_time(closed)),
        None => heading += &format!("  waits for {}", time(now.saturating_sub(report.date))),
    }
    heading
}

/// A time in the largest unit of which there is one.
fn time(seconds: u64) -> String {
    let units = [("day", 24 * 60 * 60), ("hour", 60 * 60), ("minute", 60)];
    let unit = units.into_iter().find(|(_, long)| seconds >= *long);
    let Some((unit, long)) = unit else { return "less than a minute".to_owned() };
    let count = seconds / long;
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Shows a report, and hands out its pictures if the operator has a folder for them.
async fn show(app: &App, id: Uuid, saves: bool, out: &mut AnswerWriter) -> Result<(), String> {
    let report = app.reports.by_id(ReportId(id)).await.map_err(in_words)?.ok_or_else(|| nothing(id))?;
    let pictures = app.reports.pictures(ReportId(id)).await.map_err(|error| match error {
        StoreError::Corrupt => "a picture of it is damaged".to_owned(),
        other => in_words(other),
    })?;
    // Its sender may ask whether somebody has. On a full disk the words are shown all the same.
    let _ = app.reports.look_at(ReportId(id)).await;
    out.send(whole(&report, &pictures, app.clock.timestamp())).await?;
    if !saves && !pictures.is_empty() {
        out.send(format!("  It shows pictures: annon report show {id} --pictures FOLDER saves them.")).await?;
    }
    for ReportPicture { jpeg, .. } in pictures.into_iter().filter(|_| saves) {
        out.line(&AnswerLine::Picture(BASE64_STANDARD.encode(jpeg))).await.map_err(in_words)?;
    }
    Ok(())
}

fn whole(report: &Report, pictures: &[ReportPicture], now: Timestamp) -> String {
    let mut text = heading(report, now);
    for (at, Quoted { from, time, text: said }) in report.words.iter().enumerate() {
        text += &format!("\n    {time}  {from}: {}", indented(said));
        if let Some(number) = pictures.iter().position(|picture| usize::from(picture.of) == at) {
            text += &format!("  [{}.jpg]", number + 1);
        }
    }
    if !report.text.as_str().is_empty() {
        text += &format!("\n  They say:\n    {}", indented(report.text.as_str()));
    }
    text
}

fn indented(text: &str) -> String {
    text.replace('\n', "\n    ")
}

fn for_programs(report: &Report) -> Value {
    let (kind, id) = about(&report.about);
    let words =
        report.words.iter().map(|Quoted { from, time, text }| json!({ "from": from, "time": time, "text": text }));
    json!({
        "id": report.id.0,
        "date": date_and_time(report.date),
        "about": kind,
        "of": id,
        "account": report.account,
        "words": words.collect::<Vec<_>>(),
        "text": report.text.as_str(),
        "closed": report.closed.map(date_and_time),
    })
}

async fn list(app: &App, all: bool, json: bool, out: &mut AnswerWriter) -> Result<(), String> {
    let (mut before, now) = (None, app.clock.timestamp());
    loop {
        let page = app.reports.page(before, ROWS).await.map_err(in_words)?;
        for report in page.iter().filter(|report| all || report.closed.is_none()) {
            out.send(if json { json_line(&for_programs(report))? } else { heading(report, now) }).await?;
        }
        let Some(last) = page.last() else { return Ok(()) };
        before = Some(last.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_told_in_its_largest_unit() {
        for (seconds, expected) in [
            (0, "less than a minute"),
            (60, "1 minute"),
            (59 * 60, "59 minutes"),
            (60 * 60, "1 hour"),
            (47 * 60 * 60, "1 day"),
            (14 * 24 * 60 * 60, "14 days"),
        ] {
            assert_eq!(time(seconds), expected);
        }
    }
}
