//! Copies staged conversations. What a data folder has beside their records goes into them.

use std::collections::BTreeMap;

use zeroize::Zeroizing;

use super::MigrateError;
use super::records::{Copier, Staged};
use crate::conversation::keeping::CountsAs;
use crate::conversation::{Conversation, ConversationId};
use crate::error::Result;
use crate::postgres::lease::Parameters;
use crate::postgres::{once_more, seconds};
use crate::seals::keyring::Owner;
use crate::shapes::conversation::{AdditionRecord, DoorRecord, door_key};
use crate::shapes::{decode, encode};
use crate::table::{additions_key, end_of, id_after_table};

impl Copier<'_> {
    pub(super) async fn conversations(&mut self, some: Vec<Staged>) -> Result<(), MigrateError> {
        let door_of = |at: &[u8]| id_after_table(at).map(|id| door_key(ConversationId(id)));
        let wanted: Vec<_> = some.iter().map(|(at, _)| door_of(at)).collect::<Result<_>>()?;
        let doors = self.staged(&wanted).await?;
        let additions = self.additions(&some).await?;
        let (mut ids, mut owners, mut places, mut proofs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut opens, mut lasts, mut moveds, mut ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (mut sealeds, mut keys, mut answered) = (Vec::new(), Vec::new(), Vec::new());
        for (at, sealed) in some {
            let id = ConversationId(id_after_table(&at)?);
            let Some(door) = doors.get(&door_of(&at)?) else { continue };
            let DoorRecord { owner, proof, place, .. } = decode(door)?;
            let Some((mut talk, seal_key)) = self.open::<Conversation>(&at, &sealed) else { continue };
            let beside = additions.range(additions_key(id)..end_of(&additions_key(id)));
            let opened = beside.map(|(at, addition)| Ok(self.open(at, addition).map(|(addition, _)| addition)));
            let sealed = match AdditionRecord::add_all(&mut talk, opened)? {
                0 => sealed,
                _ => seal_key.seal(&at, &Zeroizing::new(encode(&talk)?))?,
            };
            ids.push(id.0);
            owners.push(owner.0);
            places.push(place.to_vec());
            proofs.push(proof.0.to_vec());
            opens.push(talk.is_open());
            answered.push(talk.counts_as() != CountsAs::Unanswered);
            lasts.push(talk.last.0.cast_signed());
            moveds.push(seconds(talk.moved));
            ends.push(seconds(talk.expires()));
            sealeds.push(sealed);
            keys.push((Owner::Conversation(id.0).into(), seal_key));
        }
        self.engine.keys.take_over(&keys).await?;
        let insert = "WITH added AS (INSERT INTO conversation \
                 (id, owner, place, proof, open, last, moved, expires, sealed, answered) \
             SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[], $5::bool[], $6::int8[], $7::int8[], \
                 $8::int8[], $9::bytea[], $10::bool[]) RETURNING 1) SELECT count(*) FROM added";
        let columns: Parameters<'_> =
            &[&ids, &owners, &places, &proofs, &opens, &lasts, &moveds, &ends, &sealeds, &answered];
        self.migrated.conversations += self.insert(insert, columns).await?;
        Ok(())
    }

    /// What these conversations have beside their records, in its order.
    async fn additions(&self, some: &[Staged]) -> Result<BTreeMap<Vec<u8>, Vec<u8>>> {
        let (Some((first, _)), Some((last, _))) = (some.first(), some.last()) else { return Ok(BTreeMap::new()) };
        let of = |at: &[u8]| id_after_table(at).map(|id| additions_key(ConversationId(id)));
        let select = "SELECT at, value FROM migrating WHERE at >= $1 AND at < $2";
        let rows = once_more!(self.engine.record.read(select, &[&of(first)?, &end_of(&of(last)?)]))?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
    }
}
