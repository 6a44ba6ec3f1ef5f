//! Keys that never came to seal anything, or that a node did not destroy: it died between
//! the birth of a key and the commit of what names it.

use uuid::Uuid;

use crate::error::Result;
use crate::postgres::errors::Failure;
use crate::postgres::keys::{Columns, Named, kept, named};
use crate::postgres::{Open, once_more};
use crate::table::names_key;

/// Keys that are looked at together.
const CHUNK: i64 = 1000;

/// Of these keys, those that no record names. The id of a key is in the first bytes of
/// what it has sealed, and of the row that names the key of an inbox.
const UNUSED: &str = "SELECT w.kind, w.owner, w.id, w.day \
     FROM unnest($1::int2[], $2::uuid[], $3::int8[], $4::int[], $5::bytea[]) AS w (kind, owner, id, day, named_at) \
     WHERE NOT CASE w.kind \
         WHEN 4 THEN EXISTS (SELECT 1 FROM room r WHERE r.id = w.owner AND NOT r.gone AND w.id IN (r.key, r.old_key)) \
         WHEN 5 THEN true \
         WHEN 6 THEN EXISTS (SELECT 1 FROM image i WHERE i.day = 0 AND i.id = w.owner \
             AND substr(i.head, 2, 8) = int8send(w.id)) \
         ELSE EXISTS (SELECT 1 FROM kept k WHERE k.at = w.named_at AND substr(k.value, 2, 8) = int8send(w.id)) END";

impl Open {
    /// Destroys keys that nobody uses. One that was born within the last hour may still
    /// be used.
    pub(super) async fn bury_dead_births(&self) -> Result<usize> {
        let mut buried = 0;
        for part in self.keys.all_parts().await? {
            let mut after = (0_i16, Uuid::nil(), i64::MIN);
            loop {
                let select = "SELECT kind, owner, id, part FROM seal_key \
                     WHERE part = $1 AND born < now() - interval '1 hour' AND (kind, owner, id) > ($2, $3, $4) \
                     ORDER BY kind, owner, id LIMIT $5";
                let (kind, owner, id) = &after;
                let rows = once_more!(self.keys.connections.read(select, &[&part, kind, owner, id, &CHUNK]))?;
                let Some(last) = rows.last() else { break };
                after = (last.get(0), last.get(1), last.get(2));
                let old: Vec<_> = rows.iter().filter_map(kept).collect();
                let unused = once_more!(self.unused(&old))?;
                if !unused.is_empty() {
                    self.keys.destroy(&unused).await?;
                    buried += unused.len();
                }
            }
        }
        Ok(buried)
    }

    /// Of these keys, those that no record names, for good: the standby has no such record,
    /// either.
    async fn unused(&self, keys: &[Named]) -> Result<Vec<Named>, Failure> {
        let Columns { days, kinds, owners, ids, .. } = Columns::of(keys);
        let named_at: Vec<_> = keys.iter().map(|(whose, _)| names_key(whose.owner)).collect();
        let mut lease = self.record.lease().await?;
        let rows = lease.read(UNUSED, &[&kinds, &owners, &ids, &days, &named_at]).await?;
        if !rows.is_empty() {
            self.beat.confirm_on(lease.busy()).await?;
            lease.is_done();
        }
        Ok(rows.iter().filter_map(named).collect())
    }
}
