//! The memory that passwords are hashed in. Getting 19 MiB of it from the
//! system for each is 4,864 page faults and 14 ms of the kernel's time, which
//! doesn't yield to anybody. So it is kept while people sign in.

use std::sync::Arc;
use std::time::Duration;

use argon2::Block;
use parking_lot::{Mutex, MutexGuard};
use tokio::runtime::Handle;

/// How long after the last password it is given back to the system.
const KEPT: Duration = Duration::from_secs(10);

/// One for each hash that has been under way at once, and how many were made.
#[derive(Clone, Default)]
pub(super) struct Arenas(Arc<Mutex<(Vec<Vec<Block>>, u64)>>);

impl Arenas {
    /// Works in one of so many empty blocks, and empties them when it is done:
    /// what stands in them tells of the password.
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

    /// Gives them back when nobody has used them for a while. It is called
    /// after each use, on the thread of that use; `runtime` waits meanwhile.
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
        // A thread of the pool does so.
        let (pools, runtime) = (arenas.clone(), Handle::current());
        std::thread::spawn(move || pools.give_back_after(Duration::from_millis(1), &runtime)).join().unwrap();
        while free() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}
