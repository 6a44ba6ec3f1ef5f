//! The form of a personal page, as a browser sends it without scripts, and the pages that answer it.

use serde_json::json;

use crate::support::client::{Answer, Call};
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};

fn form(server: &Server, name: &str) -> Call {
    server.post(&format!("/{name}")).header("Content-Type", "application/x-www-form-urlencoded")
}

fn send(server: &Server, name: &str, body: &str) -> Answer {
    form(server, name).body(body).send()
}

/// Checks that the answer is a whole page that says this.
#[track_caller]
fn says(answer: &Answer, status: u16, words: &str) {
    let html = answer.text();
    assert_eq!(answer.status, status, "{html}");
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("vary"), Some("accept-encoding, accept-language, cookie"));
    assert!(html.contains("<main") && html.ends_with("</html>\n"), "{html}");
    assert!(html.contains(words), "{words}: {html}");
}

fn notes(server: &Server, person: &Person) -> Vec<String> {
    let inbox = person.inbox(server);
    inbox["data"].as_array().unwrap().iter().map(|note| note["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_note_arrives_as_it_was_written_in_the_form() {
    let (server, person) = Person::with(NO_LIMITS);
    let sent = [
        ("message=ten+chars.", "ten chars."),
        ("message=two%0D%0Alines+%26+more%2B", "two\nlines & more+"),
        ("message=%C3%A9%F0%9F%99%82+caf%C3%A9+caf%C3%A9", "é🙂 café café"),
        // A form has two characters for a line break, and its writer counted one.
        (&format!("message={}end", "x%0D%0A".repeat(138)), &format!("{}end", "x\n".repeat(138))),
        ("x=1&message=%3Cscript%3Ealert(1)%3C%2Fscript%3E&y=", "<script>alert(1)</script>"),
    ];
    for (body, _) in sent {
        let answer = send(&server, &person.username, body);
        says(&answer, 201, &format!("Anonymous Message Sent to {}", person.username));
        assert!(answer.text().contains("href=\"/signup\"") && !answer.text().contains("<textarea"));
    }
    let mut arrived = notes(&server, &person);
    arrived.reverse();
    assert_eq!(arrived, sent.map(|(_, note)| note));
    // A page opened with a last slash sends its form there, too.
    says(
        &send(&server, &format!("{}/", person.username), "message=with+a+last+slash"),
        201,
        "Anonymous Message Sent to ",
    );
    // The charset may be named, and the name written in any mixture of cases.
    let named = server
        .post(&format!("/{}", person.username.to_uppercase()))
        .header("Content-Type", "Application/X-WWW-Form-URLencoded; charset=\"UTF-8\"");
    says(&named.body("message=a+note+to+the+same+inbox").send(), 201, "Anonymous Message Sent to ");
    assert_eq!(notes(&server, &person).len(), sent.len() + 2);
}

#[test]
fn a_note_is_refused_with_the_words_of_the_app_and_is_still_in_the_form() {
    let (server, person) = Person::with(NO_LIMITS);
    let long = "&lt;".repeat(281);
    for (body, words, why) in [
        ("message=short".to_owned(), "short</textarea>", "Please Lengthen your message to more than 10 Characters"),
        ("message=".to_owned(), "\n</textarea>", "Please Lengthen your message"),
        (format!("message={}", "%3C".repeat(281)), &*format!("{long}</textarea>"), "Please shorten your note"),
        ("message=%0A%22%27%3E".to_owned(), "\n\n&quot;&#39;&gt;</textarea>", "Please Lengthen your message"),
        ("message={why}".to_owned(), "\n{why}</textarea>", "Please Lengthen your message"),
        ("message={words}".to_owned(), "\n{words}</textarea>", "Please Lengthen your message"),
    ] {
        let answer = send(&server, &person.username, &body);
        says(&answer, 422, why);
        assert!(answer.text().contains(words), "{body}: {}", answer.text());
        assert!(answer.text().contains("<form") && answer.text().contains("method=\"post\""));
    }
    // What was switched on still is.
    for (body, is_on) in [("message=short&only_for_you=on", true), ("message=short", false)] {
        let html = send(&server, &person.username, body).text();
        assert!(html.contains("name=\"only_for_you\""), "{html}");
        assert_eq!(html.contains("name=\"only_for_you\" checked=\"\""), is_on, "{body}: {html}");
    }
    let german =
        form(&server, &person.username).header("Accept-Language", "de-DE,de;q=0.9").body("message=kurz").send();
    says(&german, 422, "Bitte schreib mehr als 10 Zeichen");
    let chosen = form(&server, &person.username).header("Accept-Language", "de").header("Cookie", "language=en");
    says(&chosen.body("message=short").send(), 422, "Please Lengthen your message");
    assert_eq!(notes(&server, &person), [""; 0]);
}

#[test]
fn a_name_that_nobody_has_is_told_with_the_words_still_there() {
    let server = Server::with(NO_LIMITS);
    let answer = send(&server, "nobody-here", "message=a+note+to+nobody");
    says(&answer, 404, "No one here goes by that name.");
    assert!(answer.text().contains("a note to nobody</textarea>"));
    // These aren't names. A page that is no form takes no form.
    for path in ["about", "short", "a/b", "%3Cscript%3E", "name%22onload%3D", "room/new", ""] {
        let answer = send(&server, path, "message=a+note+to+nobody");
        assert_eq!(answer.status, 405, "{path}: {answer:?}");
        assert_eq!(answer.header("allow"), Some("GET, HEAD"), "{path}");
    }
}

#[test]
fn too_many_notes_are_refused_with_the_time_to_wait() {
    let server = Server::with(&["--public-url", "http://annon.example"]);
    let person = Person::new(&server);
    // Otherwise notes without a tag would need work before.
    assert_eq!(person.send(&server, "PATCH", "/api/inbox", &json!({ "shield": "off" })).status, 200);
    let refused = (0..100).map(|_| send(&server, &person.username, "message=one+note+of+too+many")).find(|answer| {
        assert!(answer.status == 201 || answer.status == 429, "{answer:?}");
        answer.status == 429
    });
    let refused = refused.expect("a limit");
    let wait: u64 = refused.header("retry-after").unwrap().parse().unwrap();
    assert!(wait > 0);
    says(&refused, 429, "one note of too many</textarea>");
    let html = refused.text();
    let (_, body) = html.split_once("<body>").unwrap();
    assert!(body.contains(" and try again.") && !body.contains('{'), "{body}");
    // The same limit as for the call of the app.
    let target = person.target(&server);
    assert_eq!(crate::support::person::send_note(&server, &target, "one note of too many").status, 429);
}

/// A page may send a form anywhere without asking first. A program sends no origin.
#[test]
fn a_page_from_elsewhere_can_not_send_a_note_in_its_visitors_name() {
    let server = Server::with(&["--public-url", "https://annon.example"]);
    let person = Person::new(&server);
    let send = |headers: &[(&str, &str)]| {
        let call = form(&server, &person.username).body("message=words+of+somebody%27s+visitor");
        headers.iter().fold(call, |call, (name, value)| call.header(name, value)).send()
    };
    for from_elsewhere in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site"), ("Origin", "https://annon.example")],
    ] {
        let answer = send(from_elsewhere);
        says(&answer, 403, "A note is sent from this site’s own pages.");
        // Nobody else fills in the form.
        assert!(!answer.text().contains("visitor"));
    }
    assert_eq!(notes(&server, &person), [""; 0]);
    says(&send(&[("Origin", "https://annon.example"), ("Sec-Fetch-Site", "same-origin")]), 201, "Sent to");
    // A browser only names the origin of a form if the page lets it.
    let page = server.get(&format!("/{}", person.username)).send();
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    assert_eq!(server.get("/about").send().header("referrer-policy"), Some("no-referrer"));
}

#[test]
fn a_form_that_is_none_is_refused_and_nothing_is_kept() {
    let (server, person) = Person::with(NO_LIMITS);
    let name = &person.username;
    for body in ["", "x=1", "message", "=message", "message=one+of+two+fields&message=two+of+two+fields", "&&&"] {
        let answer = send(&server, name, body);
        assert!(matches!(answer.status, 400 | 422), "{body}: {answer:?}");
        says(&answer, answer.status, "<form");
    }
    for body in
        [&b"message=caf%E9+caf%E9+caf%E9"[..], b"message=caf\xE9 caf\xE9 caf\xE9", b"message=\xFF\xFE\x00a\x00b"]
    {
        says(&form(&server, name).body(body).send(), 400, "The form is broken. Try again.");
    }
    let words = "message=words+in+another+form";
    for kind in [
        "application/x-www-form-urlencoded; charset=iso-8859-1",
        "application/x-www-form-urlencoded; charset=utf-16",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/json",
        "nonsense",
    ] {
        let answer = server.post(&format!("/{name}")).header("Content-Type", kind).body(words).send();
        says(&answer, 400, "The form is broken. Try again.");
    }
    let huge = format!("message={}", "x".repeat(10_000_000));
    let call = form(&server, name).header("Content-Length", &huge.len().to_string());
    let answer = call.send();
    says(&answer, 413, "That is more than this call takes.");
    let long = format!("de;q=0.5,{}", "x-y,".repeat(1_900));
    let answer = form(&server, name).header("Accept-Language", &long).body("message=short").send();
    assert!(matches!(answer.status, 422 | 431), "{answer:?}");
    assert_eq!(notes(&server, &person), [""; 0]);
    // The same form twice is two notes, as with the app's call: each arrives whole.
    for _ in 0..2 {
        says(&send(&server, name, "message=sent+again+by+Back"), 201, "Sent to");
    }
    assert_eq!(notes(&server, &person), ["sent again by Back"; 2]);
}

#[test]
fn a_page_comes_in_the_language_that_is_asked_for() {
    let server = Server::with(&["--public-url", "https://annon.example"]);
    let title = |answer: &Answer| {
        let html = answer.text();
        html.split("<h1").nth(1).unwrap().split('>').nth(1).unwrap().split('<').next().unwrap().to_owned()
    };
    for (asked, cookie, expected) in [
        (None, None, "Privacy"),
        (Some("de-CH, en;q=0.8"), None, "Datenschutz"),
        (Some("fr"), Some("language=de"), "Datenschutz"),
        (Some("de"), Some("language=en"), "Privacy"),
    ] {
        let call = server.get("/privacy").cookie(cookie);
        let call = asked.map_or_else(|| call.clone(), |asked| call.clone().header("Accept-Language", asked));
        assert_eq!(title(&call.send()), expected, "{asked:?} {cookie:?}");
    }
    let chosen = server.get("/privacy?language=de").send();
    assert_eq!((chosen.status, chosen.header("location")), (303, Some("/privacy")));
    let kept = chosen.header("set-cookie").unwrap();
    assert!(kept.starts_with("language=de; ") && kept.contains("; Secure"), "{kept}");
    let page = server.get("/privacy").cookie(kept.split(';').next()).send();
    assert_eq!(title(&page), "Datenschutz");
}

#[test]
fn a_form_that_is_sent_again_is_one_note() {
    let (server, person) = Person::with(NO_LIMITS);
    let id_in = |page: &str| {
        let (_, rest) = page.split_once("name=\"note_id\"").unwrap();
        let (_, value) = rest.split_once("value=\"").unwrap();
        value.split_once('"').unwrap().0.to_owned()
    };
    // The page is the same for everybody until somebody has written in it.
    assert!(!server.get(&format!("/{}", person.username)).send().text().contains("note_id"));
    let first = || id_in(&send(&server, &person.username, "message=short").text());
    let id = first();
    assert_ne!(first(), id, "each note has its own");
    let body = |id: &str, words: &str| format!("note_id={id}&message={words}");
    let refused = send(&server, &person.username, &body(&id, "short"));
    assert_eq!((refused.status, id_in(&refused.text())), (422, id.clone()), "it stays while the note is refused");
    for _ in 0..2 {
        says(
            &send(&server, &person.username, &body(&id, "sent+by+a+finger+that+trembles")),
            201,
            "Anonymous Message Sent",
        );
    }
    assert_eq!(notes(&server, &person), ["sent by a finger that trembles"]);
    let wrong = send(&server, &person.username, &body("<i>", "words+with+a+wrong+id"));
    assert_eq!(wrong.status, 400);
    assert!(!wrong.text().contains("<i>"));
    assert_eq!(notes(&server, &person).len(), 1);
}
