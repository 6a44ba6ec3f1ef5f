//! The engines under test.

use std::sync::Arc;

use annon_store::account::Accounts;
use annon_store::feedback::FeedbackBox;
use annon_store::image::Images;
use annon_store::inbox::Inbox;
use annon_store::memory::MemoryStore;
use annon_store::room::RoomDirectory;
use annon_store::room_log::RoomLog;
use annon_store::{Engine as _, Store};
use tempfile::TempDir;

use crate::support;
use crate::support::people::{NOW, Numbered, numbered};

pub(crate) enum Engine {
    Memory(MemoryStore),
    Sled { folder: TempDir, store: Option<Box<Store>>, again: bool },
}

pub(crate) fn open(folder: &TempDir) -> Store {
    support::open(&folder.path().join("data"))
}

impl Engine {
    pub(crate) fn memory() -> Self {
        Self::Memory(MemoryStore::default())
    }

    /// `again`: close and open it at every step.
    pub(crate) fn sled(again: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Some(Box::new(open(&folder)));
        Self::Sled { folder, store, again }
    }

    /// Between two steps of a test.
    pub(crate) async fn step(&mut self) {
        if matches!(self, Self::Sled { again: true, .. }) {
            self.reopen().await;
        }
    }

    pub(crate) async fn reopen(&mut self) {
        if let Self::Sled { folder, store, .. } = self {
            store.take().unwrap().close().await.unwrap();
            *store = Some(Box::new(open(folder)));
        }
    }

    /// Does what a server does at its start, which nobody must notice.
    pub(crate) async fn sweep(&mut self) {
        if let Self::Sled { store: Some(store), .. } = self {
            store.sweep_after_start(NOW).await.unwrap();
        }
    }

    pub(crate) fn accounts(&self) -> Arc<dyn Accounts> {
        match self {
            Self::Memory(store) => store.accounts(),
            Self::Sled { store, .. } => store.as_ref().unwrap().accounts(),
        }
    }

    pub(crate) fn numbered(&self) -> Numbered {
        numbered(self.inbox())
    }

    pub(crate) fn inbox(&self) -> Arc<dyn Inbox> {
        match self {
            Self::Memory(store) => store.inbox(),
            Self::Sled { store, .. } => store.as_ref().unwrap().inbox(),
        }
    }

    pub(crate) fn feedback(&self) -> Arc<dyn FeedbackBox> {
        match self {
            Self::Memory(store) => store.feedback(),
            Self::Sled { store, .. } => store.as_ref().unwrap().feedback(),
        }
    }

    pub(crate) fn rooms(&self) -> Arc<dyn RoomDirectory> {
        match self {
            Self::Memory(store) => store.rooms(),
            Self::Sled { store, .. } => store.as_ref().unwrap().rooms(),
        }
    }

    pub(crate) fn room_log(&self) -> Arc<dyn RoomLog> {
        match self {
            Self::Memory(store) => store.room_log(),
            Self::Sled { store, .. } => store.as_ref().unwrap().room_log(),
        }
    }

    pub(crate) fn images(&self) -> Arc<dyn Images> {
        match self {
            Self::Memory(store) => store.images(),
            Self::Sled { store, .. } => store.as_ref().unwrap().images(),
        }
    }
}
