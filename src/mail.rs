//! Mail: over SMTP when there is a server; otherwise kept in memory for the
//! operator to look at, or put into a folder that was named for it.
//!
//! Callers hand a letter over and go on; how long a mail server takes, and
//! whether there was anybody to write to, can't be told from an answer.

use std::collections::HashMap;
use std::io;
use std::mem;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use annon_actors::clock::SharedClock;
use annon_actors::ids::random_id;
use annon_store::account::Email;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox};
use lettre::{Address, Message};
use parking_lot::{Mutex, RwLock};
use prometheus_client::metrics::counter::Counter;
use tokio::sync::Semaphore;

use crate::config::Config;

mod folder;
mod held;
mod named;
mod reason;
mod route;
mod words;
pub use held::HeldMail;
use reason::{reason, refused_with};
pub use route::{Route, has_password, is_readable_on_the_way};
use words::SITE;
pub use words::{
    Claim, Counts, Language, Words, to_confirm, to_its_owner, to_operator, to_owner_of_unused, to_owner_of_waiting,
    to_reset, to_test, told,
};

/// Letters that may wait for a slow mail server, or for another try.
const WAITING: usize = 256;
/// Letters that are handed to the mail server at the same time.
const AT_ONCE: usize = 4;
/// Waits before each try; a link that comes later than these is of no use.
const TRIES_AFTER: [Duration; 4] =
    [Duration::ZERO, Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(60)];

/// How long a mail server may take over one mail. The library limits only the
/// time to connect; a silent server would keep one of `AT_ONCE` for ever.
const TAKEN_WITHIN: Duration = Duration::from_secs(60);

/// How often the same trouble is logged. A mail server that is away has it with every mail,
/// and with each try.
const SAID_EVERY: Duration = Duration::from_secs(60);

/// The headers by which a mail program ends mails of this kind (RFC 8058).
const END: &str = "List-Unsubscribe";
const END_AT_ONCE: &str = "List-Unsubscribe-Post";

pub struct Letter {
    pub to: Email,
    /// Subject and text.
    pub words: Words,
    /// The link that ends mails of this kind, also in one click of a mail program.
    pub ends_by: Option<String>,
}

impl Letter {
    pub fn new(to: Email, words: Words) -> Self {
        Self { to, words, ends_by: None }
    }
}

/// Takes letters, and sees to it that they are sent.
#[derive(Clone)]
pub struct Mailer {
    route: Arc<RwLock<Route>>,
    from: Mailbox,
    clock: SharedClock,
    places: Arc<Semaphore>,
    hands: Arc<Semaphore>,
    troubles: Arc<Mutex<Troubles>>,
    /// Mails that were handed on, since the start.
    pub handed_on: Counter,
    /// Mails that were given up, since the start.
    pub failed: Counter,
}

impl Mailer {
    /// Mails come from this address, under the site's name.
    pub fn new(route: Route, from: &str, site: &str, clock: SharedClock) -> Result<Self, String> {
        let from = Address::from_str(from).map_err(|_| "--mail-from is not a mail address".to_owned())?;
        let from = Mailbox::new(Some(site.to_owned()), from);
        let (places, hands) = (Arc::new(Semaphore::new(WAITING)), Arc::new(Semaphore::new(AT_ONCE)));
        let (handed_on, failed) = (Counter::default(), Counter::default());
        let troubles = Arc::default();
        Ok(Self { route: Arc::new(RwLock::new(route)), from, clock, places, hands, troubles, handed_on, failed })
    }

    fn route(&self) -> Route {
        self.route.read().clone()
    }

    /// Reads the mail server's password, and who may have signed its certificate, anew,
    /// if they are in files. The error is a sentence; what was read before stays.
    pub fn renew(&self, config: &Config) -> Result<bool, String> {
        if config.smtp_password_file.is_none() && config.smtp_certificates.is_none() {
            return Ok(false);
        }
        let route = Route::of(config)?;
        *self.route.write() = route;
        Ok(true)
    }

    /// Whether mails reach people by themselves.
    pub fn goes_out(&self) -> bool {
        matches!(self.route(), Route::Smtp(_))
    }

    /// The mails that wait for the operator, newest last. The error is a
    /// sentence that says where else they are.
    pub fn held(&self) -> Result<Vec<HeldMail>, String> {
        match self.route() {
            Route::Memory(held) => Ok(held.mails(self.clock.moment())),
            Route::Folder(folder) => Err(format!("mails are files in {}", folder.display())),
            Route::Smtp(_) => Err("mails go to the mail server; none are kept here".to_owned()),
        }
    }

    /// Removes mails that are older than a reset link works, since each has an address.
    pub async fn clear_old(&self) -> io::Result<()> {
        match self.route() {
            Route::Smtp(_) => Ok(()),
            Route::Memory(held) => {
                held.clear(self.clock.moment());
                Ok(())
            }
            Route::Folder(folder) => {
                let now = self.clock.now();
                rt::task::spawn_blocking(move || folder::clear_old(&folder, now)).await?
            }
        }
    }

    /// Hands a letter over, and doesn't wait for that.
    pub fn send(&self, letter: Letter) {
        let this = self.clone();
        rt::spawn(async move { this.hand_over(letter).await });
    }

    /// Hands a letter over. Returns whether it was taken. If too many wait it is dropped: the person can ask
    /// again, and nobody else has to wait.
    pub async fn hand_over(&self, letter: Letter) -> bool {
        let Ok(_place) = self.places.try_acquire() else {
            self.failed.inc();
            if let Some(more) = self.says("too many are waiting") {
                tracing::warn!(more, "too many mails are waiting; one was dropped");
            }
            return false;
        };
        let delivered = self.deliver_in_time(&letter).await;
        self.note(&delivered);
        delivered.is_ok()
    }

    /// Writes to the operator, once. The answer says where the mail is, or why it
    /// isn't.
    pub async fn try_out(&self, letter: &Letter) -> Result<String, String> {
        let (route, to) = (self.route(), letter.to.as_str());
        let message = compose(&route, &self.from, letter).ok_or("the mail could not be written")?;
        match deliver(&route, &message, &self.clock).await {
            Ok(()) => Ok(match route {
                Route::Smtp(_) => format!("the mail server took a mail to {to}"),
                Route::Folder(folder) => format!("the mail is a file in {}", folder.display()),
                Route::Memory(_) => {
                    "there is no mail server; the mail is kept here, and annon mail shows it".to_owned()
                }
            }),
            Err(NotSent::Later(reason)) => Err(format!("the mail server did not take the mail: {reason}")),
            Err(NotSent::Refused(status)) => {
                Err(format!("the mail server refused the mail, with {}", refused_with(status.as_deref())))
            }
            Err(NotSent::Never(why)) => Err(why.to_owned()),
        }
    }

    /// Counts what has become of a letter, and logs it.
    fn note(&self, delivered: &Result<(), NotSent>) {
        match delivered {
            Ok(()) => {
                self.handed_on.inc();
                if self.goes_out() {
                    tracing::info!("a mail was handed to the mail server");
                }
            }
            Err(why) => {
                self.failed.inc();
                let trouble = match why {
                    NotSent::Later(_) => "given up",
                    NotSent::Refused(_) => "refused",
                    NotSent::Never(why) => why,
                };
                let Some(more) = self.says(trouble) else { return };
                match why {
                    NotSent::Later(_) => tracing::error!(more, "the mail server did not take a mail in time"),
                    NotSent::Refused(status) => tracing::error!(status, more, "the mail server refused a mail"),
                    NotSent::Never(why) => tracing::error!(more, "{why}"),
                }
            }
        }
    }

    /// Whether this trouble is logged now.
    fn says(&self, trouble: &'static str) -> Option<Option<u32>> {
        self.troubles.lock().says(trouble, self.clock.moment())
    }

    async fn deliver_in_time(&self, letter: &Letter) -> Result<(), NotSent> {
        let message =
            compose(&self.route(), &self.from, letter).ok_or(NotSent::Never("a mail could not be written"))?;
        let mut last = NotSent::Later("");
        for wait in TRIES_AFTER {
            rt::time::sleep(wait).await;
            let _hand = self.hands.acquire().await;
            match deliver(&self.route(), &message, &self.clock).await {
                Err(NotSent::Later(reason)) => {
                    if let Some(more) = self.says(reason) {
                        tracing::warn!(reason, more, "the mail server did not take a mail; trying again");
                    }
                    last = NotSent::Later(reason);
                }
                done => return done,
            }
        }
        Err(last)
    }
}

/// Each trouble that was logged: when, and how often it came since.
#[derive(Default)]
struct Troubles(HashMap<&'static str, (Instant, u32)>);

impl Troubles {
    /// Whether to log this one, and with how many more that were not.
    fn says(&mut self, trouble: &'static str, now: Instant) -> Option<Option<u32>> {
        let Some((said, since)) = self.0.get_mut(trouble) else {
            self.0.insert(trouble, (now, 0));
            return Some(None);
        };
        if now.duration_since(*said) < SAID_EVERY {
            *since += 1;
            return None;
        }
        *said = now;
        Some(Some(mem::take(since)).filter(|&more| more > 0))
    }
}

/// Why a mail was not delivered.
enum NotSent {
    /// The mail server may take it later, and why it didn't.
    Later(&'static str),
    /// The mail server won't ever take it, and the status it gave.
    Refused(Option<String>),
    Never(&'static str),
}

/// Hands a mail over.
async fn deliver(route: &Route, message: &Message, clock: &SharedClock) -> Result<(), NotSent> {
    match route {
        Route::Memory(held) => {
            let text = String::from_utf8_lossy(&message.formatted()).into_owned();
            held.keep(HeldMail { written: clock.timestamp(), text }, clock.moment());
            Ok(())
        }
        Route::Folder(folder) => {
            let (folder, bytes) = (folder.clone(), message.formatted());
            match rt::task::spawn_blocking(move || folder::put(&folder, &bytes)).await {
                Ok(Ok(())) => Ok(()),
                _ => Err(NotSent::Never("a mail could not be put into the mail folder")),
            }
        }
        // The server's own words may name the recipient.
        Route::Smtp(server) => match rt::time::timeout(TAKEN_WITHIN, server.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) if error.is_permanent() => {
                Err(NotSent::Refused(error.status().map(|code| code.to_string())))
            }
            Ok(Err(error)) => Err(NotSent::Later(reason(&error))),
            Err(_) => Err(NotSent::Later("it did not answer in time")),
        },
    }
}

fn compose(route: &Route, from: &Mailbox, letter: &Letter) -> Option<Message> {
    let named = |text: &str| text.replace(SITE, from.name.as_deref().unwrap_or_default());
    let text = named(&letter.words.text).replace('\n', "\r\n");
    // Lines stay as written where they can, so that the operator can copy a link
    // from a mail that is not sent. Not every mail server takes eight bits.
    let encoding = match route {
        _ if text.is_ascii() => ContentTransferEncoding::SevenBit,
        Route::Smtp(_) => ContentTransferEncoding::QuotedPrintable,
        Route::Folder(_) | Route::Memory(_) => ContentTransferEncoding::EightBit,
    };
    let body = Body::new_with_encoding(text, encoding);
    let mut message = Message::builder();
    if let Some(link) = &letter.ends_by {
        for (name, value) in [(END, format!("<{link}>")), (END_AT_ONCE, "List-Unsubscribe=One-Click".to_owned())] {
            message = message.raw_header(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
        }
    }
    message
        .message_id(Some(format!("<{}@{}>", random_id(), from.email.domain())))
        .from(from.clone())
        .to(Mailbox::new(None, Address::from_str(letter.to.as_str()).ok()?))
        .subject(named(&letter.words.subject))
        .header(ContentType::TEXT_PLAIN)
        .body(body.unwrap_or_else(Body::new))
        .ok()
}

#[cfg(test)]
mod tests {
    use annon_actors::clock::{Clock, SystemClock};

    use super::*;

    #[test]
    fn a_trouble_that_comes_again_is_said_once_a_minute_with_a_count() {
        let (mut troubles, start) = (Troubles::default(), SystemClock.moment());
        let mut at = |seconds, trouble| troubles.says(trouble, start + Duration::from_secs(seconds));
        assert_eq!(at(0, "away"), Some(None));
        assert_eq!((at(1, "away"), at(59, "away")), (None, None));
        assert_eq!(at(2, "slow"), Some(None), "another one is said at once");
        assert_eq!(at(60, "away"), Some(Some(2)));
        assert_eq!(at(61, "away"), None);
        assert_eq!(at(200, "slow"), Some(None));
    }
}
