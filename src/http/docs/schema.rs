//! What a body is made of.

use std::collections::BTreeSet;

use serde_json::Value;

use super::prose::{line, slug};
use crate::http::site::escape;

/// How deep fields are shown within fields before a link has to do.
const DEPTH: usize = 4;

/// What a `$ref` stands for, wherever in the document it is.
pub(super) fn resolve<'a>(openapi: &'a Value, mut node: &'a Value) -> &'a Value {
    // A reference to a reference is odd, a circle of them broken.
    for _ in 0..8 {
        let Some(target) = node["$ref"].as_str() else { break };
        node = target.strip_prefix('#').and_then(|pointer| openapi.pointer(pointer)).unwrap_or(&Value::Null);
    }
    node
}

/// The name of the shape a schema refers to, if it does.
pub(super) fn shape(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

/// The names of all shapes a part of the document leads to.
pub(super) fn reached(openapi: &Value, node: &Value, names: &mut BTreeSet<String>) {
    if let Some(name) = shape(node)
        && !names.contains(name)
    {
        names.insert(name.to_owned());
        reached(openapi, resolve(openapi, node), names);
    }
    match node {
        Value::Array(items) => items.iter().for_each(|item| reached(openapi, item, names)),
        Value::Object(entries) => entries.values().for_each(|entry| reached(openapi, entry, names)),
        _ => {}
    }
}

/// The alternatives of a schema that has some.
fn alternatives(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())
}

/// A schema's type in a few words, names of shapes as links.
pub(super) fn type_name(schema: &Value) -> String {
    if let Some(name) = shape(schema) {
        return format!("<a href=\"#shape-{}\">{}</a>", slug(name), escape(name));
    }
    let joined = |parts: &[Value], word: &str| parts.iter().map(type_name).collect::<Vec<_>>().join(word);
    if let Some(parts) = alternatives(schema) {
        return joined(parts, " or ");
    }
    if let Some(parts) = schema["allOf"].as_array() {
        return joined(parts, " and ");
    }
    if let Some(value) = schema.get("const") {
        return code(value);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(code).collect::<Vec<_>>().join(" or ");
    }
    let one = |name: &str| match name {
        "array" => format!("list of {}", type_name(&schema["items"])),
        _ => escape(name),
    };
    let mut words = match &schema["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).map(one).collect::<Vec<_>>().join(" or "),
        _ if schema["properties"].is_object() => "object".to_owned(),
        _ => "anything".to_owned(),
    };
    if let Some(format) = schema["format"].as_str() {
        words.push_str(&format!(" ({})", escape(format)));
    }
    words
}

/// The list of a schema's fields, and of theirs; empty when it has none.
pub(super) fn fields(openapi: &Value, schema: &Value) -> String {
    nested(openapi, schema, &mut Vec::new())
}

fn nested<'a>(openapi: &'a Value, schema: &'a Value, above: &mut Vec<&'a str>) -> String {
    if let Some(name) = shape(schema) {
        // A shape within itself ends here; its name is a link.
        if above.contains(&name) || above.len() >= DEPTH {
            return String::new();
        }
        above.push(name);
        let html = nested(openapi, resolve(openapi, schema), above);
        above.pop();
        return html;
    }
    let mut html = String::new();
    if let Some(properties) = schema["properties"].as_object() {
        let required: BTreeSet<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        html.push_str("<ul class=\"fields\">\n");
        for (name, property) in properties {
            html.push_str(&field(openapi, name, property, required.contains(name.as_str()), above));
        }
        html.push_str("</ul>\n");
    }
    if schema["items"].is_object() {
        html.push_str(&nested(openapi, &schema["items"], above));
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        html.push_str(&nested(openapi, part, above));
    }
    let shown: Vec<String> = alternatives(schema)
        .into_iter()
        .flatten()
        .map(|part| nested(openapi, part, above))
        .filter(|part| !part.is_empty())
        .collect();
    html.push_str(&shown.join("<p class=\"or\">or</p>\n"));
    html
}

fn field<'a>(openapi: &'a Value, name: &str, property: &'a Value, required: bool, above: &mut Vec<&'a str>) -> String {
    let mut html = format!(
        "<li><div class=\"field\"><code class=\"name\">{}</code> <span class=\"type\">{}</span>",
        escape(name),
        type_name(property)
    );
    if !required {
        html.push_str(" <span class=\"optional\">optional</span>");
    }
    html.push_str("</div>\n");
    html.push_str(&about(property["description"].as_str(), property));
    html.push_str(&nested(openapi, property, above));
    html.push_str("</li>\n");
    html
}

/// What is said of a value, and its limits.
pub(super) fn about(said: Option<&str>, schema: &Value) -> String {
    let mut words: Vec<String> = said.map(sentence).into_iter().collect();
    words.extend(range(schema, "minLength", "maxLength", " characters"));
    words.extend(range(schema, "minItems", "maxItems", " items"));
    words.extend(range(schema, "minimum", "maximum", ""));
    for (key, word) in [("pattern", "Matches"), ("default", "Usually"), ("example", "For example")] {
        if let Some(value) = schema.get(key) {
            words.push(format!("{word} {}.", code(value)));
        }
    }
    if let Some(example) = schema["examples"].get(0) {
        words.push(format!("For example {}.", code(example)));
    }
    if words.is_empty() { String::new() } else { format!("<p>{}</p>\n", words.join(" ")) }
}

fn range(schema: &Value, least: &str, most: &str, unit: &str) -> Option<String> {
    // Every unsigned number has this one; it says nothing.
    let least = schema.get(least).filter(|value| value.as_f64() != Some(0.0)).map(|value| escape(&value.to_string()));
    let most = schema.get(most).map(|value| escape(&value.to_string()));
    Some(match (least, most) {
        (Some(least), Some(most)) => format!("{least} to {most}{unit}."),
        (Some(least), None) => format!("At least {least}{unit}."),
        (None, Some(most)) => format!("At most {most}{unit}."),
        (None, None) => return None,
    })
}

/// Words that others can follow.
fn sentence(words: &str) -> String {
    let words = words.trim_end();
    let end = if words.is_empty() || words.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    format!("{}{end}", line(words))
}

fn code(value: &Value) -> String {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    format!("<code>{}</code>", escape(&text))
}
