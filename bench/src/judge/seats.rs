//! The seats of a room: at no moment are there more than ten, and none is two people's.

use std::collections::HashMap;

use super::DOUBLED;
use crate::history::Step;
use crate::load::Faults;

/// The most members of a group.
const SEATS: usize = 10;
/// The kind of the fault.
pub(super) const CROWDED: &str = "more than ten seats";

#[derive(Default)]
pub(super) struct Seats {
    /// When a seat was somebody's for certain, and from when on it may have been free, in the order of the file.
    changes: Vec<(u64, String, bool)>,
}

impl Seats {
    /// It is somebody's when they are told so.
    pub(super) fn sit(&mut self, seat: String, step: Step, time: u64) {
        if step == Step::Ok {
            self.changes.push((time, seat, true));
        }
    }

    /// It may be free as soon as somebody asks for that.
    pub(super) fn leave(&mut self, seat: String, step: Step, time: u64) {
        if step == Step::Invoke {
            self.changes.push((time, seat, false));
        }
    }

    pub(super) fn judge(&mut self, room: usize, faults: &mut Faults) {
        self.changes.sort_by_key(|(time, ..)| *time);
        let mut taken: HashMap<&str, u64> = HashMap::new();
        for (time, seat, is_taken) in &self.changes {
            if !is_taken {
                taken.remove(&**seat);
                continue;
            }
            if taken.insert(seat, *time).is_some() {
                faults.add(DOUBLED, 1, || format!("room {room}: the seat {seat} is two people's"));
            }
            if taken.len() > SEATS {
                faults.add(CROWDED, 1, || format!("room {room}: {} at {time} µs", taken.len()));
            }
        }
    }
}
