//! What waits for the operator: figures, and a mail.

use serde_json::json;

use crate::api::mail::{MailServer, free_address};
use crate::api::operator::done;
use crate::support::form::Form;
use crate::support::patience::wait_for;
use crate::support::person::Person;
use crate::support::server::{Folder, Server};

fn report(server: &Server, person: &Person, words: &str) {
    let form = json!({ "about": "page", "id": format!("/{}", person.username), "lines": [], "words": words });
    server.post("/api/report").json(&form).send().assert_reported();
}

#[test]
fn figures_say_how_much_waits() {
    let server = Server::start();
    let person = Person::new(&server);
    let waiting =
        || ["annon_reports_waiting", "annon_feedback_waiting", "annon_damage"].map(|name| server.metric(name));
    assert_eq!(waiting(), [0.0, 0.0, 0.0]);
    report(&server, &person, "this is a threat to somebody");
    report(&server, &person, "and this is another one of them");
    Form::with_text("a word about the colours").send(&server).assert(201, "Feedback sent");
    assert_eq!(waiting(), [2.0, 1.0, 0.0]);
    let id = done(&server.folder, &["report", "list", "--json"]).lines().next().map(|line| {
        let report: serde_json::Value = serde_json::from_str(line).unwrap();
        report["id"].as_str().unwrap().to_owned()
    });
    done(&server.folder, &["report", "close", &id.unwrap()]);
    assert_eq!(waiting(), [1.0, 1.0, 0.0]);
}

#[test]
fn the_operator_gets_one_mail_without_a_word_of_anybody() {
    let (folder, at) = (Folder::new(), free_address());
    let mail_server = MailServer::started(at, &folder);
    let url = format!("smtp+plain://{at}");
    // A mail to confirm an address is another matter.
    let mails = || mail_server.mails().into_iter().filter(|mail| mail.contains("To: operator@")).collect::<Vec<_>>();
    let flags = ["--smtp-url", &url, "--operator-mail", "operator@annon.example", "--site-name", "Choir"];
    let server = Server::on(&folder, &flags);
    let person = Person::new(&server);
    report(&server, &person, "this is a threat to somebody");
    let mail = wait_for("a mail to the operator", || mails().pop());
    for words in
        ["To: operator@annon.example", "Subject: Choir: 1 report waits", "    1 report waits: annon report list"]
    {
        assert!(mail.contains(words), "no {words} in {mail}");
    }
    assert!(!mail.contains("threat"), "{mail}");

    // Another start doesn't tell it again, and neither does what comes within the hour.
    report(&server, &person, "and this is another one of them");
    drop(server);
    let server = Server::on(&folder, &flags);
    report(&server, &person, "and a third one, to be sure of it");
    std::thread::sleep(std::time::Duration::from_secs(12));
    assert_eq!(mails().len(), 1);
    assert_eq!(server.metric("annon_reports_waiting"), 3.0);
}

#[test]
fn in_which_month_an_account_was_used_is_kept_only_where_accounts_lapse() {
    for (flags, is_kept) in [(&[][..], false), (&["--accounts-kept-days", "365"], true)] {
        let server = Server::with(flags);
        let person = Person::new(&server);
        person.inbox(&server);
        let text = done(&server.folder, &["user", "export", &person.username]);
        let all: serde_json::Value = serde_json::from_str(&text).unwrap();
        let month = all["account"]["last_used_in_30_days_from"].as_str();
        assert_eq!(month.is_some_and(|month| month.ends_with(" 00:00:00")), is_kept, "{month:?}");
    }
}
