//! Feedback: a form with a text and an optional picture.

use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::rt::time::timeout;
use actix_web::web::{Data, Payload};
use annon_actors::ids::growing_id;
use annon_contract::code::Code;
use annon_contract::limits::{FEEDBACK_MAX, PICTURE_BODY_TIMEOUT, PICTURE_MAX_BYTES};
use annon_store::StoreError;
use annon_store::feedback::{Feedback, FeedbackId};
use annon_store::image::{Album, ImageId};
use annon_store::text::{FeedbackText, with_single_breaks};
use futures_util::{StreamExt, TryStreamExt};
use utoipa::ToSchema;

use crate::app::App;
use crate::body;
use crate::error::{Answer, ApiError, Outcome, Refusal, instead};
use crate::http::to_the_end;
use crate::limits::rate_limit::Call;
use crate::limits::upload_slots::UploadReader;
use crate::net::client::ClientIp;
use crate::net::origin::is_from_here;
use crate::picture::{Drawn, redraw};

/// The most fields of a form. Two are read; a newer page may send a few more.
const FIELDS_MAX: usize = 16;
/// A character takes at most four bytes.
const TEXT_MAX_BYTES: usize = FEEDBACK_MAX * 4;
/// The longest wait for the next piece of a form.
const PAUSE_MAX: Duration = Duration::from_secs(15);

/// A feedback form.
#[derive(ToSchema)]
#[expect(dead_code, reason = "the form is read field by field; this is its description")]
pub struct FeedbackForm {
    /// The text.
    feedback: String,
    /// A picture: JPEG, PNG or WebP.
    #[schema(format = Binary, content_media_type = "application/octet-stream")]
    feedback_image: Option<String>,
}

/// Sends feedback to the operator.
#[utoipa::path(post, path = "/api/feedback", tag = "feedback",
    request_body(content = FeedbackForm, content_type = "multipart/form-data"), responses(
    (status = 201, body = Outcome), (status = 400, body = Refusal),
    (status = 403, body = Refusal, description = "The request comes from another site's page"), (status = 408, body = Refusal), (status = 413, body = Refusal),
    (status = 415, body = Refusal), (status = 422, body = Refusal), (status = 429, body = Refusal), (status = 503, body = Refusal),
    (status = 507, body = Refusal)))]
pub async fn send(app: Data<App>, client: ClientIp, request: HttpRequest, payload: Payload) -> Answer {
    // Browsers let a page post a form to any site without a CORS preflight.
    if !is_from_here(&app, &request) {
        return Err(Code::FeedbackFromElsewhere.into());
    }
    let is_form =
        request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/form-data"));
    if !is_form {
        return Err(Code::NotAForm.into());
    }
    app.limits.take(Call::Feedback, client.0)?;
    let form = Multipart::new(request.headers(), payload);
    let mut upload = UploadReader::new(&app.upload_slots, app.limits.name(client.0));
    let read = read(&app, form, &mut upload);
    let (text, picture) = timeout(PICTURE_BODY_TIMEOUT, read).await.map_err(|_| Code::FormTooSlow)??;
    let text = String::from_utf8(text.unwrap_or_default()).map_err(|_| Code::FeedbackNotUtf8)?;
    let text = FeedbackText::try_from(with_single_breaks(text))?;
    let id = growing_id();
    let jpeg = picture.transpose()?.map(|drawn| drawn.jpeg);
    let feedback = Feedback { id: FeedbackId(id), text, date: app.clock.timestamp(), has_picture: jpeg.is_some() };
    if let Some(jpeg) = &jpeg {
        app.limits.store_picture(client.0, jpeg.len())?;
    }
    to_the_end(async move {
        // The picture is stored first, so that feedback never refers to one
        // that is missing. A picture that nothing refers to is swept.
        if let Some(jpeg) = jpeg {
            app.images.put(Album::Feedback, ImageId(id), jpeg).await?;
        }
        Ok(app.feedback.add(feedback).await.map_err(instead([(StoreError::Full, Code::NoSpace)]))?)
    })
    .await?;
    Ok(Outcome::response(StatusCode::CREATED, "Feedback sent"))
}

/// The text, and the re-encoded picture or the code that refuses it.
type Form = (Option<Vec<u8>>, Option<Result<Drawn, Code>>);

async fn read(app: &App, mut form: Multipart, upload: &mut UploadReader<'_>) -> Result<Form, ApiError> {
    let (mut text, mut picture) = (None, None);
    let mut fields = 0;
    while let Some(field) = timeout(PAUSE_MAX, form.next()).await.map_err(|_| Code::FormTooSlow)? {
        let field = field.map_err(broken)?;
        fields += 1;
        if fields > FIELDS_MAX {
            return Err(Code::FormBroken.into());
        }
        match field.name().unwrap_or_default() {
            "feedback" => text = Some(whole(field, TEXT_MAX_BYTES, Code::FeedbackTooLong).await?),
            "feedback_image" => {
                let most = (PICTURE_MAX_BYTES, Code::PictureFileTooLarge);
                let file = upload.read(&mut field.map_err(broken), most).await?;
                // A browser sends an empty file when none was chosen.
                picture = None;
                if !file.is_empty() {
                    // Neither the slot nor the file is kept while the other
                    // fields arrive.
                    let _slot = upload.slot().await?;
                    picture = Some(app.pictures.run(move || redraw(&file)).await?);
                }
            }
            _ => drop(whole(field, TEXT_MAX_BYTES, Code::FormBroken).await?),
        }
    }
    Ok((text, picture))
}

async fn whole(mut field: Field, most: usize, too_large: Code) -> Result<Vec<u8>, Code> {
    let mut bytes = Vec::new();
    while let Some(chunk) = timeout(PAUSE_MAX, field.next()).await.map_err(|_| Code::FormTooSlow)? {
        let chunk = chunk.map_err(broken)?;
        if bytes.len() + chunk.len() > most {
            return Err(too_large);
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn broken(error: MultipartError) -> Code {
    match error {
        MultipartError::Payload(error) => body::refused(error),
        _ => Code::FormBroken,
    }
}
