//! The tables of keys. One that is written anew is locked meanwhile, so there are many, and each is small: with ten
//! million keys, some 10,000 each. Which one has a key follows from its owner, and is on disk for good.

use std::collections::BTreeSet;

use crate::error::Result;
use crate::postgres::days::{self, Partition};
use crate::postgres::keys::{Keys, Whose};
use crate::postgres::once_more;

/// The tables of keys whose owners end on no day, and those of a day.
const OF_NO_DAY: i64 = 1024;
pub(in crate::postgres) const OF_A_DAY: i64 = 16;
/// The table that all of them are parts of, and the column that says which.
pub(in crate::postgres) const PARENT: (&str, &str) = ("seal_key", "part");

/// The table that has an owner's keys: of a day, from its number times `OF_A_DAY` on; of no day, a negative one.
pub(super) fn part_of(Whose { owner, day }: Whose) -> i64 {
    let (_, id) = owner.kind();
    let (pairs, _) = id.as_bytes().as_chunks();
    let spread = pairs.iter().fold(0, |all, pair| all ^ u16::from_be_bytes(*pair));
    if day == 0 {
        return -1 - i64::from(spread) % OF_NO_DAY;
    }
    i64::from(day) * OF_A_DAY + i64::from(spread) % OF_A_DAY
}

/// The day on which the owners end whose keys are there.
pub(super) fn day_of(part: i64) -> i32 {
    i32::try_from(part.max(0) / OF_A_DAY).unwrap_or(i32::MAX)
}

impl Keys {
    /// Makes the tables of these owners' keys, if they aren't there.
    pub(super) async fn make_parts(&self, owners: impl Iterator<Item = Whose>) -> Result<()> {
        let wanted: BTreeSet<_> = owners.map(part_of).collect();
        let missing: Vec<_> = wanted.difference(&self.parts.lock()).copied().collect();
        for part in missing {
            days::make(&self.connections, PARENT, part).await?;
            self.parts.lock().insert(part);
        }
        Ok(())
    }

    /// The numbers of all tables that are there.
    pub(in crate::postgres) async fn all_parts(&self) -> Result<BTreeSet<i64>> {
        let all = days::partitions(&self.connections, PARENT.0).await?;
        Ok(all.iter().filter(|part| part.is_attached).map(|Partition { value, .. }| *value).collect())
    }

    /// Whether there are dead rows in a table that was just written anew: somebody reads it as it was before. Its new index
    /// has them, too.
    pub(super) async fn has_dead(&self, part: i64) -> Result<bool> {
        let select = format!(
            "SELECT c.reltuples > (SELECT count(*) FROM {0}) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
             WHERE i.indrelid = to_regclass('{0}') AND i.indisprimary",
            days::name(PARENT.0, part)
        );
        Ok(once_more!(self.connections.ask(&select))?.first().is_some_and(|row| row.get(0)))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::seals::keyring::Owner;

    #[test]
    fn an_owner_s_table_is_always_the_same_and_all_tables_are_used() {
        let account = |n: u128| Whose::from(Owner::Account(Uuid::from_u128(n)));
        assert_eq!([0, 1, 0x0102, 0x1_0001].map(|n| part_of(account(n))), [-1, -2, -259, -1]);
        let room = |n: u128, day| Whose { owner: Owner::Room(Uuid::from_u128(n)), day };
        assert_eq!([room(0, 1), room(17, 20_000)].map(part_of), [16, 320_001]);
        assert_eq!([-1024, -1, 16, 31, 320_001].map(day_of), [0, 0, 1, 1, 20_000]);
        let all: BTreeSet<_> = (0..2048).map(|n| part_of(account(n))).collect();
        assert_eq!(all.len(), 1024);
    }
}
