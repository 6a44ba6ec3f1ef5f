//! Pictures in groups: how many a second can be stored, each of them drawn
//! anew by the server, and how many can be read.

use std::cell::{Cell, RefCell};
use std::io::Cursor;
use std::rc::Rc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use image::{ImageFormat, Rgb, RgbImage};
use serde_json::Value;

use crate::args;
use crate::load::api::{Api, told};
use crate::load::http::{Call, Who};
use crate::load::pace::Pace;
use crate::load::stage::{Outcome, stage};
use crate::load::target::Address;
use crate::report::Row;
use crate::scenarios::Run;
use crate::trouble::Trouble;

/// Pictures a room holds, whatever their size.
pub(super) const PER_ROOM: usize = 400;
/// What a JPEG begins with.
const JPEG: [u8; 2] = [0xff, 0xd8];

pub(super) async fn measure(args: &args::Images, run: &mut Run<'_>) -> Result<(), Trouble> {
    // Everybody in a room of their own, a new one each stage: a room holds
    // only so many pictures.
    let rooms = run.rooms(args.clients.iter().sum()).await?;
    let picture = picture(args.width as u32)?;
    let (height, size) = (args.width * 2 / 3, picture.len() / 1024);
    run.report.say(&format!("{} × {height} pixels, a PNG of {size} KiB in base64", args.width));
    let mut free = rooms.iter();
    for &clients in &args.clients {
        let mut painters = Vec::new();
        for room in free.by_ref().take(clients) {
            let album = Album::new(std::slice::from_ref(room));
            painters.push(run.stop.or(Painter::sit(run.address(), &album, &picture)).await?);
        }
        let pace = Pace::new(args.seconds, None)?;
        let sending = painters.iter().map(|painter| Painter::send(painter.clone(), pace.clone()));
        let outcome = stage(&pace, sending, &run.subject, run.stop).await?;
        judged("sent", clients, &outcome, run).await?;
        if outcome.seconds < args.seconds.as_secs_f64() {
            let full = outcome.seconds;
            crate::report::remark(&format!("All rooms were full after {full:.1} s: each holds {PER_ROOM} at most."));
        }
        let pace = Pace::new(args.seconds, None)?;
        let reading = painters.iter().map(|painter| Painter::read(painter.clone(), pace.clone()));
        let outcome = stage(&pace, reading, &run.subject, run.stop).await?;
        judged("read", clients, &outcome, run).await?;
    }
    Ok(())
}

async fn judged(what: &str, clients: usize, outcome: &Outcome, run: &mut Run<'_>) -> Result<(), Trouble> {
    let millis = |micros: Option<f64>| micros.map(|micros| micros / 1000.0);
    let row = Row::default()
        .all(outcome)
        .word("what", what, 4)
        .count("clients", clients)
        .shown("pictures/s", Some(outcome.good_per_second), 1)
        .times(&outcome.latency, &["p50 ms", "p99 ms", "max ms"])
        .shown("failed", Some(outcome.failed() as f64), 0)
        .shown("server ms each", millis(outcome.server_cpu_each), 2)
        .shown("own ms each", millis(outcome.own_cpu_each), 2);
    run.judged(row, outcome).await
}

/// A picture as it travels: a gradient with enough noise in it that a server
/// has as much to do as with a photograph.
pub(super) fn picture(width: u32) -> Result<Rc<str>, Trouble> {
    let (height, mut noise) = (width * 2 / 3, 1_u32);
    let drawn = RgbImage::from_fn(width, height, |x, y| {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        let shades = [x * 200 / width, y * 200 / height, (x + y) * 200 / (width + height)];
        Rgb(shades.map(|shade| (shade + (noise & 0x1f)) as u8))
    });
    let mut bytes = Cursor::new(Vec::new());
    let written = drawn.write_to(&mut bytes, ImageFormat::Png);
    written.map_err(|error| Trouble::because(format!("the picture can't be drawn: {error}")))?;
    Ok(BASE64_STANDARD.encode(bytes.into_inner()).into())
}

/// Rooms that are filled one after the other: what a full one answers is no
/// picture, and soon said.
pub(super) struct Album {
    rooms: Vec<String>,
    next: Cell<usize>,
}

impl Album {
    pub(super) fn new(rooms: &[String]) -> Rc<Self> {
        Rc::new(Self { rooms: rooms.to_vec(), next: Cell::new(0) })
    }

    /// The room for the next picture; nothing when all are full.
    fn place(&self) -> Option<usize> {
        let room = self.next.get() / PER_ROOM;
        self.next.set(self.next.get() + 1);
        (room < self.rooms.len()).then_some(room)
    }

    /// What was to go there has come to nothing.
    fn give_back(&self) {
        self.next.set(self.next.get().saturating_sub(1));
    }

    /// A room is full already, by the size of its pictures.
    fn close(&self, room: usize) {
        self.next.set(self.next.get().max((room + 1) * PER_ROOM));
    }
}

/// A member who stores pictures, room after room, and reads them again.
pub(super) struct Painter {
    api: RefCell<Api>,
    album: Rc<Album>,
    picture: Rc<str>,
    /// Which room they sit in, and what shows it.
    seat: RefCell<(usize, String)>,
    /// How the pictures are asked for that were stored.
    stored: RefCell<Vec<Call>>,
}

#[expect(clippy::await_holding_refcell_ref, reason = "nobody else has a painter's things")]
impl Painter {
    /// Sits down in the first room, so that this is not what is timed.
    pub(super) async fn sit(address: Address, album: &Rc<Album>, picture: &Rc<str>) -> Result<Rc<Self>, Trouble> {
        let mut api = Api::new(address);
        let cookie = api.seat(&album.rooms[0], None).await?.cookie;
        let (api, seat, stored) = (RefCell::new(api), RefCell::new((0, cookie)), RefCell::default());
        Ok(Rc::new(Self { api, album: album.clone(), picture: picture.clone(), seat, stored }))
    }

    /// Sends the same picture until the turns are over, or all rooms are full.
    pub(super) async fn send(self: Rc<Self>, pace: Rc<Pace>) {
        while let Some(turn) = pace.next().await {
            let Some(room) = self.album.place() else { break };
            match self.store(room).await {
                Ok(()) => turn.good(),
                Err(why) => turn.failed(why),
            }
        }
    }

    async fn store(&self, room: usize) -> Result<(), String> {
        let (id, mut api, mut seat) = (&self.album.rooms[room], self.api.borrow_mut(), self.seat.borrow_mut());
        if seat.0 != room {
            let taken = api.seat(id, None).await.inspect_err(|_| self.album.give_back());
            *seat = (room, taken.map_err(|why| why.to_string())?.cookie);
        }
        // The room first, as the web app has it: so the seat is known before
        // the picture is there.
        let body = format!(r#"{{"room_id":"{id}","image_b64":"{}"}}"#, self.picture);
        let call = Call::new("POST", "/api/room/upload-image", Who::Seat(&seat.1), Some(body));
        let reply = api.raw(&call).await;
        match reply.as_ref().map(|reply| reply.status) {
            Ok(201) => {}
            Ok(409) => self.album.close(room),
            _ => self.album.give_back(),
        }
        let reply = reply.map_err(|why| why.to_string())?;
        let json: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
        let path = json["message"].as_str().filter(|_| reply.status == 201).ok_or_else(|| told(&reply))?;
        self.stored.borrow_mut().push(Call::new("GET", path, Who::Seat(&seat.1), None));
        Ok(())
    }

    /// Reads what was stored, one after the other, again and again.
    async fn read(self: Rc<Self>, pace: Rc<Pace>) {
        let (mut api, stored) = (self.api.borrow_mut(), self.stored.borrow());
        for call in stored.iter().cycle() {
            let Some(turn) = pace.next().await else { return };
            match api.raw(call).await {
                Ok(reply) if reply.status != 200 => turn.failed(told(&reply)),
                Ok(reply) if !reply.body.starts_with(&JPEG) => turn.failed("that is no JPEG"),
                Ok(_) => turn.good(),
                Err(error) => turn.failed(error),
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
        (0..=PER_ROOM).for_each(|_| places[album.place().unwrap()] += 1);
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
