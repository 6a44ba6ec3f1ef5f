//! Mail: over SMTP when there is a server, otherwise as files in `outbox/`.
//!
//! Callers hand a letter over and go on; how long a mail server takes, and
//! whether there was anybody to write to, can't be told from an answer.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt;
use annon_actors::ids::{growing_id, random_id};
use annon_store::account::Email;
use annon_store::limits::RESET_LIFETIME;
use lettre::message::header::{ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use tokio::sync::{Semaphore, mpsc};

/// Letters that may wait for a slow mail server.
const QUEUE: usize = 256;
/// Letters that may wait for another try.
const BESIDE: usize = 64;
/// Waits between tries; a link that comes later than these is of no use.
const TRY_AGAIN_AFTER: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(60)];

/// A letter to one person.
pub struct Letter {
    /// Who gets it.
    pub to: Email,
    /// Its first line.
    pub subject: &'static str,
    /// Its text.
    pub text: String,
}

/// How letters leave.
#[derive(Clone)]
pub enum Route {
    /// Through a mail server.
    Smtp(AsyncSmtpTransport<Tokio1Executor>),
    /// As files that the operator looks at.
    Outbox(PathBuf),
}

impl Route {
    /// By the configured address, or into `outbox`.
    pub fn new(smtp_url: Option<&str>, outbox: &Path) -> Result<Self, String> {
        let Some(url) = smtp_url else { return Ok(Self::Outbox(outbox.to_owned())) };
        let url = match url.split_once("://") {
            Some(("smtps", _)) => url.to_owned(),
            Some(("smtp", rest)) if !rest.contains('?') => format!("smtp://{rest}?tls=required"),
            Some(("smtp+plain", rest)) => format!("smtp://{rest}"),
            _ => return Err("--smtp-url has to begin with smtp://, smtps:// or smtp+plain://".to_owned()),
        };
        // The library's own words could quote the password.
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(&url)
            .map_err(|_| "--smtp-url is not the address of a mail server".to_owned())?;
        Ok(Self::Smtp(builder.timeout(Some(Duration::from_secs(20))).build()))
    }
}

/// Takes letters, and sees to it that they are sent.
#[derive(Clone)]
pub struct Mailer {
    queue: mpsc::Sender<Letter>,
}

impl Mailer {
    /// Starts sending on this thread's runtime. `from` is the sender.
    pub fn start(route: Route, from: &str) -> Result<Self, String> {
        let from = Address::from_str(from).map_err(|_| "--mail-from is not a mail address".to_owned())?;
        let from = Mailbox::new(Some("Annon".to_owned()), from);
        let (queue, letters) = mpsc::channel(QUEUE);
        rt::spawn(work(route, from, letters));
        Ok(Self { queue })
    }

    /// Hands a letter over. With a full queue it is dropped: the person can
    /// ask again, and nobody else has to wait.
    pub fn send(&self, letter: Letter) {
        if self.queue.try_send(letter).is_err() {
            tracing::warn!("too many mails are waiting; one was dropped");
        }
    }
}

/// Sends letters one after the other. One that isn't taken now waits beside
/// them, so that a bad address keeps nobody else's mail.
async fn work(route: Route, from: Mailbox, mut letters: mpsc::Receiver<Letter>) {
    let beside = Arc::new(Semaphore::new(BESIDE));
    while let Some(letter) = letters.recv().await {
        let Some(message) = compose(&from, &letter) else {
            tracing::error!("a mail could not be written");
            continue;
        };
        if deliver(&route, &message).await.is_ok() {
            continue;
        }
        let (Ok(place), route) = (beside.clone().try_acquire_owned(), route.clone()) else {
            tracing::error!("too many mails wait for another try; one was dropped");
            continue;
        };
        rt::spawn(async move {
            let _place = place;
            for wait in TRY_AGAIN_AFTER {
                rt::time::sleep(wait).await;
                if deliver(&route, &message).await.is_ok() {
                    return;
                }
            }
            tracing::error!("the mail server did not take a mail in time");
        });
    }
}

/// It may be taken later.
struct NotYet;

/// Hands a mail over, or finds that it never will be.
async fn deliver(route: &Route, message: &Message) -> Result<(), NotYet> {
    match route {
        Route::Outbox(folder) => {
            let (folder, bytes) = (folder.clone(), message.formatted());
            let stored = rt::task::spawn_blocking(move || put_in(&folder, &bytes)).await;
            if !matches!(stored, Ok(Ok(()))) {
                tracing::error!("a mail could not be put into the outbox");
            }
        }
        // The server's own words may name the recipient.
        Route::Smtp(server) => match server.send(message.clone()).await {
            Ok(_) => tracing::info!("a mail was handed to the mail server"),
            Err(error) if error.is_permanent() => {
                let status = error.status().map(|code| code.to_string());
                tracing::error!(status, "the mail server refused a mail");
            }
            Err(error) => {
                tracing::warn!(timeout = error.is_timeout(), "the mail server did not take a mail; trying again");
                return Err(NotYet);
            }
        },
    }
    Ok(())
}

fn compose(from: &Mailbox, letter: &Letter) -> Option<Message> {
    let text = letter.text.replace('\n', "\r\n");
    // Plain lines stay plain, so that a link in a file in the outbox can be
    // copied from it.
    let body = Body::new_with_encoding(text, ContentTransferEncoding::SevenBit);
    Message::builder()
        .message_id(Some(format!("<{}@{}>", random_id(), from.email.domain())))
        .from(from.clone())
        .to(Mailbox::new(None, Address::from_str(letter.to.as_str()).ok()?))
        .subject(letter.subject)
        .header(ContentType::TEXT_PLAIN)
        .body(body.unwrap_or_else(Body::new))
        .ok()
}

fn put_in(folder: &Path, bytes: &[u8]) -> std::io::Result<()> {
    use std::io::Write;
    use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let name = growing_id();
    let part = folder.join(format!("{name}.part"));
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&part)?;
    file.write_all(bytes)?;
    std::fs::rename(part, folder.join(format!("{name}.eml")))
}

/// Removes mails from the outbox whose link no longer works: they hold an
/// address.
pub fn clear_outbox(folder: &Path, now: Duration) -> std::io::Result<()> {
    let until = std::time::SystemTime::UNIX_EPOCH + now.saturating_sub(RESET_LIFETIME);
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries {
        let entry = entry?;
        if entry.metadata()?.modified()? < until {
            std::fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_are_told_apart_and_nonsense_is_refused_without_quoting_it() {
        let outbox = Path::new("outbox");
        assert!(matches!(Route::new(None, outbox), Ok(Route::Outbox(_))));
        for good in ["smtp://u:p@mail.example:587", "smtps://mail.example", "smtp+plain://127.0.0.1:25"] {
            assert!(matches!(Route::new(Some(good), outbox), Ok(Route::Smtp(_))), "{good}");
        }
        for bad in ["mail.example:25", "http://u:hunter2@mail.example", "smtp://"] {
            let Err(told) = Route::new(Some(bad), outbox) else { panic!("{bad} was accepted") };
            assert!(!told.contains("hunter2"));
        }
    }
}
