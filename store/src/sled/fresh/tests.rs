use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::sled::Disk;

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

fn apply(model: &mut Model, changes: &Changes) {
    for (key, value) in changes {
        match value {
            Some(value) => drop(model.insert(key.clone(), value.clone())),
            None => drop(model.remove(key)),
        }
    }
}

fn a_key() -> impl Strategy<Value = Vec<u8>> {
    vec(0..4_u8, 1..4)
}

fn some_changes() -> impl Strategy<Value = Changes> {
    prop::collection::btree_map(a_key(), prop::option::weighted(0.7, vec(any::<u8>(), 0..3)), 0..20)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Some of it in sled, some on its way there, some only fresh: it reads
    /// as if it were all in one place, from both ends.
    #[test]
    fn three_layers_read_like_one(
        old in some_changes(),
        leaving in some_changes(),
        now in vec(some_changes(), 0..3),
        from in a_key(),
        to in a_key(),
        turns in vec(any::<bool>(), 0..40),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut disk = Disk::open(folder.path(), false).unwrap();
        let (fresh, mut model) = (disk.fresh(), Model::new());
        apply(&mut model, &old);
        disk.take_over(&old, |_| {}).unwrap();
        apply(&mut model, &leaving);
        fresh.add(leaving);
        fresh.turn();
        for changes in now {
            apply(&mut model, &changes);
            fresh.add(changes);
        }
        let reader = disk.reader();
        let everything = |pairs: Pairs| pairs.map(|pair| pair.unwrap()).collect::<Vec<_>>();
        let all = model.clone().into_iter().collect::<Vec<_>>();
        prop_assert_eq!(&everything(reader.all()), &all);
        for key in model.keys() {
            prop_assert_eq!(reader.read(key).unwrap(), model.get(key).cloned());
        }
        let within = all.iter().filter(|(key, _)| *key >= from && *key < to).cloned().collect::<Vec<_>>();
        prop_assert_eq!(&everything(reader.range(from.clone(), to.clone())), &within);

        // From whichever end, every pair comes once.
        let (mut pairs, mut front, mut back) = (reader.range(from, to), Vec::new(), Vec::new());
        let mut turns = turns.into_iter().chain(std::iter::repeat(true));
        while let Some(pair) = if turns.next() == Some(true) { pairs.next() } else { pairs.next_back() } {
            let pair = pair.unwrap();
            if within.get(front.len()) == Some(&pair) { front.push(pair) } else { back.push(pair) }
        }
        front.extend(back.into_iter().rev());
        prop_assert_eq!(front, within);

        disk.catch_up().unwrap();
        prop_assert_eq!(&everything(reader.all()), &all);
        fresh.turn();
        disk.catch_up().unwrap();
        prop_assert_eq!(&everything(reader.all()), &all);
    }
}

#[test]
fn a_walk_misses_nothing_that_sled_takes_over_behind_its_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut disk = Disk::open(folder.path(), false).unwrap();
    let name = |n: u32| n.to_be_bytes().to_vec();
    let pairs = |numbers: &mut dyn Iterator<Item = u32>| numbers.map(|n| (name(n), Some(vec![7]))).collect::<Changes>();
    disk.take_over(&pairs(&mut (0..100).step_by(10)), |_| {}).unwrap();
    let fresh = disk.fresh();
    fresh.add(pairs(&mut (0..100)));
    let mut walk = disk.reader().all();
    let mut seen = vec![walk.next().unwrap().unwrap().0];
    fresh.turn();
    disk.catch_up().unwrap();
    assert!(fresh.layers().get(&name(1)).is_none(), "it has gone to sled");
    seen.extend(walk.map(|pair| pair.unwrap().0));
    assert_eq!(seen, (0..100).map(name).collect::<Vec<_>>());
}
