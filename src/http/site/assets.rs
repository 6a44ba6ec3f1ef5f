//! The built web app's files, put into the binary by `build.rs`.

use actix_web::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_TYPE, ContentEncoding, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse};

use super::answer;
use crate::net::compress::preferred;

/// One file of `web/dist/`. The page `index.html` has no content: it is kept by
/// browsers for use without a network.
pub(super) struct File {
    /// The path in its URL, with the first `/`.
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    /// Whether the name changes with the content, so that browsers can keep it
    /// forever.
    pub(super) hashed: bool,
    pub(super) plain: Form,
    pub(super) brotli: Option<Form>,
    pub(super) gzip: Option<Form>,
}

impl File {
    /// The answer that sends it.
    pub(super) fn answer(&'static self, request: &HttpRequest) -> HttpResponse {
        let encoding = preferred(request, &[ContentEncoding::Brotli, ContentEncoding::Gzip]);
        let compressed = match encoding {
            ContentEncoding::Brotli => self.brotli.as_ref(),
            ContentEncoding::Gzip => self.gzip.as_ref(),
            _ => None,
        };
        let form = compressed.unwrap_or(&self.plain);
        let mut response = answer::conditional(request, form.etag);
        response.insert_header((CONTENT_TYPE, self.content_type));
        let keep = if self.hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
        response.insert_header((CACHE_CONTROL, keep));
        if self.brotli.is_some() || self.gzip.is_some() {
            response.insert_header((VARY, ACCEPT_ENCODING.as_str()));
        }
        if compressed.is_some() {
            response.insert_header(encoding);
        }
        answer::finish(response, Bytes::from_static(form.bytes))
    }
}

/// A file's bytes as they are sent, and the quoted hash of these very bytes:
/// a strong ETag may not be shared by two encodings.
pub(super) struct Form {
    pub(super) bytes: &'static [u8],
    pub(super) etag: &'static str,
}

/// A piece of the app.
pub(super) struct Piece {
    name: &'static str,
    /// The files that it needs besides those of every page.
    pub(super) files: &'static [&'static str],
    /// The styles of a page that needs it.
    pub(super) styles: &'static str,
}

/// The pages of a language, as they were drawn when the app was built.
pub(super) struct Language {
    pub(super) tag: &'static str,
    /// Each with its address: a pattern of `annon_contract::pages`, for some
    /// with a query, or nothing for the page that is missing.
    pub(super) pages: &'static [(&'static str, &'static str)],
    /// The sentence of each code.
    pub(super) sentences: &'static [(&'static str, &'static str)],
    /// A second, some seconds, and some minutes.
    pub(super) waits: [&'static str; 3],
}

// Has FILES (sorted by path), PIECES, LANGUAGES, and the parts of the shell.
/// The script that runs before a page is drawn.
pub(super) const EARLY: &str = "src/app/early.ts";

/// The files that say something of the site as a whole.
pub(super) const SHELL: &str = "/index.html";
pub(super) const MANIFEST: &str = "/manifest.webmanifest";

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The path of each file without the first `/`, and its bytes. What depends on the site has none, or others in the answer.
pub(crate) fn files() -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let is_fixed = |file: &&File| !file.plain.bytes.is_empty() && file.path != MANIFEST;
    FILES.iter().filter(is_fixed).map(|file| (file.path.trim_start_matches('/'), file.plain.bytes))
}

/// The file at exactly this path.
pub(super) fn find(path: &str) -> Option<&'static File> {
    FILES.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The piece of the app that a module is in; the one of every page if there is
/// no such module.
pub(super) fn piece(name: &str) -> &'static Piece {
    let find = |name: &str| PIECES.iter().find(|piece| piece.name == name);
    find(name).or_else(|| find("index.html")).unwrap_or(&PIECES[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_order_so_that_each_is_found() {
        assert!(FILES.is_sorted_by(|a, b| a.path < b.path));
        for file in FILES {
            assert_eq!(find(file.path).map(|found| found.plain.etag), Some(file.plain.etag), "{}", file.path);
        }
        assert!(find("").is_none());
    }

    #[test]
    fn every_piece_that_a_page_names_is_built_from_files_that_are_there() {
        for page in annon_contract::pages::PAGES {
            for name in [&*page.module(), EARLY].into_iter().chain(page.prefetch) {
                let Piece { files, styles, .. } = piece(name);
                assert!(files.iter().any(|file| file.ends_with(".js")), "{name}: {files:?}");
                assert!(files.iter().all(|file| find(file).is_some()), "{name}: {files:?}");
                assert!(styles.contains("--paper") && !styles.contains("</"), "{name}");
            }
        }
    }

    #[test]
    fn an_etag_is_the_digest_of_the_bytes_it_stands_for() {
        for file in FILES {
            for form in [Some(&file.plain), file.brotli.as_ref(), file.gzip.as_ref()].into_iter().flatten() {
                assert_eq!(form.etag, super::super::answer::etag(form.bytes), "{}", file.path);
            }
        }
    }

    #[test]
    fn names_that_are_kept_for_good_carry_a_hash() {
        for file in FILES.iter().filter(|file| file.hashed) {
            let stem = file.path.rsplit_once('.').map_or(file.path, |(stem, _)| stem);
            let hash = stem.get(stem.len().saturating_sub(9)..).unwrap_or_default();
            assert!(hash.starts_with('-') && hash.len() == 9, "{} has no hash before its ending", file.path);
        }
    }

    #[test]
    fn the_picture_that_previews_show_is_there() {
        let picture = find(super::super::head::PREVIEW_PICTURE).expect("a preview picture");
        assert_eq!(picture.content_type, "image/png");
    }
}
