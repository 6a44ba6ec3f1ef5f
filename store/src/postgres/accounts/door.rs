//! Doors of inboxes: one statement for each note.

use std::sync::Arc;

use crate::account::{AccountId, TargetId, Timestamp};
use crate::error::Result;
use crate::postgres::shield::day;
use crate::postgres::{Open, once_more, seconds};
use crate::seals::sealed_with;
use crate::shapes::decode;
use crate::shapes::inbox::InboxRecord;
use crate::shield::{InboxDoor, InboxName, TagHash, first_known_day};

macro_rules! door {
    ($by:literal) => {
        concat!(
            "SELECT a.id, a.target, EXISTS (SELECT 1 FROM suspension WHERE account = a.id AND until > $2), \
             EXISTS (SELECT 1 FROM known_tag WHERE owner = a.id AND tag = $3 AND day >= $4), p.sealed, \
             substr(s.sealed, 1, 9), a.inbox \
             FROM account a LEFT JOIN personal_page p ON p.owner = a.id LEFT JOIN shield s ON s.owner = a.id WHERE ",
            $by
        )
    };
}

impl Open {
    pub(super) async fn door_of(
        &self,
        inbox: &InboxName,
        tag: Option<TagHash>,
        now: Timestamp,
    ) -> Result<Option<InboxDoor>> {
        let tag = tag.as_ref().map(|tag| &tag.0[..]);
        let (until, first) = (seconds(now), day(first_known_day(now)));
        let rows = match inbox {
            InboxName::Username(name) => {
                let name = self.common.blinder.blind(&name.folded());
                once_more!(self.record.read(door!("a.name = $1"), &[&&name[..], &until, &tag, &first]))?
            }
            InboxName::Target(target) => {
                once_more!(self.record.read(door!("a.target = $1"), &[&target.0, &until, &tag, &first]))?
            }
        };
        let Some(row) = rows.first() else { return Ok(None) };
        let owner = AccountId(row.get(0));
        let shield = match row.get::<_, Option<&[u8]>>(5) {
            // These bytes name its key. The rest is only read if it isn't open here.
            Some(named) => self.open_shield(owner, sealed_with(named)?).await?,
            None => Arc::default(),
        };
        let page = self.page_in(owner, row.get(4)).await?;
        let (target, is_suspended, knows_tag) = (TargetId(row.get(1)), row.get(2), row.get(3));
        let inbox = row.get::<_, Option<&[u8]>>(6).map(decode::<InboxRecord>).transpose()?;
        let shown_lately = inbox.map_or(0, |inbox| inbox.shown_lately(now));
        Ok(Some(InboxDoor { owner, target, is_suspended, page, shield, knows_tag, shown_lately }))
    }
}
