//! A damaged data folder, from outside. What happens to the index costs
//! nothing: it is built anew. Damage to the tape is named, and everybody else
//! is served.

use std::fs;
use std::path::Path;

use crate::support::person::{Person, send_note};
use crate::support::server::{Folder, NO_LIMITS, Server};

const NOTES: usize = 7;
const BUILT_ANEW: &str = "the index is built anew";

/// A folder with somebody in it who has got notes, of a server that has ended.
fn folder_with_notes() -> (Folder, Person) {
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    for n in 0..NOTES {
        assert_eq!(send_note(&server, &target, &format!("these are the words of note {n}")).status, 201);
    }
    assert!(server.stop().success());
    (folder, person)
}

/// Starts, and finds everything there. What the start has said.
fn everything_is_there(folder: &Folder, person: &Person, what: &str) -> Vec<String> {
    let mut server = Server::on(folder, NO_LIMITS);
    let inbox = person.inbox(&server);
    assert_eq!(inbox["data"].as_array().map(Vec::len), Some(NOTES), "{what}: {:?}", server.log.lines());
    assert!(server.stop().success(), "{what}");
    server.log.whole()
}

fn overwrite(path: &Path, from: usize) {
    let mut bytes = fs::read(path).unwrap();
    let end = bytes.len().min(from + 4096);
    bytes[from..end].iter_mut().enumerate().for_each(|(at, byte)| *byte = (at * 31) as u8);
    fs::write(path, bytes).unwrap();
}

#[test]
fn whatever_happens_to_the_index_everything_comes_back_by_itself() {
    let (folder, person) = folder_with_notes();
    let index = folder.data().join("index");
    let older = folder.file("older");
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file()) {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    };
    let (another, _) = folder_with_notes();
    copy(&index, &older);
    let harms: [(&str, &dyn Fn()); 6] = [
        ("removed", &|| fs::remove_dir_all(&index).unwrap()),
        ("emptied", &|| fs::write(index.join("db"), "").unwrap()),
        ("overwritten at its front", &|| overwrite(&index.join("db"), 0)),
        ("of another folder", &|| {
            fs::remove_dir_all(&index).unwrap();
            copy(&another.data().join("index"), &index);
        }),
        ("of nobody knows when", &|| fs::remove_file(folder.data().join("index.state")).unwrap()),
        ("from before a start", &|| {
            fs::remove_dir_all(&index).unwrap();
            copy(&older, &index);
        }),
    ];
    for (what, harm) in harms {
        harm();
        let said = everything_is_there(&folder, &person, what);
        let is_built = said.iter().any(|line| line.contains(BUILT_ANEW));
        assert_eq!(is_built, what != "from before a start", "{what}: {said:?}");
    }
}

#[test]
fn damage_to_the_tape_is_named_and_everything_else_is_served() {
    let folder = Folder::new();
    let mut server = Server::on(&folder, NO_LIMITS);
    let person = Person::new(&server);
    let target = person.target(&server);
    let tape = folder.data().join("tape");
    let file = fs::read_dir(&tape).unwrap().map(|entry| entry.unwrap().path()).max().unwrap();
    let written = || fs::read(&file).unwrap().iter().rposition(|byte| *byte != 0).unwrap();
    let mut ends = Vec::new();
    for n in 0..NOTES {
        assert_eq!(send_note(&server, &target, &format!("these are the words of note {n}")).status, 201);
        ends.push(written());
    }
    assert!(server.stop().success());
    // In the middle of a note, of which the index has a copy.
    let mut bytes = fs::read(&file).unwrap();
    bytes[(ends[2] + ends[3]) / 2] ^= 0x10;
    fs::write(&file, bytes).unwrap();
    everything_is_there(&folder, &person, "what the tape alone has lost");

    // And without that copy.
    fs::remove_dir_all(folder.data().join("index")).unwrap();
    let server = Server::on(&folder, NO_LIMITS);
    let inbox = person.inbox(&server);
    let words: Vec<_> = inbox["data"].as_array().unwrap().iter().map(|note| note["message"].to_string()).collect();
    assert_eq!(words.len(), NOTES - 1, "{words:?}");
    assert!(!words.iter().any(|words| words.contains("note 3")));
    let said = server.log.lines();
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(said.iter().any(|line| line.contains("can't be read") && line.contains(&*name)), "{said:?}");
}
