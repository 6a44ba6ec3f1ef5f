//! Pictures in groups: how many a second the server can redraw and store, and how many it can send.

use std::io::Cursor;
use std::rc::Rc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::Args;
use image::{ImageFormat, Rgb, RgbImage};
use tokio::sync::Mutex;

use crate::args::{CLIENTS, seconds, whole};
use crate::load::{Address, Call, Client, Pace, Who, api};
use crate::report::{Columns, LATENCY, Row, print_line};
use crate::scenarios::Run;
use crate::trouble::{Because, Fallible, Trouble};

/// How many pictures a room holds, whatever their size.
pub(super) const PER_ROOM: usize = 400;
const WIDTH: u32 = 1080;
const HEIGHT: u32 = 720;
/// The first bytes of a JPEG.
const JPEG: [u8; 2] = [0xff, 0xd8];

const COLUMNS: Columns = &[
    &["what", "clients", "pictures/s = done_per_second"],
    LATENCY,
    &["failed", "server ms each = server_cpu_each", "own ms each = own_cpu_each"],
];

#[derive(Debug, Args)]
pub(crate) struct Images {
    /// Members who send pictures at the same time, one stage each.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,8", value_parser = whole::<1, CLIENTS>)]
    pub(crate) clients: Vec<usize>,
    /// Seconds that pictures are uploaded, and as many that they are downloaded.
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
}

impl Images {
    pub(super) async fn measure(&self, run: &mut Run<'_>) -> Fallible {
        // Each client has a room of its own, and a new one in each stage, because a room holds a
        // limited number of pictures.
        let rooms = run.rooms(self.clients.iter().sum()).await?;
        let picture = picture()?;
        print_line(&format!("{WIDTH} × {HEIGHT} pixels, a PNG of {} KiB in base64", picture.len() / 1024));
        let mut free = rooms.iter();
        for &clients in &self.clients {
            let mut painters = Vec::new();
            for room in free.by_ref().take(clients) {
                painters.push(run.stop.or(Painter::sit(run.address(), room, picture.clone())).await?);
            }
            for what in ["sent", "read"] {
                let work = |painter: Rc<Mutex<Painter>>, pace: Rc<Pace>| async move {
                    let mut painter = painter.lock().await;
                    if what == "sent" { painter.send(&pace).await } else { painter.read(&pace).await }
                };
                let outcome = run.stage(None, self.seconds, painters.clone(), work).await?;
                let row = Row::of(&outcome).with("what", what).with("clients", clients);
                run.judged(COLUMNS, row, &outcome).await?;
            }
        }
        Ok(())
    }
}

/// A picture in base64: a gradient with so much noise that a server works on it as long as on a
/// photograph.
pub(super) fn picture() -> Fallible<Rc<str>> {
    let mut noise = 1_u32;
    let drawn = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        let shades = [x * 200 / WIDTH, y * 200 / HEIGHT, (x + y) * 200 / (WIDTH + HEIGHT)];
        Rgb(shades.map(|shade| (shade + (noise & 0x1f)) as u8))
    });
    let mut bytes = Cursor::new(Vec::new());
    drawn.write_to(&mut bytes, ImageFormat::Png).because("the picture can't be drawn")?;
    Ok(BASE64_STANDARD.encode(bytes.into_inner()).into())
}

/// A member of a room who stores pictures in it, and reads them again.
pub(super) struct Painter {
    client: Client,
    room: String,
    cookie: String,
    picture: Rc<str>,
    /// The calls that read the stored pictures.
    stored: Vec<Call>,
}

impl Painter {
    /// Takes a seat before the stage, because that is not measured.
    pub(super) async fn sit(address: Address, room: &str, picture: Rc<str>) -> Fallible<Rc<Mutex<Self>>> {
        let mut client = Client::new(address);
        let cookie = client.seat(room, None).await?.cookie;
        Ok(Rc::new(Mutex::new(Self { client, room: room.to_owned(), cookie, picture, stored: Vec::new() })))
    }

    /// Sends the same picture until the stage is over, or until the room is full by the number or
    /// the size of its pictures.
    pub(super) async fn send(&mut self, pace: &Pace) {
        // The room comes first, as in the web app: so the server knows the seat before it receives
        // the picture.
        let body = format!(r#"{{"room_id":"{}","image_b64":"{}"}}"#, self.room, self.picture);
        let call = Call::post("/api/room/upload-image", Who::Seat(&self.cookie), body);
        while let Some(due) = pace.next().await {
            let answered = self.client.ask(&call).await;
            let is_full = answered.as_ref().is_ok_and(|reply| reply.status == 409);
            let path = answered.and_then(|reply| api::word(&reply.expect(201)?.json(), "message", &call));
            pace.record(due, path.as_ref().map(drop));
            self.stored.extend(path.map(|path| Call::get(&path, Who::Seat(&self.cookie))));
            if is_full {
                return;
            }
        }
    }

    /// Reads the stored pictures, one after the other, again and again.
    async fn read(&mut self, pace: &Pace) {
        for call in self.stored.iter().cycle() {
            let Some(due) = pace.next().await else { return };
            let read = self.client.ask(call).await.and_then(|reply| match reply.expect(200)? {
                picture if picture.body.starts_with(&JPEG) => Ok(()),
                _ => Trouble::because("that is no JPEG"),
            });
            pace.record(due, read);
        }
    }
}
