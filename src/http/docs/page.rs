//! The page around the calls.

use std::collections::BTreeSet;

use serde_json::Value;

use super::call::Call;
use super::prose::{line, paragraphs, slug};
use super::schema::{about, fields, reached, type_name};
use crate::http::site::escape;

/// The whole page.
pub(super) fn render(openapi: &Value) -> String {
    let calls = Call::all(openapi);
    let chapters = chapters(openapi, &calls);
    let (shapes, frames) = shapes(openapi);
    let info = &openapi["info"];
    let title = escape(info["title"].as_str().unwrap_or("The API"));
    let version = escape(info["version"].as_str().unwrap_or_default());
    let main: String = chapters.iter().map(|chapter| chapter.render(openapi)).collect();
    format!(
        r##"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} API</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<a class="skip" href="#calls">Skip to the calls</a>
<header>
<p class="brand"><a href="/">{title}</a> <span class="version">{version}</span></p>
<h1>The API</h1>
{description}<p class="source">Made from <a href="/api/openapi.json">/api/openapi.json</a> (OpenAPI {openapi_version}).</p>
</header>
<nav aria-label="Contents">
{contents}</nav>
<main id="calls">
{main}{frames}{shapes}</main>
</body>
</html>
"##,
        description = paragraphs(info["description"].as_str().unwrap_or_default()),
        openapi_version = escape(openapi["openapi"].as_str().unwrap_or("3.1")),
        contents = contents(&chapters, !frames.is_empty(), !shapes.is_empty()),
        frames = section(
            openapi,
            "socket-frames",
            "Socket frames",
            "The text frames of the WebSockets, as JSON. The field <code>event</code> tells the kind of a frame.",
            &frames
        ),
        shapes = section(openapi, "shapes", "Shapes", "The JSON objects that calls take and return.", &shapes),
    )
}

struct Chapter<'a> {
    tag: &'a str,
    calls: Vec<&'a Call<'a>>,
}

/// The calls by tag: first the tags the document lists, in its order.
fn chapters<'a>(openapi: &'a Value, calls: &'a [Call<'a>]) -> Vec<Chapter<'a>> {
    let listed = openapi["tags"].as_array().into_iter().flatten().filter_map(|tag| tag["name"].as_str());
    let mut chapters: Vec<Chapter<'a>> = listed.map(|tag| Chapter { tag, calls: Vec::new() }).collect();
    for call in calls {
        match chapters.iter_mut().find(|chapter| chapter.tag == call.tag()) {
            Some(chapter) => chapter.calls.push(call),
            None => chapters.push(Chapter { tag: call.tag(), calls: vec![call] }),
        }
    }
    chapters.retain(|chapter| !chapter.calls.is_empty());
    chapters
}

impl Chapter<'_> {
    fn anchor(&self) -> String {
        format!("tag-{}", slug(self.tag))
    }

    fn title(&self) -> String {
        let mut letters = self.tag.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        escape(&first.chain(letters).collect::<String>())
    }

    fn render(&self, openapi: &Value) -> String {
        let tags = openapi["tags"].as_array().into_iter().flatten();
        let about = tags.filter(|tag| tag["name"] == self.tag).find_map(|tag| tag["description"].as_str());
        let calls: String = self.calls.iter().map(|call| call.render()).collect();
        format!(
            "<section id=\"{}\">\n<h2>{}</h2>\n{}{calls}</section>\n",
            self.anchor(),
            self.title(),
            paragraphs(about.unwrap_or_default()),
        )
    }
}

fn contents(chapters: &[Chapter<'_>], has_frames: bool, has_shapes: bool) -> String {
    let mut html = String::from("<ul>\n");
    for chapter in chapters {
        html.push_str(&format!("<li><a href=\"#{}\">{}</a>\n<ul>\n", chapter.anchor(), chapter.title()));
        for call in &chapter.calls {
            let (anchor, method, path) = (call.anchor(), call.method(), call.path());
            html.push_str(&format!("<li><a href=\"#{anchor}\">{method} <code>{path}</code></a></li>\n"));
        }
        html.push_str("</ul></li>\n");
    }
    for (there, anchor, title) in [(has_frames, "socket-frames", "Socket frames"), (has_shapes, "shapes", "Shapes")] {
        if there {
            html.push_str(&format!("<li><a href=\"#{anchor}\">{title}</a></li>\n"));
        }
    }
    html.push_str("</ul>\n");
    html
}

type Named<'a> = (&'a str, &'a Value);

/// The document's shapes, parted into those that calls lead to, and the rest:
/// what travels over sockets, which OpenAPI has no place for.
fn shapes(openapi: &Value) -> (Vec<Named<'_>>, Vec<Named<'_>>) {
    let mut of_calls = BTreeSet::new();
    reached(openapi, &openapi["paths"], &mut of_calls);
    let all = openapi["components"]["schemas"].as_object().into_iter().flatten();
    all.map(|(name, schema)| (name.as_str(), schema)).partition(|(name, _)| of_calls.contains(*name))
}

fn section(openapi: &Value, anchor: &str, title: &str, about_all: &str, shapes: &[Named<'_>]) -> String {
    if shapes.is_empty() {
        return String::new();
    }
    let mut html = format!("<section id=\"{anchor}\">\n<h2>{title}</h2>\n<p>{about_all}</p>\n");
    for (name, schema) in shapes {
        let what = schema["description"].as_str().map(|words| line(words.split("\n\n").next().unwrap_or(words)));
        html.push_str(&format!(
            "<details class=\"shape\">\n<summary><code class=\"path\">{}</code> <span class=\"what\">{}</span></summary>\n",
            escape(name),
            what.unwrap_or_default(),
        ));
        html.push_str(&format!("<div class=\"body\" id=\"shape-{}\">\n", slug(name)));
        let inner = fields(openapi, schema);
        if inner.is_empty() {
            html.push_str(&format!("<p class=\"type\">{}</p>\n{}", type_name(schema), about(None, schema)));
        }
        html.push_str(&inner);
        html.push_str("</div>\n</details>\n");
    }
    html.push_str("</section>\n");
    html
}
