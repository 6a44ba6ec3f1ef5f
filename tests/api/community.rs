//! A site of a community's own: its name, colour, contact and paragraphs.

use std::fs;

use rustix::process::Signal;
use serde_json::json;

use crate::support::client::Answer;
use crate::support::patience::wait_until;
use crate::support::person::{Person, forget_password};
use crate::support::server::{Folder, Server};

#[test]
fn pages_mails_and_files_have_the_name_the_colour_and_the_contact() {
    let flags = ["--site-name", "St. John’s <Choir>", "--site-colour", "#ffb300", "--site-contact", "us@choir.example"];
    let server = Server::with(&flags);
    let page = server.get("/terms").send();
    let text = page.text();
    assert!(text.contains("<title>Terms · St. John’s &lt;Choir&gt;</title>"), "{text:.600}");
    assert!(text.contains("content=\"What you agree to when you use St. John’s &lt;Choir&gt;.\""));
    assert!(text.contains("Using St. John’s &lt;Choir&gt; means agreeing to these."));
    assert!(text.contains(":root:root{--hot:#ffb300}</style>"));
    assert!(text.contains("href=\"mailto:us@choir.example\"") && text.contains(">us@choir.example</a>"));
    assert!(!text.contains("{site}") && !text.contains("{contact") && !text.contains("{own-words}"));
    let landing = server.get("/").send().text();
    assert!(landing.contains("<title>St. John’s &lt;Choir&gt;: anonymous notes and short-lived group chats</title>"));
    assert!(server.get("/manifest.webmanifest").send().text().contains("\"name\": \"St. John’s <Choir>\""));
    let shell = server.get("/index.html").send();
    assert!(shell.text().contains("data-site-name=\"St. John’s &lt;Choir&gt;\""));
    let allowed = shell.header("content-security-policy").unwrap();
    assert!(allowed.contains("style-src 'self' 'sha256-") && !allowed.contains("unsafe"), "{allowed}");
    let file = server.get("/.well-known/security.txt").send();
    assert!(file.text().starts_with("Contact: mailto:us@choir.example\n"));
    let person = Person::new(&server);
    forget_password(&server, &person.email);
    wait_until("the mail", || !server.folder.mails().is_empty());
    let mails = server.folder.mails().concat();
    assert!(!mails.contains("{site}") && !mails.contains("for Annon"), "{mails}");
}

#[test]
fn a_site_without_any_of_it_is_as_it_comes() {
    let server = Server::start();
    let text = server.get("/privacy").send().text();
    assert!(text.contains("<html data-drawn lang=\"en\">") && text.contains("<title>Privacy · Annon</title>"));
    assert!(!text.contains(":root:root") && !text.contains("{site}") && !text.contains("{own-words}"));
    assert_eq!(server.get("/.well-known/security.txt").send().status, 404);
    assert_eq!(server.get("/api/words/terms").send().json()["data"], serde_json::json!([]));
    assert_eq!(server.get("/api/words/about").send().status, 404);
}

#[test]
fn who_runs_a_site_is_on_a_page_that_each_footer_links() {
    let folder = Folder::new();
    let file = folder.file("imprint.txt");
    std::fs::write(&file, "# Choir e.V.\n\nZoë Example, Harbour Street 1\n").unwrap();
    let server = Server::on(&folder, &["--imprint-file", file.to_str().unwrap()]);
    for (language, words) in [("en", "Imprint"), ("de", "Impressum")] {
        let page = |path: &str| server.get(path).header("Accept-Language", language).send().text();
        let imprint = page("/imprint");
        assert!(imprint.contains("Choir e.V.") && imprint.contains("Harbour Street 1"), "{imprint}");
        for path in ["/", "/about", "/privacy", "/some-body", "/imprint", "/no/such/page"] {
            let html = page(path);
            assert!(html.contains("href=\"/imprint\"") && html.contains(&format!(">{words}</a>")), "{path}: {html}");
        }
    }
    let words = server.get("/api/words/imprint").send().json();
    assert_eq!(words["data"][0]["parts"][0]["text"], "Choir e.V.");
    // Where nobody has said who they are, nothing leads there, also without styles.
    let other = Server::start();
    for path in ["/", "/about", "/some-body"] {
        assert!(!other.get(path).send().text().contains("href=\"/imprint\""), "{path}");
    }
}

#[test]
fn the_operators_paragraphs_are_in_the_page_and_read_anew_when_told() {
    let folder = Folder::new();
    let file = folder.file("terms.txt");
    fs::write(&file, "# House <rules>\n\nBe kind. See [our statutes](https://choir.example/statutes).\n").unwrap();
    let server = Server::on(&folder, &["--terms-file", file.to_str().unwrap(), "--site-name", "Choir"]);
    let words = || server.get("/terms").send().text();
    let text = words();
    assert!(text.contains(">From the operator of Choir</h2>"), "{text}");
    assert!(text.contains("<h3 data-answer>House &lt;rules&gt;</h3><p data-answer>Be kind. See <a href=\"https://choir.example/statutes\">our statutes</a>.</p>"));
    let told = server.get("/api/words/terms").send().json();
    assert_eq!(told["data"][1]["parts"][1]["href"], "https://choir.example/statutes");
    fs::write(&file, "Other words.").unwrap();
    server.signal(Signal::HUP);
    wait_until("the other words", || words().contains("<p data-answer>Other words.</p>"));
    fs::remove_file(&file).unwrap();
    server.signal(Signal::HUP);
    server.log.wait_for("the operator's words stay as they were read before");
    assert!(words().contains("Other words."));
}

#[test]
fn an_age_is_stated_only_where_the_operator_has_set_one() {
    let (server, other) = (Server::with(&["--minimum-age", "16"]), Server::start());
    let refused = |answer: &Answer| answer.assert(422, "State that you are old enough to have an account here.");
    let sign_up = |server: &Server, name: &str, stated: Option<bool>| {
        let email = format!("{name}@mail.example");
        let mut form = json!({ "username": name, "email": email, "password": "correct horse" });
        if let Some(stated) = stated {
            form["old_enough"] = json!(stated);
        }
        server.post("/api/register").json(&form).send()
    };
    for stated in [None, Some(false)] {
        let answer = sign_up(&server, "some-body", stated);
        refused(&answer);
        assert_eq!(answer.json()["code"], "age_not_stated");
    }
    sign_up(&server, "some-body", Some(true)).assert(201, "User Account Created");
    sign_up(&other, "some-body", None).assert(201, "User Account Created");
    let page = |server: &Server| server.get("/signup").send().text();
    assert!(page(&server).contains("I am 16 or older") && page(&server).contains("data-minimum-age=\"16\""));
    assert!(!page(&other).contains("or older") && !page(&other).contains("minimum-age"));
}
