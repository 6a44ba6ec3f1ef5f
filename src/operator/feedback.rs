//! What the operator does with feedback, in the server.

use annon_actors::clock::date_and_time;
use annon_store::StoreError;
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::image::{Album, ImageId};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;
use uuid::Uuid;

use crate::app::App;
use crate::config::FeedbackCommand;
use crate::operator::control::{AnswerLine, AnswerWriter, ROWS, in_words, json_line};

pub(super) async fn obey(app: &App, command: FeedbackCommand, out: &mut AnswerWriter) -> Result<(), String> {
    match command {
        FeedbackCommand::List { json } => list(app, json, out).await,
        FeedbackCommand::Show { id, .. } => show(app, id, out).await,
        FeedbackCommand::Delete { id } => {
            app.feedback.remove(FeedbackId(id)).await.map_err(|error| match error {
                StoreError::NotFound => format!("there is no feedback {id}"),
                other => in_words(other),
            })?;
            app.images.remove(Album::Feedback, &[ImageId(id)], None).await.map_err(in_words)?;
            out.send("deleted".to_owned()).await
        }
    }
}

fn shown(feedback: &Feedback) -> String {
    let picture = if feedback.has_picture { "  (with a picture)" } else { "" };
    let text = feedback.text.as_str().replace('\n', "\n    ");
    format!("{}  {}{picture}\n    {text}", feedback.id.0, date_and_time(feedback.date))
}

fn for_programs(Feedback { id, text, date, has_picture }: &Feedback) -> Result<String, String> {
    let date = date_and_time(*date);
    json_line(&json!({ "id": id.0, "date": date, "text": text.as_str(), "has_picture": has_picture }))
}

async fn list(app: &App, json: bool, out: &mut AnswerWriter) -> Result<(), String> {
    let mut before = None;
    loop {
        let page = app.feedback.page(before, ROWS).await.map_err(in_words)?;
        for feedback in &page {
            out.send(if json { for_programs(feedback)? } else { shown(feedback) }).await?;
        }
        let Some(last) = page.last() else { return Ok(()) };
        before = Some(last.id);
    }
}

async fn show(app: &App, id: Uuid, out: &mut AnswerWriter) -> Result<(), String> {
    let feedback = app.feedback.by_id(FeedbackId(id)).await.map_err(in_words)?;
    let feedback = feedback.ok_or_else(|| format!("there is no feedback {id}"))?;
    out.send(shown(&feedback)).await?;
    let picture = app.images.read(Album::Feedback, ImageId(id)).await.map_err(|error| match error {
        StoreError::Corrupt => {
            "its picture is damaged, or its file is gone; the words above are all there is".to_owned()
        }
        other => in_words(other),
    });
    if let Some(jpeg) = picture? {
        out.line(&AnswerLine::Picture(BASE64_STANDARD.encode(jpeg))).await.map_err(in_words)?;
    }
    Ok(())
}
