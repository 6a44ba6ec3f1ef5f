//! A large body on its way in: bounded in size, in time, and in how many of
//! them are in memory at once.

use std::net::IpAddr;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::rt::time::timeout;
use futures_util::{Stream, StreamExt};
use tokio::time::Instant;

use crate::error::ApiError;
use crate::rate_limit::{RateLimits, Slot};

/// What may be held for somebody whose turn it isn't.
const WITHOUT_TURN: usize = 64 * 1024;
/// Who has a turn sends so much in so long: what a picture of the usual size
/// needs to arrive in time.
const PACE: usize = 64 * 1024;
const PACE_TIME: Duration = Duration::from_secs(5);

const TOO_SLOW: ApiError =
    ApiError::Bad(StatusCode::REQUEST_TIMEOUT, "The picture took too long to arrive. Try again.");

/// What has come of it.
pub struct Intake<'a> {
    limits: &'a RateLimits,
    address: IpAddr,
    turn: Option<Slot>,
    pace_time: Duration,
}

impl<'a> Intake<'a> {
    /// Nothing yet.
    pub fn new(limits: &'a RateLimits, address: IpAddr) -> Self {
        Self { limits, address, turn: None, pace_time: PACE_TIME }
    }

    /// Reads pieces to their end. Once they are many, they wait for a turn
    /// unread, and come at a pace.
    pub async fn read<P: AsRef<[u8]>, E>(
        &mut self,
        mut pieces: impl Stream<Item = Result<P, E>> + Unpin,
        most: usize,
        too_large: ApiError,
        broken: impl Fn(E) -> ApiError,
    ) -> Result<Vec<u8>, ApiError> {
        let mut bytes = Vec::new();
        let (mut since, mut seen) = (Instant::now(), 0);
        while let Some(piece) = timeout(self.pace_time, pieces.next()).await.map_err(|_| TOO_SLOW)? {
            let piece = piece.map_err(&broken)?;
            let piece = piece.as_ref();
            if bytes.len() + piece.len() > most {
                return Err(too_large);
            }
            if self.turn.is_none() && bytes.len() + piece.len() > WITHOUT_TURN {
                self.turn = Some(self.limits.send_picture(self.address).await?);
                (since, seen) = (Instant::now(), 0);
            }
            bytes.extend_from_slice(piece);
            seen += piece.len();
            if since.elapsed() >= self.pace_time {
                if self.turn.is_some() && seen < PACE {
                    return Err(TOO_SLOW);
                }
                (since, seen) = (Instant::now(), 0);
            }
        }
        Ok(bytes)
    }

    /// A turn to draw what has come: the one it came with, or one now.
    pub async fn turn(self) -> Result<Slot, ApiError> {
        match self.turn {
            Some(turn) => Ok(turn),
            None => self.limits.send_picture(self.address).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use annon_actors::clock::SystemClock;
    use futures_util::stream::unfold;
    use std::sync::Arc;

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const TOO_LARGE: ApiError = ApiError::NoSpace;

    const SECOND: Duration = Duration::from_secs(1);

    /// Pieces of such sizes, each after a while.
    async fn read(sizes: Vec<usize>, each_after: Duration) -> (Result<usize, String>, bool) {
        let limits = RateLimits::new(true, 100, Arc::new(SystemClock)).unwrap();
        let mut intake = Intake { pace_time: SECOND, ..Intake::new(&limits, ADDRESS) };
        let pieces = unfold(sizes.into_iter(), |mut sizes| async move {
            let size = sizes.next()?;
            tokio::time::sleep(each_after).await;
            Some((Ok(vec![0; size]), sizes))
        });
        let read = intake.read(Box::pin(pieces), 1024 * 1024, TOO_LARGE, |()| ApiError::Internal).await;
        (read.map(|bytes| bytes.len()).map_err(|error| error.to_string()), intake.turn.is_some())
    }

    #[tokio::test]
    async fn what_is_small_takes_no_turn_and_what_is_large_takes_one() {
        let at_once = |count| read(vec![1024; count], Duration::ZERO);
        assert_eq!(at_once(64).await, (Ok(64 * 1024), false));
        assert_eq!(at_once(65).await, (Ok(65 * 1024), true));
        assert_eq!(at_once(1025).await, (Err(TOO_LARGE.to_string()), true));
    }

    #[tokio::test]
    async fn who_has_a_turn_keeps_the_pace_or_loses_it() {
        let slowly = [vec![WITHOUT_TURN + 1], vec![1024; 30]].concat();
        assert_eq!(read(slowly, SECOND / 10).await, (Err(TOO_SLOW.to_string()), true));
        assert_eq!(read(vec![32 * 1024; 25], SECOND / 10).await, (Ok(800 * 1024), true));
        assert_eq!(read(vec![1; 2], SECOND * 2).await.0, Err(TOO_SLOW.to_string()));
    }
}
