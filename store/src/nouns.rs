//! What is kept, each noun in one file, the same on every engine. A noun knows its rows and its rules;
//! how rows are kept, it doesn't know (`rows`).

use crate::account::{LinkKind, Timestamp, TokenId};
use crate::answer::AnswerIds;
use crate::conversation::ConversationChanges;
use crate::engine::Swept;
use crate::error::{Result, StoreError};
use crate::inbox::InboxChanges;
use crate::inbox::place::NoteIds;
use crate::known::KnownIn;
use crate::lapse::Lapsing;
use crate::rows::{Call, Keep, Reads, Span, Told};
use crate::seals::Blinder;
use crate::seals::secret::{ANSWER_IDS, INDEX, NOTE_IDS};
use crate::shield::OpenShields;

mod accounts;
mod answer;
pub(crate) mod conversation;
mod digest;
mod feedback;
pub(crate) mod inbox;
mod inbox_seal;
pub(crate) mod invitation;
mod lapse;
mod links;
mod pause;
mod personal_page;
mod push;
pub(crate) mod report;
mod room_link;
mod shield;
mod sign_in;
mod suspension;
mod telling;

/// The nouns of an engine that keeps rows.
#[derive(Clone)]
pub struct Nouns<K>(pub K);

/// What the nouns of an engine have in common beside their rows.
pub struct Common {
    pub(crate) note_ids: NoteIds,
    pub(crate) answer_ids: AnswerIds,
    pub(crate) blinder: Blinder,
    pub(crate) inbox_changes: InboxChanges,
    pub(crate) conversation_changes: ConversationChanges,
    pub(crate) open_shields: OpenShields,
    pub(crate) lapsing: Lapsing,
    /// Sign-ins that were used on a day.
    pub(crate) used_sign_ins: KnownIn<TokenId>,
}

impl Common {
    /// `secret` gives the engine's secret for a purpose.
    pub fn new(secret: impl Fn(&str) -> [u8; 32]) -> Result<Self> {
        Ok(Self {
            note_ids: NoteIds::new(&secret(NOTE_IDS))?,
            answer_ids: AnswerIds::new(&secret(ANSWER_IDS))?,
            blinder: Blinder::new(&secret(INDEX)),
            inbox_changes: InboxChanges::default(),
            conversation_changes: ConversationChanges::default(),
            open_shields: OpenShields::default(),
            lapsing: Lapsing::default(),
            used_sign_ins: KnownIn::default(),
        })
    }

    /// Tells what a call has led to. Engines do so in the order of the changes.
    pub fn tell(&self, told: Told) {
        match told {
            Told::Inbox { owner, unread, what } => self.inbox_changes.send(owner, unread, what),
            Told::Conversation(found) => self.conversation_changes.changed(found),
            Told::Ended { owner, ended, with_account: false } => self.conversation_changes.ended(owner, &ended),
            Told::Ended { owner, ended, with_account: true } => {
                self.conversation_changes.ended_with_account(owner, &ended);
            }
        }
    }
}

/// Makes a call for the rows of a span, for so many at a time, and returns how many there were. A call removes its rows.
async fn in_pieces<K: Keep, C: Call<Out = (), Error = StoreError>>(
    keep: &K,
    span: &Span,
    most: usize,
    call: impl Fn(Vec<Vec<u8>>) -> C,
) -> Result<usize> {
    let mut all = 0;
    loop {
        let some: Vec<_> = keep.look().range(span.clone(), most).await?.into_iter().map(|(at, _)| at).collect();
        let count = some.len();
        if count > 0 {
            keep.call(call(some)).await?;
        }
        all += count;
        if count < most {
            return Ok(all);
        }
    }
}

/// Removes what is too old or has lost its owner, all of it also when a part fails.
pub async fn sweep<K: Keep>(keep: &K, now: Timestamp) -> (Swept, Result<()>) {
    keep.common().open_shields.drop_old();
    let mut failure = Ok(());
    let mut or_none = |done: Result<usize>| {
        done.unwrap_or_else(|error| {
            failure = failure.and(Err(error));
            0
        })
    };
    let mut links = or_none(links::drop_old(keep, LinkKind::Reset, now).await);
    links += or_none(links::drop_old(keep, LinkKind::Confirmation, now).await);
    let conversations = or_none(conversation::drop_old(keep, now).await);
    let reports = or_none(report::drop_old(keep, now).await);
    let suspensions = or_none(suspension::drop_old(keep, now).await);
    or_none(suspension::drop_old_withheld(keep, now).await);
    let invitations = or_none(invitation::drop_old(keep, now).await);
    let mut notes = or_none(inbox::sweeping::drop_of_the_gone(keep, now).await);
    notes += or_none(inbox::sweeping::drop_of_the_emptied(keep).await);
    notes += or_none(shield::sweeping::drop_old_held(keep, now).await);
    or_none(shield::sweeping::drop_old_tags(keep, now).await.map(|()| 0));
    or_none(inbox::sent::drop_old(keep, now).await.map(|()| 0));
    or_none(sign_in::drop_old(keep, now).await.map(|()| 0));
    or_none(push::drop_old(keep, now).await.map(|()| 0));
    or_none(room_link::drop_old(keep, now).await.map(|()| 0));
    or_none(inbox_seal::drop_old(keep, now).await.map(|()| 0));
    // A note may have waited for the end of its conversation.
    notes += or_none(lapse::drop_old_notes(keep, now).await);
    let feedback = or_none(lapse::drop_old_feedback(keep, now).await);
    (Swept { links, notes, conversations, reports, feedback, suspensions, invitations, ..Swept::default() }, failure)
}
