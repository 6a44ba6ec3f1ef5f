//! The kernel's list of sockets that have something to read.

use std::io;
use std::time::Instant;

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
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

    /// How many sockets have something to do; none when the time has come.
    pub(crate) fn wait(&mut self, until: Instant) -> io::Result<usize> {
        let left = until.saturating_duration_since(clock::now());
        let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
        self.events.clear();
        match epoll::wait(&self.kernel, spare_capacity(&mut self.events), Some(&left)) {
            Ok(_) | Err(Errno::INTR) => Ok(self.events.len()),
            Err(error) => Err(error.into()),
        }
    }

    /// One of them.
    pub(crate) fn ready(&self, n: usize) -> Ready {
        let epoll::Event { flags, data } = self.events[n];
        Ready {
            at: data.u64() as usize,
            can_read: flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR),
            can_write: flags.contains(EventFlags::OUT),
        }
    }
}
