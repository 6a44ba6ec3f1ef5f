//! What the operator does with invitations, in the server.

use annon_actors::clock::date_and_time;
use annon_contract::limits::{INVITATION_DAYS, INVITATION_NOTE_MAX, INVITATION_USES};
use annon_store::StoreError;
use annon_store::invitation::{Invitation, InvitationId, InvitationNote};
use serde_json::{Value, json};

use crate::app::App;
use crate::config::{InviteCommand, NewInvitation, SignUp};
use crate::link::Link;
use crate::operator::control::{AnswerWriter, in_words, json_line};

const DAY: u64 = 24 * 60 * 60;

pub(super) async fn obey(
    app: &App,
    command: Option<InviteCommand>,
    new: NewInvitation,
    out: &mut AnswerWriter,
) -> Result<(), String> {
    match command {
        None => invite(app, new, out).await,
        Some(InviteCommand::List { json }) => {
            let now = app.clock.timestamp();
            let mut all = app.invitations.all(now).await.map_err(in_words)?;
            all.sort_by_key(|(_, invitation)| std::cmp::Reverse(invitation.made));
            for (id, invitation) in &all {
                out.send(if json { json_line(&described(*id, invitation))? } else { shown(*id, invitation) }).await?;
            }
            Ok(())
        }
        Some(InviteCommand::Revoke { id }) => {
            let revoked = app.invitations.revoke(InvitationId(id)).await;
            revoked.map_err(|error| match error {
                StoreError::NotFound => format!("there is no invitation {id}"),
                error => in_words(error),
            })?;
            out.send("revoked".to_owned()).await
        }
    }
}

async fn invite(app: &App, new: NewInvitation, out: &mut AnswerWriter) -> Result<(), String> {
    match app.config.community.sign_up {
        SignUp::Open => return Err("sign-up is open, so nobody needs an invitation; see --sign-up".to_owned()),
        SignUp::Closed => return Err("sign-up is closed, also for the invited; see --sign-up".to_owned()),
        SignUp::Invitation => {}
    }
    let NewInvitation { uses, days, note, json } = new;
    if !(1..=INVITATION_USES).contains(&uses) || !(1..=INVITATION_DAYS).contains(&days) {
        return Err(format!("an invitation is for 1 to {INVITATION_USES} people, and 1 to {INVITATION_DAYS} days"));
    }
    let too_long = |_| format!("a note has at most {INVITATION_NOTE_MAX} characters");
    let note = InvitationNote::try_from(&*note.unwrap_or_default()).map_err(too_long)?;
    let made = app.clock.timestamp();
    let invitation = Invitation { made, until: made + u64::from(days) * DAY, uses, left: uses, note };
    let link = Link::new().map_err(in_words)?;
    let id = InvitationId::from(link.digest());
    app.invitations.invite(id, invitation.clone()).await.map_err(in_words)?;
    // What follows the # is sent to no server, and so it is in no log.
    let address = app.public_url.page(&format!("/signup#i={}", link.token()));
    if json {
        let mut described = described(id, &invitation);
        described["link"] = address.into();
        return out.send(json_line(&described)?).await;
    }
    out.send(address).await?;
    out.send(shown(id, &invitation)).await
}

fn shown(id: InvitationId, invitation: &Invitation) -> String {
    let Invitation { made: _, until, uses, left, note } = invitation;
    let note = note.as_str();
    let space = if note.is_empty() { "" } else { "  " };
    format!("{}  {left} of {uses} left, until {}{space}{note}", id.0, date_and_time(*until))
}

/// An invitation, for programs.
fn described(id: InvitationId, invitation: &Invitation) -> Value {
    let Invitation { made, until, uses, left, note } = invitation;
    json!({
        "id": id.0, "made": date_and_time(*made), "until": date_and_time(*until), "uses": uses, "left": left,
        "note": note.as_str(),
    })
}
