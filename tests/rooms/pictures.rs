//! Pictures in groups: which are taken, what becomes of them, and who sees them.

use std::io::Cursor;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::json;

use crate::rooms::group::{FULL, GONE, Group, NO_SEAT, Seat};
use crate::rooms::member::{Member, fresh_id};
use crate::support::client::{Answer, Connection};
use crate::support::form::{claiming, photo, picture};
use crate::support::server::{Server, holds};

pub(crate) fn png(width: u32, height: u32) -> Vec<u8> {
    picture(width, height, ImageFormat::Png)
}

pub(crate) fn upload_text(server: &Server, group: &Group, seat: &Seat, base64: &str) -> Answer {
    let body = json!({ "room_id": group.id, "image_b64": base64 });
    // A balancer reads the id there, as it comes from the web app.
    let path = format!("/api/room/upload-image?room={}", group.id);
    server.post(&path).header("Cookie", &seat.cookie).json(&body).send()
}

pub(crate) fn upload(server: &Server, group: &Group, seat: &Seat, file: &[u8]) -> Answer {
    upload_text(server, group, seat, &BASE64_STANDARD.encode(file))
}

/// A picture as a member sees it. `contract.rs` does not check it, because it may be cached.
pub(crate) fn fetch(server: &Server, path: &str, cookie: &str) -> Answer {
    let call = server.get(path).header("Cookie", cookie);
    let mut connection = Connection::open(server.address);
    connection.send(&call.bytes()).unwrap();
    connection.read("GET").unwrap()
}

#[test]
fn a_picture_is_drawn_anew_and_shown_to_members_only() {
    let (server, group) = Group::with(&[]);
    let [a, b] = group.seats(&server);
    let file = photo(1600, 800);
    let path = upload(&server, &group, &a, &file).message();
    assert!(path.starts_with(&group.path("/image/")), "{path}");
    let answer = fetch(&server, &path, &b.cookie);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("cache-control"), Some("no-store"), "no browser keeps it longer than its group");
    assert!(!holds(&answer.body, b"SECRET") && !holds(&answer.body, b"Exif"));
    let picture = image::load_from_memory(&answer.body).unwrap().to_rgb8();
    assert_eq!(picture.dimensions(), (540, 1080), "upright, and no side longer than 1080");
    let (top, bottom) = (picture.get_pixel(270, 10).0, picture.get_pixel(270, 1070).0);
    assert!(top[0] > 150 && bottom[1] > 150, "what was left is on top: {top:?} {bottom:?}");

    let elsewhere = Group::new(&server).seat(&server);
    server.get(&path).send().assert(403, NO_SEAT);
    server.get(&path).header("Cookie", &elsewhere.cookie).send().assert(403, NO_SEAT);
    for id in ["00000000-0000-4000-8000-000000000000", "nonsense", "..%2f..%2fsecret"] {
        let unknown = server.get(&group.path(&format!("/image/{id}"))).header("Cookie", &a.cookie);
        unknown.send().assert(404, "There is no such photo.");
    }
    let (mut first, mut second) = (Member::open(&server, &group, &a), Member::open(&server, &group, &b));
    let tiny = upload(&server, &group, &a, &png(20, 10)).message();
    let id = fresh_id();
    first.send_event("event.image", &json!({ "id": id, "image_src": path, "image_low": tiny, "caption": " look " }));
    let shown = second.await_event("event.image");
    assert_eq!(
        (&shown["image_src"], &shown["image_low"], &shown["caption"]),
        (&json!(path), &json!(tiny), &json!("look"))
    );
    assert_eq!(shown["image_size"], json!([540, 1080]));
    let reply = fresh_id();
    second.send_event(
        "event.chat",
        &json!({ "id": reply, "message": "nice", "reply": ["", "", shown["seq"], "https://evil.example"] }),
    );
    assert_eq!(first.await_where(|frame| frame["id"] == reply)["reply"], json!([a.emoji, "Photo", shown["seq"], tiny]));
    first.send_event("event.image", &json!({ "id": fresh_id(), "image_src": path, "caption": "x".repeat(101) }));
    assert_eq!(first.await_event("event.error")["message"], "Please shorten the caption to 100 characters");

    first.send_event("event.unsend", &json!({ "id": id }));
    second.await_event("event.unsend");
    crate::support::patience::wait_until("the picture's end", || fetch(&server, &path, &b.cookie).status == 404);
    assert_eq!(fetch(&server, &tiny, &b.cookie).status, 404);
}

/// The tests of feedback show what else is refused; the same code redraws both.
#[test]
fn a_picture_comes_bare_or_as_a_data_url_and_what_is_none_is_refused() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let base64 = BASE64_STANDARD.encode(png(64, 32));
    for text in [base64.clone(), format!("data:image/png;base64,{base64}"), format!(" {base64}\n")] {
        let answer = upload_text(&server, &group, &seat, &text);
        assert_eq!(answer.status, 201, "{answer:?}");
        let shown = fetch(&server, &answer.message(), &seat.cookie);
        let picture = image::load_from_memory_with_format(&shown.body, ImageFormat::Jpeg).unwrap();
        assert_eq!((picture.width(), picture.height()), (64, 32));
    }
    let status_of = |file: &[u8]| upload(&server, &group, &seat, file).status;
    assert_eq!((status_of(&claiming(&png(8, 8), 60_000, 8)), status_of(b"GIF89a"), status_of(b"")), (413, 415, 415));
    let mut file = picture(64, 32, ImageFormat::Jpeg);
    file.resize(5 * 1024 * 1024, 0);
    assert_eq!(
        (status_of(&file), status_of(&[&*file, b"x"].concat())),
        (201, 413),
        "not one byte more than five megabytes"
    );
    for odd in ["%%%", "data:image/png;base64,%%%", "AAA=A"] {
        upload_text(&server, &group, &seat, odd).assert(400, "image_b64 is not base64.");
    }
    let large = upload_text(&server, &group, &seat, &"A".repeat(8 * 1024 * 1024));
    assert_eq!(large.status, 413, "{large:?}");
    let album = server.folder.data().join("images").join(&group.id);
    assert_eq!(std::fs::read_dir(album).unwrap().count(), 4);
}

#[test]
fn a_damaged_picture_is_not_shown_and_the_log_has_one_line() {
    let (server, group) = Group::with(&[]);
    let seat = group.seat(&server);
    let paths = [(); 3].map(|()| upload(&server, &group, &seat, &png(64, 32)).message());
    let file = |path: &str| {
        let id = path.rsplit('/').next().unwrap();
        server.folder.data().join("images").join(&group.id).join(format!("{id}.sealed"))
    };
    let mut bytes = std::fs::read(file(&paths[0])).unwrap();
    assert!(!holds(&bytes, [0xff, 0xd8, 0xff]), "it is sealed");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(file(&paths[0]), bytes).unwrap();
    std::fs::remove_file(file(&paths[1])).unwrap();
    for path in &paths[..2] {
        server.get(path).header("Cookie", &seat.cookie).send().assert(404, "There is no such photo.");
        let line = server.log.wait_for("a picture is damaged or missing, and can't be shown").unwrap();
        assert!(!line.to_string().contains(&group.id), "{line}");
    }
    assert_eq!(fetch(&server, &paths[2], &seat.cookie).status, 200);
    assert_eq!(server.metric("annon_pictures_damaged_total"), 2.0);
}

#[test]
fn all_pictures_together_take_so_much_of_the_disk() {
    let (server, group) = Group::with(&["--pictures-mb", "1"]);
    let seat = group.seat(&server);
    let grain = |x: u32, y: u32| (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).to_le_bytes();
    let mut file = Cursor::new(Vec::new());
    let picture = RgbImage::from_fn(600, 600, |x, y| Rgb([grain(x, y)[3], grain(y, x)[2], grain(x, y)[1]]));
    DynamicImage::from(picture).write_to(&mut file, ImageFormat::Png).unwrap();
    let file = file.into_inner();
    let answers: Vec<_> = (0..6).map(|_| upload(&server, &group, &seat, &file)).collect();
    assert_eq!(answers[0].status, 201, "{:?}", answers[0]);
    answers[5].assert(507, "The server has no space left for this. Try again later.");
    let form = crate::support::form::Form::with_text("it works, mostly").picture(&file);
    form.send(&server).assert(507, "The server has no space left for this. Try again later.");
    // Deleting a group makes room.
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    let group = Group::new(&server);
    assert_eq!(upload(&server, &group, &group.seat(&server), &file).status, 201);
}

#[test]
fn a_picture_needs_a_seat_and_dies_with_its_group() {
    let (server, group) = Group::with(&[]);
    let seats: [_; 10] = group.seats(&server);
    group.try_seat(&server, None).assert(403, FULL);
    let body = json!({ "room_id": group.id, "image_b64": BASE64_STANDARD.encode(png(8, 8)) });
    let elsewhere = Group::new(&server).seat(&server);
    server.post("/api/room/upload-image").json(&body).send().assert(403, NO_SEAT);
    upload(&server, &group, &elsewhere, &png(8, 8)).assert(403, NO_SEAT);
    group.kick(&server, &seats[1], "").assert(200, "Member removed");
    upload(&server, &group, &seats[1], &png(8, 8)).assert(403, crate::rooms::group::REMOVED);
    let path = upload(&server, &group, &seats[0], &png(8, 8)).message();
    assert_eq!(fetch(&server, &path, &seats[0].cookie).status, 200);
    server.get(&path).header("Cookie", &seats[1].cookie).send().assert(403, crate::rooms::group::REMOVED);
    group.command(&server, "DELETE", "").send().assert(200, "Group deleted");
    server.get(&path).header("Cookie", &seats[0].cookie).send().assert(404, GONE);
    upload(&server, &group, &seats[0], &png(8, 8)).assert(404, GONE);
    assert!(!server.folder.data().join("images").join(&group.id).exists());
}
