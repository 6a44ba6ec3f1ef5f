//! The engines under test.

use std::ops::Deref;

use annon_store_memory::MemoryStore;

use crate::support::open;
use crate::support::people::{Numbered, numbered};

/// An engine, and how it is opened again.
pub(crate) struct Engine {
    store: Option<Box<dyn annon_store::Engine>>,
    open: Box<dyn Fn() -> Box<dyn annon_store::Engine> + Send + Sync>,
    /// Whether it is closed and opened at every step.
    again: bool,
}

impl Deref for Engine {
    type Target = dyn annon_store::Engine;

    fn deref(&self) -> &Self::Target {
        self.store.as_deref().unwrap()
    }
}

impl Engine {
    pub(crate) fn memory() -> Self {
        let kept = MemoryStore::default();
        Self::opened_by(move || Box::new(kept.opened_again()))
    }

    pub(crate) fn local() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self::opened_by(move || Box::new(open(folder.path())))
    }

    fn opened_by(open: impl Fn() -> Box<dyn annon_store::Engine> + Send + Sync + 'static) -> Self {
        Self { store: Some(open()), open: Box::new(open), again: false }
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
        self.open();
    }

    /// Opens it after a stop.
    pub(crate) fn open(&mut self) {
        // As long as it is open, it may have something locked.
        self.store = None;
        self.store = Some((self.open)());
    }

    pub(crate) fn numbered(&self) -> Numbered {
        numbered(self.inbox())
    }
}
