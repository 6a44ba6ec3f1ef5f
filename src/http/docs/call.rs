//! One call: how it is made and what comes back.

use actix_web::http::StatusCode;
use serde_json::Value;

use super::prose::{line, paragraphs, slug};
use super::schema::{about, fields, resolve, shape, type_name};
use crate::http::site::escape;

const METHODS: [&str; 7] = ["get", "post", "put", "patch", "delete", "head", "options"];

/// One method of one path.
pub(super) struct Call<'a> {
    openapi: &'a Value,
    method: &'static str,
    path: &'a str,
    operation: &'a Value,
    /// Parameters that all methods of the path share.
    shared: &'a Value,
}

impl<'a> Call<'a> {
    /// All calls of a document, path by path.
    pub(super) fn all(openapi: &'a Value) -> Vec<Self> {
        let paths = openapi["paths"].as_object().into_iter().flatten();
        paths
            .flat_map(|(path, item)| {
                let item = resolve(openapi, item);
                METHODS.iter().filter_map(move |&method| {
                    let operation = item.get(method)?;
                    Some(Self { openapi, method, path, operation, shared: &item["parameters"] })
                })
            })
            .collect()
    }

    /// The chapter it stands in.
    pub(super) fn tag(&self) -> &'a str {
        self.operation["tags"][0].as_str().unwrap_or("other")
    }

    /// Where a link to it leads.
    pub(super) fn anchor(&self) -> String {
        slug(&format!("{} {}", self.method, self.path))
    }

    /// Its method as a sticker.
    pub(super) fn method(&self) -> String {
        format!("<span class=\"method {0}\">{0}</span>", self.method)
    }

    /// Its path, which may break after a slash, with the parts to fill in marked.
    pub(super) fn path(&self) -> String {
        let part = |part: &str| match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => format!("<var>{{{}}}</var>", escape(name)),
            None => escape(part),
        };
        self.path.split('/').map(part).collect::<Vec<_>>().join("/<wbr>")
    }

    /// The whole of it, folded away under its first line.
    pub(super) fn render(&self) -> String {
        let summary = self.operation["summary"].as_str().map(line).unwrap_or_default();
        let mut html = format!(
            "<details class=\"call\">\n<summary>{} <code class=\"path\">{}</code> {}<span class=\"what\">{summary}</span></summary>\n",
            self.method(),
            self.path(),
            self.auth_chip(),
        );
        // The anchor is inside, as a browser opens what holds the place it is sent to.
        html.push_str(&format!("<div class=\"body\" id=\"{}\">\n", self.anchor()));
        html.push_str(&paragraphs(self.operation["description"].as_str().unwrap_or_default()));
        html.push_str(&self.auth());
        html.push_str(&self.parameters());
        html.push_str(&self.request());
        html.push_str(&self.answers());
        html.push_str("</div>\n</details>\n");
        html
    }

    /// The names of the security schemes that let a caller in.
    fn schemes(&self) -> Vec<&'a str> {
        let security = self.operation.get("security").unwrap_or(&self.openapi["security"]);
        let names = security.as_array().into_iter().flatten().filter_map(Value::as_object);
        names.flat_map(|names| names.keys()).map(String::as_str).collect()
    }

    fn auth_chip(&self) -> String {
        let chip = |name: &str| format!("<span class=\"chip\">{}</span> ", escape(name));
        self.schemes().into_iter().map(chip).collect()
    }

    fn auth(&self) -> String {
        let named = |name: &str| {
            let scheme = &self.openapi["components"]["securitySchemes"][name];
            match (scheme["type"].as_str(), scheme["scheme"].as_str(), scheme["name"].as_str()) {
                (_, Some("bearer"), _) => {
                    "<code>Authorization: Bearer</code> with the token from signing in.".to_owned()
                }
                (Some("apiKey"), _, Some(key)) => {
                    format!("The {} <code>{}</code>.", escape(scheme["in"].as_str().unwrap_or("key")), escape(key))
                }
                _ => escape(name),
            }
        };
        let schemes: Vec<String> = self.schemes().into_iter().map(named).collect();
        let words = if schemes.is_empty() { "None: anyone may call it.".to_owned() } else { schemes.join(" Or: ") };
        format!("<h3>Authorization</h3>\n<p>{words}</p>\n")
    }

    fn parameters(&self) -> String {
        let own = self.operation["parameters"].as_array().into_iter().flatten();
        let shared = self.shared.as_array().into_iter().flatten();
        let rows: String =
            own.chain(shared).map(|parameter| self.parameter(resolve(self.openapi, parameter))).collect();
        if rows.is_empty() {
            return rows;
        }
        format!("<h3>Parameters</h3>\n<ul class=\"fields\">\n{rows}</ul>\n")
    }

    fn parameter(&self, parameter: &Value) -> String {
        let optional = if parameter["required"] == true { "" } else { " <span class=\"optional\">optional</span>" };
        let mut html = format!(
            "<li><div class=\"field\"><code class=\"name\">{}</code> <span class=\"type\">{} in the {}</span>{optional}</div>\n",
            escape(parameter["name"].as_str().unwrap_or_default()),
            type_name(&parameter["schema"]),
            escape(parameter["in"].as_str().unwrap_or_default()),
        );
        html.push_str(&about(parameter["description"].as_str(), &parameter["schema"]));
        html.push_str("</li>\n");
        html
    }

    fn request(&self) -> String {
        let body = resolve(self.openapi, &self.operation["requestBody"]);
        let Some(content) = body["content"].as_object() else { return String::new() };
        let mut html = String::from("<h3>Body</h3>\n");
        html.push_str(&paragraphs(body["description"].as_str().unwrap_or_default()));
        for (media_type, content) in content {
            html.push_str(&content_line(media_type, &content["schema"]));
            html.push_str(&fields(self.openapi, &content["schema"]));
        }
        html
    }

    fn answers(&self) -> String {
        let rows: String = self.operation["responses"]
            .as_object()
            .into_iter()
            .flatten()
            .map(|(status, answer)| self.answer(status, resolve(self.openapi, answer)))
            .collect();
        format!("<h3>Answers</h3>\n<ul class=\"answers\">\n{rows}</ul>\n")
    }

    fn answer(&self, status: &str, answer: &Value) -> String {
        let reason = status.parse().ok().and_then(|code| StatusCode::from_u16(code).ok()?.canonical_reason());
        let words = answer["description"].as_str().filter(|words| !words.is_empty()).or(reason).unwrap_or_default();
        let succeeds = status.starts_with(['1', '2', '3']);
        let class = if succeeds { "good" } else { "bad" };
        let mut html = format!(
            "<li><span class=\"status {class}\">{}</span>\n<div class=\"answer\"><span class=\"words\">{}</span>\n",
            escape(status),
            line(words)
        );
        for (media_type, content) in answer["content"].as_object().into_iter().flatten() {
            let schema = &content["schema"];
            html.push_str(&content_line(media_type, schema));
            // Failures all look alike: the link to their shape is enough.
            if succeeds || shape(schema).is_none() {
                html.push_str(&fields(self.openapi, schema));
            }
        }
        html.push_str("</div></li>\n");
        html
    }
}

fn content_line(media_type: &str, schema: &Value) -> String {
    let shape = if schema.is_object() { format!(" {}", type_name(schema)) } else { String::new() };
    format!("<p class=\"content\"><code>{}</code><span class=\"type\">{shape}</span></p>\n", escape(media_type))
}
