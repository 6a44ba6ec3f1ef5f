//! Little work, which is done at once where nothing is synced.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;

/// Where nothing is synced.
fn quick(happens: impl FnMut() -> std::io::Result<()> + Send + 'static) -> Bench {
    bench_with(false, Duration::from_secs(60), happens)
}

impl Bench {
    /// Asks for little work, and looks once whether it is done.
    fn at_once<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Unit<'_>) -> Result<T> + Send + 'static,
    ) -> Option<Result<T>> {
        let mut asked = pin!(self.base.writer.write_little(Effect::Grows, work));
        match asked.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => Some(outcome),
            Poll::Pending => None,
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn little_is_done_at_once_where_nothing_is_synced() {
    let bench = quick(|| Ok(()));
    assert_eq!(bench.at_once(put(b"zfirst")), Some(Ok(())));
    let refused = bench.at_once(|unit| {
        unit.remove(b"zfirst".to_vec());
        Err::<(), _>(StoreError::Full)
    });
    assert_eq!(refused, Some(Err(StoreError::Full)));
    let panics = bench.at_once(|_| -> Result<()> { panic!("a bug") });
    assert_eq!(panics, Some(Err(StoreError::Unavailable)));
    assert_eq!(bench.at_once(|unit| unit.has(b"zfirst")), Some(Ok(true)), "of what a group before it did");
    assert_eq!(bench.commits(), 1);
    assert!(bench.base.writer.is_healthy());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn little_waits_where_a_sync_is_to_be_shared() {
    let bench = bench(|| Ok(()));
    let go_on = bench.hold().await;
    let tasks: Vec<_> = [b"zone", b"ztwo"]
        .into_iter()
        .map(|name| {
            let writer = bench.base.writer.clone();
            tokio::spawn(async move { writer.write_little(Effect::Grows, put(name)).await })
        })
        .collect();
    bench.has_waiting(2).await;
    go_on.send(()).unwrap();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Ok(()));
    }
    assert_eq!(bench.commits(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn little_waits_while_somebody_else_is_served() {
    let bench = quick(|| Ok(()));
    let go_on = bench.hold().await;
    let writer = bench.base.writer.clone();
    let waits = tokio::spawn(async move { writer.write_little(Effect::Grows, put(b"z")).await });
    bench.has_waiting(1).await;
    assert!(!waits.is_finished());
    go_on.send(()).unwrap();
    assert_eq!(waits.await.unwrap(), Ok(()));
    bench.base.writer.stop().await.unwrap();
    let late = bench.base.writer.write_little(Effect::Grows, put(b"zlate")).await;
    assert_eq!(late, Err(StoreError::Unavailable));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_writes_himself_tells_everybody_of_a_failure() {
    for happens in [|| Err(std::io::Error::other("the disk says no")), || panic!("a bug in the journal")] {
        let bench = quick(happens);
        assert_eq!(bench.at_once(put(b"z")), Some(Err(StoreError::Unavailable)));
        tokio::time::timeout(Duration::from_secs(1), bench.base.writer.failed()).await.unwrap();
        assert_eq!(bench.at_once(put(b"z")), Some(Err(StoreError::Unavailable)));
        assert_eq!(bench.base.reader.has(b"z"), Ok(false));
    }
}
