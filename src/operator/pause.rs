//! What the operator does about the pause, in the server.

use annon_actors::clock::date_and_time;
use annon_contract::limits::PAUSE_WORDS_MAX;
use annon_store::pause::{Pause, PauseWords};

use crate::app::App;
use crate::operator::control::{AnswerWriter, in_words};

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
    let current = app.pausing.current();
    out.send(current.map_or("the pause is over".to_owned(), |pause| shown(&pause))).await
}

fn shown(pause: &Pause) -> String {
    format!("paused since {}: {}", date_and_time(pause.began), pause.words.as_str())
}
