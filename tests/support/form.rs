//! Multipart forms, also such that no browser would send.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};

use crate::support::client::{Answer, Call};
use crate::support::server::Server;

const BOUNDARY: &str = "----boundary7MA4YWxkTrZu0gW";

/// A form being filled in.
#[derive(Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    /// With these words.
    pub(crate) fn saying(text: &str) -> Self {
        Self::default().field("feedback", text.as_bytes())
    }

    pub(crate) fn field(self, name: &str, value: &[u8]) -> Self {
        self.part(&format!("Content-Disposition: form-data; name=\"{name}\""), value)
    }

    pub(crate) fn picture(self, file: &[u8]) -> Self {
        self.part(
            "Content-Disposition: form-data; name=\"feedback_image\"; filename=\"holiday.jpg\"\r\nContent-Type: image/jpeg",
            file,
        )
    }

    /// A part with any headers.
    pub(crate) fn part(mut self, headers: &str, value: &[u8]) -> Self {
        self.0.extend(format!("--{BOUNDARY}\r\n{headers}\r\n\r\n").into_bytes());
        self.0.extend(value);
        self.0.extend(b"\r\n");
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        [self.0.as_slice(), format!("--{BOUNDARY}--\r\n").as_bytes()].concat()
    }

    pub(crate) fn content_type() -> String {
        format!("multipart/form-data; boundary={BOUNDARY}")
    }

    pub(crate) fn call(&self, server: &Server) -> Call {
        server.post("/api/feedback").header("Content-Type", &Self::content_type()).body(self.bytes())
    }

    pub(crate) fn send(&self, server: &Server) -> Answer {
        self.call(server).send()
    }
}

/// A picture with something to see in it.
pub(crate) fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let shade = |n: u32| u8::try_from(n % 256).unwrap();
    let picture = RgbImage::from_fn(width, height, |x, y| Rgb([shade(x), shade(y), shade(x + y)]));
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(picture).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}
