//! Folders that are damaged at random, each by one class of harm to one class of file. `ANNON_SEED`
//! repeats a campaign; `make torture-folder` damages 500.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Folders, PEOPLE, SECTOR};
use crate::crash::random::Random;
use crate::support::files::{contents, copy, differences};
use crate::support::is_torture;
use crate::support::population::{Started, start, try_open_quickly};

/// What can happen to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Harm {
    Bit,
    Byte,
    /// A sector of noise, or of zeros, as a disk gives that has lost it.
    Noise,
    Zeros,
    /// A sector that has the bytes of another one.
    Misplaced,
    Cut,
    Longer,
    Empty,
    Missing,
    /// A folder in its place.
    Folder,
    /// As it was some time ago, or as another folder has it.
    Older,
    Foreign,
}

use Harm::{Bit, Byte, Cut, Empty, Folder, Foreign, Longer, Misplaced, Missing, Noise, Older, Zeros};

const HARMS: [Harm; 12] = [Bit, Byte, Noise, Zeros, Misplaced, Cut, Longer, Empty, Missing, Folder, Older, Foreign];

/// The first part of a file's path: its class.
fn class(file: &Path) -> String {
    file.iter().next().unwrap().to_string_lossy().into_owned()
}

/// One file of a folder: first its class is drawn, since some classes have many files.
fn drawn(random: &mut Random, folder: &Path) -> PathBuf {
    let mut classes = BTreeMap::<_, Vec<_>>::new();
    for file in contents(folder).into_keys() {
        classes.entry(class(&file)).or_default().push(file);
    }
    // A lock has nothing in it.
    classes.remove("lock");
    let nth = random.below(classes.len() as u64) as usize;
    let files = classes.into_values().nth(nth).unwrap();
    files[random.below(files.len() as u64) as usize].clone()
}

/// A place in what was written of a file, which zeros may follow.
fn place(random: &mut Random, bytes: &[u8]) -> usize {
    let written = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    random.below(written.max(1) as u64) as usize
}

fn do_harm(harm: Harm, random: &mut Random, folders: &Folders, folder: &Path, file: &Path) {
    let path = folder.join(file);
    let mut bytes = fs::read(&path).unwrap();
    let at = place(random, &bytes);
    let sector = at / SECTOR * SECTOR..(at / SECTOR * SECTOR + SECTOR).min(bytes.len());
    match harm {
        _ if bytes.is_empty() => bytes.push(7),
        Bit => bytes[at] ^= 1 << random.below(8),
        Byte => bytes[at] = bytes[at].wrapping_add(1 + random.below(255) as u8),
        Noise => bytes[sector].iter_mut().for_each(|byte| *byte = random.next() as u8),
        Zeros => bytes[sector].fill(0),
        Misplaced => {
            let from = place(random, &bytes) / SECTOR * SECTOR;
            let length = sector.len().min(bytes.len() - from);
            bytes.copy_within(from..from + length, sector.start);
        }
        Cut => bytes.truncate(at),
        Longer => bytes.extend((0..SECTOR).map(|_| random.next() as u8)),
        Empty => bytes.clear(),
        Missing | Folder => {
            fs::remove_file(&path).unwrap();
            if harm == Folder {
                fs::create_dir(&path).unwrap();
            }
            return;
        }
        Older | Foreign => {
            let other = folders.at(if harm == Older { "older" } else { "other" }).join(file);
            match fs::read(other) {
                Ok(there) => bytes = there,
                Err(_) => bytes[at] ^= 1,
            }
        }
    }
    fs::write(path, bytes).unwrap();
}

/// What a damaged folder came to.
enum Outcome {
    Refused,
    Whole,
    Lost,
    /// The keys of pictures have become zeros, or are those of another time. The pictures look deleted,
    /// as if their keys had been destroyed, and nothing tells that it wasn't so.
    LooksDeleted,
}

fn assess(folder: &Path, file: &Path, harm: Harm, what: &str) -> Outcome {
    let before = contents(folder);
    match start(folder, PEOPLE) {
        Err(error) => {
            assert!(error.len() > 20 && !error.contains('\n'), "{what}: {error:?}");
            let again = try_open_quickly(folder).map(|_| ()).unwrap_err().to_string();
            assert_eq!(error, again, "{what}");
            let mut changes = differences(&before, &contents(folder));
            // sled changes files of the index when it opens them, and so does what is noted beside it.
            changes.retain(|change| !change.starts_with("index"));
            assert!(changes.is_empty(), "{what}: {error}: {changes:?}");
            Outcome::Refused
        }
        Ok(Started { missing, lines, findings }) => {
            assert!(!lines.contains("panicked"), "{what}: {lines}");
            if missing.is_empty() {
                return Outcome::Whole;
            }
            let is_named = !findings.is_empty() || lines.contains(" ERROR ") || lines.contains(" WARN ");
            let are_pictures = missing.iter().all(|what| what.starts_with("picture"));
            if class(file) == "keys" && are_pictures && matches!(harm, Zeros | Misplaced | Older) {
                return Outcome::LooksDeleted;
            }
            assert!(is_named, "{what}: {missing:?} in silence\n{lines}");
            // Everything that these files hold is somewhere else, too.
            let has_a_copy = ["index", "index.state", "export"].contains(&&*class(file));
            assert!(!has_a_copy, "{what}: {missing:?}\n{lines}");
            // One harm to one file costs some, and never all of the six kinds that each person has.
            assert!(missing.len() < 6 * PEOPLE.count(), "{what}: {missing:?}\n{lines}");
            Outcome::Lost
        }
    }
}

#[test]
fn a_folder_that_is_damaged_at_random_starts_with_all_the_rest_or_says_why_not() {
    let seed = std::env::var("ANNON_SEED").map_or(1, |seed| seed.parse().unwrap());
    let (folders, mut random) = (Folders::new(), Random::new(seed));
    let mut counts = BTreeMap::<_, [usize; 4]>::new();
    for n in 0..if is_torture() { 500 } else { 30 } {
        let name = ["stopped", "killed"][n % 2];
        let folder = folders.at("campaign");
        copy(&folders.at(name), &folder);
        let (file, harm) = (drawn(&mut random, &folder), HARMS[random.below(HARMS.len() as u64) as usize]);
        do_harm(harm, &mut random, &folders, &folder, &file);
        let what = format!("ANNON_SEED={seed}, number {n}, {name}, {harm:?} of {}", file.display());
        let outcome = assess(&folder, &file, harm, &what);
        counts.entry((class(&file), harm)).or_default()[outcome as usize] += 1;
        fs::remove_dir_all(&folder).unwrap();
    }
    for ((class, harm), [refused, whole, lost, deleted]) in counts {
        println!(
            "{class}, {harm:?}: {refused} refused, {whole} whole, {lost} with a named loss, {deleted} as if deleted"
        );
    }
}
