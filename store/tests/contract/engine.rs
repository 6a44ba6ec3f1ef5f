//! The engines under test.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::Arc;

use annon_store::account::Timestamp;
use annon_store::{Result, Swept};
use annon_store_memory::MemoryStore;

use crate::support::open;
use crate::support::people::{Numbered, account, numbered};
use crate::support::postgres::Databases;

/// The account that most cases are about.
pub(crate) const ONE: u64 = 1;

/// Makes two accounts, `ONE` and 2.
pub(crate) async fn with_accounts(mut engine: Engine) -> Engine {
    engine.accounts().create(account(ONE)).await.unwrap();
    engine.accounts().create(account(2)).await.unwrap();
    engine.step().await;
    engine
}

type Opening = Pin<Box<dyn Future<Output = Box<dyn annon_store::Engine>> + Send>>;

/// An engine, and how it is opened again.
pub(crate) struct Engine {
    store: Option<Box<dyn annon_store::Engine>>,
    open: Box<dyn Fn() -> Opening + Send + Sync>,
    /// Whether it is closed and opened at every step.
    again: bool,
    /// Where only the database's clock counts.
    databases: Option<Arc<Databases>>,
}

impl Deref for Engine {
    type Target = dyn annon_store::Engine;

    fn deref(&self) -> &Self::Target {
        &**self.store.as_ref().unwrap()
    }
}

impl Engine {
    pub(crate) fn memory() -> Self {
        let kept = MemoryStore::default();
        Self::of(move || Box::new(kept.opened_again()))
    }

    pub(crate) fn local() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::of(move || Box::new(open(folder.path())))
    }

    fn of(open: impl Fn() -> Box<dyn annon_store::Engine> + Send + Sync + 'static) -> Self {
        let store = Some(open());
        let open = move || -> Opening { Box::pin(std::future::ready(open())) };
        Self { store, open: Box::new(open), again: false, databases: None }
    }

    pub(crate) async fn postgres() -> Self {
        let databases = Arc::new(Databases::new().await);
        let these = databases.clone();
        let open = move || -> Opening {
            let databases = databases.clone();
            Box::pin(async move { Box::new(databases.open().await) as Box<dyn annon_store::Engine> })
        };
        Self { store: Some(open().await), open: Box::new(open), again: false, databases: Some(these) }
    }

    async fn stop_clock_at(&self, now: Timestamp) {
        if let Some(databases) = &self.databases {
            databases.stop_clock_at(now).await;
        }
    }

    pub(crate) async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        self.stop_clock_at(now).await;
        (**self).sweep(now).await
    }

    pub(crate) async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.stop_clock_at(now).await;
        (**self).sweep_after_start(now).await
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
