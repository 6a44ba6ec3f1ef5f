//! Limits the large bodies that arrive at once. Each takes megabytes of memory
//! until its picture is re-encoded. So their number is limited, per address and
//! in all, and each has to arrive at a minimum speed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use annon_contract::code::Code;
use futures_util::{Stream, StreamExt};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

use crate::limits::digest::Digest;

/// The most pictures that may arrive at once.
pub const PICTURES_AT_ONCE: usize = MEMBERS + STRANGERS;
const MEMBERS: usize = 12;
/// Slots for callers without a seat: for feedback, and for bodies that name
/// their group after the picture.
const STRANGERS: usize = 4;
/// The most slots of members for one address, which a few friends may share.
const MEMBERS_EACH: usize = 4;
/// The most slots of strangers for one address. There are only `STRANGERS` slots,
/// and an address with more could keep the others out.
const STRANGERS_EACH: usize = 1;
/// How many seconds an upload keeps its slot at least; a picture of the usual
/// size arrives within them. After that it gives way if another waits.
const GRACE: u32 = 8;
/// How many seconds a picture waits for a slot: `GRACE` for one of its own
/// address, `GRACE` for any, and some more.
const SLOT_WITHIN: u32 = 2 * GRACE + 4;
/// The most bytes that are read of an upload without a slot.
const WITHOUT_SLOT: usize = 64 * 1024;
/// The minimum speed of an upload with a slot, in bytes per second.
const PACE: usize = 13 * 1024;
/// How many seconds an upload may be behind `PACE`, or pause without a slot.
const SLACK: u32 = 5;

/// Which slots an upload takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SlotKind {
    /// For callers that have shown a seat.
    Members,
    /// For callers without one.
    Strangers,
}

/// The slots of one kind or address, and a count of who waits for one.
struct Slots {
    free: Arc<Semaphore>,
    /// Each upload that waits has a clone.
    waiting: Arc<()>,
}

impl Slots {
    fn new(slots: usize) -> Arc<Self> {
        Arc::new(Self { free: Arc::new(Semaphore::new(slots)), waiting: Arc::default() })
    }

    async fn take(&self) -> Option<OwnedSemaphorePermit> {
        if let Ok(slot) = self.free.clone().try_acquire_owned() {
            return Some(slot);
        }
        let _waits = self.waiting.clone();
        self.free.clone().acquire_owned().await.ok()
    }

    fn are_waited_for(&self) -> bool {
        Arc::strong_count(&self.waiting) > 1
    }
}

pub struct UploadSlots {
    /// Whether slots are limited per address; load tests turn that off.
    by_address: bool,
    /// A second, which is shorter in tests.
    second: Duration,
    members: Arc<Slots>,
    strangers: Arc<Slots>,
    /// The slots of each address that uploads or waits to.
    addresses: Mutex<HashMap<(SlotKind, Digest), Arc<Slots>>>,
}

/// One upload's slot, which is free again when this is dropped.
pub struct UploadSlot {
    of: Vec<Arc<Slots>>,
    _permits: Vec<OwnedSemaphorePermit>,
}

impl UploadSlots {
    pub fn new(by_address: bool) -> Self {
        let (members, strangers) = (Slots::new(MEMBERS), Slots::new(STRANGERS));
        Self { by_address, second: Duration::from_secs(1), members, strangers, addresses: Mutex::default() }
    }

    /// Waits for a slot. `Busy` if none is free within `SLOT_WITHIN`.
    pub async fn slot(&self, kind: SlotKind, who: Digest) -> Result<UploadSlot, Code> {
        let in_all = match kind {
            SlotKind::Members => &self.members,
            SlotKind::Strangers => &self.strangers,
        };
        // The address's own slot comes first: an upload that waits for it holds
        // no slot that others could use.
        let own = self.by_address.then(|| self.of_address(kind, who));
        let of: Vec<_> = own.into_iter().chain([in_all.clone()]).collect();
        let taking = async {
            let mut permits = Vec::new();
            for slots in &of {
                permits.push(slots.take().await?);
            }
            Some(permits)
        };
        let permits = timeout(self.second * SLOT_WITHIN, taking).await.ok().flatten().ok_or(Code::Busy)?;
        Ok(UploadSlot { of, _permits: permits })
    }

    fn of_address(&self, kind: SlotKind, who: Digest) -> Arc<Slots> {
        let each = match kind {
            SlotKind::Members => MEMBERS_EACH,
            SlotKind::Strangers => STRANGERS_EACH,
        };
        let mut addresses = self.addresses.lock();
        addresses.retain(|_, slots| Arc::strong_count(slots) > 1);
        addresses.entry((kind, who)).or_insert_with(|| Slots::new(each)).clone()
    }
}

/// An upload while it arrives.
pub struct UploadReader<'a> {
    uploads: &'a UploadSlots,
    who: Digest,
    kind: SlotKind,
    slot: Option<UploadSlot>,
    /// When the upload got its slot; without a slot, when the last piece came.
    since: Instant,
    /// How many bytes had come before the slot.
    before: usize,
    bytes: Vec<u8>,
}

impl<'a> UploadReader<'a> {
    /// An upload of a caller who has shown no seat yet.
    pub fn new(uploads: &'a UploadSlots, who: Digest) -> Self {
        let (kind, since) = (SlotKind::Strangers, Instant::now());
        Self { uploads, who, kind, slot: None, since, before: 0, bytes: Vec::new() }
    }

    /// The caller has shown a seat, so the upload takes a slot of the members.
    pub fn mark_as_member(&mut self) {
        self.kind = SlotKind::Members;
    }

    /// The bytes that have come so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads until `is_enough`, or to the end. Above `WITHOUT_SLOT` bytes it
    /// waits for a slot before it reads on. A body of more than `most` bytes is
    /// refused as `too_large`.
    pub async fn read_until(
        &mut self,
        pieces: &mut (impl Stream<Item = Result<Bytes, Code>> + Unpin),
        (most, too_large): (usize, Code),
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> Result<(), Code> {
        if self.slot.is_none() {
            self.since = Instant::now();
        }
        while !is_enough(&self.bytes) {
            if self.slot.is_none() && self.bytes.len() > WITHOUT_SLOT {
                self.slot = Some(self.uploads.slot(self.kind, self.who).await?);
                (self.since, self.before) = (Instant::now(), self.bytes.len());
            }
            if let Ok(piece) = timeout(self.uploads.second, pieces.next()).await {
                let Some(piece) = piece.transpose()? else { return Ok(()) };
                if self.bytes.len() + piece.len() > most {
                    return Err(too_large);
                }
                self.bytes.extend_from_slice(&piece);
                if self.slot.is_none() {
                    self.since = Instant::now();
                }
            }
            self.may_go_on()?;
        }
        Ok(())
    }

    /// Reads to the end, and returns all bytes. The upload keeps its slot for
    /// `slot` or for the next body.
    pub async fn read(
        &mut self,
        pieces: &mut (impl Stream<Item = Result<Bytes, Code>> + Unpin),
        most: (usize, Code),
    ) -> Result<Vec<u8>, Code> {
        self.read_until(pieces, most, |_| false).await?;
        (self.since, self.before) = (Instant::now(), 0);
        Ok(std::mem::take(&mut self.bytes))
    }

    fn may_go_on(&self) -> Result<(), Code> {
        let seconds = self.since.elapsed().div_duration_f64(self.uploads.second);
        let too_late = seconds - f64::from(SLACK);
        let Some(slot) = &self.slot else {
            return if too_late > 0.0 { Err(Code::PictureTooSlow) } else { Ok(()) };
        };
        if too_late * PACE as f64 > (self.bytes.len() - self.before) as f64 {
            return Err(Code::PictureTooSlow);
        }
        if seconds > f64::from(GRACE) && slot.of.iter().any(|slots| slots.are_waited_for()) {
            return Err(Code::PictureGaveWay);
        }
        Ok(())
    }

    /// A slot for re-encoding the picture: the upload's own, or a new one.
    pub async fn slot(&mut self) -> Result<UploadSlot, Code> {
        match self.slot.take() {
            Some(slot) => Ok(slot),
            None => self.uploads.slot(self.kind, self.who).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;
    use futures_util::stream::unfold;

    const SECOND: Duration = Duration::from_millis(200);
    const KIB: usize = 1024;

    /// Slots whose seconds are short.
    fn quick() -> UploadSlots {
        UploadSlots { second: SECOND, ..UploadSlots::new(true) }
    }

    fn who(n: u8) -> Digest {
        [n; 16]
    }

    /// A slot, if one is free now.
    fn now(uploads: &UploadSlots, kind: SlotKind, n: u8) -> Option<UploadSlot> {
        uploads.slot(kind, who(n)).now_or_never().map(|slot| slot.ok().unwrap())
    }

    fn all(uploads: &UploadSlots, kind: SlotKind, n: u8) -> Vec<UploadSlot> {
        std::iter::from_fn(|| now(uploads, kind, n)).collect()
    }

    /// Reads pieces of these sizes, with a pause before each.
    async fn read(upload: &mut UploadReader<'_>, sizes: Vec<usize>, each_after: Duration) -> Result<usize, Code> {
        let pieces = unfold(sizes.into_iter(), |mut sizes| async move {
            let size = sizes.next()?;
            if !each_after.is_zero() {
                tokio::time::sleep(each_after).await;
            }
            Some((Ok(Bytes::from(vec![0; size])), sizes))
        });
        upload.read(&mut Box::pin(pieces), (KIB * KIB, Code::NoSpace)).await.map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn each_kind_has_its_slots_and_each_address_some_of_them() {
        let uploads = quick();
        let mut held = all(&uploads, SlotKind::Members, 0);
        assert_eq!(held.len(), MEMBERS_EACH);
        assert_eq!(all(&uploads, SlotKind::Strangers, 0).len(), STRANGERS_EACH, "and nobody is kept from either");
        held.extend((1..=255).map_while(|n| now(&uploads, SlotKind::Members, n)));
        assert_eq!(held.len(), MEMBERS);
        let strangers: Vec<_> = (100..=255).map_while(|n| now(&uploads, SlotKind::Strangers, n)).collect();
        assert_eq!(strangers.len(), STRANGERS);
        assert!(matches!(uploads.slot(SlotKind::Members, who(99)).await, Err(Code::Busy)), "and nobody waits for ever");
        drop((held, strangers));
        assert!(now(&uploads, SlotKind::Members, 99).is_some());
        assert_eq!(uploads.addresses.lock().len(), 1, "only who uploads is remembered");
        assert_eq!(all(&UploadSlots::new(false), SlotKind::Members, 0).len(), MEMBERS);
    }

    #[tokio::test]
    async fn what_is_small_takes_no_slot_and_what_is_large_takes_one() {
        for (pieces, expected, has_slot) in
            [(64, Ok(64 * KIB), false), (65, Ok(65 * KIB), true), (1025, Err(Code::NoSpace), true)]
        {
            let uploads = quick();
            let mut upload = UploadReader::new(&uploads, who(0));
            assert_eq!(read(&mut upload, vec![KIB; pieces], Duration::ZERO).await, expected);
            assert_eq!(upload.slot.is_some(), has_slot);
        }
    }

    #[tokio::test]
    async fn who_has_a_slot_keeps_the_pace_or_loses_it() {
        let uploads = quick();
        let begun = |rest: Vec<usize>| [vec![WITHOUT_SLOT + 1], rest].concat();
        for (sizes, each_after, is_kept) in [
            (begun(vec![100; 200]), SECOND / 10, false),
            (begun(vec![32 * KIB; 25]), SECOND / 10, true),
            (begun(vec![1; 2]), SECOND * 20, false),
            (vec![1; 2], SECOND * 20, false),
            // Without a slot any byte is enough progress.
            (vec![1; 4], SECOND * 2, true),
        ] {
            let read = read(&mut UploadReader::new(&uploads, who(0)), sizes, each_after).await;
            assert_eq!(read.is_ok(), is_kept, "{read:?}");
            assert!(is_kept || read == Err(Code::PictureTooSlow));
        }
    }

    #[tokio::test]
    async fn each_body_of_a_form_is_looked_at_by_itself() {
        let uploads = quick();
        let mut upload = UploadReader::new(&uploads, who(0));
        tokio::time::sleep(SECOND * (SLACK + 1)).await;
        for sizes in [vec![70 * KIB], vec![KIB], vec![KIB, 70 * KIB]] {
            let whole = sizes.iter().sum();
            assert_eq!(read(&mut upload, sizes, SECOND / 10).await, Ok(whole));
        }
        drop(upload.slot().await.unwrap());
        assert_eq!(read(&mut upload, vec![70 * KIB, KIB], SECOND / 10).await, Ok(71 * KIB));
        assert!(upload.slot.is_some());
        assert!(now(&uploads, SlotKind::Strangers, 0).is_none());
        drop(upload.slot().await.unwrap());
        assert!(now(&uploads, SlotKind::Strangers, 0).is_some(), "who has been read keeps nobody waiting");
    }

    #[tokio::test]
    async fn who_has_had_time_gives_way_to_who_waits_for_the_same_slots() {
        let uploads = quick();
        let slowly = || [vec![WITHOUT_SLOT + 1], vec![32 * KIB; 28]].concat();
        let _held: Vec<_> = (0..MEMBERS_EACH - 1).map(|_| now(&uploads, SlotKind::Members, 1).unwrap()).collect();
        let begun = Instant::now();
        let waits = uploads.slot(SlotKind::Members, who(1));
        let reading = async |n| {
            let mut upload = UploadReader::new(&uploads, who(n));
            upload.mark_as_member();
            read(&mut upload, slowly(), SECOND * 2 / 5).await
        };
        let late = async {
            tokio::time::sleep(SECOND).await;
            waits.await.map(|_| begun.elapsed())
        };
        let (one, other, waited) = tokio::join!(reading(1), reading(2), late);
        assert_eq!((one, other.is_ok()), (Err(Code::PictureGaveWay), true));
        assert!(waited.unwrap() > SECOND * GRACE);
    }
}
