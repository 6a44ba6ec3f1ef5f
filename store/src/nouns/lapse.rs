//! What lapses: notes, feedback, and accounts that nobody uses. A sweep looks at some accounts; the next one goes on
//! behind them.

use async_trait::async_trait;

use crate::account::{Account, AccountId, Timestamp};
use crate::error::{Result, StoreError};
use crate::feedback::{Feedback, FeedbackBox};
use crate::inbox::place::NotePlace;
use crate::lapse::{Due, Fate, Kept, Lapses, Lapsing, Used, goes};
use crate::nouns::inbox::lapsing::{RemoveOld, shown_notes};
use crate::nouns::inbox::sweeping::RemoveRows;
use crate::nouns::{Nouns, accounts};
use crate::rows::{Call, Effect, Keep, PutRecords, ReadRecords, Reads, Rows, Span, WantedSpan, Wants};
use crate::seals::keyring::Owner;
use crate::shapes::feedback::FeedbackRecord;
use crate::shapes::inbox::{InboxRecord, NoteRecord};
use crate::table::{Table, account_key, id_after_table, inbox_key, key, note_key, used_key};

/// Accounts that one sweep looks at, and how many of them together.
const EACH_SWEEP: usize = 4_096;
const TOGETHER: usize = 256;
/// Notes that one transaction removes.
const NOTES: usize = 64;

/// Notes when an account was used, or that its owner is told.
struct Note {
    accounts: Vec<AccountId>,
    now: Timestamp,
    /// Whether it is noted that it is used now; otherwise only where nothing is known.
    is_used: bool,
}

impl Call for Note {
    type Out = ();
    type Error = StoreError;
    // The sweep notes it, too, and it is small.
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        self.accounts.iter().map(|account| account_key(*account)).collect()
    }

    fn wants(&self) -> Wants {
        Wants::rows(self.accounts.iter().map(|account| used_key(*account)))
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<()> {
        let now = Used::at(self.now);
        for account in &self.accounts {
            let was: Option<Used> = rows.sealed(&used_key(*account)).await?;
            // It may have been deleted meanwhile.
            if was == Some(now) || was.is_some() && !self.is_used || !rows.has(&account_key(*account)).await? {
                continue;
            }
            rows.put_sealed(Owner::Account(account.0), used_key(*account), &now).await?;
        }
        Ok(())
    }
}

/// Notes that the owner of an account is told now. Returns whether that is still to be done.
struct TellOwner {
    account: AccountId,
    days: u32,
    now: Timestamp,
}

impl Call for TellOwner {
    type Out = bool;
    type Error = StoreError;
    const EFFECT: Effect = Effect::Replaces;

    fn locks(&self) -> Vec<Vec<u8>> {
        vec![account_key(self.account)]
    }

    async fn run<R: Rows>(&self, rows: &mut R) -> Result<bool> {
        let at = used_key(self.account);
        let used: Option<Used> = rows.sealed(&at).await?;
        let Some(used) = used.filter(|used| used.fate(self.days, self.now) == Fate::IsTold) else { return Ok(false) };
        rows.put_sealed(Owner::Account(self.account.0), at, &used.told_at(self.now)).await?;
        Ok(true)
    }
}

/// Removes notes that have lapsed, finds accounts that nobody uses, and returns how many notes that were.
pub(super) async fn drop_old_notes<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let lapsing = &keep.common().lapsing;
    let Kept { notes, feedback: _, accounts } = lapsing.kept();
    if accounts.is_none() {
        // Nothing is kept of when somebody used their account.
        let all = keep.look().range(Span::under(&key(Table::Used, &[])), TOGETHER).await?;
        if !all.is_empty() {
            keep.call(RemoveRows(all.into_iter().map(|(at, _)| at).collect())).await?;
        }
    }
    if notes.is_none() && accounts.is_none() {
        return Ok(0);
    }
    let (mut dropped, mut looked_at) = (0, 0);
    while looked_at < EACH_SWEEP {
        let some = next_accounts(keep, lapsing).await?;
        looked_at += some.len();
        if let Some(days) = notes {
            dropped += drop_notes_of(keep, &some, days, now).await?;
        }
        if let Some(days) = accounts {
            find_unused(keep, &some, days, now).await?;
        }
        let is_last = some.len() < TOGETHER;
        *lapsing.looked_at.lock() = if is_last { None } else { some.last().copied() };
        if is_last {
            break;
        }
    }
    Ok(dropped)
}

async fn next_accounts<K: Keep>(keep: &K, lapsing: &Lapsing) -> Result<Vec<AccountId>> {
    let behind = *lapsing.looked_at.lock();
    let all = Span::under(&key(Table::Account, &[]));
    let span = behind.map_or(all.clone(), |account| all.behind(&account_key(account)));
    let some = keep.look().range(span, TOGETHER).await?;
    some.iter().map(|(at, _)| Ok(AccountId(id_after_table(at)?))).collect()
}

/// Removes feedback that has lapsed, in the order in which it came.
pub(super) async fn drop_old_feedback<K: Keep>(keep: &K, now: Timestamp) -> Result<usize> {
    let Some(days) = keep.common().lapsing.kept().feedback else { return Ok(0) };
    let (mut dropped, nouns) = (0, Nouns(keep.clone()));
    loop {
        let all = Span::under(&key(Table::Feedback, &[]));
        let some = keep.look().page_of("feedback", all, NOTES).await?;
        let old = some.into_iter().take_while(|(_, piece): &(_, FeedbackRecord)| goes(piece.date, days) <= now);
        let old: Vec<Feedback> =
            old.map(|(at, piece)| Ok(piece.into_feedback(id_after_table(&at)?))).collect::<Result<_>>()?;
        for Feedback { id, .. } in &old {
            match nouns.remove(*id).await {
                Ok(()) => dropped += 1,
                // The operator has just deleted it.
                Err(StoreError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        if old.len() < NOTES {
            return Ok(dropped);
        }
    }
}

/// Removes the notes of these accounts that came too long ago. One whose conversation goes on stays as long: it would end
/// earlier than that of a note which was held back, and its sender could tell.
async fn drop_notes_of<K: Keep>(keep: &K, owners: &[AccountId], days: u32, now: Timestamp) -> Result<usize> {
    let rows = keep.look();
    rows.fetch(Wants::rows(owners.iter().map(|owner| inbox_key(*owner)))).await?;
    let mut inboxes = Vec::new();
    for owner in owners {
        inboxes.extend(rows.record::<InboxRecord>(&inbox_key(*owner)).await?.map(|inbox| (*owner, inbox)));
    }
    let spans = inboxes.into_iter().flat_map(|(owner, inbox)| shown_notes(owner, inbox, now).map(|span| (owner, span)));
    let spans: Vec<_> = spans.collect();
    let first = |(_, span): &(AccountId, Span)| WantedSpan { span: span.clone(), limit: 1, beside: Vec::new() };
    rows.fetch(Wants { spans: spans.iter().map(first).collect(), ..Wants::default() }).await?;
    let mut dropped = 0;
    for (owner, mut span) in spans {
        let mut old = old_of(&rows, span.clone(), 1, days, now).await?;
        while let Some(last) = old.last() {
            let next = span.clone().behind(&note_key(owner, *last));
            dropped += keep.call(RemoveOld { owner, old, now }).await?;
            span = next;
            old = old_of(&keep.look(), span.clone(), NOTES, days, now).await?;
        }
    }
    Ok(dropped)
}

/// The first notes of a span, as long as they have lapsed. They are in the order in which they were shown.
async fn old_of<R: Reads>(rows: &R, span: Span, at_most: usize, days: u32, now: Timestamp) -> Result<Vec<NotePlace>> {
    let mut old = Vec::new();
    for (at, sealed) in rows.range(span, at_most).await? {
        // Nobody can tell how old a note is that can't be read.
        let Some(note) = rows.open::<NoteRecord>(&at, &sealed).await.ok().flatten() else { continue };
        if goes(note.date, days) > now {
            break;
        }
        old.push(NotePlace::at_end_of(&at)?);
    }
    Ok(old)
}

/// Finds which of these accounts nobody uses.
async fn find_unused<K: Keep>(keep: &K, accounts: &[AccountId], days: u32, now: Timestamp) -> Result<()> {
    let rows = keep.look();
    rows.fetch(Wants::rows(accounts.iter().map(|account| used_key(*account)))).await?;
    let mut unknown = Vec::new();
    for account in accounts {
        let used: Option<Used> = rows.sealed(&used_key(*account)).await?;
        match used.map(|used| used.fate(days, now)) {
            None => unknown.push(*account),
            Some(Fate::Stays) => {}
            Some(Fate::Goes) => keep.common().lapsing.due.lock().over.push(*account),
            Some(Fate::IsTold) => {
                let told = keep.call(TellOwner { account: *account, days, now }).await?;
                let account: Option<Account> = if told { accounts::by_id(&rows, *account).await? } else { None };
                keep.common().lapsing.due.lock().told.extend(account);
            }
        }
    }
    if unknown.is_empty() { Ok(()) } else { keep.call(Note { accounts: unknown, now, is_used: false }).await }
}

#[async_trait]
impl<K: Keep> Lapses for Nouns<K> {
    fn keep(&self, kept: Kept) {
        self.0.common().lapsing.keep(kept);
    }

    async fn use_now(&self, account: AccountId, now: Timestamp) -> Result<()> {
        let lapsing = &self.0.common().lapsing;
        if lapsing.kept().accounts.is_none() || lapsing.knows(account, now) {
            return Ok(());
        }
        let was: Option<Used> = self.0.look().sealed(&used_key(account)).await?;
        if was != Some(Used::at(now)) {
            self.0.call(Note { accounts: vec![account], now, is_used: true }).await?;
        }
        lapsing.know(account, now);
        Ok(())
    }

    fn due(&self) -> Due {
        self.0.common().lapsing.take_due()
    }

    async fn last_used(&self, account: AccountId) -> Result<Option<Timestamp>> {
        let used: Option<Used> = self.0.look().sealed(&used_key(account)).await?;
        Ok(used.map(Used::began))
    }

    async fn is_over(&self, account: AccountId, now: Timestamp) -> Result<bool> {
        let Some(days) = self.0.common().lapsing.kept().accounts else { return Ok(false) };
        let used: Option<Used> = self.0.look().sealed(&used_key(account)).await?;
        Ok(used.is_some_and(|used| used.fate(days, now) == Fate::Goes))
    }
}
