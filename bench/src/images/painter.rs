//! A member who stores pictures, room after room, and reads them again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use serde_json::Value;

use crate::api::{self, Api, UPLOAD, Who};
use crate::clock;
use crate::load::Meter;
use crate::target::Address;
use crate::turns::Turns;

/// Pictures a room holds, whatever their size.
pub(crate) const PER_ROOM: usize = 400;
/// What a JPEG begins with.
const JPEG: [u8; 2] = [0xff, 0xd8];

/// Rooms that are filled one after the other: what a full one answers is no
/// picture, and soon said.
pub(crate) struct Album {
    rooms: Vec<String>,
    next: AtomicUsize,
}

impl Album {
    pub(crate) fn new(rooms: &[String]) -> Arc<Self> {
        Arc::new(Self { rooms: rooms.to_vec(), next: AtomicUsize::new(0) })
    }

    /// The room for the next picture; nothing when all are full.
    fn place(&self) -> Option<usize> {
        Some(self.next.fetch_add(1, Relaxed) / PER_ROOM).filter(|room| *room < self.rooms.len())
    }

    /// What was to go there has come to nothing.
    fn give_back(&self) {
        self.next.fetch_sub(1, Relaxed);
    }

    /// A room is full already, by the size of its pictures.
    fn close(&self, room: usize) {
        self.next.fetch_max((room + 1) * PER_ROOM, Relaxed);
    }
}

/// A picture that was stored, and the cookie that it is shown to.
struct Stored {
    path: String,
    cookie: String,
}

/// A member with pictures.
pub(crate) struct Painter {
    address: Address,
    album: Arc<Album>,
    /// Which room they sit in, and what shows it.
    seat: Option<(usize, String)>,
    stored: Vec<Stored>,
}

impl Painter {
    pub(crate) fn new(address: Address, album: &Arc<Album>) -> Self {
        Self { address, album: album.clone(), seat: None, stored: Vec::new() }
    }

    /// Sits down in the first room, so that this is not what is timed.
    pub(crate) async fn sit(mut self) -> Result<Self, crate::trouble::Trouble> {
        let cookie = Api::new(self.address).seat(&self.album.rooms[0], None).await?.cookie;
        self.seat = Some((0, cookie));
        Ok(self)
    }

    /// Sends the same picture until the turns are over, or all rooms are full.
    pub(crate) async fn send(mut self, picture: Arc<String>, turns: Arc<Turns>, meter: Arc<Meter>) -> Self {
        let mut api = Api::new(self.address);
        while let Some(due) = turns.next().await {
            let Some(room) = self.album.place() else { break };
            match self.store(&mut api, room, &picture).await {
                Ok(()) => meter.good(clock::now().saturating_duration_since(due)),
                Err(why) => meter.failed(why),
            }
        }
        self
    }

    async fn store(&mut self, api: &mut Api, room: usize, picture: &str) -> Result<(), String> {
        let id = &self.album.rooms[room];
        let cookie = match self.seat.take().filter(|(at, _)| *at == room) {
            Some((_, cookie)) => cookie,
            None => match api.seat(id, None).await {
                Ok(seat) => seat.cookie,
                Err(why) => {
                    self.album.give_back();
                    return Err(why.to_string());
                }
            },
        };
        self.seat = Some((room, cookie.clone()));
        // The room first, as the web app has it: so the seat is known before
        // the picture is there.
        let body = format!(r#"{{"room_id":"{id}","image_b64":"{picture}"}}"#);
        let request = api::request("POST", UPLOAD, self.address, Who::Seat(&cookie), Some(&body));
        let answer = api.exchange(&request).await.map(|(answer, _)| answer);
        match answer.as_ref().map(|answer| answer.status) {
            Ok(201) => {}
            Ok(409) => self.album.close(room),
            _ => self.album.give_back(),
        }
        let answer = answer.map_err(|error| error.to_string())?;
        let json: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        match json["message"].as_str().filter(|_| answer.status == 201) {
            Some(path) => {
                self.stored.push(Stored { path: path.to_owned(), cookie });
                Ok(())
            }
            None => Err(answer.told()),
        }
    }

    /// Reads what was stored, one after the other, again and again.
    pub(crate) async fn read(self, turns: Arc<Turns>, meter: Arc<Meter>) {
        let mut api = Api::new(self.address);
        for Stored { path, cookie } in self.stored.iter().cycle() {
            let Some(due) = turns.next().await else { return };
            let request = api::request("GET", path, self.address, Who::Seat(cookie), None);
            match api.exchange(&request).await {
                Ok((answer, _)) if answer.status != 200 => meter.failed(answer.told()),
                Ok((answer, _)) if !answer.body.starts_with(&JPEG) => meter.failed("that is no JPEG"),
                Ok(_) => meter.good(clock::now().saturating_duration_since(due)),
                Err(error) => meter.failed(error),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_room_gets_more_than_it_holds() {
        let album = Album::new(&["a".to_owned(), "b".to_owned(), "c".to_owned()]);
        let mut places = [0; 3];
        (0..PER_ROOM).for_each(|_| places[album.place().unwrap()] += 1);
        places[album.place().unwrap()] += 1;
        // One more is on its way there, but it is full already.
        album.close(1);
        assert_eq!(album.place(), Some(2));
        album.give_back();
        while let Some(room) = album.place() {
            places[room] += 1;
        }
        assert_eq!(places, [PER_ROOM, 1, PER_ROOM]);
    }
}
