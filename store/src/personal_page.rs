//! What people set up of their personal page: a line about themselves, questions that they
//! would like to be asked, and whether notes are only for them unless a sender says otherwise.

use annon_contract::code::Code;
use annon_contract::limits::{PAGE_LINE_MAX, PROMPT_MAX};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::account::AccountId;
use crate::error::Result;
use crate::text::{tidy_name, words};

words! {
    /// A line that people write about themselves: up to `PAGE_LINE_MAX` characters. It may be empty.
    #[derive(Default)]
    PageLine(String), tidy_name, 0..=PAGE_LINE_MAX, Code::PageLineTooLong, Code::PageLineTooLong
}
words! {
    /// A question that people put on their page: 1 to `PROMPT_MAX` characters.
    Prompt(String), tidy_name, 1..=PROMPT_MAX, Code::PromptEmpty, Code::PromptTooLong
}

/// What somebody has set up. The order of fields is on disk.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalPage {
    pub line: PageLine,
    pub prompts: Vec<Prompt>,
    /// Whether the form's box "only for you" is ticked at first.
    pub only_for_you: bool,
}

/// What somebody changes of their page. `None` stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageChange {
    pub line: Option<PageLine>,
    pub prompts: Option<Vec<Prompt>>,
    pub only_for_you: Option<bool>,
}

impl PageChange {
    /// The page after this change.
    pub fn of(self, before: PersonalPage) -> PersonalPage {
        let Self { line, prompts, only_for_you } = self;
        PersonalPage {
            line: line.unwrap_or(before.line),
            prompts: prompts.unwrap_or(before.prompts),
            only_for_you: only_for_you.unwrap_or(before.only_for_you),
        }
    }
}

impl From<PersonalPage> for PageChange {
    fn from(PersonalPage { line, prompts, only_for_you }: PersonalPage) -> Self {
        Self { line: Some(line), prompts: Some(prompts), only_for_you: Some(only_for_you) }
    }
}

/// The personal pages of all accounts. Each ends with its account.
#[async_trait]
pub trait PersonalPages: Send + Sync {
    /// The page of an account; the default if nothing was set up.
    async fn look_up(&self, owner: AccountId) -> Result<PersonalPage>;
    /// Changes a page, and returns it as it is then. Of two changes at once neither undoes what
    /// the other one names. `NotFound` when the account is gone.
    async fn set_up(&self, owner: AccountId, change: PageChange) -> Result<PersonalPage>;
}
