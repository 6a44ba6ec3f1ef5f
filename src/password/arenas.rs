//! The memory that passwords are hashed in. To get 19 MiB from the system for
//! each hash would be 4,864 page faults and 14 ms in the kernel, in which the
//! thread yields to no other. So the memory is kept while people sign in.

use std::sync::Arc;
use std::time::Duration;

use argon2::Block;
use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::Handle;

/// How long after the last hash the memory is given back to the system.
const KEPT: Duration = Duration::from_secs(10);

/// The free memory, one `Vec` per concurrent hash, and the count of all hashes.
#[derive(Clone, Default)]
pub(super) struct Arenas(Arc<Mutex<(Vec<Vec<Block>>, u64)>>);

impl Arenas {
    /// Does work in `blocks` empty blocks, and empties them afterwards, because
    /// their content tells of the password.
    pub(super) fn with<T>(&self, blocks: usize, work: impl FnOnce(&mut [Block]) -> T) -> T {
        let mut arena = self.lock().0.pop().unwrap_or_default();
        arena.resize(blocks, Block::new());
        let done = work(&mut arena);
        arena.fill(Block::new());
        let mut kept = self.lock();
        kept.0.push(arena);
        kept.1 += 1;
        done
    }

    /// Gives all memory back if none is used for a while. It is called after
    /// each use, on the pool's thread; `runtime` does the waiting.
    pub(super) fn give_back_later(&self, runtime: &Handle) {
        self.give_back_after(KEPT, runtime);
    }

    fn give_back_after(&self, kept: Duration, runtime: &Handle) {
        let (arenas, used) = (self.clone(), self.lock().1);
        runtime.spawn(async move {
            tokio::time::sleep(kept).await;
            let mut now = arenas.lock();
            if now.1 == used {
                now.0.clear();
            }
        });
    }

    fn lock(&self) -> MutexGuard<'_, (Vec<Vec<Block>>, u64)> {
        self.0.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_password_waits_in_an_arena_for_the_next() {
        let arenas = Arenas::default();
        arenas.with(2, |blocks| blocks.iter_mut().for_each(|block| block.as_mut().fill(7)));
        let kept = arenas.lock();
        assert!(kept.0.iter().flatten().all(|block| block.as_ref().iter().all(|word| *word == 0)));
    }

    #[actix_web::test]
    async fn an_arena_is_used_again_and_given_back_in_the_end() {
        let arenas = Arenas::default();
        let place = || arenas.with(4, |blocks| blocks.as_ptr() as usize);
        assert_eq!(place(), place());
        let free = || arenas.lock().0.len();
        assert_eq!(free(), 1);
        arenas.with(4, |_| assert_eq!(arenas.with(4, |blocks| blocks.len()), 4));
        assert_eq!(free(), 2, "each hash that is under way has its own");
        // As on a thread of the pool, which has no runtime.
        let (pools, runtime) = (arenas.clone(), Handle::current());
        std::thread::spawn(move || pools.give_back_after(Duration::from_millis(1), &runtime)).join().unwrap();
        while free() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
