//! A store that is open: one folder, one writer, a handle per noun.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;

use crate::account::{Accounts, Timestamp, sled::SledAccounts};
use crate::base::Base;
use crate::engine::{Engine, Swept};
use crate::error::Result;
use crate::export;
use crate::feedback::{FeedbackBox, sled::SledFeedback};
use crate::folder::ballast::Ballast;
use crate::folder::space::DiskSpace;
use crate::folder::{At, DataFolder, OpenError, make_private};
use crate::gauges::{Figures, Gauges};
use crate::image::shelf::Shelf;
use crate::image::{Images, file::FileImages};
use crate::inbox::{Inbox, sled::SledInbox};
use crate::lost::Lost;
use crate::room::{RoomDirectory, sled::SledRooms};
use crate::room_log::{RoomLog, sled::SledRoomLog};
use crate::seals::Blinder;
use crate::seals::erasing::Erasing;
use crate::seals::keyring::{KeyFile, Keyring};
use crate::seals::secret::INDEX;
use crate::sled::Reader;
use crate::sled::journal::Journal;
use crate::sled::mark::{Mark, Told};
use crate::sled::mend;
use crate::sled::writer::{Files, Pace, Shared, Writer};
use crate::sweep::Sweeper;

/// How long a commit may take before the disk is given up.
const COMMIT_PATIENCE: Duration = Duration::from_secs(60);

/// How a store is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// The data folder; made when it is not there.
    pub folder: PathBuf,
    /// Whether an acknowledgement waits for the device. Off only to measure.
    pub sync: bool,
    /// The least time between two syncs under load.
    pub commit_pause: Duration,
    /// Disk space that must stay free, in bytes: pictures are refused below
    /// it, everything else that grows below half of it. Below 4 MiB nothing
    /// is written, whatever this is.
    pub disk_reserve: u64,
    /// Bytes that all pictures together may take; not set, it is a share of
    /// the disk.
    pub picture_bytes: Option<u64>,
    /// How many accounts there may be: each takes about 1 kB of memory.
    pub most_accounts: usize,
}

impl Options {
    /// The defaults, on a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            sync: true,
            commit_pause: Duration::from_millis(4),
            disk_reserve: 256 * 1024 * 1024,
            picture_bytes: None,
            most_accounts: usize::MAX,
        }
    }
}

/// An open store.
pub struct Store {
    accounts: Arc<SledAccounts>,
    inbox: Arc<SledInbox>,
    feedback: Arc<SledFeedback>,
    images: Arc<FileImages>,
    rooms: Arc<SledRooms>,
    room_log: Arc<SledRoomLog>,
    pub(crate) base: Arc<Base>,
    space: Arc<DiskSpace>,
    ballast: Ballast,
    gauges: Arc<Gauges>,
    sweeper: Sweeper,
    /// One export at a time.
    exporting: Mutex<()>,
}

impl Store {
    /// Takes the folder, mends what a crash left, and starts the writer.
    pub fn open(options: &Options) -> Result<Self, OpenError> {
        let mut folder = DataFolder::take(&options.folder)?;
        let space = DiskSpace::new(options.folder.clone(), options.disk_reserve, options.picture_bytes);
        let space = Arc::new(space);
        let ballast = Ballast::of(&options.folder, space.clone());
        // Until this start is over, however it ends.
        let _thrown_off = ballast.throw_off().at(ballast.path())?;
        let path = |name| options.folder.join(name);
        let had_database = folder.has_database();
        let told = Told::by(&path("mark")).at(&path("mark"))?;
        let slots = had_database.then_some(told.key_slots);
        let database = path("db");
        // Both before anything is changed: somebody may have removed `lock`.
        let (key_file, keyring) = match KeyFile::open(&path("keys"), slots) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                return Err(OpenError::Locked(options.folder.clone()));
            }
            opened => opened.at(&path("keys"))?,
        };
        if mend::is_in_use(&database).at(&database)? {
            return Err(OpenError::Locked(options.folder.clone()));
        }
        let mark = Mark::open(&path("mark")).at(&path("mark"))?;
        export::finish_swap(&folder).at(&database)?;
        make_private(&database).at(&database)?;
        export::clear(&folder).at(folder.path())?;
        let disk = match mend::open(&database, options.sync, told) {
            Ok(disk) => disk,
            Err(error) if mend::is_damage(&error) => {
                export::fall_back(&folder, &keyring, options.sync, told.commits, &error)?
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                return Err(OpenError::Locked(options.folder.clone()));
            }
            Err(source) => return Err(OpenError::Io { path: database, source }),
        };
        let reader = disk.reader();
        folder.settle_secret()?;
        if !had_database {
            folder.sync().at(folder.path())?;
        }
        let folder = Arc::new(folder);
        let images = folder.join("images");
        let shelf = Shelf::open(images.clone()).at(&images)?;
        let gauges = Arc::new(Gauges::default());
        let keyring = Arc::new(RwLock::new(keyring));
        tell_damage(&key_file, &reader, &keyring);
        tell_erasing(folder.path());
        // Where nothing is synced there is no sync to share.
        let pause = if options.sync { options.commit_pause } else { Duration::ZERO };
        let pace = Pace { pause, patience: COMMIT_PATIENCE };
        let shared =
            Shared { keyring: keyring.clone(), space: space.clone(), ballast: ballast.clone(), gauges: gauges.clone() };
        let journal = Journal::begin(&database, options.sync).at(&database)?;
        let files = Files { disk, journal, key_file, mark, _folder: folder.clone() };
        let writer = Writer::start(files, shared, pace).at(folder.path())?;
        let blinder = Blinder::new(&folder.derive(INDEX));
        let most_accounts = options.most_accounts;
        let base = Arc::new(Base { reader, writer, keyring, gauges: gauges.clone(), blinder, folder, most_accounts });
        let images = Arc::new(FileImages::open(shelf, base.clone(), space.clone()).at(&images)?);
        Ok(Self {
            accounts: Arc::new(SledAccounts(base.clone())),
            inbox: Arc::new(SledInbox::new(base.clone()).map_err(io::Error::other).at(base.folder.path())?),
            feedback: Arc::new(SledFeedback(base.clone())),
            rooms: Arc::new(SledRooms(base.clone())),
            room_log: Arc::new(SledRoomLog::new(base.clone(), space.clone())),
            sweeper: Sweeper::new(base.clone(), images.clone()),
            images,
            base,
            space,
            ballast,
            gauges,
            exporting: Mutex::new(()),
        })
    }

    async fn take_on_ballast(&self) {
        let ballast = self.ballast.clone();
        // If it panicked, that was told.
        let _ = tokio::task::spawn_blocking(move || ballast.take_on()).await;
    }

    /// Stops, and lets go of the folder. It is free when others have let go
    /// of what they hold of this store, too.
    pub async fn close(self) -> Result<()> {
        self.stop().await
    }
}

#[async_trait]
impl Engine for Store {
    fn accounts(&self) -> Arc<dyn Accounts> {
        self.accounts.clone()
    }

    fn inbox(&self) -> Arc<dyn Inbox> {
        self.inbox.clone()
    }

    fn feedback(&self) -> Arc<dyn FeedbackBox> {
        self.feedback.clone()
    }

    fn images(&self) -> Arc<dyn Images> {
        self.images.clone()
    }

    fn rooms(&self) -> Arc<dyn RoomDirectory> {
        self.rooms.clone()
    }

    fn room_log(&self) -> Arc<dyn RoomLog> {
        self.room_log.clone()
    }

    fn secret(&self, purpose: &str) -> [u8; 32] {
        self.base.folder.derive(purpose)
    }

    fn is_healthy(&self) -> bool {
        self.base.writer.is_healthy() && self.base.reader.is_healthy()
    }

    async fn failed(&self) {
        self.base.writer.failed().await;
    }

    fn is_full(&self) -> bool {
        self.space.is_full()
    }

    async fn sweep(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.sweeper.sweep(now).await
    }

    async fn sweep_after_start(&self, now: Timestamp) -> Result<Swept> {
        self.take_on_ballast().await;
        self.sweeper.sweep_after_start(now).await
    }

    fn figures(&self) -> Figures {
        self.gauges.read(&self.base, &self.space, self.images.bytes())
    }

    fn backup(&self, out: &mut dyn Write) -> io::Result<()> {
        let _one = self.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        export::backup(out, &self.base, &self.images)
    }

    fn export(&self) -> io::Result<()> {
        let _one = self.exporting.lock().unwrap_or_else(PoisonError::into_inner);
        export::export(&self.base, &self.space)
    }

    async fn stop(&self) -> Result<()> {
        self.base.writer.stop().await
    }
}

/// Says what damaged keys have cost. The server goes on without them.
fn tell_damage(key_file: &KeyFile, reader: &Reader, keyring: &RwLock<Keyring>) {
    let keys = key_file.damaged();
    if keys == 0 {
        return;
    }
    match Lost::among(reader, keyring) {
        Ok(lost) => tracing::error!(
            keys,
            %lost,
            "keys in the file «keys» are damaged, and what they sealed can't be read. They are left as they are, and \
             everything else goes on. To have it back, stop the server and restore the last backup into an empty \
             folder (annon restore), which has nothing of what came after it; and have the disk and the memory checked"
        ),
        Err(error) => tracing::error!(keys, %error, "keys in the file «keys» are damaged, and nobody can tell whose"),
    }
}

/// Says what deleting comes to where the folder is.
fn tell_erasing(folder: &Path) {
    match Erasing::at(folder) {
        Ok(erasing) if erasing.is_sure() => tracing::info!("{erasing}"),
        Ok(erasing) => tracing::warn!("{erasing}"),
        Err(error) => tracing::warn!(%error, "nobody can tell what deleting comes to on this file system"),
    }
}
