//! The operator's own words, for the web app.

use actix_web::HttpResponse;
use actix_web::web::{Data, Path};
use annon_contract::code::Code;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::error::{Answer, Refusal};
use crate::own_words::Block;

/// What the operator adds to a page.
#[derive(Serialize, ToSchema)]
pub struct OwnWordsOfPage {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// Headings and paragraphs, in their order.
    data: Vec<Block>,
}

/// Returns what the operator of this server adds to the page `terms`, `privacy` or `imprint`.
#[utoipa::path(get, path = "/api/words/{page}", tag = "operator", params(("page" = String, Path, description = "`terms`, `privacy` or `imprint`")),
    responses((status = 200, body = OwnWordsOfPage), (status = 404, body = Refusal), (status = 429, body = Refusal)))]
pub async fn show(app: Data<App>, page: Path<String>) -> Answer {
    let words = app.own_words.of(&page).ok_or(Code::NothingHere)?;
    Ok(HttpResponse::Ok().json(OwnWordsOfPage { status: 200, data: words.to_vec() }))
}
