//! The calls that are timed.

/// What a user asks a server for. The order is that of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    SendToEmpty,
    SendToFull,
    Mark,
    DeleteFromEmpty,
    DeleteFromFull,
    NewestOfEmpty,
    NewestOfFull,
    OldestOfFull,
    Unread,
    Target,
    Dashboard,
    SignOut,
    MakeRoom,
    ListRooms,
    IsAlive,
    TakeSeat,
    ShowRoom,
    LeaveSeat,
    CloseRoom,
    SignUp,
    SignIn,
    DeleteAccount,
}

impl Call {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::SendToEmpty => "send a note, inbox nearly empty",
            Self::SendToFull => "send a note, inbox well filled",
            Self::Mark => "mark a note as seen",
            Self::DeleteFromEmpty => "delete a note, nearly empty",
            Self::DeleteFromFull => "delete a note, well filled",
            Self::NewestOfEmpty => "newest page, nearly empty",
            Self::NewestOfFull => "newest page, well filled",
            Self::OldestOfFull => "oldest page, well filled",
            Self::Unread => "unread count and newest note",
            Self::Target => "look up where notes go",
            Self::Dashboard => "dashboard",
            Self::SignOut => "sign out",
            Self::MakeRoom => "make a room",
            Self::ListRooms => "list one's rooms",
            Self::IsAlive => "is a room alive",
            Self::TakeSeat => "take a seat",
            Self::ShowRoom => "show a room",
            Self::LeaveSeat => "give a seat back",
            Self::CloseRoom => "close a room",
            Self::SignUp => "sign up (hashes)",
            Self::SignIn => "sign in (hashes)",
            Self::DeleteAccount => "delete an account (hashes)",
        }
    }

    /// The calls that share a plot.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Self::SendToEmpty | Self::SendToFull | Self::Mark | Self::DeleteFromEmpty | Self::DeleteFromFull => {
                "notes written"
            }
            Self::NewestOfEmpty | Self::NewestOfFull | Self::OldestOfFull | Self::Unread => "notes read",
            Self::Target | Self::Dashboard | Self::SignOut => "accounts",
            Self::MakeRoom
            | Self::ListRooms
            | Self::IsAlive
            | Self::TakeSeat
            | Self::ShowRoom
            | Self::LeaveSeat
            | Self::CloseRoom => "rooms",
            // Slow by design: they would hide the others.
            Self::SignUp | Self::SignIn | Self::DeleteAccount => "hashing",
        }
    }

    /// The status of a good answer.
    pub(super) fn status(self) -> u16 {
        match self {
            Self::SendToEmpty | Self::SendToFull | Self::MakeRoom | Self::SignUp => 201,
            _ => 200,
        }
    }
}
