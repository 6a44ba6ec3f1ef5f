//! The pictures that link previews show: a card of its own for each personal
//! page and each group.
//!
//! What a card says stands in its address, so whoever asks for one reads
//! nothing of the store, and a group's id isn't repeated.

use std::collections::VecDeque;

use ab_glyph::{Font, FontRef, ScaleFont};
use actix_web::HttpRequest;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{Bytes, Data, Path};
use annon_contract::code::Code;
use annon_contract::limits::ROOM_MEMBERS;
use annon_store::account::Username;
use image::codecs::png::PngEncoder;
use image::{ImageFormat, Rgb, RgbImage};
use parking_lot::Mutex;

use super::Site;
use super::answer::{self, conditional};
use crate::app::App;
use crate::error::Answer;
use crate::http::room::known;
use crate::limits::rate_limit::Call;
use crate::net::client::ClientIp;

/// The colour of the writing.
const PRINT: Rgb<u8> = Rgb([0x1d, 0x18, 0x36]);
/// The app's display font, of which fontTools keeps what names need:
/// `TTFont("bagel-fat-one-latin-400-normal.woff2")`, `U+0020-007E`, no flavor.
/// Its licence is `web/public/font-license.txt`.
const FONT: &[u8] = include_bytes!("cards/bagel-fat-one.ttf");
/// The cards without what is written on them.
const PERSON: &[u8] = include_bytes!("cards/person.png");
const GROUP: &[u8] = include_bytes!("cards/group.png");
/// How many cards are kept, of about 100 kB each.
const KEPT: usize = 64;

/// What a card says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Card {
    Person(String),
    /// How many seats are free, and how much time is left.
    Group(usize, Left),
}

/// How long a group still lives, as a person would say it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Left {
    Minutes(u64),
    Hours(u64),
}

/// A line of writing: the middle of its height, and how high and how wide it
/// may be.
struct Line {
    middle: f32,
    size: f32,
    width: f32,
}

impl Left {
    fn of(seconds: u64) -> Self {
        match seconds {
            0..3600 => Self::Minutes((seconds / 600 + 1) * 10),
            _ => Self::Hours((seconds + 1800) / 3600),
        }
    }

    /// Parses what `Display` writes.
    fn parse(text: &str) -> Option<Self> {
        let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
        let number = digits.parse().ok()?;
        let left = match unit {
            "m" => Self::Minutes(number),
            "h" => Self::Hours(number),
            _ => return None,
        };
        // Only what a group can have left, and in one spelling.
        let is_possible =
            matches!(left, Self::Minutes(10..=60) if number % 10 == 0) || matches!(left, Self::Hours(1..=168));
        (is_possible && left.to_string() == text).then_some(left)
    }

    fn in_words(self) -> String {
        match self {
            Self::Hours(1) => "an hour".to_owned(),
            Self::Hours(hours) => format!("{hours} hours"),
            Self::Minutes(minutes) => format!("{minutes} minutes"),
        }
    }
}

impl std::fmt::Display for Left {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Minutes(minutes) => write!(f, "{minutes}m"),
            Self::Hours(hours) => write!(f, "{hours}h"),
        }
    }
}

impl Card {
    fn group(free: usize, seconds: u64) -> Self {
        Self::Group(free.min(ROOM_MEMBERS), Left::of(seconds))
    }

    /// The path of its picture.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Person(name) => format!("/card/{name}.png"),
            Self::Group(free, left) => format!("/card/group/{free}-{left}.png"),
        }
    }

    /// What it says to somebody who doesn't see it.
    pub(super) fn alternative(&self) -> String {
        match self {
            Self::Person(name) => format!("A name tag: Hello, my name is {name}"),
            Self::Group(..) => format!("A name tag of a group: {}", self.writing()),
        }
    }

    /// What the server writes on it.
    fn writing(&self) -> String {
        let (free, left) = match self {
            Self::Person(name) => return name.clone(),
            Self::Group(free, left) => (free, left.in_words()),
        };
        match free {
            0 => format!("All seats taken, gone in {left}"),
            1 => format!("1 seat free, gone in {left}"),
            _ => format!("{free} seats free, gone in {left}"),
        }
    }

    /// Draws the card. `None` if one of its parts in this program can't be read.
    fn draw(&self) -> Option<Vec<u8>> {
        let (ground, line) = match self {
            Self::Person(_) => (PERSON, Line { middle: 360.0, size: 170.0, width: 900.0 }),
            Self::Group(..) => (GROUP, Line { middle: 522.0, size: 52.0, width: 900.0 }),
        };
        let mut picture = image::load_from_memory_with_format(ground, ImageFormat::Png).ok()?.into_rgb8();
        write(&mut picture, &FontRef::try_from_slice(FONT).ok()?, &line, &self.writing());
        let mut png = Vec::new();
        picture.write_with_encoder(PngEncoder::new(&mut png)).ok()?;
        Some(png)
    }
}

/// Writes a line in the middle of a picture, as large as its place allows.
fn write(picture: &mut RgbImage, font: &FontRef<'_>, line: &Line, text: &str) {
    let width = |size: f32| advances(font, size, text).last().map_or(0.0, |(_, end)| *end);
    let size = line.size.min(line.size * line.width / width(line.size));
    let scaled = font.as_scaled(size);
    let middle_of_picture = f32::from(u16::try_from(picture.width()).unwrap_or(u16::MAX)) / 2.0;
    let left = middle_of_picture - width(size) / 2.0;
    // A word looks centred if its small letters are.
    let baseline = line.middle + scaled.ascent() * 0.36;
    for ((start, _), letter) in advances(font, size, text).into_iter().zip(text.chars()) {
        let place = ab_glyph::point(left + start, baseline);
        let Some(outline) = font.outline_glyph(font.glyph_id(letter).with_scale_and_position(size, place)) else {
            continue;
        };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, covered| blend(picture, corner, (x, y), covered));
    }
}

/// Where each letter begins and ends.
fn advances(font: &FontRef<'_>, size: f32, text: &str) -> Vec<(f32, f32)> {
    let scaled = font.as_scaled(size);
    let (mut end, mut before) = (0.0, None);
    let mut places = Vec::new();
    for letter in text.chars() {
        let glyph = font.glyph_id(letter);
        let start = end + before.map_or(0.0, |before| scaled.kern(before, glyph));
        end = start + scaled.h_advance(glyph);
        before = Some(glyph);
        places.push((start, end));
    }
    places
}

/// Colours a pixel, as far as the letter covers it.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` cuts off what is no pixel")]
fn blend(picture: &mut RgbImage, corner: ab_glyph::Point, (x, y): (u32, u32), covered: f32) {
    let Some(pixel) = picture.get_pixel_mut_checked(corner.x as u32 + x, corner.y as u32 + y) else { return };
    let covered = covered.clamp(0.0, 1.0);
    for (channel, print) in pixel.0.iter_mut().zip(PRINT.0) {
        *channel = (f32::from(*channel) * (1.0 - covered) + f32::from(print) * covered).round() as u8;
    }
}

/// A card that is drawn.
#[derive(Clone)]
struct Drawn {
    png: Bytes,
    etag: String,
}

impl From<Vec<u8>> for Drawn {
    fn from(png: Vec<u8>) -> Self {
        Self { etag: answer::etag(&png), png: png.into() }
    }
}

/// The cards that were drawn last, with their paths.
#[derive(Default)]
pub(super) struct Cards(Mutex<VecDeque<(String, Drawn)>>);

impl Cards {
    fn find(&self, path: &str) -> Option<Drawn> {
        self.0.lock().iter().find(|(kept, _)| kept == path).map(|(_, drawn)| drawn.clone())
    }

    fn keep(&self, path: String, drawn: Drawn) {
        let mut kept = self.0.lock();
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((path, drawn));
    }
}

/// The card of a personal page, whether there is such a person or not.
pub(crate) async fn person(app: Data<App>, site: Data<Site>, request: HttpRequest, file: Path<String>) -> Answer {
    let name = file.strip_suffix(".png").map(|name| (name, Username::try_from(name.to_owned())));
    match name {
        Some((name, Ok(parsed))) if parsed.as_str() == name => {
            answer(&app, &site, &request, Card::Person(name.to_owned())).await
        }
        _ => Err(Code::NothingHere.into()),
    }
}

/// The card of a group with so many free seats and so much time.
pub(crate) async fn group(app: Data<App>, site: Data<Site>, request: HttpRequest, file: Path<String>) -> Answer {
    let parts = file.strip_suffix(".png").and_then(|name| name.split_once('-'));
    let card = parts.and_then(|(free, left)| Some(Card::Group(free.parse().ok()?, Left::parse(left)?)));
    match card {
        Some(card @ Card::Group(0..=ROOM_MEMBERS, _)) if card.path().ends_with(&format!("/{file}")) => {
            answer(&app, &site, &request, card).await
        }
        _ => Err(Code::NothingHere.into()),
    }
}

async fn answer(app: &App, site: &Site, request: &HttpRequest, card: Card) -> Answer {
    let path = card.path();
    let Drawn { png, etag } = match site.cards.find(&path) {
        Some(drawn) => drawn,
        None => {
            app.limits.take(Call::Card, ClientIp::of(request).0)?;
            let png = app.pictures.run(move || card.draw()).await?;
            let drawn = Drawn::from(png.ok_or(Code::Internal)?);
            site.cards.keep(path, drawn.clone());
            drawn
        }
    };
    let mut response = conditional(request, &etag);
    response.insert_header((CONTENT_TYPE, "image/png")).insert_header((CACHE_CONTROL, "public, max-age=86400"));
    Ok(answer::finish(response, png))
}

/// The card of the group at a path. `None` if there is no such group, or if it
/// can't be read right now.
pub(super) async fn of_group(app: &App, request: &HttpRequest) -> Option<Card> {
    let id = request.path().trim_end_matches('/').rsplit('/').next()?;
    let metadata = known(app, ClientIp::of(request), id, request).await.ok()?;
    let taken = app.rooms.seats_taken(&metadata).await.ok()?;
    let seconds = metadata.expires.saturating_sub(app.clock.timestamp());
    Some(Card::group(ROOM_MEMBERS.saturating_sub(taken), seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inked(png: &[u8], ground: &[u8]) -> (u32, u32, u32, u32) {
        let read = |png| image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().into_rgb8();
        let (drawn, ground) = (read(png), read(ground));
        assert_eq!(drawn.dimensions(), (1200, 630));
        let mut bounds = (u32::MAX, u32::MAX, 0, 0);
        for (x, y, _) in drawn.enumerate_pixels().filter(|(x, y, pixel)| ground.get_pixel(*x, *y) != *pixel) {
            bounds = (bounds.0.min(x), bounds.1.min(y), bounds.2.max(x), bounds.3.max(y));
        }
        bounds
    }

    #[test]
    fn a_name_is_written_in_the_middle_of_its_space_however_wide_it_is() {
        for name in ["ii-_-il", "Some_Body", "WWWWWWWWWWWWWWWW", "gjpqy_gjpqy"] {
            let (left, top, right, bottom) = inked(&Card::Person(name.to_owned()).draw().unwrap(), PERSON);
            assert!(left >= 130 && right <= 1070 && left.abs_diff(1200 - right) < 24, "{name}: {left} to {right}");
            assert!(top >= 250 && bottom <= 470, "{name}: {top} to {bottom}");
        }
    }

    #[test]
    fn a_group_says_its_seats_and_its_time_in_the_strip_below_its_faces() {
        for (free, seconds, words) in [
            (9, 86_399, "9 seats free, gone in 24 hours"),
            (1, 5_300, "1 seat free, gone in an hour"),
            (0, 1_250, "All seats taken, gone in 30 minutes"),
            (99, 0, "10 seats free, gone in 10 minutes"),
        ] {
            let card = Card::group(free, seconds);
            assert_eq!(card.writing(), words);
            let (left, top, right, bottom) = inked(&card.draw().unwrap(), GROUP);
            assert!(
                left >= 130 && right <= 1070 && top >= 482 && bottom <= 558,
                "{words}: {left} {top} {right} {bottom}"
            );
        }
    }

    #[test]
    fn a_time_has_one_spelling() {
        for left in [Left::of(0), Left::of(3_599), Left::of(3_600), Left::of(86_400)] {
            assert_eq!(Left::parse(&left.to_string()), Some(left));
        }
        for text in
            ["", "h", "0h", "01h", "+1h", "169h", "5m", "70m", "1 h", "1d", "24H", "1é", "99999999999999999999h"]
        {
            assert_eq!(Left::parse(text), None, "{text}");
        }
    }

    #[test]
    fn only_so_many_cards_are_kept() {
        let cards = Cards::default();
        for number in 0..=KEPT {
            cards.keep(number.to_string(), Vec::new().into());
        }
        assert!(cards.find("0").is_none() && cards.find("1").is_some());
        assert_eq!(cards.0.lock().len(), KEPT);
    }
}
