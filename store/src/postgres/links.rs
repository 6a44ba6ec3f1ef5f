//! Mailed links. A link's row may name an account that isn't there: a decoy's.

use crate::account::{AccountId, LinkDigest, LinkKind, Timestamp};
use crate::error::StoreError;
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Transaction, seconds};

impl LinkKind {
    /// The number in the column `kind`.
    fn number(self) -> i16 {
        match self {
            Self::Reset => 1,
            Self::Confirmation => 2,
        }
    }
}

impl Transaction {
    /// Stores a link of an account, or of nobody: then there must be no such account.
    /// Both write the same, and lock nothing. Returns whether it was stored.
    pub(super) async fn add_link(
        &mut self,
        kind: LinkKind,
        account: AccountId,
        is_decoy: bool,
        digest: LinkDigest,
        expires: Timestamp,
    ) -> Result<bool, Failure> {
        let insert = "INSERT INTO link (kind, digest, account, expires) SELECT $1::int2, $2::bytea, $3::uuid, $4::int8 \
             WHERE $5::bool <> EXISTS (SELECT 1 FROM account WHERE id = $3) RETURNING 1";
        let (digest, expires) = (&digest.0[..], seconds(expires));
        let rows = self.query(insert, &[&kind.number(), &digest, &account.0, &expires, &is_decoy]).await?;
        Ok(!rows.is_empty())
    }

    /// The account of a link that still works. `NotFound` when it is used or too old.
    pub(super) async fn account_of_link(
        &mut self,
        kind: LinkKind,
        digest: LinkDigest,
        now: Timestamp,
    ) -> Result<AccountId, Failure> {
        let select = "SELECT account FROM link WHERE kind = $1 AND digest = $2 AND expires > $3";
        let rows = self.query(select, &[&kind.number(), &&digest.0[..], &seconds(now)]).await?;
        rows.first().map(|row| AccountId(row.get(0))).ok_or(StoreError::NotFound.into())
    }

    /// Removes every link of an account.
    pub(super) async fn drop_links(&mut self, kind: LinkKind, id: AccountId) -> Result<(), Failure> {
        self.query("DELETE FROM link WHERE account = $1 AND kind = $2", &[&id.0, &kind.number()]).await.map(drop)
    }
}

impl Open {
    /// The account of a link that still works, if the account is there.
    pub(super) async fn pending(
        &self,
        kind: LinkKind,
        digest: LinkDigest,
        now: Timestamp,
    ) -> Result<Option<AccountId>, Failure> {
        let select = "SELECT a.id FROM link l JOIN account a ON a.id = l.account \
             WHERE l.kind = $1 AND l.digest = $2 AND l.expires > $3";
        let rows = self.record.read(select, &[&kind.number(), &&digest.0[..], &seconds(now)]).await?;
        Ok(rows.first().map(|row| AccountId(row.get(0))))
    }
}
