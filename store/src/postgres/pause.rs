//! The pause in the record, where all nodes look.

use async_trait::async_trait;

use crate::error::Result;
use crate::pause::{Pause, Pauses};
use crate::postgres::errors::Failure;
use crate::postgres::{Open, Postgres, once_more};
use crate::shapes::{decode, encode};

impl Open {
    async fn try_begin_pause(&self, record: &[u8]) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        let insert = "INSERT INTO pause (record) VALUES ($1) ON CONFLICT (one) DO UPDATE SET record = excluded.record";
        transaction.query(insert, &[&record]).await?;
        transaction.commit().await
    }

    async fn try_end_pause(&self) -> Result<(), Failure> {
        let mut transaction = self.record.begin().await?;
        transaction.query("DELETE FROM pause", &[]).await?;
        transaction.commit().await
    }
}

#[async_trait]
impl Pauses for Postgres {
    async fn begin(&self, pause: Pause) -> Result<()> {
        let record = encode(&pause)?;
        Ok(once_more!(self.try_begin_pause(&record))?)
    }

    async fn current(&self) -> Result<Option<Pause>> {
        let rows = once_more!(self.record.read("SELECT record FROM pause", &[]))?;
        rows.first().map(|row| decode(row.get(0))).transpose()
    }

    async fn end(&self) -> Result<()> {
        Ok(once_more!(self.try_end_pause())?)
    }
}
