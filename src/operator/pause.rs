//! What the operator does about the pause, in the server.

use std::time::Duration;

use actix_web::rt::time::{sleep, timeout};
use annon_actors::clock::date_and_time;
use annon_contract::limits::PAUSE_WORDS_MAX;
use annon_store::pause::{Pause, PauseWords};

use crate::app::App;
use crate::operator::control::{AnswerWriter, in_words};

/// How often the other servers are asked whether they obey, and for how long: longer than a dead one counts as living.
const ASKS_EVERY: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(20);
/// In place of words it ends the pause.
const OFF: &str = "off";

pub(super) async fn obey(app: &App, words: Option<String>, out: &mut AnswerWriter) -> Result<(), String> {
    let pauses = app.store.pauses();
    match words.as_deref() {
        None => {
            let current = pauses.current().await.map_err(in_words)?;
            return out.send(current.as_ref().map_or("there is no pause".to_owned(), shown)).await;
        }
        Some(OFF) => pauses.end().await.map_err(in_words)?,
        Some(words) => {
            let too_long = |_| format!("say what people shall read, in at most {PAUSE_WORDS_MAX} characters");
            let words = PauseWords::try_from(words).map_err(too_long)?;
            let pause = Pause { began: app.clock.timestamp(), words };
            pauses.begin(pause).await.map_err(in_words)?;
        }
    }
    app.look_at_pause().await.map_err(in_words)?;
    until_all_obey(app).await?;
    let current = app.pausing.current();
    out.send(current.map_or("the pause is over".to_owned(), |pause| shown(&pause))).await
}

/// Waits until every living server obeys: a server that was killed counts as living for a while.
async fn until_all_obey(app: &App) -> Result<(), String> {
    let (record, began) = (app.store.record(), app.pausing.began());
    let mut missing = Vec::new();
    let obeyed = async {
        loop {
            // What can't be asked now can be asked again.
            if let Ok(names) = record.not_obeying(began).await {
                if names.is_empty() {
                    return;
                }
                missing = names;
            }
            sleep(ASKS_EVERY).await;
        }
    };
    if timeout(PATIENCE, obeyed).await.is_ok() {
        return Ok(());
    }
    let what = if began == 0 { "the pause is over" } else { "the pause has begun" };
    let who = if missing.is_empty() { "the others".to_owned() } else { missing.join(", ") };
    Err(format!("{what}, but not everywhere: for {PATIENCE:?} it was not heard of {who} (annon nodes lists all)"))
}

fn shown(pause: &Pause) -> String {
    format!("paused since {}: {}", date_and_time(pause.began), pause.words.as_str())
}
