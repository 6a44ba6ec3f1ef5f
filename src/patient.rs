//! A connection that ends when its client keeps the server waiting. actix-web
//! sees to that for the first request of a connection, and for no later one.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::rate_limit::Slot;

/// From the first byte of a request to the first of its answer. The slowest
/// body may take a minute.
const ASKS_FOR: Duration = Duration::from_secs(75);
/// From one answer to the next: as long as a connection is kept that nobody
/// asks anything on, and a request.
const QUIET_FOR: Duration = Duration::from_secs(2 * 75);

/// What carries HTTP, and how long it may yet be waited for.
pub struct Patient<T> {
    io: T,
    /// Counts it.
    slot: Option<Slot>,
    /// Whether something has come that wasn't answered.
    is_asked: bool,
    asks_for: Duration,
    quiet_for: Duration,
    until: Instant,
    alarm: Pin<Box<Sleep>>,
}

impl<T> Patient<T> {
    /// A connection that has just been opened.
    pub fn new(io: T, slot: Slot) -> Self {
        let mut this = Self::with(io, ASKS_FOR, QUIET_FOR);
        this.slot = Some(slot);
        this
    }

    fn with(io: T, asks_for: Duration, quiet_for: Duration) -> Self {
        let until = Instant::now() + asks_for;
        Self { io, slot: None, is_asked: false, asks_for, quiet_for, until, alarm: Box::pin(sleep_until(until)) }
    }

    /// What was waited for has ended.
    pub fn into_inner(self) -> T {
        self.io
    }

    fn asked(&mut self) {
        if !self.is_asked {
            self.is_asked = true;
            self.until = self.until.min(Instant::now() + self.asks_for);
        }
    }

    fn answered(&mut self, written: usize) {
        if written > 0 {
            self.is_asked = false;
            self.until = Instant::now() + self.quiet_for;
        }
    }

    /// Ready when the time is up. The alarm is set anew only when it rings.
    fn poll_alarm(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.alarm.as_mut().poll(context));
            if self.until <= Instant::now() {
                return Poll::Ready(());
            }
            self.alarm.as_mut().reset(self.until);
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for Patient<T> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<Result<()>> {
        let this = &mut *self;
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut this.io).poll_read(context, buffer) {
            if buffer.filled().len() > before {
                this.asked();
                if this.until <= Instant::now() {
                    return Poll::Ready(Err(Error::from(ErrorKind::TimedOut)));
                }
            }
            return Poll::Ready(read);
        }
        this.poll_alarm(context).map(|()| Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl<T: AsyncWrite + Unpin> AsyncWrite for Patient<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let written = ready!(Pin::new(&mut self.io).poll_write(context, bytes))?;
        self.answered(written);
        Poll::Ready(Ok(written))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let written = ready!(Pin::new(&mut self.io).poll_write_vectored(context, pieces))?;
        self.answered(written);
        Poll::Ready(Ok(written))
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::{sleep, timeout};

    const ASKS: Duration = Duration::from_millis(200);
    const QUIET: Duration = Duration::from_millis(400);
    const DRIP: Duration = Duration::from_millis(20);

    fn pair() -> (DuplexStream, Patient<DuplexStream>) {
        let (client, server) = duplex(64);
        (client, Patient::with(server, ASKS, QUIET))
    }

    /// Says a letter every so often until the other side has had enough. How
    /// long that took.
    async fn drips(client: &mut DuplexStream, server: &mut Patient<DuplexStream>) -> Duration {
        let begun = Instant::now();
        loop {
            client.write_all(b"x").await.unwrap();
            let heard = timeout(DRIP, async {
                let mut letters = [0; 8];
                while server.read(&mut letters).await? > 0 {}
                Ok::<_, Error>(())
            });
            if let Ok(ended) = heard.await {
                assert_eq!(ended.unwrap_err().kind(), ErrorKind::TimedOut);
                return begun.elapsed();
            }
        }
    }

    async fn answer(client: &mut DuplexStream, server: &mut Patient<DuplexStream>) {
        server.write_all(b"y").await.unwrap();
        client.read_u8().await.unwrap();
    }

    #[actix_web::test]
    async fn a_request_that_never_ends_is_cut_off_on_every_turn() {
        let (mut client, mut server) = pair();
        assert!(drips(&mut client, &mut server).await >= ASKS - DRIP);

        // The time of the first is no longer that of the next.
        let (mut client, mut server) = pair();
        sleep(ASKS - DRIP).await;
        answer(&mut client, &mut server).await;
        assert!(drips(&mut client, &mut server).await >= ASKS - DRIP);
    }

    #[actix_web::test]
    async fn what_came_behind_a_request_is_not_waited_for_without_end() {
        let (mut client, mut server) = pair();
        client.write_all(b"xx").await.unwrap();
        server.read_u8().await.unwrap();
        let begun = Instant::now();
        answer(&mut client, &mut server).await;
        server.read_u8().await.unwrap();
        answer(&mut client, &mut server).await;
        assert_eq!(server.read_u8().await.unwrap_err().kind(), ErrorKind::TimedOut);
        assert!(begun.elapsed() >= QUIET);
    }
}
