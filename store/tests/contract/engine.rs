//! The engines under test.

use std::sync::Arc;

use annon_store::account::Accounts;
use annon_store::feedback::FeedbackBox;
use annon_store::image::Images;
use annon_store::inbox::Inbox;
use annon_store::memory::MemoryStore;
use annon_store::{Options, Store};
use tempfile::TempDir;

use crate::people::NOW;

pub enum Engine {
    Memory(MemoryStore),
    Sled { folder: TempDir, store: Option<Store>, again: bool },
}

pub fn open(folder: &TempDir) -> Store {
    let mut options = Options::new(folder.path().join("data"));
    options.disk_reserve = 0;
    Store::open(&options).unwrap()
}

impl Engine {
    pub fn memory() -> Self {
        Self::Memory(MemoryStore::default())
    }

    /// `again`: close and open it at every step.
    pub fn sled(again: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Some(open(&folder));
        Self::Sled { folder, store, again }
    }

    /// Between two steps of a test.
    pub async fn step(&mut self) {
        if matches!(self, Self::Sled { again: true, .. }) {
            self.reopen().await;
        }
    }

    pub async fn reopen(&mut self) {
        if let Self::Sled { folder, store, .. } = self {
            store.take().unwrap().close().await.unwrap();
            *store = Some(open(folder));
        }
    }

    /// Does what a server does at its start, which nobody must notice.
    pub async fn sweep(&mut self) {
        if let Self::Sled { store: Some(store), .. } = self {
            store.sweep_after_start(NOW).await.unwrap();
        }
    }

    pub fn accounts(&self) -> Arc<dyn Accounts> {
        match self {
            Self::Memory(store) => store.accounts(),
            Self::Sled { store, .. } => store.as_ref().unwrap().accounts(),
        }
    }

    pub fn inbox(&self) -> Arc<dyn Inbox> {
        match self {
            Self::Memory(store) => store.inbox(),
            Self::Sled { store, .. } => store.as_ref().unwrap().inbox(),
        }
    }

    pub fn feedback(&self) -> Arc<dyn FeedbackBox> {
        match self {
            Self::Memory(store) => store.feedback(),
            Self::Sled { store, .. } => store.as_ref().unwrap().feedback(),
        }
    }

    pub fn images(&self) -> Arc<dyn Images> {
        match self {
            Self::Memory(store) => store.images(),
            Self::Sled { store, .. } => store.as_ref().unwrap().images(),
        }
    }
}
