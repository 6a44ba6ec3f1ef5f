//! Keys that never came to seal anything, or that a node did not destroy: it died between
//! the birth of a key and the commit of what names it.

use uuid::Uuid;

use crate::error::Result;
use crate::postgres::errors::Failure;
use crate::postgres::keys::{Columns, Named, named};
use crate::postgres::{Open, once_more};

/// Keys that are looked at together.
const CHUNK: i64 = 1000;

/// Of these keys, those that no record names. The id of a key is in the first bytes of
/// what it has sealed.
const UNUSED: &str = "SELECT w.kind, w.owner, w.id, w.day \
     FROM unnest($1::int2[], $2::uuid[], $3::int8[], $4::int[]) AS w (kind, owner, id, day) \
     WHERE NOT CASE w.kind \
         WHEN 1 THEN EXISTS (SELECT 1 FROM account a WHERE a.id = w.owner AND substr(a.sealed, 2, 8) = int8send(w.id)) \
         WHEN 2 THEN EXISTS (SELECT 1 FROM kept k WHERE k.at = '\\x66'::bytea || uuid_send(w.owner) \
             AND substr(k.value, 2, 8) = int8send(w.id)) \
         WHEN 3 THEN EXISTS (SELECT 1 FROM account a WHERE a.id = w.owner AND a.inbox_key = w.id) \
         WHEN 4 THEN EXISTS (SELECT 1 FROM room r WHERE r.id = w.owner AND NOT r.gone AND w.id IN (r.key, r.old_key)) \
         WHEN 6 THEN EXISTS (SELECT 1 FROM image i WHERE i.day = 0 AND i.id = w.owner \
             AND substr(i.head, 2, 8) = int8send(w.id)) \
         WHEN 7 THEN EXISTS (SELECT 1 FROM conversation c WHERE c.id = w.owner AND substr(c.sealed, 2, 8) = int8send(w.id)) \
         WHEN 8 THEN EXISTS (SELECT 1 FROM shield s WHERE s.owner = w.owner AND substr(s.sealed, 2, 8) = int8send(w.id)) \
         WHEN 9 THEN EXISTS (SELECT 1 FROM kept k WHERE k.at = '\\x51'::bytea || uuid_send(w.owner) \
             AND substr(k.value, 2, 8) = int8send(w.id)) \
         WHEN 10 THEN EXISTS (SELECT 1 FROM kept k WHERE k.at = '\\x49'::bytea || uuid_send(w.owner) \
             AND substr(k.value, 2, 8) = int8send(w.id)) \
         ELSE true END";

impl Open {
    /// Destroys keys that nobody uses. One that was born within the last hour may still
    /// be used.
    pub(super) async fn bury_dead_births(&self) -> Result<usize> {
        let mut buried = 0;
        let mut after = (-1, 0_i16, Uuid::nil(), 0_i64);
        loop {
            let select = "SELECT kind, owner, id, day FROM seal_key \
                 WHERE born < now() - interval '1 hour' AND (day, kind, owner, id) > ($1, $2, $3, $4) \
                 ORDER BY day, kind, owner, id LIMIT $5";
            let (day, kind, owner, id) = &after;
            let rows = once_more!(self.keys.connections.read(select, &[day, kind, owner, id, &CHUNK]))?;
            let Some(last) = rows.last() else { return Ok(buried) };
            after = (last.get(3), last.get(0), last.get(1), last.get(2));
            let old: Vec<_> = rows.iter().filter_map(named).collect();
            let unused = once_more!(self.unused(&old))?;
            if !unused.is_empty() {
                self.keys.destroy(&unused).await?;
                buried += unused.len();
            }
        }
    }

    /// Of these keys, those that no record names, for good: the standby has no such record,
    /// either.
    async fn unused(&self, keys: &[Named]) -> Result<Vec<Named>, Failure> {
        let Columns { days, kinds, owners, ids } = Columns::of(keys);
        let mut lease = self.record.lease().await?;
        let rows = lease.read(UNUSED, &[&kinds, &owners, &ids, &days]).await?;
        if !rows.is_empty() {
            self.beat.confirm_on(lease.busy()).await?;
            lease.is_done();
        }
        Ok(rows.iter().filter_map(named).collect())
    }
}
