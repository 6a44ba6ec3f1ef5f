//! The memory that passwords are hashed in. Getting 19 MiB of it from the
//! system for each is 4,864 page faults and 14 ms of the kernel's time, which
//! doesn't yield to anybody. So it is kept while people sign in.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use actix_web::rt;
use argon2::Block;

/// How long after the last password it is given back to the system.
const KEPT: Duration = Duration::from_secs(10);

/// One for each hash that has been under way at once.
#[derive(Clone, Default)]
pub(super) struct Arenas(Arc<Shared>);

#[derive(Default)]
struct Shared {
    free: Mutex<Vec<Vec<Block>>>,
    used: AtomicU64,
    is_watched: AtomicBool,
}

impl Arenas {
    /// Works in one of so many empty blocks, and empties them when it is done:
    /// what stands in them tells of the password.
    pub(super) fn with<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let free = || self.0.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut arena = free().pop().unwrap_or_default();
        arena.resize(blocks, Block::new());
        let done = work(&mut arena);
        arena.fill(Block::new());
        self.0.used.fetch_add(1, Ordering::Relaxed);
        free().push(arena);
        done
    }

    /// Sees to it that they are given back when nobody has used them for a
    /// while.
    pub(super) fn watch(&self) {
        self.give_back_after(KEPT);
    }

    fn give_back_after(&self, kept: Duration) {
        if self.0.is_watched.swap(true, Ordering::Relaxed) {
            return;
        }
        let shared = self.0.clone();
        rt::spawn(async move {
            let mut used = None;
            while used != Some(shared.used.load(Ordering::Relaxed)) {
                used = Some(shared.used.load(Ordering::Relaxed));
                rt::time::sleep(kept).await;
            }
            shared.free.lock().unwrap_or_else(PoisonError::into_inner).clear();
            shared.is_watched.store(false, Ordering::Relaxed);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_password_waits_in_an_arena_for_the_next() {
        let arenas = Arenas::default();
        arenas.with(2, |blocks| blocks.iter_mut().for_each(|block| block.as_mut().fill(7)));
        let free = arenas.0.free.lock().unwrap();
        assert!(free.iter().flatten().all(|block| block.as_ref().iter().all(|word| *word == 0)));
    }

    #[actix_web::test]
    async fn an_arena_is_used_again_and_given_back_in_the_end() {
        let arenas = Arenas::default();
        let place = || arenas.with(4, |blocks| blocks.as_ptr() as usize);
        assert_eq!(place(), place());
        let free = || arenas.0.free.lock().unwrap().len();
        assert_eq!(free(), 1);
        arenas.with(4, |_| assert_eq!(arenas.with(4, |blocks| blocks.len()), 4));
        assert_eq!(free(), 2, "each hash that is under way has its own");
        arenas.give_back_after(Duration::from_millis(1));
        while free() > 0 {
            rt::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
