//! For how long things are kept.

use annon_contract::limits::{KEPT_DAYS_MAX, KEPT_DAYS_MIN, UNUSED_DAYS_MAX, UNUSED_DAYS_MIN};
use annon_store::lapse::Kept;
use clap::Args;

#[derive(Clone, Args)]
pub struct Retention {
    /// Days after which a note is deleted with its public answer, unless its conversation goes on: 30 to 365. Default:
    /// it is kept until somebody deletes it. The page about privacy says what is set, here and below.
    #[arg(long, global = true, env = "ANNON_NOTES_KEPT_DAYS", value_name = "N", value_parser = kept())]
    pub notes_kept_days: Option<u32>,

    /// Days after which feedback is deleted: 30 to 365. Default: you delete it.
    #[arg(long, global = true, env = "ANNON_FEEDBACK_KEPT_DAYS", value_name = "N", value_parser = kept())]
    pub feedback_kept_days: Option<u32>,

    /// Days after which an account is deleted that nobody uses, 365 to 3650. Its owner gets a mail 30 days before, if the
    /// address is confirmed. Only then the server keeps in which month each was used. Default: never.
    #[arg(
        long,
        global = true,
        env = "ANNON_ACCOUNTS_KEPT_DAYS",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(i64::from(UNUSED_DAYS_MIN)..=i64::from(UNUSED_DAYS_MAX))
    )]
    pub accounts_kept_days: Option<u32>,
}

fn kept() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(i64::from(KEPT_DAYS_MIN)..=i64::from(KEPT_DAYS_MAX))
}

impl Retention {
    pub fn kept(&self) -> Kept {
        let Self { notes_kept_days, feedback_kept_days, accounts_kept_days } = *self;
        Kept { notes: notes_kept_days, feedback: feedback_kept_days, accounts: accounts_kept_days }
    }
}
