//! Puts the built web app (`web/dist/`) into the binary: every file, with what
//! an answer needs to know about it, becomes a row of a generated table. So
//! does every page as it was drawn when the app was built, in each language;
//! and the list of what is in the binary.

// Printing is how a build script talks to cargo.
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

#[path = "build/sbom.rs"]
mod sbom;

const SHELL: &str = "index.html";
/// What a group's page has in place of the shell's scripts and their styles.
const GROUP: &str = "src/app/groupMain.tsx";
/// Asks for the font of headings before the styles do.
const FONT_OPENS: &str = "<link\n      rel=\"preload\"";
/// Vite's manifest: which piece of the app needs which files.
const MANIFEST: &str = ".vite/manifest.json";
/// A file for each language, which `web/src/app/prerender.tsx` has written.
const DRAWN: &str = ".pages";
const HEAD_OPENS: &str = "<!--head-->";
const HEAD_CLOSES: &str = "<!--/head-->";
const LANGUAGE: &str = "<html lang=\"en\">";
const APP: &str = "<div id=\"app\"></div>";
const STYLESHEET: &str = "<link rel=\"stylesheet\"";

fn main() -> ExitCode {
    // Cargo watches the whole folder for files added, changed or removed.
    println!("cargo::rerun-if-changed=web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build/sbom.rs");
    match generate() {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            println!("cargo::error={sentence}");
            ExitCode::FAILURE
        }
    }
}

fn generate() -> Result<(), String> {
    // A build that isn't sure of what it promises is for tests.
    if env::var_os("CARGO_FEATURE_LEFT_OUT").is_some() && env::var("PROFILE").is_ok_and(|profile| profile == "release")
    {
        return Err("the feature left-out is for tests, and not for what is shipped.".to_owned());
    }
    let var = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(format!("{name} is set by cargo, and isn't."));
    let root = var("CARGO_MANIFEST_DIR")?;
    let dist = root.join("web/dist");
    let shell = fs::read_to_string(dist.join(SHELL)).map_err(
        |_| "web/dist/index.html is missing: run `make web` once, which builds the web app that goes into the binary.",
    )?;
    let mut paths = BTreeSet::new();
    list(&dist, "", &mut paths).map_err(|error| format!("web/dist can't be read: {error}."))?;

    let mut code = shell_parts(&shell)?;
    code.push_str(&pieces(&dist)?);
    code.push_str(&languages(&dist)?);
    code.push_str("pub(super) static FILES: &[File] = &[\n");
    for path in &paths {
        if !is_form_of_another(path, &paths) {
            code.push_str(&row(&dist, path, &paths)?);
        }
    }
    code.push_str("];\n");
    let out = var("OUT_DIR")?;
    let write =
        |name: &str, text: String| fs::write(out.join(name), text).map_err(|error| format!("OUT_DIR: {error}."));
    write("assets.rs", code)?;
    write("sbom.json", sbom::list(&root)?)
}

/// Collects the paths of all files below a folder, `/` between their parts.
fn list(folder: &Path, prefix: &str, paths: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // Hidden files are left behind by tools, and not served.
        if name.starts_with('.') && name != ".well-known" {
            continue;
        }
        let path = format!("{prefix}{name}");
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{path}/"), paths)?;
        } else {
            paths.insert(path);
        }
    }
    Ok(())
}

fn is_form_of_another(path: &str, paths: &BTreeSet<String>) -> bool {
    [".br", ".gz"].iter().any(|end| path.strip_suffix(end).is_some_and(|plain| paths.contains(plain)))
}

/// The HTML that all pages share, cut where a page's language, its own head and
/// its content go. A page has its styles in it, so the links to their files are
/// only there to tell the app that it needs none of them.
fn shell_parts(shell: &str) -> Result<String, String> {
    let wrong = |what: &str| format!("web/dist/{SHELL} needs {what} exactly once.");
    let cut = |text: &'_ str, at: &'static str| -> Result<(String, String), String> {
        let (before, after) = text.split_once(at).ok_or_else(|| wrong(at))?;
        if after.contains(at) {
            return Err(wrong(at));
        }
        Ok((before.to_owned(), after.to_owned()))
    };
    let (start, rest) = cut(shell, LANGUAGE)?;
    let (before_head, rest) = cut(&rest, HEAD_OPENS)?;
    let (_, rest) = cut(&rest, HEAD_CLOSES)?;
    let (after_head, end) = cut(&rest, APP)?;
    let (before_font, font) = cut(&after_head, FONT_OPENS)?;
    let (font, after_font) = font.split_once("/>").ok_or_else(|| wrong(FONT_OPENS))?;
    let font = format!("{FONT_OPENS}{font}/>");
    let after_head = [&before_font, after_font].concat();
    let after_head = after_head.trim_start().replace(STYLESHEET, &format!("{STYLESHEET} disabled"));
    // A group's page asks for files of its own.
    let is_file = |line: &&str| ["<script", "rel=\"modulepreload", STYLESHEET].iter().any(|asks| line.contains(asks));
    let group_after_head: String = after_head.split_inclusive('\n').filter(|line| !is_file(line)).collect();
    // The app asks whether the page was drawn, and so is in its reader's language.
    let start = format!("{start}<html data-drawn lang=\"");
    let before_head = format!("\">{}", before_head.trim_end());
    // The app compares the page that was drawn with the one that it would draw.
    let [after_head, group_after_head] = [after_head, group_after_head].map(|it| it + "<div id=\"app\" data-page=\"");
    let end = format!("</div>{end}");
    let parts = [
        ("SHELL_START", start),
        ("SHELL_BEFORE_HEAD", before_head),
        ("SHELL_FONT", font),
        ("SHELL_AFTER_HEAD", after_head),
        ("SHELL_GROUP_AFTER_HEAD", group_after_head),
        ("SHELL_END", end),
    ];
    Ok(parts.map(|(name, part)| format!("pub(super) const {name}: &str = {part:?};\n")).concat())
}

/// Every piece of the app, with the files that the shell doesn't ask for itself,
/// and the styles of a page that needs this piece. A piece is named after its
/// module, or as `vite.config.ts` names it.
fn pieces(dist: &Path) -> Result<String, String> {
    let wrong = |what: String| format!("web/dist/{MANIFEST}: {what}.");
    let manifest = fs::read(dist.join(MANIFEST)).map_err(|error| wrong(error.to_string()))?;
    let manifest: Map<String, Value> = serde_json::from_slice(&manifest).map_err(|error| wrong(error.to_string()))?;
    let mut shell = Vec::new();
    needs(&manifest, SHELL, &mut BTreeSet::new(), &mut shell);
    if shell.is_empty() {
        return Err(wrong(format!("it has no {SHELL}")));
    }
    let mut code = String::from("pub(super) static PIECES: &[Piece] = &[\n");
    for (key, piece) in &manifest {
        let name = if key.starts_with('_') { piece["name"].as_str() } else { Some(key.as_str()) };
        let mut files = Vec::new();
        needs(&manifest, key, &mut BTreeSet::new(), &mut files);
        files.retain(|file| key == GROUP || !shell.contains(file));
        let mut styles = String::new();
        let rest = if key == GROUP { &[] } else { &shell[..] };
        for file in files.iter().chain(rest).filter(|file| file.ends_with(".css")) {
            styles += &fs::read_to_string(dist.join(&file[1..])).map_err(|error| wrong(format!("{file}: {error}")))?;
        }
        if let Some(name) = name {
            let _ = writeln!(code, "    Piece {{ name: {name:?}, files: &{files:?}, styles: {styles:?} }},");
        }
    }
    code.push_str("];\n");
    Ok(code)
}

/// Each language with its pages (their addresses, and what is in the app's
/// element), and what it calls refusals and times to wait.
fn languages(dist: &Path) -> Result<String, String> {
    let wrong = |error: &dyn std::fmt::Display| format!("web/dist/{DRAWN}: {error}; run `make web`.");
    let mut code = String::from("pub(super) static LANGUAGES: &[Language] = &[\n");
    let mut names: Vec<_> = fs::read_dir(dist.join(DRAWN))
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.file_name())).collect())
        .map_err(|error: io::Error| wrong(&error))?;
    names.sort();
    for name in names {
        let name = name.to_string_lossy().into_owned();
        let file = fs::read(dist.join(DRAWN).join(&name)).map_err(|error| wrong(&error))?;
        let drawn: Value = serde_json::from_slice(&file).map_err(|error| wrong(&error))?;
        let texts = |of: &str| -> Result<Vec<(String, String)>, String> {
            let all = drawn[of].as_object().ok_or_else(|| wrong(&format!("no {of}")))?;
            Ok(all.iter().map(|(key, text)| (key.clone(), text.as_str().unwrap_or_default().to_owned())).collect())
        };
        let (tag, pages, sentences) = (name.trim_end_matches(".json"), texts("pages")?, texts("sentences")?);
        let waits: Vec<_> = drawn["waits"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let _ = writeln!(
            code,
            "    Language {{ tag: {tag:?}, pages: &{pages:?}, sentences: &{sentences:?}, waits: {waits:?} }},"
        );
    }
    code.push_str("];\n");
    Ok(code)
}

/// Collects a piece's files, after those of the pieces that it imports. Two
/// pieces may import each other, so none is visited twice.
fn needs<'a>(manifest: &'a Map<String, Value>, key: &'a str, visited: &mut BTreeSet<&'a str>, files: &mut Vec<String>) {
    let Some(piece) = manifest.get(key).filter(|_| visited.insert(key)) else { return };
    let all = |list: &str| piece[list].as_array().into_iter().flatten().filter_map(Value::as_str);
    for imported in all("imports") {
        needs(manifest, imported, visited, files);
    }
    for file in all("css").chain(piece["file"].as_str()) {
        let path = format!("/{file}");
        if !files.contains(&path) {
            files.push(path);
        }
    }
}

fn row(dist: &Path, path: &str, paths: &BTreeSet<String>) -> Result<String, String> {
    let content_type =
        content_type(path).ok_or(format!("web/dist/{path}: build.rs doesn't know the content type of such a file."))?;
    let mut row = format!("    File {{ path: {:?}, content_type: {content_type:?}, ", format!("/{path}"));
    // Vite puts a hash of the content into every name in this folder.
    let _ = write!(row, "hashed: {}, plain: {}, ", path.starts_with("assets/"), form(dist, path)?);
    for (name, end) in [("brotli", "br"), ("gzip", "gz")] {
        let compressed = format!("{path}.{end}");
        let form =
            if paths.contains(&compressed) { format!("Some({})", form(dist, &compressed)?) } else { "None".to_owned() };
        let _ = write!(row, "{name}: {form}, ");
    }
    row.push_str("},\n");
    Ok(row)
}

/// A file's bytes and the hash of them that is their strong ETag.
fn form(dist: &Path, path: &str) -> Result<String, String> {
    let file = dist.join(path);
    let bytes = fs::read(&file).map_err(|error| format!("web/dist/{path} can't be read: {error}."))?;
    let mut etag = String::from("\"");
    // Half of the digest is enough to tell files apart, and half as long.
    for byte in &Sha256::digest(&bytes)[..16] {
        let _ = write!(etag, "{byte:02x}");
    }
    etag.push('"');
    Ok(format!("Form {{ bytes: include_bytes!({:?}), etag: {etag:?} }}", file.to_string_lossy()))
}

fn content_type(path: &str) -> Option<&'static str> {
    Some(match path.rsplit_once('.')?.1 {
        "avif" => "image/avif",
        "css" => "text/css; charset=utf-8",
        "gif" => "image/gif",
        "html" => "text/html; charset=utf-8",
        "ico" => "image/x-icon",
        "jpg" | "jpeg" => "image/jpeg",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "m4a" => "audio/mp4",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "png" => "image/png",
        "svg" => "image/svg+xml; charset=utf-8",
        "ttf" => "font/ttf",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "wav" => "audio/wav",
        "webm" => "video/webm",
        "webmanifest" => "application/manifest+json; charset=utf-8",
        "webp" => "image/webp",
        "woff2" => "font/woff2",
        "xml" => "application/xml; charset=utf-8",
        _ => return None,
    })
}
