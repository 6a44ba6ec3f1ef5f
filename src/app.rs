//! The parts of the running server, which every handler can use.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use annon_actors::away::Away;
use annon_actors::bucket::Rate;
use annon_actors::clock::SharedClock;
use annon_actors::conversation::Conversations as Talks;
use annon_actors::inbox::Inboxes;
use annon_actors::room::Settings;
use annon_actors::rooms::Rooms;
use annon_actors::session::Farewell;
use annon_contract::code::Code;
use annon_contract::limits::ROOM_PAGE;
use annon_store::account::{AccountId, Accounts};
use annon_store::answer::Answers;
use annon_store::conversation::Conversations;
use annon_store::feedback::FeedbackBox;
use annon_store::image::Images;
use annon_store::inbox::Inbox;
use annon_store::invitation::Invitations;
use annon_store::personal_page::PersonalPages;
use annon_store::push::Pushes;
use annon_store::report::Reports;
use annon_store::room::RoomDirectory;
use annon_store::room_link::RoomLinks;
use annon_store::shield::Shields;
use annon_store::suspension::Suspensions;
use annon_store::{Engine, StoreError};

use crate::auth::{AccessTokens, SignedIn};
use crate::config::{Config, PublicUrl};
use crate::digest::DigestLinks;
use crate::error::ApiError;
use crate::event_log::EventLog;
use crate::http::confirm::waiting::WaitingAccounts;
use crate::http::report::receipt::Receipts;
use crate::http::shield::Tags;
use crate::http::shield::work::Works;
use crate::limits::Nodes;
use crate::limits::password_attempts::{AccountVersion, PasswordAttempts};
use crate::limits::rate_limit::RateLimits;
use crate::limits::upload_slots::{PICTURES_AT_ONCE, UploadSlots};
use crate::mail::{Mailer, Route};
use crate::metrics::Metrics;
use crate::net::admission::for_connections;
use crate::own_words::OwnWords;
use crate::password::Passwords;
use crate::pausing::Pausing;
use crate::pool::Pool;
use crate::push::Pusher;
use crate::seat::Seats;

/// What a password takes that is being hashed, and at most a picture that is being re-encoded.
const HASH_BYTES: usize = 19 * 1024 * 1024;
const PICTURE_BYTES: usize = 150_000_000;
/// The most answers that may wait to be compressed: a tenth of a second's work.
const COMPRESSIONS_WAITING: usize = 16;

pub struct App {
    pub config: Config,
    /// The site's address, as people type it.
    pub public_url: PublicUrl,
    /// The whole store, for the operator's commands and the health checks.
    pub store: Arc<dyn Engine>,
    pub accounts: Arc<dyn Accounts>,
    pub inbox: Arc<dyn Inbox>,
    pub answers: Arc<dyn Answers>,
    pub personal_pages: Arc<dyn PersonalPages>,
    pub shields: Arc<dyn Shields>,
    /// Hashes the tags of senders.
    pub tags: Tags,
    /// Gives out and checks the work of senders that an inbox doesn't know.
    pub works: Works,
    pub conversations: Arc<dyn Conversations>,
    pub feedback: Arc<dyn FeedbackBox>,
    pub reports: Arc<dyn Reports>,
    /// Makes the numbers of reports, and hashes those that are shown.
    pub receipts: Receipts,
    pub suspensions: Arc<dyn Suspensions>,
    pub invitations: Arc<dyn Invitations>,
    pub images: Arc<dyn Images>,
    pub rooms: Rooms,
    pub directory: Arc<dyn RoomDirectory>,
    pub links: Arc<dyn RoomLinks>,
    /// Reads and makes the cookies of seats.
    pub seats: Seats,
    pub inboxes: Inboxes,
    /// Conversations that somebody looks at.
    pub talks: Talks,
    pub clock: SharedClock,
    pub tokens: AccessTokens,
    pub passwords: Passwords,
    /// Threads that re-encode pictures.
    pub pictures: Pool,
    /// The thread that compresses long answers.
    pub compressors: Pool,
    /// Limits how many large bodies arrive at once.
    pub upload_slots: UploadSlots,
    /// Limits per client address.
    pub limits: RateLimits,
    /// Counts wrong passwords per account.
    pub password_attempts: PasswordAttempts,
    /// Who waits for an address to be confirmed.
    pub waiting: WaitingAccounts,
    pub mailer: Mailer,
    pub pushes: Arc<dyn Pushes>,
    /// Tells people's browsers while no page of theirs is open.
    pub pusher: Arc<Pusher>,
    pub digest_links: DigestLinks,
    pub metrics: Metrics,
    /// Whether this server leaves its service to others, and takes no new sockets.
    pub is_draining: AtomicBool,
    pub pausing: Pausing,
    pub own_words: OwnWords,
    pub events: EventLog,
}

impl App {
    /// Builds all parts. The error is a sentence for the operator.
    pub fn new(
        config: Config,
        store: Arc<dyn Engine>,
        clock: SharedClock,
        listening: SocketAddr,
    ) -> Result<Self, String> {
        let no_randomness = "the system has no random numbers";
        let public_url = config.public_url(listening);
        let threads = |error: std::io::Error| format!("can't start threads: {error}");
        let route = Route::of(&config)?;
        let from = config.sender(&public_url);
        let sends = NonZeroU32::new(config.sends_per_second).map(|per_second| Rate {
            burst: per_second.get().saturating_mul(2),
            refill: per_second.get(),
            per: Duration::from_secs(1),
        });
        let settings = Settings {
            keeps: config.room_messages as usize,
            sends,
            memory: config.rooms_memory(),
            // The lines that the server shows when somebody opens a group.
            stays: ROOM_PAGE,
        };
        store.lapses().keep(config.retention.kept());
        let (away, news) = Away::heard();
        let (inboxes, nodes) = (Inboxes::new(store.wire()).telling(away), Nodes::new(store.wire()));
        let pusher = Pusher::new(&config, &public_url, &*store, (inboxes.clone(), news), clock.clone())?;
        let limits = RateLimits::new(config.address_limits, for_connections(), clock.clone(), nodes.clone());
        let attempts = PasswordAttempts::new(&store.secret("devices"), clock.clone(), nodes);
        Ok(Self {
            accounts: store.accounts(),
            inbox: store.inbox(),
            answers: store.answers(),
            personal_pages: store.personal_pages(),
            shields: store.shields(),
            tags: Tags::new(&store.secret("tags")),
            works: Works::new(&store.secret("work"), config.address_limits),
            conversations: store.conversations(),
            feedback: store.feedback(),
            reports: store.reports(),
            receipts: Receipts::new(&store.secret("receipts")),
            suspensions: store.suspensions(),
            invitations: store.invitations(),
            images: store.images(),
            rooms: Rooms::new(&*store, inboxes.clone(), clock.clone(), settings),
            directory: store.rooms(),
            links: store.room_links(),
            seats: Seats::new(&store.secret("seats"), &store.secret("seat-cookies"), public_url.is_https()),
            talks: Talks::new(&*store, inboxes.clone(), clock.clone()),
            inboxes,
            tokens: AccessTokens::new(&store.secret("tokens"), &*store, clock.clone()),
            passwords: Passwords::start(config.threads_of(HASH_BYTES)).map_err(threads)?,
            pictures: Pool::start("pictures", config.threads_of(PICTURE_BYTES), PICTURES_AT_ONCE).map_err(threads)?,
            compressors: Pool::start("compressors", 1, COMPRESSIONS_WAITING).map_err(threads)?,
            upload_slots: UploadSlots::new(config.address_limits),
            limits: limits.ok_or(no_randomness)?,
            password_attempts: attempts.ok_or(no_randomness)?,
            waiting: WaitingAccounts::new(clock.clone()).ok_or(no_randomness)?,
            mailer: Mailer::new(route, &from, config.community.name(), clock.clone())?,
            pushes: store.pushes(),
            pusher: Arc::new(pusher),
            digest_links: DigestLinks::new(&store.secret("digest-links"), &store.secret("digest-times"))
                .ok_or(no_randomness)?,
            metrics: Metrics::new(clock.now()),
            is_draining: AtomicBool::new(false),
            pausing: Pausing::new(store.pauses()),
            own_words: OwnWords::read(&config.community)?,
            events: EventLog::open(&config.events, clock.clone())?,
            public_url,
            store,
            clock,
            config,
        })
    }

    /// What ends all sockets, some at a time.
    pub fn farewells(&self) -> Vec<Farewell> {
        let mut all = self.inboxes.farewells();
        all.extend(self.talks.farewells());
        all.extend(self.rooms.farewells());
        all
    }

    /// Looks whether there is a pause, and lets other servers know that it is obeyed. When one has begun, all sockets
    /// end: their clients keep what is written, and try to come back until it is over.
    pub async fn look_at_pause(&self) -> Result<(), StoreError> {
        if self.pausing.look().await? {
            self.farewells().into_iter().for_each(|say| say());
        }
        // If it can't be said now, this node's next beat says it.
        let _ = self.store.record().obey(self.pausing.began()).await;
        Ok(())
    }

    /// Refuses a new socket while the server is draining: it would soon be closed.
    pub fn may_open_socket(&self) -> Result<(), Code> {
        if self.is_draining.load(Ordering::Relaxed) { Err(Code::Busy) } else { Ok(()) }
    }

    /// Notes that an account is used, if that is kept.
    pub async fn note_use(&self, account: AccountId) {
        if self.pausing.may_write().is_ok() {
            // Nobody is refused because it can't be noted.
            let _ = self.store.lapses().use_now(account, self.clock.timestamp()).await;
        }
    }

    /// Notes on which day a sign-in is used, if that isn't the day on which it began.
    pub async fn note_use_of(&self, caller: &SignedIn) {
        let now = self.clock.timestamp();
        if caller.is_of_another_day(now) && self.pausing.may_write().is_ok() {
            // Nobody is refused because it can't be noted.
            let _ = self.store.sign_ins().use_now(caller.account, caller.token, now).await;
        }
    }

    /// Refuses with `code` while the account is suspended. Each call asks the store, so that all
    /// nodes notice a suspension, and its end, at once.
    pub async fn must_not_be_suspended(&self, account: AccountId, code: Code) -> Result<(), ApiError> {
        match self.suspensions.of(account, self.clock.timestamp()).await? {
            Some(_) => Err(code.into()),
            None => Ok(()),
        }
    }

    /// The account with its current version, which changes whenever all tokens
    /// of the account end. `None` if there is no such account.
    pub async fn account_version(&self, account: AccountId) -> Result<Option<AccountVersion>, StoreError> {
        Ok(self.accounts.access(account).await?.map(|access| AccountVersion(account, access.version)))
    }
}
