//! The kernel's list of sockets that have something to read.

use std::io;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;

use crate::clock;

/// Sockets looked at between two looks at the clock.
const AT_ONCE: usize = 256;

/// A socket that can be read or written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ready {
    pub(crate) at: usize,
    pub(crate) can_read: bool,
    pub(crate) can_write: bool,
}

pub(crate) struct Poll {
    kernel: OwnedFd,
    events: Vec<epoll::Event>,
}

impl Poll {
    pub(crate) fn new() -> io::Result<Self> {
        // A timer may be late by this much, which would be reported as the
        // server's latency; the default is 50 µs.
        let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1000));
        Ok(Self { kernel: epoll::create(CreateFlags::CLOEXEC)?, events: Vec::with_capacity(AT_ONCE) })
    }

    pub(crate) fn add(&self, socket: &impl AsFd, at: usize) -> io::Result<()> {
        Ok(epoll::add(&self.kernel, socket, EventData::new_u64(at as u64), EventFlags::IN)?)
    }

    pub(crate) fn remove(&self, socket: &impl AsFd) -> io::Result<()> {
        Ok(epoll::delete(&self.kernel, socket)?)
    }

    pub(crate) fn watch_writing(&self, socket: &impl AsFd, at: usize, is_on: bool) -> io::Result<()> {
        let flags = if is_on { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
        Ok(epoll::modify(&self.kernel, socket, EventData::new_u64(at as u64), flags)?)
    }

    /// How many sockets have something to do; none when the time has come,
    /// and perhaps a moment before.
    pub(crate) fn wait(&mut self, until: Instant) -> io::Result<usize> {
        let left = until.saturating_duration_since(clock::now());
        // `epoll_wait` counts in whole milliseconds, and would be up to one
        // late for every message; what is less than that is waited for by
        // `ppoll`, which counts in nanoseconds, and which every kernel has.
        let whole = Duration::from_millis(left.as_millis() as u64);
        if whole.is_zero() && !left.is_zero() && !self.is_any_ready(left)? {
            return Ok(0);
        }
        self.events.clear();
        match epoll::wait(&self.kernel, spare_capacity(&mut self.events), Some(&timespec(whole))) {
            Ok(_) | Err(Errno::INTR) => Ok(self.events.len()),
            Err(error) => Err(error.into()),
        }
    }

    fn is_any_ready(&self, within: Duration) -> io::Result<bool> {
        match poll(&mut [PollFd::new(&self.kernel, PollFlags::IN)], Some(&timespec(within))) {
            Ok(ready) => Ok(ready > 0),
            Err(Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// The result for one of the sockets.
    pub(crate) fn ready(&self, n: usize) -> Ready {
        let epoll::Event { flags, data } = self.events[n];
        Ready {
            at: data.u64() as usize,
            can_read: flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR),
            can_write: flags.contains(EventFlags::OUT),
        }
    }
}

fn timespec(time: Duration) -> Timespec {
    Timespec { tv_sec: time.as_secs().cast_signed(), tv_nsec: time.subsec_nanos().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_when_it_should_and_not_at_the_next_millisecond() {
        let mut poll = Poll::new().unwrap();
        // Rounded up to milliseconds, every one of them would be late by 0.4 or more.
        let late = (0..41).map(|n| {
            let until = clock::now() + Duration::from_micros(1150 + 10 * n);
            while clock::now() < until {
                assert_eq!(poll.wait(until).unwrap(), 0);
            }
            until.elapsed()
        });
        let least = late.min().unwrap();
        assert!(least < Duration::from_micros(400), "{least:?}");
    }

    #[test]
    fn what_can_be_read_ends_a_wait_of_any_length() {
        let mut poll = Poll::new().unwrap();
        let (mut here, there) = std::os::unix::net::UnixStream::pair().unwrap();
        poll.add(&there, 7).unwrap();
        for wait in [Duration::from_micros(500), Duration::from_secs(60)] {
            io::Write::write_all(&mut here, b"x").unwrap();
            assert_eq!(poll.wait(clock::now() + wait).unwrap(), 1, "{wait:?}");
            assert_eq!(poll.ready(0).at, 7);
            assert_eq!(io::Read::read(&mut &there, &mut [0; 8]).unwrap(), 1);
        }
    }
}
