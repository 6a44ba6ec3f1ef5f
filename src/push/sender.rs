//! Sends what people are to be told. It reads what happened after its commit, so no commit waits for it; and all that
//! waits is bounded.

use std::sync::Arc;
use std::time::Duration;

use actix_web::rt;
use annon_actors::away::News;
use annon_actors::clock::SharedClock;
use annon_actors::conversation::frame::id_text;
use annon_actors::ids::random_shuffle;
use annon_actors::inbox::Inboxes;
use annon_store::account::AccountId;
use annon_store::conversation::{ConversationId, Conversations, Side};
use annon_store::inbox::{Inbox, next_delivery};
use annon_store::push::{Kind, Pushes, Subscriber, Subscription, SubscriptionId};
use annon_store::room::RoomId;
use annon_store::room_link::RoomLinks;
use annon_store::wire::{Heard, Listening, Subject, Wire};
use annon_store::{Engine, StoreError};
use futures_util::StreamExt;
use futures_util::future::pending;
use parking_lot::Mutex;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::Receiver;

use super::Pace;
use super::client::{Client, Outcome};
use super::message::encrypt;
use super::service::Services;
use super::vapid::Vapid;
use super::waiting::{Telling, Waiting};
use crate::config::{Config, PublicUrl};
use crate::mail::told;

/// Messages that may wait for a slow service, or for another try.
const WAITING: usize = 4096;
/// Messages that are handed to push services at the same time.
const AT_ONCE: usize = 16;

/// A count of messages, by what has become of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct Label {
    outcome: &'static str,
}

type Figures = Family<Label, Counter>;

/// What nodes tell each other. What is lost on the way costs somebody a message more than there should be.
#[derive(Serialize, Deserialize)]
enum Said {
    /// Somebody was told of this.
    Pushed { to: Subscriber, kind: Kind },
}

async fn next(others: &mut Option<Listening>) -> Option<Heard> {
    match others {
        Some(others) => others.next().await,
        None => pending().await,
    }
}

/// Tells browsers.
pub struct Pusher {
    pub services: Services,
    vapid: Vapid,
    client: Client,
    pace: Pace,
    kept: Arc<dyn Pushes>,
    inbox: Arc<dyn Inbox>,
    conversations: Arc<dyn Conversations>,
    links: Arc<dyn RoomLinks>,
    inboxes: Inboxes,
    /// The other nodes; `None` if there are none.
    wire: Option<Arc<dyn Wire>>,
    clock: SharedClock,
    public_url: PublicUrl,
    site: String,
    news: Mutex<Option<Receiver<News>>>,
    places: Arc<Semaphore>,
    hands: Semaphore,
    /// Messages since the start.
    pub figures: Figures,
}

impl Pusher {
    /// The error is a sentence for the operator.
    pub fn new(
        config: &Config,
        public_url: &PublicUrl,
        store: &dyn Engine,
        (inboxes, news): (Inboxes, Receiver<News>),
        clock: SharedClock,
    ) -> Result<Self, String> {
        let for_tests = config.push.push_service_of_tests.clone();
        let contact = config.security_contact.as_ref().or(config.community.site_contact.as_ref());
        let contact = contact.map(|contact| contact.0.clone());
        let site = public_url.is_https().then(|| public_url.origin().to_owned());
        let pace = if for_tests.is_some() { Pace::OF_TESTS } else { Pace::USUAL };
        let vapid = Vapid::new(&store.secret("push"), contact.or(site));
        Ok(Self {
            services: Services { hosts: config.push.hosts(), at_any_port: for_tests.is_some() },
            vapid: vapid.ok_or("the key for web push can't be made")?,
            client: Client::new(pace.answer_within, for_tests),
            pace,
            kept: store.pushes(),
            inbox: store.inbox(),
            conversations: store.conversations(),
            links: store.room_links(),
            inboxes,
            wire: store.wire(),
            clock,
            public_url: public_url.clone(),
            site: config.community.name().to_owned(),
            news: Mutex::new(Some(news)),
            places: Arc::new(Semaphore::new(WAITING)),
            hands: Semaphore::new(AT_ONCE),
            figures: Figures::default(),
        })
    }

    /// The key that browsers bind subscriptions to; `None` where nobody is told anything.
    pub fn key(&self) -> Option<&str> {
        (!self.services.hosts.is_empty()).then(|| self.vapid.public())
    }

    /// Tells people what there is, for as long as the server runs.
    pub async fn run(self: Arc<Self>) {
        let Some(mut news) = self.news.lock().take() else { return };
        let mut waiting = Waiting::new(self.pace.every);
        let mut others = self.wire.as_ref().map(|wire| wire.listen(Subject::Everybody));
        loop {
            let due = async {
                match waiting.next() {
                    Some(at) => self.clock.sleep(at.saturating_duration_since(self.clock.moment())).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                news = news.recv() => match news {
                    Some(news) if self.key().is_some() => self.plan(&mut waiting, news),
                    Some(_) => {}
                    None => return,
                },
                Some(Heard::Said { bytes, .. }) = next(&mut others) => {
                    // Others say more than this, and later versions other things.
                    if let Ok(Said::Pushed { to, kind }) = serde_json::from_slice(&bytes) {
                        waiting.rest(to, kind, self.clock.moment());
                    }
                }
                () = due => {}
            }
            for telling in waiting.take(self.clock.moment()) {
                // While the store can't be read, nobody is told anything.
                let subscriptions = self.to_tell(telling).await.unwrap_or_default();
                if subscriptions.is_empty() {
                    waiting.was_nothing(telling);
                } else {
                    self.say(Said::Pushed { to: telling.to, kind: telling.kind });
                }
                for id in subscriptions {
                    self.clone().begin(telling, id);
                }
            }
        }
    }

    /// Tells the other nodes, if there are any.
    fn say(&self, said: Said) {
        if let Some(wire) = &self.wire
            && let Ok(bytes) = serde_json::to_vec(&said)
        {
            wire.say(Subject::Everybody, bytes);
        }
    }

    fn plan(self: &Arc<Self>, waiting: &mut Waiting, News { to, kind, room, with_batch, is_over }: News) {
        if is_over {
            // If this is lost, it goes with the group, and nobody tells it anything until then.
            let this = self.clone();
            rt::spawn(async move { this.kept.end(to).await });
            return;
        }
        let now = self.clock.timestamp();
        let batch = with_batch.then(|| next_delivery(now));
        let at = self.clock.moment() + Duration::from_secs(batch.map_or(0, |batch| batch.saturating_sub(now)));
        if !waiting.add(Telling { to, kind, room, batch }, at + self.random_delay()) {
            self.count("dropped");
        }
    }

    fn random_delay(&self) -> Duration {
        // Of 2^16 steps of the longest.
        self.pace.delay_max.mul_f64((random_shuffle() & 0xffff) as f64 / 65_536.0)
    }

    /// The subscriptions through which somebody is told this now.
    async fn to_tell(&self, Telling { to, kind, batch, .. }: Telling) -> Result<Vec<SubscriptionId>, StoreError> {
        if let Subscriber::Account(owner) = to
            && self.inboxes.is_inbox_open(owner)
        {
            return Ok(Vec::new());
        }
        let all = self.kept.of(to).await?;
        let wants = all.all().iter().filter(|one| self.wants(one, kind)).map(|one| one.endpoint.id());
        let wants: Vec<_> = wants.collect();
        let is_news = match to {
            _ if wants.is_empty() => false,
            Subscriber::Account(owner) if kind == Kind::Note => self.has_news(owner, batch).await?,
            Subscriber::Account(_) | Subscriber::Seat { .. } => true,
            Subscriber::Sender(id) => self.has_unread(id).await?,
        };
        Ok(if is_news { wants } else { Vec::new() })
    }

    fn wants(&self, subscription: &Subscription, kind: Kind) -> bool {
        let is_quiet = subscription.quiet.is_some_and(|quiet| quiet.covers(self.clock.timestamp()));
        subscription.kinds.has(kind) && !is_quiet
    }

    /// Whether an owner is shown a note that they haven't seen; with a batch, whether it has brought one. That a note
    /// came which they aren't shown must change nothing.
    async fn has_news(&self, owner: AccountId, batch: Option<u64>) -> Result<bool, StoreError> {
        let page = self.inbox.page(owner, None, 1, self.clock.timestamp()).await?;
        let Some(batch) = batch else { return Ok(page.unread > 0) };
        let is_of_it = page.notes.first().is_some_and(|note| note.date >= batch && !note.seen);
        Ok(is_of_it && self.inbox.is_in_batches(owner).await?)
    }

    /// Whether a sender hasn't seen something of their conversation.
    async fn has_unread(&self, id: ConversationId) -> Result<bool, StoreError> {
        let found = self.conversations.find(vec![id], self.clock.timestamp()).await?;
        Ok(found.iter().any(|found| found.conversation.unread_by(Side::Sender) > 0))
    }

    /// Sends a message, while others are sent.
    fn begin(self: Arc<Self>, telling: Telling, id: SubscriptionId) {
        let Ok(place) = self.places.clone().try_acquire_owned() else { return self.count("dropped") };
        rt::spawn(async move {
            let _place = place;
            self.count(self.keep_trying(telling, id).await);
        });
    }

    /// What has become of a message, after all tries.
    async fn keep_trying(&self, telling: Telling, id: SubscriptionId) -> &'static str {
        let Telling { to, kind, .. } = telling;
        let mut asked_to_wait = Duration::ZERO;
        for wait in self.pace.tries_after {
            self.clock.sleep(wait.max(asked_to_wait)).await;
            // The account may be gone by now, or this subscription.
            let Ok(all) = self.kept.of(to).await else { continue };
            let Some(subscription) = all.by_id(id).filter(|one| self.wants(one, kind)) else { return "ended" };
            match self.send(subscription, telling).await {
                Outcome::Taken => return "taken",
                Outcome::Gone => return if self.kept.unsubscribe(to, id).await.is_ok() { "gone" } else { "ended" },
                Outcome::Later(Some(wait)) if wait > self.pace.wait_max => return "given_up",
                Outcome::Later(wait) => asked_to_wait = wait.unwrap_or_default(),
                Outcome::Unreachable => asked_to_wait = Duration::ZERO,
                Outcome::Inside => return "inside",
                Outcome::Refused(status) => {
                    tracing::debug!(status = status.as_u16(), "a push service refused a message");
                    return "refused";
                }
            }
        }
        "given_up"
    }

    async fn send(&self, subscription: &Subscription, telling: Telling) -> Outcome {
        let Ok(_hand) = self.hands.acquire().await else { return Outcome::Unreachable };
        // The operator may have taken the service off the list.
        let Ok(target) = self.services.target(&subscription.endpoint.0) else { return Outcome::Inside };
        let (Subscription { key, secret, language, .. }, kind) = (subscription, telling.kind);
        let page = self.page_of(telling).await;
        let words = json!({
            "web_push": 8030,
            "kind": kind,
            "notification": {
                "title": self.site,
                "body": told(*language, kind),
                "lang": language,
                "tag": kind,
                "navigate": self.public_url.page(&page),
                "silent": false,
            },
        });
        let message = encrypt(words.to_string().as_bytes(), key, secret).ok();
        let authorization = self.vapid.authorization(&target.origin, self.clock.timestamp());
        let Some((message, authorization)) = message.zip(authorization) else { return Outcome::Unreachable };
        self.client.send(&target, &authorization, message).await
    }

    /// The page on which somebody sees what there is.
    async fn page_of(&self, Telling { to, kind, room, .. }: Telling) -> String {
        match (to, room) {
            // What follows # in their link, only their browser knows.
            (Subscriber::Sender(id), _) => format!("/c/{}", id_text(id)),
            // A browser that shows the group need not tell of it. Who knocks is told on the page of all groups.
            (Subscriber::Seat { owner, .. }, Some(room)) | (Subscriber::Account(owner), Some(room))
                if kind == Kind::Group =>
            {
                let newest = self.links.newest(owner, &[room]).await.ok().and_then(|mut newest| newest.pop());
                let RoomId(link) = newest.unwrap_or(room);
                format!("/room/{link}")
            }
            (Subscriber::Account(_) | Subscriber::Seat { .. }, _) => "/homepage".to_owned(),
        }
    }

    fn count(&self, outcome: &'static str) {
        self.figures.get_or_create_owned(&Label { outcome }).inc();
    }
}
