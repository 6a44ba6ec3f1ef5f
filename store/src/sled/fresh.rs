//! What is committed and not yet in sled, kept in memory, and reading as if
//! it were.

use std::cmp::Ordering;
use std::io;
use std::ops::Bound::{self, Excluded, Included};
use std::ops::RangeBounds;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use ::sled::IVec;

use crate::error::Result;
use crate::sled::{Changes, failed};

type Layer = Arc<RwLock<Changes>>;
type Pair = (Vec<u8>, Vec<u8>);

/// The commits since sled was last brought up to date.
#[derive(Clone, Default)]
pub(crate) struct Fresh(Arc<RwLock<Layers>>);

/// A reader that holds them keeps seeing their changes, even after sled has
/// taken these over: a walk through sled may already be past their place.
#[derive(Clone, Default)]
pub(crate) struct Layers {
    now: Layer,
    /// What sled is taking over.
    leaving: Option<Layer>,
}

fn read(layer: &Layer) -> RwLockReadGuard<'_, Changes> {
    layer.read().unwrap_or_else(PoisonError::into_inner)
}

impl Fresh {
    pub(crate) fn layers(&self) -> Layers {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds a commit.
    pub(crate) fn add(&self, changes: Changes) {
        let now = self.layers().now;
        now.write().unwrap_or_else(PoisonError::into_inner).extend(changes);
    }

    /// Begins a new layer; sled is to have what is in the last one.
    pub(crate) fn turn(&self) {
        let mut layers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        layers.leaving = Some(std::mem::take(&mut layers.now));
    }

    /// Does to sled what it is to have, and lets go of that.
    pub(crate) fn hand_over(&self, to: impl FnOnce(&Changes) -> io::Result<()>) -> io::Result<()> {
        let Some(leaving) = self.layers().leaving else { return Ok(()) };
        to(&read(&leaving))?;
        self.0.write().unwrap_or_else(PoisonError::into_inner).leaving = None;
        Ok(())
    }
}

impl Layers {
    /// The newest first.
    fn each(&self) -> impl Iterator<Item = &Layer> {
        std::iter::once(&self.now).chain(&self.leaving)
    }

    /// What became of a key; `None` when sled knows best.
    pub(crate) fn get(&self, key: &[u8]) -> Option<Option<Vec<u8>>> {
        self.each().find_map(|layer| read(layer).get(key).cloned())
    }

    /// The outermost key within these bounds that says more than sled does,
    /// whose own outermost one is `disk`: what was removed, and is not there
    /// in sled, is passed over here.
    fn outermost(&self, from: &Bound<Vec<u8>>, to: &Bound<Vec<u8>>, end: End, disk: Option<&[u8]>) -> Option<Vec<u8>> {
        let bounds = (as_slice(from), as_slice(to));
        if is_empty(bounds) {
            return None;
        }
        let is_behind = |key: &[u8]| disk.is_some_and(|disk| if end == End::Front { key > disk } else { key < disk });
        let tells = |(key, value): &(&Vec<u8>, &Option<Vec<u8>>)| {
            value.is_some() || disk == Some(key.as_slice()) || is_behind(key)
        };
        let of_each = self.each().filter_map(|layer| {
            let layer = read(layer);
            let mut pairs = layer.range::<[u8], _>(bounds);
            let pair = if end == End::Front { pairs.find(tells) } else { pairs.rfind(tells) };
            pair.map(|(key, _)| key).filter(|key| !is_behind(key)).cloned()
        });
        if end == End::Front { of_each.min() } else { of_each.max() }
    }
}

fn as_slice(bound: &Bound<Vec<u8>>) -> Bound<&[u8]> {
    bound.as_ref().map(Vec::as_slice)
}

/// Bounds a map would panic at are among those nothing is between.
fn is_empty(bounds: (Bound<&[u8]>, Bound<&[u8]>)) -> bool {
    match bounds {
        (Included(from) | Excluded(from), Excluded(to)) | (Excluded(from), Included(to)) => from >= to,
        (Included(from), Included(to)) => from > to,
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Front,
    Back,
}

/// Pairs in the order of their keys: sled's, and over them what is fresh.
pub(crate) struct Pairs {
    layers: Layers,
    disk: ::sled::Iter,
    /// Read from sled, and not yet given.
    front: Option<(IVec, IVec)>,
    back: Option<(IVec, IVec)>,
    from: Bound<Vec<u8>>,
    to: Bound<Vec<u8>>,
}

impl Pairs {
    /// The layers must be older than sled's walk.
    pub(crate) fn new(layers: Layers, disk: ::sled::Iter, from: Bound<Vec<u8>>, to: Bound<Vec<u8>>) -> Self {
        Self { layers, disk, front: None, back: None, from, to }
    }

    /// The next that sled has. Where it has split a page since, sled may give
    /// one again that was passed already.
    fn read_disk(&mut self, end: End) -> Option<Result<(IVec, IVec)>> {
        let (kept, other) = match end {
            End::Front => (&mut self.front, &mut self.back),
            End::Back => (&mut self.back, &mut self.front),
        };
        loop {
            let read = kept.take().map(Ok);
            let read = read.or_else(|| if end == End::Front { self.disk.next() } else { self.disk.next_back() });
            let read = read.or_else(|| other.take().map(Ok))?;
            let bounds = (as_slice(&self.from), as_slice(&self.to));
            match read {
                Ok((key, _)) if !RangeBounds::<[u8]>::contains(&bounds, key.as_ref()) => {}
                read => return Some(read.map_err(failed)),
            }
        }
    }

    fn step(&mut self, end: End) -> Option<Result<Pair>> {
        loop {
            let disk = match self.read_disk(end).transpose() {
                Ok(disk) => disk,
                Err(error) => return Some(Err(error)),
            };
            let of_disk = disk.as_ref().map(|(key, _)| key.as_ref());
            let fresh = self.layers.outermost(&self.from, &self.to, end, of_disk);
            let order = match (&disk, &fresh) {
                (None, None) => return None,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((disk, _)), Some(fresh)) if end == End::Front => disk.as_ref().cmp(fresh),
                (Some((disk, _)), Some(fresh)) => fresh.as_slice().cmp(disk),
            };
            let pair = match (order, disk, fresh) {
                (Ordering::Less, Some((key, value)), _) => (key.to_vec(), Some(value.to_vec())),
                (_, disk, Some(key)) => {
                    if order == Ordering::Greater {
                        *(if end == End::Front { &mut self.front } else { &mut self.back }) = disk;
                    }
                    let value = self.layers.get(&key).flatten();
                    (key, value)
                }
                _ => return None,
            };
            let passed = Excluded(pair.0.clone());
            *(if end == End::Front { &mut self.from } else { &mut self.to }) = passed;
            if let (key, Some(value)) = pair {
                return Some(Ok((key, value)));
            }
        }
    }
}

impl Iterator for Pairs {
    type Item = Result<Pair>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(End::Front)
    }
}

impl DoubleEndedIterator for Pairs {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(End::Back)
    }
}

#[cfg(test)]
mod tests;
