//! A large body on its way in: bounded in size, in time, and in how many of
//! them are in memory at once.

use annon_contract::code::Code;
use std::time::Duration;

use actix_web::rt::time::timeout;
use futures_util::{Stream, StreamExt};
use tokio::time::Instant;

use crate::error::ApiError;
use crate::rate_limit::Digest;
use crate::turns::{Line, Turn, Turns};

/// What may be held for somebody whose turn it isn't.
const WITHOUT_TURN: usize = 64 * 1024;
/// How much an upload with a turn has to send in its time: enough for a
/// picture of the usual size to arrive.
const PACE: usize = 64 * 1024;
const PACE_TIME: Duration = Duration::from_secs(5);

/// A body as it comes, and what is said about one that can't be taken.
pub struct Arriving<S, F> {
    /// Its pieces.
    pub pieces: S,
    /// How long it may be.
    pub most: usize,
    /// What a longer one is told.
    pub too_large: Code,
    /// What one is told that breaks off.
    pub broken: F,
}

/// What has come of it.
pub struct Intake<'a> {
    turns: &'a Turns,
    who: Digest,
    line: Line,
    turn: Option<Turn>,
    bytes: Vec<u8>,
    /// What has come since when, of which there has to be enough.
    lately: (Instant, usize),
    pace_time: Duration,
}

impl<'a> Intake<'a> {
    /// Nothing yet, of somebody who has shown no seat.
    pub fn new(turns: &'a Turns, who: Digest) -> Self {
        let lately = (Instant::now(), 0);
        Self { turns, who, line: Line::Strangers, turn: None, bytes: Vec::new(), lately, pace_time: PACE_TIME }
    }

    /// They have shown a seat.
    pub fn is_members(&mut self) {
        self.line = Line::Members;
    }

    /// What has come so far.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Reads until there is enough, or to the end. Once the pieces are many,
    /// they wait for a turn unread, and come at a pace.
    pub async fn read_until<S, P, E, F>(
        &mut self,
        arriving: &mut Arriving<S, F>,
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> Result<(), ApiError>
    where
        S: Stream<Item = Result<P, E>> + Unpin,
        P: AsRef<[u8]>,
        F: Fn(E) -> Code,
    {
        while !is_enough(&self.bytes) {
            if self.turn.is_none() && self.bytes.len() > WITHOUT_TURN {
                self.turn = Some(self.turns.next(self.line, self.who).await?);
                self.lately = (Instant::now(), 0);
            }
            let Some(piece) = self.piece(&mut arriving.pieces).await? else {
                self.turn.iter().for_each(Turn::is_whole);
                return Ok(());
            };
            let piece = piece.map_err(&arriving.broken)?;
            let piece = piece.as_ref();
            if self.bytes.len() + piece.len() > arriving.most {
                return Err(arriving.too_large.into());
            }
            self.bytes.extend_from_slice(piece);
            self.keeps_pace(piece.len())?;
        }
        Ok(())
    }

    /// Reads to the end, and gives everything that has come.
    pub async fn read<S, P, E, F>(&mut self, arriving: &mut Arriving<S, F>) -> Result<Vec<u8>, ApiError>
    where
        S: Stream<Item = Result<P, E>> + Unpin,
        P: AsRef<[u8]>,
        F: Fn(E) -> Code,
    {
        self.read_until(arriving, |_| false).await?;
        Ok(std::mem::take(&mut self.bytes))
    }

    /// The next piece, unless it is too long in coming or somebody else's
    /// turn.
    async fn piece<T>(&self, pieces: &mut (impl Stream<Item = T> + Unpin)) -> Result<Option<T>, Code> {
        let piece = timeout(self.pace_time, pieces.next());
        let Some(turn) = &self.turn else { return piece.await.map_err(|_| Code::PictureTooSlow) };
        tokio::select! {
            biased;
            () = turn.gives_way() => Err(Code::PictureGaveWay),
            piece = piece => piece.map_err(|_| Code::PictureTooSlow),
        }
    }

    fn keeps_pace(&mut self, bytes: usize) -> Result<(), Code> {
        self.turn.iter().for_each(|turn| turn.has_sent(bytes));
        self.lately.1 += bytes;
        if self.lately.0.elapsed() >= self.pace_time {
            if self.turn.is_some() && self.lately.1 < PACE {
                return Err(Code::PictureTooSlow);
            }
            self.lately = (Instant::now(), 0);
        }
        Ok(())
    }

    /// A turn to draw what has come: the one it came with, or one now.
    pub async fn turn(self) -> Result<Turn, ApiError> {
        let turn = match self.turn {
            Some(turn) => turn,
            None => self.turns.next(self.line, self.who).await?,
        };
        turn.is_whole();
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream::unfold;

    const SECOND: Duration = Duration::from_secs(1);

    /// Pieces of such sizes, each after a while.
    async fn read(sizes: Vec<usize>, each_after: Duration) -> (Result<usize, String>, bool) {
        let turns = Turns::new(true);
        let mut intake = Intake { pace_time: SECOND, ..Intake::new(&turns, [0; 16]) };
        let pieces = unfold(sizes.into_iter(), |mut sizes| async move {
            let size = sizes.next()?;
            tokio::time::sleep(each_after).await;
            Some((Ok(vec![0; size]), sizes))
        });
        let (pieces, broken) = (Box::pin(pieces), |()| Code::Internal);
        let read = intake.read(&mut Arriving { pieces, most: 1024 * 1024, too_large: Code::NoSpace, broken }).await;
        (read.map(|bytes| bytes.len()).map_err(|error| error.to_string()), intake.turn.is_some())
    }

    #[tokio::test]
    async fn what_is_small_takes_no_turn_and_what_is_large_takes_one() {
        let at_once = |count| read(vec![1024; count], Duration::ZERO);
        assert_eq!(at_once(64).await, (Ok(64 * 1024), false));
        assert_eq!(at_once(65).await, (Ok(65 * 1024), true));
        assert_eq!(at_once(1025).await, (Err(Code::NoSpace.to_string()), true));
    }

    #[tokio::test]
    async fn who_has_a_turn_keeps_the_pace_or_loses_it() {
        let slowly = [vec![WITHOUT_TURN + 1], vec![1024; 30]].concat();
        assert_eq!(read(slowly, SECOND / 10).await, (Err(Code::PictureTooSlow.to_string()), true));
        assert_eq!(read(vec![32 * 1024; 25], SECOND / 10).await, (Ok(800 * 1024), true));
        assert_eq!(read(vec![1; 2], SECOND * 2).await.0, Err(Code::PictureTooSlow.to_string()));
    }
}
