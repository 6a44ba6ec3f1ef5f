//! Power cuts: each sector that was not synced is on disk or not, in any combination. Everything
//! acknowledged is there, and nothing that was taken back can be found.

use std::fs;
use std::sync::Arc;

use parking_lot::Mutex;

use super::super::disk::Call;
use super::*;

const SECTOR: usize = 512;

/// A disk: what was synced, and what was written and may be lost.
#[derive(Default)]
struct Device {
    files: BTreeMap<u32, Content>,
    /// The oldest and the newest file, as noted.
    note: Option<(u32, u32)>,
    /// How many calls the disk obeys before the power is cut.
    left: u64,
}

#[derive(Default)]
struct Content {
    synced: Vec<u8>,
    pending: Vec<Pending>,
    is_named: bool,
    is_removed: bool,
}

enum Pending {
    Write(usize, Vec<u8>),
    Resize(usize),
}

impl Content {
    /// The bytes after a power cut that kept some of the sectors that were not synced.
    fn after(&self, mut is_there: impl FnMut() -> bool) -> Vec<u8> {
        let mut bytes = self.synced.clone();
        for pending in &self.pending {
            match pending {
                Pending::Resize(length) if is_there() => bytes.resize(*length, 0),
                Pending::Resize(_) => {}
                Pending::Write(at, written) => {
                    let mut from = 0;
                    while from < written.len() {
                        let to = written.len().min((at + from) / SECTOR * SECTOR + SECTOR - at);
                        if is_there() {
                            bytes.resize(bytes.len().max(at + to), 0);
                            bytes[at + from..at + to].copy_from_slice(&written[from..to]);
                        }
                        from = to;
                    }
                }
            }
        }
        bytes
    }
}

impl Device {
    fn call(&mut self, call: Call<'_>) -> io::Result<()> {
        self.left = self.left.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
        match call {
            Call::Create(number) => drop(self.files.insert(number, Content::default())),
            Call::Write(number, at, bytes) => self.pending(number).push(Pending::Write(at, bytes.to_vec())),
            Call::Resize(number, length) => self.pending(number).push(Pending::Resize(length)),
            Call::Sync(number) => {
                let content = self.files.get_mut(&number).unwrap();
                content.synced = content.after(|| true);
                content.pending.clear();
            }
            Call::SyncFolder => {
                self.files.retain(|_, content| !content.is_removed);
                self.files.values_mut().for_each(|content| content.is_named = true);
            }
            Call::Note(oldest, newest) => self.note = Some((oldest, newest)),
            Call::Remove(number) => self.files.get_mut(&number).unwrap().is_removed = true,
        }
        Ok(())
    }

    fn pending(&mut self, number: u32) -> &mut Vec<Pending> {
        &mut self.files.get_mut(&number).unwrap().pending
    }

    /// Cuts the power, and writes the bytes that are left into a folder.
    fn cut(self, random: &mut Random, folder: &Path) {
        if let Some((oldest, newest)) = self.note {
            disk(folder).note(oldest, newest).unwrap();
        }
        let odds = 1 + random.below(4);
        for (number, content) in self.files {
            if (content.is_named && !content.is_removed) || random.below(2) == 0 {
                let bytes = content.after(|| random.below(odds + 1) > 0);
                fs::write(disk(folder).path(number), bytes).unwrap();
            }
        }
    }

    /// The files of a folder as a disk has them after a start.
    fn of(folder: &Path) -> Self {
        let mut this = Self { note: disk(folder).noted().ok(), ..Self::default() };
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let Ok(number) = path.file_stem().unwrap().to_str().unwrap().parse() else { continue };
            let content = Content { synced: fs::read(&path).unwrap(), is_named: true, ..Content::default() };
            this.files.insert(number, content);
        }
        this
    }
}

/// Whether both are the same. Changes before the first file that is left can't be replayed.
fn is_same(now: &Model, model: &Model) -> bool {
    let is_there = |(key, value)| model.states.get(key) == Some(value);
    now.commit == model.commit && now.rooms == model.rooms && now.states.iter().all(is_there)
}

/// The words that redactions remove, as they stand in a file.
fn taken_back(wishes: &[Wish], model: &Model) -> Vec<Vec<u8>> {
    let before = |wish: &Wish| match wish {
        Wish::Redact(room, first, _) => {
            let (_, body) = model.rooms[room].iter().find(|(at, _)| at == first)?;
            Some(body.clone())
        }
        _ => None,
    };
    wishes.iter().filter_map(before).collect()
}

fn assert_gone(folder: &Path, gone: &[Vec<u8>], model: &Model, what: &str) {
    let is_living = |body: &Vec<u8>| model.rooms.values().flatten().any(|(_, living)| living == body);
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let written = &bytes[..bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)];
        for body in gone.iter().filter(|body| !is_living(body)) {
            assert!(!written.windows(body.len()).any(|part| part == body), "{what}: words that were taken back");
        }
    }
}

/// One machine, whose power is cut many times.
fn campaign(seed: u64, cuts: u32) {
    let parent = tempfile::tempdir().unwrap();
    let mut random = Random::new(seed);
    let (mut model, mut might_be, mut gone) = (Model::default(), Model::default(), Vec::new());
    let mut folder = parent.path().join("0");
    fs::create_dir(&folder).unwrap();
    for cut in 1..=cuts {
        let what = format!("seed {seed}, cut {cut}");
        let mut device = Device::of(&folder);
        device.left = random.below(90);
        let device = Arc::new(Mutex::new(device));
        let (disk, watched) = (disk(&folder), device.clone());
        disk.watch(Some(Box::new(move |call| watched.lock().call(call))));
        assert_gone(&folder, &gone, &model, &what);
        let found = Found::read_disk(disk).unwrap_or_else(|refusal| panic!("{what}: {refusal}"));
        assert!(found.damage.is_empty(), "{what}: {:?}", found.damage);
        if let Ok(mut commit_log) = found.begin(cut.into()) {
            let now = Model::of_commit_log(&commit_log);
            assert!(is_same(&now, &model) || is_same(&now, &might_be), "{what}: something is missing");
            model = if is_same(&now, &model) { model } else { might_be };
            might_be = model.clone();
            loop {
                let wishes = random.wishes(&model);
                might_be.apply(&wishes);
                let hour = u64::from(cut) + random.below(20) / 19;
                let taken = taken_back(&wishes, &model);
                if commit(&mut commit_log, &wishes, hour).is_err() {
                    break;
                }
                gone.extend(taken);
                model = might_be.clone();
                if random.below(12) == 0 && commit_log.retire(random.below(model.commit + 1)).is_err() {
                    break;
                }
                // Changes before the first commit can't be replayed any more.
                if random.below(40) == 0 {
                    might_be.commit += u64::from(!commit_log.done.is_empty());
                    if commit_log.close().is_ok() {
                        model = might_be.clone();
                    }
                    break;
                }
            }
        }
        folder = parent.path().join(cut.to_string());
        fs::create_dir(&folder).unwrap();
        let device = std::mem::take(&mut *device.lock());
        device.cut(&mut random, &folder);
    }
}

#[test]
fn power_cuts_lose_nothing_acknowledged_and_bring_nothing_back() {
    let campaigns: u64 = if std::env::var_os("ANNON_TORTURE").is_some() { 600 } else { 12 };
    for seed in 1..=campaigns {
        campaign(seed * 104_729, 25);
    }
}
