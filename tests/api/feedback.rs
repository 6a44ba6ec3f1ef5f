//! Feedback: what is refused, and what becomes of a picture.

use image::ImageFormat;
use image::ImageReader;

use crate::support::client::{Answer, Connection};
use crate::support::form::{Form, claiming, photo, picture};
use crate::support::server::{NO_LIMITS, Server, holds, printed};

const SENT: &str = "Feedback sent";
const WORDS: &str = "it works, mostly";
const BROKEN: &str = "The form is broken. Try again.";
const OTHER_KIND: &str = "Send a JPEG, PNG or WebP photo.";
const UNREADABLE: &str = "That photo can't be read. Try another one.";

/// What the operator sees: each feedback is a line with id and date, then the words.
fn listed(server: &Server) -> Vec<String> {
    let output = server.folder.annon(&["feedback", "list"]);
    assert!(output.status.success(), "{output:?}");
    printed(&output.stdout).lines().map(str::to_owned).collect()
}

/// The picture of the newest feedback, as the operator gets it.
fn newest_picture(server: &Server, name: &str) -> Vec<u8> {
    let id = listed(server)[0].split(' ').next().unwrap().to_owned();
    let file = server.folder.file(name);
    let output = server.folder.annon(&["feedback", "show", &id, "--picture", file.to_str().unwrap()]);
    assert!(output.status.success(), "{output:?}");
    std::fs::read(file).unwrap()
}

#[test]
fn words_arrive_with_the_operator() {
    let server = Server::start();
    Form::with_text("  two lines\r\nof feedback  ").send(&server).assert(201, SENT);
    // A browser sends an empty picture when none was chosen; a newer page may add a field.
    let form = Form::with_text("é is one character").picture(b"").field("mood", b"good");
    form.send(&server).assert(201, SENT);
    let listed = listed(&server);
    assert_eq!(listed[1..2], ["    é is one character"]);
    assert_eq!(listed[3..], ["    two lines", "    of feedback"]);
    assert!(!listed.concat().contains("picture"), "{listed:?}");
}

#[test]
fn feedback_is_refused_in_the_words_of_the_form() {
    let server = Server::with(NO_LIMITS);
    let short = "Feedback must contain over 10 characters";
    let long = "Please shorten your feedback to 4000 characters";
    for (text, status, message) in [
        ("", 422, short),
        ("nine char", 422, short),
        ("ééééééééé", 422, short),
        (&*" ".repeat(50), 422, short),
        (&"é".repeat(4001), 422, long),
        (&"x".repeat(16_001), 422, long),
    ] {
        Form::with_text(text).send(&server).assert(status, message);
    }
    Form::default().field("mood", b"good").send(&server).assert(422, short);
    Form::default().picture(&picture(8, 8, ImageFormat::Png)).send(&server).assert(422, short);
    Form::default().field("feedback", b"not \xff\xfe UTF-8").send(&server).assert(400, "The feedback is not UTF-8.");
    assert_eq!(listed(&server), [""; 0]);
    Form::with_text(&"🙂".repeat(4000)).send(&server).assert(201, SENT);
    // A form has two characters for a line break, and its writer counted one.
    Form::with_text(&format!("{}end", "x\r\n".repeat(1998))).send(&server).assert(201, SENT);
    Form::with_text(&format!("{}end", "x\r\n".repeat(1999))).send(&server).assert(422, long);
    Form::with_text("ten chars.").send(&server).assert(201, SENT);
}

#[test]
fn what_is_no_form_is_refused() {
    let server = Server::with(NO_LIMITS);
    let not_a_form = "Send a form (multipart/form-data) with a field named feedback.";
    let send = |kind: &str, body: &[u8]| -> Answer {
        server.post("/api/feedback").header("Content-Type", kind).body(body).send()
    };
    let whole = Form::with_text(WORDS).bytes();
    for kind in
        ["", "application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/mixed; boundary=x"]
    {
        send(kind, &whole).assert(415, not_a_form);
    }
    server.post("/api/feedback").body(whole.as_slice()).send().assert(415, not_a_form);

    let kind = Form::content_type();
    for kind in ["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=another"] {
        send(kind, &whole).assert(400, BROKEN);
    }
    let cut = &whole[..whole.len() - 10];
    for body in [&b""[..], b"nonsense", b"\r\n\r\n", &[0xff; 100], cut] {
        send(&kind, body).assert(400, BROKEN);
    }
    // The server ignores what stands before the first boundary.
    send(&kind, &whole[10..]).assert(422, "Feedback must contain over 10 characters");
    for headers in [
        "Content-Type: text/plain",
        "Content-Disposition: form-data",
        "Content-Disposition: attachment; name=\"feedback\"",
        "Content-Disposition",
        "Content-Disposition: form-data; name=\"feedback\"\r\nContent-Type: \0",
    ] {
        let answer = Form::default().part(headers, WORDS.as_bytes()).send(&server);
        assert!(matches!(answer.status, 400 | 422), "{headers}: {answer:?}");
    }
    let mut crowded = Form::with_text(WORDS);
    for n in 0..16 {
        crowded = crowded.field(&format!("field-{n}"), b"x");
    }
    crowded.send(&server).assert(400, BROKEN);
    Form::with_text(WORDS).field("mood", &[b'x'; 20_000]).send(&server).assert(400, BROKEN);
    let flood: String = (0..200).map(|n| format!("\r\nX-{n}: y")).collect();
    let flooded = format!("Content-Disposition: form-data; name=\"feedback\"{flood}");
    assert_eq!(Form::default().part(&flooded, WORDS.as_bytes()).send(&server).status, 400);
    assert_eq!(listed(&server), [""; 0], "nothing is half filed");
}

/// A picture so long that receiving it takes a slot.
fn long_picture(side: u32) -> Vec<u8> {
    [picture(side, side, ImageFormat::Png), vec![0; 100_000]].concat()
}

#[test]
fn of_two_pictures_the_last_one_counts() {
    let server = Server::start();
    Form::with_text(WORDS).picture(&long_picture(40)).picture(&long_picture(20)).send(&server).assert(201, SENT);
    let stored = image::load_from_memory(&newest_picture(&server, "last.jpg")).unwrap();
    assert_eq!(stored.width(), 20);
}

#[test]
fn who_has_sent_the_picture_keeps_no_turn_while_the_rest_trickles() {
    let server = Server::with(NO_LIMITS);
    let form = Form::default().picture(&long_picture(40)).field("feedback", WORDS.as_bytes());
    let whole = form.call(&server).bytes();
    // As many uploads as there are slots for strangers.
    let mut slow: Vec<_> = (0..4).map(|_| Connection::open(server.address)).collect();
    for connection in &mut slow {
        connection.send(&whole[..whole.len() - 60]).unwrap();
    }
    for _ in 0..2 {
        form.send(&server).assert(201, SENT);
    }
    assert!(slow.iter().all(Connection::is_silent), "they were waited for");
    for connection in &mut slow {
        connection.send(&whole[whole.len() - 60..]).unwrap();
        connection.answer_to("POST", "/api/feedback").assert(201, SENT);
    }
}

#[test]
fn a_picture_is_drawn_anew_and_keeps_nothing_but_pixels() {
    let server = Server::start();
    let original = photo(1600, 800);
    for secret in [&b"SECRET-LOCATION"[..], b"SECRET-PROFILE", b"SECRET-COMMENT", b"Exif"] {
        assert!(holds(&original, secret));
    }
    let trailing = [&original[..], b"<script>SECRET-TAIL</script>PK\x03\x04"].concat();
    for (name, file) in [("small.jpg", photo(40, 20)), ("large.jpg", trailing)] {
        Form::with_text(WORDS).picture(&file).send(&server).assert(201, SENT);
        let stored = newest_picture(&server, name);
        assert!(!holds(&stored, b"SECRET") && !holds(&stored, b"Exif") && !holds(&stored, b"ICC_PROFILE"));
        let kind = ImageReader::new(std::io::Cursor::new(&stored)).with_guessed_format().unwrap().format();
        assert_eq!(kind, Some(ImageFormat::Jpeg));
    }
    let sides = |name: &str| image::image_dimensions(server.folder.file(name)).unwrap();
    assert_eq!(sides("small.jpg"), (20, 40), "it stands upright");
    assert_eq!(sides("large.jpg"), (540, 1080));
}

#[test]
fn every_kind_of_picture_is_taken_and_stored_as_a_jpeg() {
    let server = Server::start();
    for (name, format) in [("a.jpg", ImageFormat::Jpeg), ("b.png", ImageFormat::Png), ("c.webp", ImageFormat::WebP)] {
        Form::with_text(WORDS).picture(&picture(64, 32, format)).send(&server).assert(201, SENT);
        let stored = newest_picture(&server, name);
        assert!(stored.starts_with(&[0xff, 0xd8, 0xff]));
        let drawn = image::load_from_memory(&stored).unwrap();
        assert_eq!((drawn.width(), drawn.height()), (64, 32));
    }
    assert_eq!(listed(&server).iter().filter(|line| line.ends_with("(with a picture)")).count(), 3);
}

#[test]
fn what_is_no_picture_or_too_much_of_one_is_refused() {
    let server = Server::with(NO_LIMITS);
    let png = picture(64, 64, ImageFormat::Png);
    let too_large = "That photo is too large. Send one of at most 4096 by 4096 pixels.";
    let bomb = claiming(&png, 60_000, 8);
    // The sides are allowed, but each colour has twice the bytes.
    let deep = claiming(&png, 4096, 16);
    let html_first = [b"<html><script>alert(1)</script>", png.as_slice()].concat();
    for (file, status, message) in [
        (&b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"[..], 415, OTHER_KIND),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415, OTHER_KIND),
        (b"%PDF-1.7", 415, OTHER_KIND),
        (b"x", 415, OTHER_KIND),
        (&html_first, 415, OTHER_KIND),
        (&png[..100], 422, UNREADABLE),
        (b"\x89PNG\r\n\x1a\n", 422, UNREADABLE),
        (&[0xff, 0xd8, 0xff, 0xe0, 0, 0], 422, UNREADABLE),
        (b"RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0", 422, UNREADABLE),
        (&bomb, 413, too_large),
        (&deep, 413, too_large),
        (&picture(4097, 1, ImageFormat::Png), 413, too_large),
        (&vec![0xff; 5 * 1024 * 1024 + 1], 413, "Send a photo of at most 5 MB."),
    ] {
        let shown = String::from_utf8_lossy(&file[..file.len().min(16)]).into_owned();
        let answer = Form::with_text(WORDS).picture(file).send(&server);
        assert_eq!((answer.status, answer.message()), (status, message.to_owned()), "{shown}");
    }
    assert_eq!(listed(&server), [""; 0], "the words alone are not filed either");
    let pictures = server.folder.data().join("images/feedback");
    assert!(!pictures.exists() || std::fs::read_dir(pictures).unwrap().count() == 0);
    Form::with_text(WORDS).picture(&picture(4096, 1, ImageFormat::Png)).send(&server).assert(201, SENT);
}

#[test]
fn a_file_of_five_megabytes_is_taken_and_not_one_byte_more() {
    let server = Server::with(NO_LIMITS);
    let mut file = photo(40, 20);
    file.resize(5 * 1024 * 1024, 0);
    Form::with_text(WORDS).picture(&file).send(&server).assert(201, SENT);
    file.push(0);
    Form::with_text(WORDS).picture(&file).send(&server).assert(413, "Send a photo of at most 5 MB.");
}

#[test]
fn a_damaged_picture_of_feedback_is_said_so_and_its_words_are_shown() {
    let server = Server::start();
    Form::with_text(WORDS).picture(&photo(40, 20)).send(&server).assert(201, SENT);
    let id = listed(&server)[0].split(' ').next().unwrap().to_owned();
    let path = server.folder.data().join("images/feedback").join(format!("{id}.sealed"));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let output = server.folder.annon(&["feedback", "show", &id]);
    assert!(!output.status.success());
    assert!(printed(&output.stdout).contains(WORDS), "{output:?}");
    assert!(printed(&output.stderr).contains("its picture is damaged"), "{output:?}");
}

/// A page may send a form anywhere without asking first. A program sends no origin.
#[test]
fn a_page_from_elsewhere_can_not_send_feedback_in_its_visitors_names() {
    let server = Server::with(&["--public-url", "https://annon.example"]);
    let send = |headers: &[(&str, &str)]| {
        let call = Form::with_text("words of somebody's visitor").call(&server);
        headers.iter().fold(call, |call, (name, value)| call.header(name, value)).send()
    };
    for from_elsewhere in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Origin", "https://evil.annon.example")],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site"), ("Origin", "https://annon.example")],
    ] {
        send(from_elsewhere).assert(403, "Feedback is sent from this site's own pages.");
    }
    for from_here in [
        &[][..],
        &[("Origin", "https://annon.example"), ("Sec-Fetch-Site", "same-origin")],
        &[("Origin", "https://annon.example")],
    ] {
        send(from_here).assert(201, "Feedback sent");
    }
}
