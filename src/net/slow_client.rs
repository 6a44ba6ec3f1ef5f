//! A connection that ends when its client keeps the server waiting: with a
//! request that doesn't end, or with an answer that isn't read. actix-web
//! limits only the first request of a connection. The kernel disconnects a
//! client that reads nothing at all (`admission::tune`), but not one that reads
//! a little now and then.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::limits::rate_limit::QuotaGuard;

/// The longest time from a request's first byte to its answer's first byte. The
/// slowest body may take a minute.
const ASKS_FOR: Duration = Duration::from_secs(75);
/// The longest time from one answer to the next: 75 seconds without a request,
/// and 75 seconds for the request.
const QUIET_FOR: Duration = Duration::from_secs(2 * 75);
/// How long an answer may wait for its client, in addition to the time that
/// `PACE` gives: the kernel takes the next bytes when a third of its buffer is
/// free, which at that pace is every twenty seconds.
const UNREAD_FOR: Duration = Duration::from_secs(30);
/// Bytes of an answer that a client has to read in a second: what the slowest
/// phone networks carry.
const PACE: u32 = 4096;

/// A connection that carries HTTP, with its time limits.
pub struct TimedStream<T> {
    io: T,
    /// Counts the connection.
    guard: Option<QuotaGuard>,
    /// Whether part of a request has come that wasn't answered yet.
    is_asked: bool,
    asks_for: Duration,
    quiet_for: Duration,
    until: Instant,
    /// When the client must have taken more of the answer, if one waits.
    unread_until: Option<Instant>,
    unread_for: Duration,
    alarm: Pin<Box<Sleep>>,
}

impl<T> TimedStream<T> {
    /// A connection that has just been opened.
    pub fn new(io: T, guard: QuotaGuard) -> Self {
        let mut this = Self::with(io, ASKS_FOR, QUIET_FOR, UNREAD_FOR);
        this.guard = Some(guard);
        this
    }

    fn with(io: T, asks_for: Duration, quiet_for: Duration, unread_for: Duration) -> Self {
        let until = Instant::now() + asks_for;
        let alarm = Box::pin(sleep_until(until));
        let (guard, is_asked, unread_until) = (None, false, None);
        Self { io, guard, is_asked, asks_for, quiet_for, until, unread_until, unread_for, alarm }
    }

    /// The connection, without time limits and no longer counted.
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
            let now = Instant::now();
            self.until = now + self.quiet_for;
            if let Some(until) = &mut self.unread_until {
                let earned = Duration::from_secs(1) * u32::try_from(written).unwrap_or(u32::MAX) / PACE;
                *until = (*until + earned).min(now + self.unread_for);
            }
        }
    }

    /// An answer waits for its client: pending, or an error when it has waited
    /// for too long.
    fn poll_unread(&mut self, context: &mut Context<'_>) -> Poll<Error> {
        if self.unread_until.is_none() {
            let until = Instant::now() + self.unread_for;
            self.unread_until = Some(until);
            // The alarm may be set for later.
            if until < self.alarm.deadline() {
                self.alarm.as_mut().reset(until);
            }
        }
        self.poll_alarm(context).map(|()| Error::from(ErrorKind::TimedOut))
    }

    /// Ready when the time is up. The alarm is set again only when it rings.
    fn poll_alarm(&mut self, context: &mut Context<'_>) -> Poll<()> {
        loop {
            ready!(self.alarm.as_mut().poll(context));
            let until = self.unread_until.map_or(self.until, |unread| unread.min(self.until));
            if until <= Instant::now() {
                return Poll::Ready(());
            }
            self.alarm.as_mut().reset(until);
        }
    }
}

impl<T: AsyncRead + Unpin> AsyncRead for TimedStream<T> {
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

impl<T: AsyncWrite + Unpin> AsyncWrite for TimedStream<T> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<Result<usize>> {
        let Poll::Ready(written) = Pin::new(&mut self.io).poll_write(context, bytes) else {
            return self.poll_unread(context).map(Err);
        };
        Poll::Ready(written.inspect(|written| self.answered(*written)))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let Poll::Ready(written) = Pin::new(&mut self.io).poll_write_vectored(context, pieces) else {
            return self.poll_unread(context).map(Err);
        };
        Poll::Ready(written.inspect(|written| self.answered(*written)))
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    /// actix calls this when it has written a whole answer. Some of the answer may
    /// still be in TLS's buffer.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let Poll::Ready(flushed) = Pin::new(&mut self.io).poll_flush(context) else {
            return self.poll_unread(context).map(Err);
        };
        self.unread_until = None;
        Poll::Ready(flushed)
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
    const UNREAD: Duration = Duration::from_millis(1000);
    const DRIP: Duration = Duration::from_millis(20);

    fn pair() -> (DuplexStream, TimedStream<DuplexStream>) {
        let (client, server) = duplex(64);
        (client, TimedStream::with(server, ASKS, QUIET, UNREAD))
    }

    /// Sends a byte every `DRIP` until the server ends the connection. Returns
    /// how long that took.
    async fn drips(client: &mut DuplexStream, server: &mut TimedStream<DuplexStream>) -> Duration {
        let begun = Instant::now();
        loop {
            client.write_all(b"x").await.unwrap();
            let received = timeout(DRIP, async {
                let mut letters = [0; 8];
                while server.read(&mut letters).await? > 0 {}
                Ok::<_, Error>(())
            });
            if let Ok(ended) = received.await {
                assert_eq!(ended.unwrap_err().kind(), ErrorKind::TimedOut);
                return begun.elapsed();
            }
        }
    }

    async fn answer(client: &mut DuplexStream, server: &mut TimedStream<DuplexStream>) {
        server.write_all(b"y").await.unwrap();
        client.read_u8().await.unwrap();
    }

    #[actix_web::test]
    async fn a_request_that_never_ends_is_cut_off_on_every_turn() {
        let (mut client, mut server) = pair();
        assert!(drips(&mut client, &mut server).await >= ASKS - DRIP);

        // The next request has its full time again.
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

    /// Reads `each` bytes of an answer after each pause. Returns whether the
    /// server still sends after three times `UNREAD`.
    async fn is_kept(each: usize) -> bool {
        let (mut client, server) = duplex(64);
        let mut server = TimedStream::with(server, UNREAD, UNREAD * 9, UNREAD);
        let until = Instant::now() + UNREAD * 3;
        let answering = actix_web::rt::spawn(async move {
            loop {
                server.write_all(&[b'y'; 4096]).await?;
            }
            #[expect(unreachable_code, reason = "it says what the loop's error is")]
            Ok::<_, Error>(())
        });
        let mut taken = vec![0; each];
        while client.read_exact(&mut taken).await.is_ok() {
            if Instant::now() >= until {
                return true;
            }
            sleep(DRIP).await;
        }
        assert_eq!(answering.await.unwrap().unwrap_err().kind(), ErrorKind::TimedOut);
        false
    }

    #[actix_web::test]
    async fn an_answer_is_taken_at_a_pace_or_not_at_all() {
        assert!(!is_kept(2).await, "a hundred bytes a second, forty times too slow");
        assert!(is_kept(2048).await, "a hundred kilobytes a second");
    }

    #[actix_web::test]
    async fn who_has_taken_an_answer_whole_is_given_the_same_time_for_the_next() {
        let (mut client, mut server) = pair();
        for _ in 0..2 {
            let mut taken = [0; 256];
            let answering = async {
                server.write_all(&[b'y'; 256]).await?;
                server.flush().await
            };
            let (written, _) = futures_util::future::join(answering, client.read_exact(&mut taken)).await;
            written.unwrap();
            assert_eq!(server.unread_until, None);
        }
    }
}
