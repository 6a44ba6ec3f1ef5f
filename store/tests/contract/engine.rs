//! The engines under test.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use annon_store::account::{Accounts, Timestamp};
use annon_store::feedback::FeedbackBox;
use annon_store::image::Images;
use annon_store::inbox::Inbox;
use annon_store::room::RoomDirectory;
use annon_store::room_log::RoomLog;
use annon_store::{Postgres, Result, Swept};
use annon_store_memory::MemoryStore;

use crate::support::open;
use crate::support::people::{Numbered, numbered};
use crate::support::postgres::Databases;

/// An engine that is open.
enum Opened {
    Whole(Box<dyn annon_store::Engine>),
    /// It has no backup, and only the record's clock counts.
    Postgres(Postgres, Arc<Databases>),
}

type Opening = Pin<Box<dyn Future<Output = Opened> + Send>>;

/// An engine, and how it is opened again.
pub(crate) struct Engine {
    store: Option<Opened>,
    open: Box<dyn Fn() -> Opening + Send + Sync>,
    /// Whether it is closed and opened at every step.
    again: bool,
}

/// What only a whole engine has.
impl Deref for Engine {
    type Target = dyn annon_store::Engine;

    fn deref(&self) -> &Self::Target {
        match self.opened() {
            Opened::Whole(engine) => &**engine,
            Opened::Postgres(..) => panic!("this test asks PostgreSQL for what it doesn't have"),
        }
    }
}

impl Engine {
    pub(crate) fn memory() -> Self {
        let kept = MemoryStore::default();
        Self::whole(move || Box::new(kept.opened_again()))
    }

    pub(crate) fn local() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::whole(move || Box::new(open(folder.path())))
    }

    fn whole(open: impl Fn() -> Box<dyn annon_store::Engine> + Send + Sync + 'static) -> Self {
        let store = Some(Opened::Whole(open()));
        let open = move || -> Opening { Box::pin(std::future::ready(Opened::Whole(open()))) };
        Self { store, open: Box::new(open), again: false }
    }

    pub(crate) async fn postgres() -> Self {
        let databases = Arc::new(Databases::new().await);
        let open = move || -> Opening {
            let databases = databases.clone();
            Box::pin(async move { Opened::Postgres(databases.open().await, databases) })
        };
        Self { store: Some(open().await), open: Box::new(open), again: false }
    }

    fn opened(&self) -> &Opened {
        self.store.as_ref().unwrap()
    }

    pub(crate) fn accounts(&self) -> Arc<dyn Accounts> {
        match self.opened() {
            Opened::Whole(engine) => engine.accounts(),
            Opened::Postgres(engine, _) => engine.accounts(),
        }
    }

    pub(crate) fn inbox(&self) -> Arc<dyn Inbox> {
        match self.opened() {
            Opened::Whole(engine) => engine.inbox(),
            Opened::Postgres(engine, _) => engine.inbox(),
        }
    }

    pub(crate) fn feedback(&self) -> Arc<dyn FeedbackBox> {
        match self.opened() {
            Opened::Whole(engine) => engine.feedback(),
            Opened::Postgres(engine, _) => engine.feedback(),
        }
    }

    pub(crate) fn rooms(&self) -> Arc<dyn RoomDirectory> {
        match self.opened() {
            Opened::Whole(engine) => engine.rooms(),
            Opened::Postgres(engine, _) => engine.rooms(),
        }
    }

    pub(crate) fn room_log(&self) -> Arc<dyn RoomLog> {
        match self.opened() {
            Opened::Whole(engine) => engine.room_log(),
            Opened::Postgres(engine, _) => engine.room_log(),
        }
    }

    pub(crate) fn images(&self) -> Arc<dyn Images> {
        match self.opened() {
            Opened::Whole(engine) => engine.images(),
            Opened::Postgres(engine, _) => engine.images(),
        }
    }

    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        match self.opened() {
            Opened::Whole(engine) => engine.sweep(now).await,
            // Only the clock of the record counts.
            Opened::Postgres(engine, databases) => {
                databases.stop_clock_at(now).await;
                engine.sweep().await
            }
        }
    }

    pub(crate) async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        match self.opened() {
            Opened::Whole(engine) => engine.sweep_after_start(now).await,
            Opened::Postgres(engine, databases) => {
                databases.stop_clock_at(now).await;
                engine.sweep_after_start().await
            }
        }
    }

    pub(crate) async fn stop(&self) -> Result<()> {
        match self.opened() {
            Opened::Whole(engine) => engine.stop().await,
            Opened::Postgres(engine, _) => {
                engine.stop().await;
                Ok(())
            }
        }
    }

    /// Closes and opens it at every step.
    pub(crate) fn again_and_again(self) -> Self {
        Self { again: true, ..self }
    }

    /// Called between two steps of a test.
    pub(crate) async fn step(&mut self) {
        if self.again {
            self.reopen().await;
        }
    }

    pub(crate) async fn reopen(&mut self) {
        self.stop().await.unwrap();
        self.open().await;
    }

    /// Opens it after a stop.
    pub(crate) async fn open(&mut self) {
        // As long as it is open, it may have something locked.
        self.store = None;
        self.store = Some((self.open)().await);
    }

    pub(crate) fn numbered(&self) -> Numbered {
        numbered(self.inbox())
    }
}
