//! Invitations: links of the operator by which somebody may sign up.

use annon_contract::code::Code;
use annon_contract::limits::INVITATION_NOTE_MAX;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

use crate::account::{LinkDigest, Timestamp};
use crate::error::Result;
use crate::text::{tidy, words};

words! {
    /// What the operator notes about an invitation, for nobody else: up to
    /// `INVITATION_NOTE_MAX` characters.
    InvitationNote(String), tidy, 0..=INVITATION_NOTE_MAX, Code::FieldsInvalid, Code::FieldsInvalid
}

/// The id of an invitation: half of the digest of its token. So it is found by the token, and
/// whoever knows only the id can't sign up with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvitationId(pub Uuid);

impl From<LinkDigest> for InvitationId {
    fn from(LinkDigest(digest): LinkDigest) -> Self {
        let [half, _] = digest.as_chunks().0 else { return Self(Uuid::nil()) };
        Self(Builder::from_custom_bytes(*half).into_uuid())
    }
}

/// An invitation. It goes when it is used up, too old or revoked. The order of fields is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invitation {
    pub made: Timestamp,
    pub until: Timestamp,
    /// How many people may sign up with it in all, and how many still may.
    pub uses: u32,
    pub left: u32,
    pub note: InvitationNote,
}

impl Invitation {
    pub fn works_at(&self, now: Timestamp) -> bool {
        self.until > now && self.left > 0
    }

    /// What is left of it after one more sign-up; `None` if it is used up.
    pub fn used_once(self) -> Option<Self> {
        let left = self.left.checked_sub(1).filter(|left| *left > 0)?;
        Some(Self { left, ..self })
    }
}

/// The invitations. `Accounts::sign_up` uses them.
#[async_trait]
pub trait Invitations: Send + Sync {
    /// Stores an invitation. `Conflict` when the id exists.
    async fn invite(&self, id: InvitationId, invitation: Invitation) -> Result<()>;
    /// An invitation with which somebody can sign up at `now`.
    async fn by_id(&self, id: InvitationId, now: Timestamp) -> Result<Option<Invitation>>;
    /// Those with which somebody can sign up at `now`.
    async fn all(&self, now: Timestamp) -> Result<Vec<(InvitationId, Invitation)>>;
    /// Removes an invitation. `NotFound` when it isn't there.
    async fn revoke(&self, id: InvitationId) -> Result<()>;
}
