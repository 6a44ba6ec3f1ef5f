//! What the web app's files are: a browser can look whether it has loaded these, and people whether these are the ones
//! of a release.

use std::sync::OnceLock;

use actix_web::HttpResponse;
use aws_lc_rs::digest::{SHA256, digest};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::Refusal;
use crate::http::site::assets::files;

/// A file of the web app.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WebFile {
    /// Its path below the site's address.
    #[schema(example = "assets/core-DHP-HKD7.js")]
    path: &'static str,
    /// The SHA-256 of its bytes before they are compressed, in hexadecimal digits.
    sha256: String,
}

/// The files of the web app, as they are in this server's binary.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WebHash {
    /// Equal to the HTTP status.
    #[schema(example = 200)]
    status: u16,
    /// The version of the server.
    version: &'static str,
    /// The SHA-256 of the list: of each file its digest, two spaces, its path and a line break.
    digest: String,
    /// In the order of their paths.
    files: Vec<WebFile>,
}

impl WebHash {
    /// Hashes all files, once.
    pub fn of_this() -> &'static Self {
        static HASH: OnceLock<WebHash> = OnceLock::new();
        HASH.get_or_init(|| {
            let file = |(path, bytes)| WebFile { path, sha256: hex(bytes) };
            let files: Vec<_> = files().map(file).collect();
            let digest = hex(lines(&files).as_bytes());
            Self { status: 200, version: env!("CARGO_PKG_VERSION"), digest, files }
        })
    }

    /// As `sha256sum` prints it, and the digest of that at the end.
    pub fn printed(&self) -> String {
        format!("{}{}  of all these lines", lines(&self.files), self.digest)
    }
}

fn lines(files: &[WebFile]) -> String {
    files.iter().map(|WebFile { path, sha256 }| format!("{sha256}  {path}\n")).collect()
}

fn hex(bytes: &[u8]) -> String {
    digest(&SHA256, bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Says what the web app's files are.
///
/// The digests are those of the release that the server says it is, unless somebody has changed its web app. `annon
/// web-hash` prints the same.
#[utoipa::path(get, path = "/api/web-hash", tag = "operator",
    responses((status = 200, body = WebHash), (status = 429, body = Refusal)))]
pub async fn show() -> HttpResponse {
    HttpResponse::Ok().json(WebHash::of_this())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_hashed_and_the_list_as_a_whole() {
        let WebHash { digest, files, .. } = WebHash::of_this();
        assert!(files.len() > 20 && files.is_sorted_by(|a, b| a.path < b.path));
        assert!(files.iter().any(|file| file.path == "sw.js") && files.iter().all(|file| file.sha256.len() == 64));
        assert!(WebHash::of_this().printed().ends_with(&format!("{digest}  of all these lines")));
    }
}
