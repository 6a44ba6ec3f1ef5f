//! The operator moves a data folder into databases.

use crate::rooms::group::Group;
use crate::rooms::member::Member;
use crate::support::database::{Databases, with};
use crate::support::person::{Person, login, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server, annon, printed};

#[test]
fn what_people_had_on_one_machine_is_there_on_databases() {
    let (databases, old) = (Databases::start(), Folder::new());
    // Where accounts lapse, it is kept when each was used.
    let mut local = Server::on(&old, &[NO_LIMITS, &["--accounts-kept-days", "365"]].concat());
    let person = Person::new(&local);
    send_note(&local, &person.target(&local), "a note that moves").assert(201, "Anonymous Message Sent");
    let group = Group::of(&local, person.clone());
    let [mut member]: [Member; 1] = group.members(&local);
    member.chat("words that move");
    let file = old.file("backup");
    assert!(old.annon(&["backup", file.to_str().unwrap()]).status.success());
    assert!(local.stop().success());

    let flags = databases.flags();
    let migrate = |flags: &[&str]| {
        let output = annon().arg("migrate").arg(&file).arg("--verify").args(flags).output().unwrap();
        (output.status.success(), printed(&output.stdout) + &printed(&output.stderr))
    };
    let (done, said) = migrate(&with(&flags, "--database-url", None)[..0]);
    assert!(!done && said.contains("name the databases with --database-url"), "{said}");
    let (done, said) = migrate(&with(&flags, "--nothing", None));
    assert!(!done && said.contains("is not the secret of the backup: name another file"), "{said}");
    let secret = databases.folder.file("secret-of-all");
    let flags = with(&flags, "--secret-file", secret.to_str());
    let (done, said) = migrate(&flags);
    assert!(done && said.contains("taken over: 1 accounts, 1 notes, 0 conversations, 1 groups"), "{said}");
    assert!(said.contains("everybody has to sign in again"), "{said}");
    let (done, said) = migrate(&flags);
    assert!(!done && said.contains("has tables of annon already"), "{said}");

    let server = Server::on(&databases.folder, &flags);
    assert_eq!(server.get("/api/messages").bearer(&person.token).send().status, 401, "everybody signs in anew");
    let answer = login(&server, &person.username, &person.password);
    let token = answer.json()["access_token"].as_str().unwrap().to_owned();
    assert!(server.get("/api/messages").bearer(&token).send().text().contains("a note that moves"));
    let mut member = Member::open(&server, &group, &member.seat);
    member.chat("life goes on");
    assert_eq!(group.words(&server, &member.seat), ["words that move", "life goes on"]);
}
