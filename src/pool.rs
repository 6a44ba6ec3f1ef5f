//! A few threads for work that takes milliseconds of a core, with a short
//! queue. If the queue is full, the caller gets `Busy`, so that a flood of such
//! work can't starve the rest.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use annon_contract::code::Code;
use parking_lot::Mutex;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// A bounded pool. Its threads end when it is dropped.
pub struct Pool {
    queue: SyncSender<Job>,
}

impl Pool {
    /// Starts the threads, with a low priority.
    pub fn start(name: &'static str, threads: usize, queue: usize) -> std::io::Result<Self> {
        let (sender, jobs) = sync_channel::<Job>(queue);
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..threads {
            let jobs = jobs.clone();
            thread::Builder::new().name(name.to_owned()).spawn(move || work(&jobs))?;
        }
        Ok(Self { queue: sender })
    }

    /// Does the work on one of the threads. `Busy` when the queue is full.
    pub async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Code> {
        let (reply, answer) = oneshot::channel();
        let job = Box::new(move || {
            if !reply.is_closed() {
                let _ = reply.send(work());
            }
        });
        match self.queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(Code::Busy),
            Err(TrySendError::Disconnected(_)) => return Err(Code::Internal),
        }
        answer.await.map_err(|_| Code::Internal)
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    // On Linux this is the thread's own niceness. If it can't be set, the
    // thread works all the same.
    let _ = rustix::process::nice(10);
    loop {
        let job = jobs.lock().recv();
        let Ok(job) = job else { return };
        // A panic ends its job, whose caller gets an error, but not the thread.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[actix_web::test]
    async fn a_full_queue_is_said_so_and_a_panic_hurts_nobody_else() {
        let pool = Arc::new(Pool::start("test", 1, 1).unwrap());
        assert!(matches!(pool.run(|| panic!("on purpose")).await, Err::<(), _>(Code::Internal)));

        let (begun, end) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
        let running = {
            let (pool, begun, end) = (pool.clone(), begun.clone(), end.clone());
            actix_web::rt::spawn(async move {
                pool.run(move || {
                    begun.wait();
                    end.wait();
                })
                .await
            })
        };
        actix_web::rt::task::spawn_blocking(move || begun.wait()).await.unwrap();
        let waiting = {
            let pool = pool.clone();
            actix_web::rt::spawn(async move { pool.run(|| 7).await })
        };
        actix_web::rt::task::yield_now().await;
        assert!(matches!(pool.run(|| 8).await, Err(Code::Busy)));
        actix_web::rt::task::spawn_blocking(move || end.wait()).await.unwrap();
        running.await.unwrap().unwrap();
        assert_eq!(waiting.await.unwrap().unwrap(), 7);
    }
}
