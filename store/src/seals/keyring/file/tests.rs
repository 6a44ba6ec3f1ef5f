use uuid::Uuid;

use super::*;
use crate::shapes::golden::committed;

fn contains(path: &Path, key: &SealKey) -> bool {
    fs::read(path).unwrap().windows(32).any(|w| w == key.bytes())
}

fn open_with(path: &Path, slots: u64) -> io::Result<(KeyFile, Keyring)> {
    KeyFile::open(KeyFile::hold(path, true)?, path, slots)
}

fn open(path: &Path) -> (KeyFile, Keyring) {
    open_with(path, 0).unwrap()
}

/// Reads the keyring as a start does, and does not hold the file.
fn ring(path: &Path) -> Keyring {
    open(path).1
}

#[test]
fn keys_are_there_again_after_opening_and_gone_after_destroying() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let (one, two) = (Owner::Account(Uuid::from_u128(1)), Owner::Feedback(Uuid::from_u128(1)));
    let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
    let c = SealKey::random(Some(a.id)).unwrap();

    let (mut file, _) = open(&path);
    file.add(&[(one, a.clone()), (two, b.clone()), (one, c.clone())]).unwrap();
    drop(file);

    let (mut file, mut held) = open(&path);
    assert_eq!(held.keys_of(one), [a.id, c.id]);
    assert_eq!(held.current(one), Some(&c));
    assert_eq!(held.current(two), Some(&b));
    file.destroy(&[a.id]).unwrap();
    held.forget(a.id);
    assert_eq!((held.key(a.id), held.current(one)), (None, Some(&c)));
    assert!(!contains(&path, &a) && contains(&path, &c));
    drop(file);

    let (mut file, held) = open(&path);
    assert_eq!((held.key(a.id), held.current(one)), (None, Some(&c)));
    let size = fs::metadata(&path).unwrap().len();
    let d = SealKey::random(Some(c.id)).unwrap();
    file.add(&[(one, d.clone())]).unwrap();
    drop(file);
    assert_eq!(fs::metadata(&path).unwrap().len(), size, "a free slot is used again");
    assert_eq!(ring(&path).current(one), Some(&d), "the newest, wherever it stands");
}

fn key(n: u8) -> SealKey {
    SealKey::new(KeyId(u64::from(n)), &[n; 32])
}

fn id(n: u128) -> Uuid {
    Uuid::from_u128(n)
}

#[test]
fn a_file_written_long_ago_opens_and_would_be_written_alike_today() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let all = [
        (Owner::Account(id(1)), key(1)),
        (Owner::Feedback(id(2)), key(2)),
        (Owner::Inbox(id(1)), key(3)),
        (Owner::Account(id(4)), key(4)),
        (Owner::Inbox(id(1)), key(5)),
    ];
    let (mut file, _) = open(&path);
    file.add(&all).unwrap();
    file.destroy(&[KeyId(4)]).unwrap();
    drop(file);
    let mut today = fs::read(&path).unwrap();
    assert!(today.len() == FIRST_LEN && today[6 * SLOT_LEN..].iter().all(|byte| *byte == 0));
    today.truncate(6 * SLOT_LEN);
    let committed = committed("keys", || today.clone());
    assert_eq!(committed, today);
    fs::write(&path, committed).unwrap();
    let (_, held) = open_with(&path, 5).unwrap();
    assert_eq!(held.current(Owner::Account(id(1))), Some(&key(1)));
    assert_eq!(held.current(Owner::Feedback(id(2))), Some(&key(2)));
    assert_eq!(held.keys_of(Owner::Inbox(id(1))), [KeyId(3), KeyId(5)]);
    assert_eq!(held.owners().count(), 3);
}

#[test]
fn a_slot_cut_short_is_ignored_and_a_foreign_file_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let owner = Owner::Account(Uuid::from_u128(1));
    let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
    open(&path).0.add(&[(owner, a.clone()), (owner, b.clone())]).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..3 * SLOT_LEN - 10]).unwrap();
    assert_eq!(ring(&path).keys_of(owner), [a.id]);
    assert!(open_with(&path, 1).is_ok());
    let error = open_with(&path, 2).err().unwrap().to_string();
    assert!(error.contains("cut short") && error.contains("annon restore"), "{error}");
    open(&path).0.add(&[(owner, b)]).unwrap();
    assert_eq!(ring(&path).keys_of(owner).len(), 2);

    fs::write(&path, [7; 200]).unwrap();
    let error = open_with(&path, 0).err().unwrap().to_string();
    assert!(error.contains("first line") && error.contains("annon restore"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), [7; 200]);
}

#[test]
fn a_damaged_slot_is_left_as_it_is_until_its_owner_dies() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let (one, two) = (Owner::Account(id(1)), Owner::Room(id(2)));
    let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
    open(&path).0.add(&[(one, a.clone()), (two, b.clone())]).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes[SLOT_LEN + 40] ^= 0x55;
    fs::write(&path, &bytes).unwrap();

    let (mut file, mut held) = open(&path);
    assert_eq!((file.damaged, held.current(one), held.current(two)), (1, None, Some(&b)));
    assert_eq!(held.owners().collect::<Vec<_>>(), [two], "what is damaged is nobody's to tidy away");
    assert!(held.may_open(a.id) && held.key(a.id).is_none());
    file.add(&[(one, SealKey::random(None).unwrap())]).unwrap();
    assert_eq!(fs::read(&path).unwrap()[SLOT_LEN..2 * SLOT_LEN], bytes[SLOT_LEN..2 * SLOT_LEN]);
    let ids: Vec<_> = held.damaged_keys_of(one).collect();
    assert_eq!(ids, [a.id]);
    file.destroy(&ids).unwrap();
    held.forget(a.id);
    assert_eq!(fs::read(&path).unwrap()[SLOT_LEN..2 * SLOT_LEN], [0; SLOT_LEN]);
    assert!(!held.may_open(a.id));
}

#[test]
fn a_key_that_stands_in_the_place_of_another_is_damage_and_no_copy_of_it_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let (one, two) = (Owner::Account(id(1)), Owner::Room(id(2)));
    let (a, b) = (SealKey::random(None).unwrap(), SealKey::random(None).unwrap());
    open(&path).0.add(&[(one, a.clone()), (two, b)]).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    bytes.copy_within(SLOT_LEN..2 * SLOT_LEN, 2 * SLOT_LEN);
    fs::write(&path, &bytes).unwrap();

    let (mut file, held) = open(&path);
    assert_eq!((file.damaged, held.current(one), held.current(two)), (1, Some(&a), None));
    file.destroy(&[a.id]).unwrap();
    assert!(fs::read(&path).unwrap()[SLOT_LEN..].iter().all(|byte| *byte == 0));
}

#[test]
fn a_first_line_that_nobody_would_know_is_made_again_where_the_slots_are_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let owner = Owner::Account(id(1));
    let a = SealKey::random(None).unwrap();
    open(&path).0.add(&[(owner, a.clone())]).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, [vec![0x99; SLOT_LEN], whole[SLOT_LEN..].to_vec()].concat()).unwrap();
    assert_eq!(ring(&path).current(owner), Some(&a));
    assert_eq!(fs::read(&path).unwrap(), whole);
}
