//! Mailed links. A link is a row under the digest of its token, and a second one under its account,
//! so that all links of an account can be removed.

use crate::account::{AccountId, LinkDigest, LinkKind, Timestamp};
use crate::error::{Result, StoreError};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span};
use crate::shapes::account::LinkRecord;
use crate::shapes::{Record, decode, is_newer};
use crate::table::{Table, key};

/// Links in one transaction, so that other calls don't wait long.
const CHUNK: usize = 256;

impl LinkKind {
    fn by_digest(self) -> Table {
        if self == Self::Reset { Table::Reset } else { Table::Confirm }
    }

    fn of_account(self) -> Table {
        if self == Self::Reset { Table::ResetOf } else { Table::ConfirmOf }
    }

    fn key(self, digest: &[u8]) -> Vec<u8> {
        key(self.by_digest(), &[digest])
    }

    fn of_key(self, id: AccountId, digest: &[u8]) -> Vec<u8> {
        key(self.of_account(), &[id.0.as_bytes(), digest])
    }
}

/// Stores a link. `Conflict` when the digest exists.
pub(super) async fn add<R: Rows>(rows: &mut R, kind: LinkKind, digest: LinkDigest, link: LinkRecord) -> Result<()> {
    if rows.has(&kind.key(&digest.0)).await? {
        return Err(StoreError::Conflict);
    }
    rows.put(kind.of_key(link.account, &digest.0), Vec::new());
    rows.put_record(kind.key(&digest.0), &link)
}

/// The account of a link that still works.
pub(super) async fn find<R: Reads>(
    rows: &R,
    kind: LinkKind,
    digest: LinkDigest,
    now: Timestamp,
) -> Result<Option<AccountId>> {
    let link: Option<LinkRecord> = rows.record(&kind.key(&digest.0)).await?;
    Ok(link.filter(|link| link.expires > now).map(|link| link.account))
}

/// Removes every link of an account.
pub(super) async fn drop_all<R: Rows>(rows: &mut R, kind: LinkKind, id: AccountId) -> Result<()> {
    let prefix = kind.of_key(id, &[]);
    for (of, _) in rows.under(&prefix).await? {
        rows.remove(kind.key(&of[prefix.len()..]));
        rows.remove(of);
    }
    Ok(())
}

/// Removes links by their keys. The account of a link that can't be read is not known.
struct Drop {
    kind: LinkKind,
    links: Vec<(Vec<u8>, Option<AccountId>)>,
}

impl Call for Drop {
    type Out = ();
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        let of = |(link, account): &(Vec<u8>, Option<AccountId>)| Some(self.kind.of_key((*account)?, &link[1..]));
        self.links.iter().filter_map(of).collect()
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        for (link, account) in &self.links {
            if let Some(account) = account {
                rows.remove(self.kind.of_key(*account, &link[1..]));
            }
            rows.remove(link.clone());
        }
        Ok(())
    }
}

/// Removes links whose time is up.
pub(super) async fn drop_old<K: Keep>(keep: &K, kind: LinkKind, now: Timestamp) -> Result<usize> {
    let mut dead = Vec::new();
    for (at, value) in keep.look().range(Span::under(&kind.key(&[])), usize::MAX).await? {
        // A newer annon has written it, and may be started again.
        if value.first().is_some_and(|&version| is_newer(version, LinkRecord::VERSION)) {
            continue;
        }
        match decode::<LinkRecord>(&value) {
            Ok(link) if link.expires > now => {}
            Ok(link) => dead.push((at, Some(link.account))),
            Err(_) => {
                tracing::error!("a mailed link that can't be read was removed");
                dead.push((at, None));
            }
        }
    }
    for links in dead.chunks(CHUNK) {
        keep.call(Drop { kind, links: links.to_vec() }).await?;
    }
    Ok(dead.len())
}
