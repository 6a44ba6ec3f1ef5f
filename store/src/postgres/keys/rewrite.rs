//! Rewriting. PostgreSQL overwrites nothing that was deleted: a key that died is in the
//! files of its table until that is written anew, and in the write-ahead log until its
//! file is removed. `docs/ARCHITECTURE.md` says which settings the database needs.

use crate::error::Result;
use crate::postgres::days::name;
use crate::postgres::errors::Failure;
use crate::postgres::keys::Keys;
use crate::postgres::keys::parts::PARENT;
use crate::postgres::once_more;

impl Keys {
    /// Writes the tables anew in which a key died. All nodes call this, and once in a
    /// quarter of an hour one of them does it. Returns whether it did.
    pub(in crate::postgres) async fn rewrite(&self) -> Result<bool> {
        let dead = "SELECT part, deaths FROM dead_part WHERE deaths > 0 ORDER BY part";
        let dead = once_more!(self.connections.read(dead, &[]))?;
        if dead.is_empty() || !once_more!(self.claim_rewriting())? {
            return Ok(false);
        }
        let mut deaths: Vec<(i64, i64)> = dead.iter().map(|row| (row.get(0), row.get(1))).collect();
        // A day may be over, and its tables dropped.
        let there = self.all_parts().await?;
        let dead = deaths.iter().filter(|(part, _)| there.contains(part));
        let mut statements: Vec<_> = dead.map(|(part, _)| format!("VACUUM (FULL) {}", name(PARENT.0, *part))).collect();
        statements.extend(["CHECKPOINT", "SELECT pg_switch_wal()", "CHECKPOINT"].map(ToOwned::to_owned));
        if let Err(failure) = self.connections.maintain(&statements).await {
            tracing::error!(
                "the keys' database can't be written anew, so deleted keys stay in its files: the user of the URL has \
                 to own its tables, to be in pg_checkpoint, and to be allowed pg_switch_wal"
            );
            once_more!(self.give_claim_back())?;
            return Err(failure.into());
        }
        let all = deaths.len();
        let mut gone = Vec::with_capacity(all);
        for death in deaths.drain(..) {
            if !(there.contains(&death.0) && self.has_dead(death.0).await?) {
                gone.push(death);
            }
        }
        once_more!(self.note_rewritten(&gone))?;
        if gone.len() < all {
            tracing::warn!(
                "deleted keys stay in the files of the keys' database: somebody reads it as it was before, such as a backup \
                 or a session that was left open"
            );
            once_more!(self.give_claim_back())?;
        }
        Ok(true)
    }

    async fn claim_rewriting(&self) -> Result<bool, Failure> {
        let mut transaction = self.connections.begin().await?;
        let claim = "UPDATE keys_meta SET rewritten = clock_timestamp() \
             WHERE rewritten < clock_timestamp() - interval '14 minutes' RETURNING 1";
        let claimed = transaction.query(claim, &[]).await?;
        transaction.commit().await?;
        Ok(!claimed.is_empty())
    }

    /// Lets the next sweep of any node try again.
    async fn give_claim_back(&self) -> Result<(), Failure> {
        let mut transaction = self.connections.begin().await?;
        transaction.query("UPDATE keys_meta SET rewritten = '-infinity'", &[]).await?;
        transaction.commit().await
    }

    /// A key that died meanwhile may still be in the files.
    async fn note_rewritten(&self, deaths: &[(i64, i64)]) -> Result<(), Failure> {
        let (parts, counts): (Vec<i64>, Vec<i64>) = deaths.iter().copied().unzip();
        let mut transaction = self.connections.begin().await?;
        // In the order in which whoever destroys keys counts them.
        let delete = "WITH gone AS MATERIALIZED (SELECT d.part FROM dead_part d \
                 JOIN unnest($1::int8[], $2::int8[]) AS w (part, deaths) ON d.part = w.part AND d.deaths = w.deaths \
                 ORDER BY d.part FOR UPDATE OF d) \
             DELETE FROM dead_part d USING gone g WHERE d.part = g.part";
        transaction.query(delete, &[&parts, &counts]).await?;
        transaction.commit().await
    }
}
