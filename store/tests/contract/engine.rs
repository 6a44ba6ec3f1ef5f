//! The engines under test.

use std::sync::Arc;

use annon_store::account::Accounts;
use annon_store::feedback::FeedbackBox;
use annon_store::image::Images;
use annon_store::inbox::Inbox;
use annon_store::room::RoomDirectory;
use annon_store::room_log::RoomLog;
use annon_store::{Engine as _, Local};
use annon_store_memory::MemoryStore;
use tempfile::TempDir;

use crate::support::open;
use crate::support::people::{NOW, Numbered, numbered};

pub(crate) enum Engine {
    Memory(MemoryStore),
    Sled { folder: TempDir, store: Option<Box<Local>>, again: bool },
}

impl Engine {
    pub(crate) fn memory() -> Self {
        Self::Memory(MemoryStore::default())
    }

    /// With `again` the store is closed and opened at every step.
    pub(crate) fn sled(again: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Some(Box::new(open(folder.path())));
        Self::Sled { folder, store, again }
    }

    /// Called between two steps of a test.
    pub(crate) async fn step(&mut self) {
        if matches!(self, Self::Sled { again: true, .. }) {
            self.reopen().await;
        }
    }

    pub(crate) async fn reopen(&mut self) {
        if let Self::Sled { folder, store, .. } = self {
            store.take().unwrap().close().await.unwrap();
            *store = Some(Box::new(open(folder.path())));
        }
    }

    /// Does what a server does at its start. No answer may change by it.
    pub(crate) async fn sweep(&mut self) {
        if let Self::Sled { store: Some(store), .. } = self {
            store.sweep_after_start(NOW).await.unwrap();
        }
    }

    pub(crate) fn numbered(&self) -> Numbered {
        numbered(self.inbox())
    }
}

/// Adds methods to `Engine` that return a part of the store by its name.
macro_rules! hands_out {
    ($($part:ident: $noun:path),* $(,)?) => {
        impl Engine {$(
            pub(crate) fn $part(&self) -> Arc<dyn $noun> {
                match self {
                    Self::Memory(store) => store.$part(),
                    Self::Sled { store, .. } => store.as_ref().unwrap().$part(),
                }
            }
        )*}
    };
}

hands_out! {
    accounts: Accounts,
    feedback: FeedbackBox,
    images: Images,
    inbox: Inbox,
    room_log: RoomLog,
    rooms: RoomDirectory,
}
