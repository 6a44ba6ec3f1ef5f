use actix_web::http::header;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::{App, web};
use serde_json::{Value, json};

use super::*;

fn sample() -> Value {
    serde_json::from_str(include_str!("fixture.json")).unwrap()
}

fn html() -> String {
    super::page::render(&sample())
}

/// What one call's fold holds.
fn call(anchor: &str) -> String {
    let html = html();
    let (_, rest) = html.split_once(&format!("<div class=\"body\" id=\"{anchor}\">")).unwrap();
    rest.split_once("</details>").unwrap().0.to_owned()
}

#[test]
fn every_call_has_a_fold_and_a_place_in_the_contents() {
    let html = html();
    for anchor in [
        "post-api-annon-message",
        "get-api-annon-username",
        "get-api-messages",
        "delete-api-message-id",
        "post-api-room-upload-image",
        "patch-api-room-upload-image",
    ] {
        assert_eq!(html.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
        assert_eq!(html.matches(&format!("href=\"#{anchor}\"")).count(), 1, "{anchor}");
    }
    assert_eq!(html.matches("<details class=\"call\">").count(), 6);
}

#[test]
fn chapters_come_in_the_documents_order_and_none_is_empty() {
    let html = html();
    let at = |text: &str| html.find(text).unwrap_or(usize::MAX);
    assert!(at("<h2>Note</h2>") < at("<h2>Inbox</h2>") && at("<h2>Inbox</h2>") < at("<h2>&lt;b&gt;untold"));
    assert!(at("<h2>Other</h2>") < usize::MAX);
    assert!(!html.contains("<h2>Empty</h2>"));
}

#[test]
fn every_link_within_the_page_leads_somewhere() {
    let html = html();
    for target in html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert_eq!(html.matches(&format!("id=\"{target}\"")).count(), 1, "{target}");
    }
}

#[test]
fn a_body_is_told_field_by_field() {
    let body = call("post-api-annon-message");
    assert!(body.contains("<code class=\"name\">message</code> <span class=\"type\">string</span></div>"));
    assert!(body.contains("The words. 10 to 280 characters."));
    assert!(body.contains("string (uuid)"));
    let form = call("post-api-room-upload-image");
    assert!(form.contains("multipart/form-data") && form.contains("At least 10 characters."));
    assert!(form.contains("<code>praise</code> or <code>&lt;blame&gt;</code></span> <span class=\"optional\">"));
    assert!(form.contains("Usually <code>praise</code>."));
}

#[test]
fn parameters_are_the_calls_own_and_the_paths() {
    assert!(call("get-api-annon-username").contains("string in the path"));
    let list = call("get-api-messages");
    assert!(list.contains("<code class=\"name\">limit</code>") && list.contains("1 to 200."));
    assert!(list.contains("string or null (uuid) in the query</span> <span class=\"optional\">"));
}

#[test]
fn authorization_is_said_of_every_call() {
    assert!(call("post-api-annon-message").contains("None: anyone may call it."));
    assert!(call("get-api-messages").contains("Authorization: Bearer"));
    assert!(call("delete-api-message-id").contains("Or: The cookie <code>annon_seat</code>."));
}

#[test]
fn answers_carry_their_words_and_shapes() {
    let answers = call("post-api-annon-message");
    assert!(answers.contains("201</span>\n<div class=\"answer\"><span class=\"words\">Created</span>"));
    assert!(answers.contains("The inbox is full") && answers.contains("The text is too short"));
    assert!(answers.contains("<a href=\"#shape-told\">Told</a>"));
    // Shown in full for the success, linked for the failures.
    assert_eq!(answers.matches("A sentence for a person.").count(), 1);
    assert!(call("get-api-messages").contains("list of <a href=\"#shape-noteitem\">NoteItem</a>"));
}

#[test]
fn what_no_call_leads_to_is_a_socket_frame() {
    let html = html();
    let frames = html.split_once("<section id=\"socket-frames\">").unwrap().1.split_once("</section>").unwrap().0;
    for there in ["InboxFrame", "Reason", "event.inbox", "<code>expired</code> or <code>deleted</code>"] {
        assert!(frames.contains(there), "{there}");
    }
    assert!(!frames.contains("id=\"shape-told\"") && html.contains("id=\"shape-told\""));
}

#[test]
fn a_shape_within_itself_ends() {
    assert!(html().contains("The note it answers."));
}

#[test]
fn nothing_in_the_document_becomes_markup() {
    let html = html();
    for markup in ["<script", "<b>", "<img", "<blame>", " style="] {
        assert!(!html.contains(markup), "{markup}");
    }
    assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;"));
}

#[test]
fn nothing_is_loaded_from_elsewhere() {
    let html = html();
    assert!(!html.contains(" src=\""));
    for target in html.split("href=\"").skip(1) {
        assert!(target.starts_with('#') || target.starts_with('/') && !target.starts_with("//"), "{target:.40}");
    }
    assert!(!include_str!("style.css").contains("url("));
}

#[test]
fn a_strange_document_is_a_short_page() {
    for strange in [
        Value::Null,
        json!([]),
        json!({"paths": {"/x": {"get": 7, "post": null}}, "tags": {}, "components": {"schemas": []}}),
        json!({"paths": {"/x": {"get": {"parameters": [{"$ref": "#/nowhere"}], "responses": {"default": {"$ref": "x"}}}}}}),
        json!({"components": {"schemas": {"Broken": {"$ref": "#/components/schemas/Nowhere"}}}}),
        json!({"a": {"$ref": "#/a"}, "paths": {"/x": {"$ref": "#/a"}}}),
    ] {
        assert!(super::page::render(&strange).ends_with("</html>\n"));
    }
}

#[actix_web::test]
async fn the_page_and_its_style_are_served_with_etags() {
    let docs = web::Data::new(Docs::new(&sample()));
    let app = App::new()
        .app_data(docs)
        .route("/api/docs", web::get().to(super::page))
        .route("/api/docs.css", web::get().to(super::style));
    let app = init_service(app).await;
    for (path, content_type) in
        [("/api/docs", "text/html; charset=utf-8"), ("/api/docs.css", "text/css; charset=utf-8")]
    {
        let first = call_service(&app, TestRequest::get().uri(path).to_request()).await;
        assert_eq!(first.status(), 200);
        assert_eq!(first.headers().get(header::CONTENT_TYPE).unwrap(), content_type);
        let policy = first.headers().get(header::CONTENT_SECURITY_POLICY).cloned();
        assert_eq!(policy.is_some(), path == "/api/docs");
        let etag = first.headers().get(header::ETAG).unwrap().clone();
        assert!(!read_body(first).await.is_empty());
        let again = TestRequest::get().uri(path).insert_header((header::IF_NONE_MATCH, etag)).to_request();
        let again = call_service(&app, again).await;
        assert_eq!(again.status(), 304);
        assert_eq!(again.headers().get(header::CONTENT_SECURITY_POLICY), policy.as_ref());
    }
}
