//! The built web app's files, put into the binary by `build.rs`.

/// One file of `web/dist/`, `index.html` aside.
pub(super) struct File {
    /// Where it is served, from the first `/`.
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    /// Whether the name changes with the content, so that browsers can keep it
    /// forever.
    pub(super) hashed: bool,
    pub(super) plain: Form,
    pub(super) brotli: Option<Form>,
    pub(super) gzip: Option<Form>,
}

/// A file's bytes as they are sent, and the quoted hash of these very bytes:
/// a strong ETag may not be shared by two encodings.
pub(super) struct Form {
    pub(super) bytes: &'static [u8],
    pub(super) etag: &'static str,
}

// SHELL_BEFORE_HEAD, SHELL_AFTER_HEAD, and FILES in the order of their paths.
include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The file at exactly this path.
pub(super) fn find(path: &str) -> Option<&'static File> {
    FILES.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The built files of a piece of the app, whatever hashes are in their names.
pub(super) fn of_chunk(name: &str) -> impl Iterator<Item = &'static File> {
    FILES.iter().filter(move |file| chunk(file.path) == Some(name))
}

fn chunk(path: &str) -> Option<&str> {
    let (name, _) = path.strip_prefix("/assets/")?.rsplit_once('.')?;
    name.get(..name.len().checked_sub(HASH)?)?.strip_suffix('-')
}

/// Letters of a hash in a name.
const HASH: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_order_so_that_each_is_found() {
        assert!(FILES.is_sorted_by(|a, b| a.path < b.path));
        for file in FILES {
            assert_eq!(find(file.path).map(|found| found.plain.etag), Some(file.plain.etag), "{}", file.path);
        }
        assert!(find("/index.html").is_none());
        assert!(find("").is_none());
    }

    #[test]
    fn every_piece_a_head_asks_for_is_there() {
        let asked = super::super::page::PAGES.iter().flat_map(|page| super::super::page::chunks(page.pattern));
        for name in asked {
            let paths: Vec<_> = of_chunk(name).map(|file| file.path).collect();
            assert_eq!(paths.iter().filter(|path| path.ends_with(".js")).count(), 1, "{name}: {paths:?}");
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
