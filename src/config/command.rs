//! The commands that annon runs instead of the server.

use std::path::PathBuf;

use annon_contract::limits::{INVITATION_DAYS, INVITATION_USES, SUSPENSION_DAYS};
use clap::{Args, Subcommand};
use clap_complete::Shell;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What to do instead of running the server. A command that needs the running
/// server is sent to it as JSON of this type.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Check the configuration and print the resulting settings.
    CheckConfig,
    /// Write a backup of the running server to a new file.
    Backup {
        /// The file to write, or - for the standard output. Anyone who has it can
        /// read everything in it.
        file: PathBuf,
    },
    /// Restore a backup into an empty data folder.
    Restore {
        /// The file that `annon backup` wrote.
        file: PathBuf,
    },
    /// Take a backup into two empty databases: those of --database-url and
    /// --keys-url. The file of --secret-file is made if it isn't there.
    Migrate {
        /// The file that `annon backup` wrote.
        file: PathBuf,
        /// Read and open every record in the end.
        #[arg(long)]
        verify: bool,
    },
    /// Make the file of a secret, for servers that keep everything in
    /// PostgreSQL (--secret-file).
    Secret {
        /// The file to write. It must be the same on all servers, and secret.
        file: PathBuf,
    },
    /// List the servers that use the database of --database-url: name, version,
    /// the tables it reads, and how long ago it was heard of.
    Nodes {
        /// Print one JSON object per server.
        #[arg(long)]
        json: bool,
    },
    /// Look at what a server depends on: disk, clock, mail, certificate, proxy,
    /// databases, backups. Say what is wrong and what to do; exit with 1 if anything
    /// is.
    #[serde(skip)]
    Doctor {
        /// Print one JSON object per finding.
        #[arg(long)]
        json: bool,
    },
    /// Say what the running server has found damaged or missing in its data
    /// folder. Exit with 0 if that is nothing, else with 1.
    Check,
    /// Show figures of the running server.
    Stats,
    /// Show the mails of the last half hour, newest last, if no mail server is
    /// configured; or try whether mails arrive.
    Mail {
        #[command(subcommand)]
        command: Option<MailCommand>,
    },
    /// Read and delete feedback.
    #[command(subcommand)]
    Feedback(FeedbackCommand),
    /// List, find, export and delete accounts, and help their owners back in.
    #[command(subcommand)]
    User(UserCommand),
    /// Make a link by which somebody may sign up where --sign-up is invitation, and
    /// print it; or list and revoke those that were made.
    #[command(args_conflicts_with_subcommands = true)]
    Invite {
        #[command(subcommand)]
        command: Option<InviteCommand>,
        #[command(flatten)]
        #[serde(flatten)]
        new: NewInvitation,
    },
    /// Have nothing written for a while, as for moving to another machine: pages show
    /// these words, reading goes on, and what people write in open groups is sent
    /// afterwards. It lasts, also over a new start, until `annon pause off`. Without
    /// words: say whether there is a pause.
    Pause {
        /// What everybody reads, as "back at ten"; or off.
        words: Option<String>,
    },
    /// Read and close reports.
    #[command(subcommand)]
    Report(ReportCommand),
    /// List and close groups.
    #[command(subcommand)]
    Room(RoomCommand),
    /// Print the API's description (OpenAPI 3.1).
    Openapi,
    /// Print the list of what is in this binary: every crate that is linked and every
    /// package of the web app, with version, license and digest (CycloneDX 1.5).
    #[serde(skip)]
    Sbom,
    /// Print the digests of the web app's files in this binary, as `sha256sum` does, and one
    /// of them all. The page /verify shows the same.
    #[serde(skip)]
    WebHash,
    /// Exit with 0 when the server at --listen is ready, else with 1.
    Healthcheck {
        /// Exit with 1 also when only a part of it works: it reads, but the disk is
        /// full.
        #[arg(long)]
        strict: bool,
    },
    /// Print what a shell needs to complete the words of annon's commands.
    #[serde(skip)]
    Completions { shell: Shell },
    /// Write the pages of the manual into a folder.
    #[serde(skip)]
    Man {
        /// The folder; its files have names as annon-backup.1.
        folder: PathBuf,
    },
}

impl Command {
    /// What a command lists, as it is called when there is none of it.
    pub fn lists(&self) -> Option<&'static str> {
        match self {
            Self::Mail { command: None } => Some("mails"),
            Self::Feedback(FeedbackCommand::List { .. }) => Some("pieces of feedback"),
            Self::User(UserCommand::List { .. }) => Some("accounts"),
            Self::Invite { command: Some(InviteCommand::List { .. }), .. } => Some("invitations that work"),
            Self::Report(ReportCommand::List { all, .. }) => Some(if *all { "reports" } else { "open reports" }),
            Self::Room(RoomCommand::List { .. }) => Some("groups"),
            _ => None,
        }
    }

    /// The words of a command by which the operator changes what people have, or is told of
    /// it. `None` for those that only show how the server is.
    pub fn changes_or_tells(&self) -> Option<&'static str> {
        Some(match self {
            Self::Backup { .. } => "backup",
            Self::Mail { command: None } => "mail",
            Self::Feedback(FeedbackCommand::List { .. }) => "feedback-list",
            Self::Feedback(FeedbackCommand::Show { .. }) => "feedback-show",
            Self::Feedback(FeedbackCommand::Delete { .. }) => "feedback-delete",
            Self::User(UserCommand::List { .. }) => "user-list",
            Self::User(UserCommand::Find { .. }) => "user-find",
            Self::User(UserCommand::Export { .. }) => "user-export",
            Self::User(UserCommand::Delete { .. }) => "user-delete",
            Self::User(UserCommand::Reset { .. }) => "user-reset",
            Self::User(UserCommand::Suspend { .. }) => "user-suspend",
            Self::User(UserCommand::Restore { .. }) => "user-restore",
            Self::User(UserCommand::Unlock { .. }) => "user-unlock",
            Self::Invite { command: None, .. } => "invite",
            Self::Invite { command: Some(InviteCommand::List { .. }), .. } => "invite-list",
            Self::Invite { command: Some(InviteCommand::Revoke { .. }), .. } => "invite-revoke",
            Self::Pause { words: Some(_) } => "pause",
            Self::Report(ReportCommand::List { .. }) => "report-list",
            Self::Report(ReportCommand::Show { .. }) => "report-show",
            Self::Report(ReportCommand::Close { .. }) => "report-close",
            Self::Room(RoomCommand::List { .. }) => "room-list",
            Self::Room(RoomCommand::Close { .. }) => "room-close",
            Self::CheckConfig
            | Self::Restore { .. }
            | Self::Migrate { .. }
            | Self::Secret { .. }
            | Self::Nodes { .. }
            | Self::Doctor { .. }
            | Self::Check
            | Self::Stats
            | Self::Mail { command: Some(_) }
            | Self::Pause { words: None }
            | Self::Openapi
            | Self::Healthcheck { .. }
            | Self::Sbom
            | Self::WebHash
            | Self::Completions { .. }
            | Self::Man { .. } => return None,
        })
    }
}

/// An invitation to be made.
#[derive(Debug, Serialize, Deserialize, Args)]
pub struct NewInvitation {
    /// How many people may sign up with it.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(INVITATION_USES)))]
    pub uses: u32,
    /// For how many days it works.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..=i64::from(INVITATION_DAYS)))]
    pub days: u32,
    /// What the list says of it, for example whom it is for.
    #[arg(long, value_name = "TEXT")]
    pub note: Option<String>,
    /// Print a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// What to do with invitations.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum InviteCommand {
    /// List the invitations that work: how often, until when, and the note. Their
    /// links can't be shown again.
    List {
        /// Print one JSON object per invitation.
        #[arg(long)]
        json: bool,
    },
    /// End an invitation now.
    Revoke {
        /// The id that the list shows.
        id: Uuid,
    },
}

/// What to do about mails.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum MailCommand {
    /// Send one mail, and say whether the mail server took it, or why it didn't.
    Test {
        /// Whom to write to.
        address: String,
    },
}

/// What to do with feedback.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum FeedbackCommand {
    /// List all feedback, newest first.
    List {
        /// Print one JSON object per piece.
        #[arg(long)]
        json: bool,
    },
    /// Show one piece of feedback in full, and save its picture with --picture.
    Show {
        /// The id that the list shows.
        id: Uuid,
        /// The file to save the picture to.
        #[arg(long, value_name = "FILE")]
        picture: Option<PathBuf>,
    },
    /// Delete one piece of feedback.
    Delete {
        /// The id that the list shows.
        id: Uuid,
    },
}

/// What to do with reports.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum ReportCommand {
    /// List the reports that are open, newest first.
    List {
        /// List those that were closed, too.
        #[arg(long)]
        all: bool,
        /// Print one JSON object per report, with its words.
        #[arg(long)]
        json: bool,
    },
    /// Show one report in full: the words, and what was added to them.
    Show {
        /// The id that the list shows.
        id: Uuid,
        /// The folder to save its pictures to, as 1.jpg, 2.jpg and so on.
        #[arg(long, value_name = "FOLDER")]
        pictures: Option<PathBuf>,
    },
    /// Close one report. It is kept for 90 days, then nobody can read it.
    Close {
        /// The id that the list shows.
        id: Uuid,
    },
}

/// What to do with accounts.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum UserCommand {
    /// List all accounts.
    List {
        /// Print one JSON object per account.
        #[arg(long)]
        json: bool,
    },
    /// List the accounts with this text in their username or confirmed address.
    Find {
        /// A part of the username or address, in upper or lower case.
        text: String,
        /// Print one JSON object per account.
        #[arg(long)]
        json: bool,
    },
    /// Print everything that an account has, as one JSON document: the account,
    /// its notes, conversations and groups. Anyone who has it can read all that.
    Export {
        /// The username.
        username: String,
    },
    /// Delete an account and everything that belongs to it.
    Delete {
        /// The username.
        username: String,
    },
    /// Print a link by which somebody sets a new password. It works once, and for
    /// half an hour.
    Reset {
        /// The username.
        username: String,
    },
    /// Suspend an account: until then its page isn't available, and it can't create
    /// groups or write to anybody. Its owner reads why and until when. An earlier
    /// suspension is replaced.
    Suspend {
        /// The username.
        username: String,
        /// For how many days.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(SUSPENSION_DAYS)))]
        days: u32,
        /// Why, in words for the account's owner.
        #[arg(long, value_name = "TEXT")]
        reason: String,
    },
    /// End a suspension now.
    Restore {
        /// The username.
        username: String,
    },
    /// Let somebody sign in again although wrong passwords were tried for them.
    Unlock {
        /// The username.
        username: String,
    },
}

/// What to do with groups.
#[derive(Debug, Serialize, Deserialize, Subcommand)]
#[serde(rename_all = "kebab-case")]
pub enum RoomCommand {
    /// List all groups: when each was created and ends, and how many members it
    /// has. Nothing said in a group is shown, nor its link.
    List {
        /// Print one JSON object per group.
        #[arg(long)]
        json: bool,
    },
    /// Delete a group with everything in it. Its members are told, as when its
    /// creator deletes it.
    Close {
        /// The id that the list or a report shows, or the one in the group's link.
        id: String,
    },
}
