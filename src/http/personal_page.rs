//! What people set up of their personal page.

use actix_web::HttpResponse;
use actix_web::web::Data;
use annon_contract::code::Code;
use annon_contract::limits::PROMPTS;
use annon_store::personal_page::{PageChange, PageLine, PersonalPage, Prompt};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::App;
use crate::auth::{Active, SignedIn, or_signed_out};
use crate::body::{Json, JsonRefusal};
use crate::error::{Answer, Refusal};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;

/// What somebody has set up of their personal page.
#[derive(Serialize, ToSchema)]
pub struct PageItem {
    /// A line about themselves; may be empty.
    #[schema(example = "I play the cello.")]
    line: String,
    /// Questions that they would like to be asked, at most three.
    prompts: Vec<String>,
    /// Whether notes are only for their owner unless the sender says otherwise.
    only_for_you: bool,
}

impl From<PersonalPage> for PageItem {
    fn from(PersonalPage { line, prompts, only_for_you }: PersonalPage) -> Self {
        let prompts = prompts.iter().map(|prompt| prompt.as_str().to_owned()).collect();
        Self { line: line.as_str().to_owned(), prompts, only_for_you }
    }
}

/// The caller's personal page.
#[derive(Serialize, ToSchema)]
pub struct PageShown {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    #[serde(flatten)]
    page: PageItem,
}

/// Returns what the caller has set up of their personal page.
#[utoipa::path(get, path = "/api/page", tag = "page", security(("bearer" = [])), responses(
    (status = 200, body = PageShown), (status = 401, body = Refusal), (status = 503, body = Refusal)))]
pub async fn show(app: Data<App>, caller: SignedIn) -> Answer {
    let page = app.personal_pages.look_up(caller.account).await?.into();
    Ok(HttpResponse::Ok().json(PageShown { status: 200, page }))
}

/// Changes of a personal page. What is left out stays as it is.
#[derive(Deserialize, ToSchema)]
pub struct SetPage {
    /// A line about the owner; an empty one takes it away.
    line: Option<String>,
    /// At most three questions of at most 80 characters. They take the place of those there were.
    prompts: Option<Vec<String>>,
    /// Whether notes are only for the owner unless a sender says otherwise.
    only_for_you: Option<bool>,
}

/// Changes what the caller has set up of their personal page.
#[utoipa::path(patch, path = "/api/page", tag = "page", security(("bearer" = [])), request_body = SetPage, responses(
    (status = 200, body = PageShown), (status = 401, body = Refusal), (status = 403, body = Refusal, description = "The account is suspended"), (status = 422, body = Refusal),
    (status = 429, body = Refusal), (status = 503, body = Refusal), (status = 507, body = Refusal), JsonRefusal))]
pub async fn set_up(app: Data<App>, caller: Active, Json(form): Json<SetPage>) -> Answer {
    let line = form.line.as_deref().map(PageLine::try_from).transpose()?;
    let prompts = form.prompts.map(parsed).transpose()?;
    app.limits.take_of(Call::Publish, caller.account)?;
    let change = PageChange { line, prompts, only_for_you: form.only_for_you };
    let page =
        to_the_end(async move { Ok(app.personal_pages.set_up(caller.account, change).await.map_err(or_signed_out)?) });
    Ok(HttpResponse::Ok().json(PageShown { status: 200, page: page.await?.into() }))
}

fn parsed(prompts: Vec<String>) -> Result<Vec<Prompt>, Code> {
    if prompts.len() > PROMPTS {
        return Err(Code::TooManyPrompts);
    }
    prompts.iter().map(|prompt| Prompt::try_from(&**prompt)).collect()
}
