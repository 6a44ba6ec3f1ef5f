//! The forms of the page for reports, as a browser sends them without scripts.

use crate::api::operator::done;
use crate::api::operator_lists::objects;
use crate::support::client::{Answer, Call};
use crate::support::person::Person;
use crate::support::server::{NO_LIMITS, Server};

fn form(server: &Server) -> Call {
    server.post("/report").header("Content-Type", "application/x-www-form-urlencoded")
}

fn send(server: &Server, link: &str, words: &str) -> Answer {
    let encoded = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    form(server).body(format!("link={}&words={}", encoded(link), encoded(words))).send()
}

/// Checks that the answer is a whole page that says this.
#[track_caller]
fn says(answer: &Answer, status: u16, words: &str) {
    let html = answer.text();
    assert_eq!(answer.status, status, "{html}");
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert_eq!(
        (answer.header("cache-control"), answer.header("referrer-policy")),
        (Some("no-store"), Some("same-origin"))
    );
    assert!(html.contains("<main") && html.ends_with("</html>\n"), "{html}");
    assert!(html.contains(words), "{words}: {html}");
    for place in ["{why}", "{link}", "{words}", "{receipt}"] {
        assert!(!html.contains(place), "{place}: {html}");
    }
}

#[test]
fn a_page_is_reported_without_scripts() {
    let (server, person) = Person::with(NO_LIMITS);
    let shown = server.get("/report").send().text();
    assert!(shown.contains("name=\"link\"") && shown.contains("name=\"words\"") && !shown.contains("<noscript><p>"));
    let name = &person.username;
    let host = server.address;
    for link in [
        format!("/{name}"),
        name.clone(),
        format!("http://{host}/{}?x=1#secret", name.to_uppercase()),
        format!("{host}/{name}/a/AAECAwQFBgcICQoLDA0O_w/"),
    ] {
        says(
            &send(&server, &link, " This is about a friend\r\nof mine. "),
            201,
            "Reported. Thanks for letting us know.",
        );
    }
    let all = objects(&server.folder, &["report", "list", "--json"]);
    let of: Vec<_> = all.iter().map(|report| report["of"].as_str().unwrap().to_owned()).collect();
    let page = format!("/{name}");
    assert_eq!(of, [format!("{page}/a/AAECAwQFBgcICQoLDA0O_w"), page.clone(), page.clone(), page]);
    assert!(all.iter().all(|report| report["text"] == "This is about a friend\nof mine."), "{all:?}");
    // Nobody is shown an answer that they didn't get.
    for query in ["?sent", "?refused", "?standing=closed"] {
        assert_eq!(server.get(&format!("/report{query}")).send().text(), shown);
    }
}

#[test]
fn what_is_refused_is_still_in_the_form() {
    let (server, person) = Person::with(NO_LIMITS);
    let nobody = "No one here goes by that name.";
    for (link, status, why) in [
        ("", 404, nobody),
        ("nobody-here", 404, nobody),
        ("https://evil.example/\"><script>", 404, nobody),
        ("/c/AAECAwQFBgcICQoLDA0O_w", 404, nobody),
    ] {
        let answer = send(&server, link, "long enough {host}, <b>");
        says(&answer, status, why);
        let html = answer.text();
        assert!(html.contains("\nlong enough {host}, &lt;b&gt;</textarea>") && !html.contains("\"><script>"), "{html}");
    }
    let answer = send(&server, &format!("/{}\"", person.username), "too short");
    says(&answer, 422, "Say in at least 10 characters what");
    assert!(answer.text().contains(&format!("value=\"/{}&quot;\"", person.username)), "{}", answer.text());
    says(&send(&server, &person.username, &"x".repeat(1001)), 422, "1000");
    let twice = form(&server).body("link=a&link=b&words=long+enough+words").send();
    assert_eq!(twice.status, 400, "{}", twice.text());
    let elsewhere =
        form(&server).header("Origin", "https://evil.example").body("link=a&words=long+enough+words").send();
    assert_eq!(elsewhere.status, 403);
    let german = form(&server).header("Accept-Language", "de").body("link=niemand-da&words=lang+genug+ist+das").send();
    assert_eq!(german.status, 404);
    assert!(german.text().contains("lang=\"de\""));
    assert_eq!(objects(&server.folder, &["report", "list", "--json"]), [] as [serde_json::Value; 0]);
}

fn ask(server: &Server, number: &str) -> Answer {
    form(server).body(format!("receipt={}", number.replace('-', "+").replace('"', "%22"))).send()
}

#[test]
fn who_reported_asks_without_scripts_how_it_stands() {
    let (server, person) = Person::with(NO_LIMITS);
    let sent = send(&server, &person.username, "This is about a friend of mine.").text();
    let number = sent.split("data-receipt=\"true\">").nth(1).expect(&sent).split('<').next().unwrap().to_owned();
    assert_eq!(number.len(), 39, "{sent}");
    // The page that shows the number has the form that takes it, filled in.
    assert!(sent.contains(&format!("name=\"receipt\" value=\"{number}\"")), "{sent}");
    says(&ask(&server, &number), 200, "It’s waiting.");
    let id = objects(&server.folder, &["report", "list", "--json"])[0]["id"].as_str().unwrap().to_owned();
    done(&server.folder, &["report", "show", &id]);
    says(&ask(&server, &number.to_uppercase()), 200, "Someone has looked at it.");
    // Asking writes nothing.
    done(&server.folder, &["pause", "back at ten"]);
    says(&ask(&server, &number), 200, "Someone has looked at it.");
    done(&server.folder, &["pause", "off"]);
    done(&server.folder, &["report", "close", &id]);
    let closed = ask(&server, &number);
    says(&closed, 200, "It’s closed.");
    assert!(closed.text().contains(&format!("value=\"{}\"", number.replace('-', " "))), "{}", closed.text());
    let german = form(&server).header("Accept-Language", "de").body(format!("receipt={number}")).send();
    says(&german, 200, "Sie ist erledigt.");
}

#[test]
fn a_number_that_no_report_has_is_said_to_have_none() {
    let server = Server::with(NO_LIMITS);
    for number in ["", "0000-0000-0000-0000-0000-0000-0000-0000", "\"><script>{why}"] {
        let answer = ask(&server, number);
        assert_eq!(answer.status, 404);
        let html = answer.text();
        assert!(html.contains("No report has this number, or it’s gone.") && !html.contains("<script>{"), "{html}");
    }
    // Another site can't have a browser ask, and no form has both.
    let elsewhere = form(&server).header("Origin", "https://evil.example").body("receipt=x").send();
    says(&elsewhere, 403, "");
    says(&form(&server).body("receipt=x&link=a").send(), 400, "");
    says(&form(&server).body("receipt=x&receipt=y").send(), 400, "");
}

#[test]
fn numbers_are_not_tried_without_end() {
    let server = Server::start();
    let refused = (0..=60).map(|_| ask(&server, "x")).find(|answer| answer.status != 404).expect("a limit");
    says(&refused, 429, "Too many attempts.");
    assert!(refused.header("retry-after").is_some() && refused.text().contains("name=\"receipt\" value=\"x\""));
}
