//! Multipart forms, also forms that no browser would send.

use std::io::Cursor;

use flate2::Crc;
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage};

use crate::support::client::{Answer, Call};
use crate::support::server::Server;

const BOUNDARY: &str = "----boundary7MA4YWxkTrZu0gW";

#[derive(Clone, Default)]
pub(crate) struct Form(Vec<u8>);

impl Form {
    /// A form with this text.
    pub(crate) fn with_text(text: &str) -> Self {
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

/// A picture whose left half is red and whose right half is green.
pub(crate) fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
    let half = |x| if x < width / 2 { Rgb([220, 20, 20]) } else { Rgb([20, 220, 20]) };
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::from(RgbImage::from_fn(width, height, |x, _| half(x))).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// A JPEG that lies on its side and tells a place, a camera and a comment.
pub(crate) fn photo(width: u32, height: u32) -> Vec<u8> {
    let mut exif = b"MM\0\x2a\0\0\0\x08\0\x02".to_vec();
    exif.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0");
    exif.extend(b"\x01\x0e\0\x02\0\0\0\x10\0\0\0\x26");
    exif.extend(b"\0\0\0\0SECRET-LOCATION\0");
    let pixels = image::load_from_memory(&picture(width, height, ImageFormat::Png)).unwrap().into_rgb8();
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 90);
    encoder.set_exif_metadata(exif).unwrap();
    encoder.set_icc_profile(b"SECRET-PROFILE".to_vec()).unwrap();
    encoder.encode_image(&pixels).unwrap();
    let comment = b"\xff\xfe\0\x10SECRET-COMMENT";
    [&jpeg[..2], comment, &jpeg[2..]].concat()
}

/// A PNG whose header claims other sides and bits, and an alpha channel.
pub(crate) fn claiming(png: &[u8], side: u32, bits: u8) -> Vec<u8> {
    let mut png = png.to_vec();
    png[16..20].copy_from_slice(&side.to_be_bytes());
    png[20..24].copy_from_slice(&side.to_be_bytes());
    png[24..26].copy_from_slice(&[bits, 6]);
    let mut crc = Crc::new();
    crc.update(&png[12..29]);
    png[29..33].copy_from_slice(&crc.sum().to_be_bytes());
    png
}
