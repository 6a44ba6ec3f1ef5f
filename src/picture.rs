//! Pictures from strangers: looked at before they are decoded, decoded under
//! limits, and always drawn anew, so that nothing but pixels remains.

use std::io::Cursor;

use annon_contract::code::Code;
use annon_contract::limits::{PICTURE_MAX_MEMORY, PICTURE_MAX_SIDE, PICTURE_SIDE, PICTURE_STORED_QUALITY};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

/// A picture of our own making.
#[derive(Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The file.
    pub jpeg: Vec<u8>,
    /// Its width.
    pub width: u16,
    /// Its height.
    pub height: u16,
}

/// A JPEG of the picture: upright, its longest side at most 1080, without
/// anything else the file held.
pub fn redraw(file: &[u8]) -> Result<Drawn, Code> {
    let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|_| Code::PictureUnreadable)?;
    if !matches!(reader.format(), Some(ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) {
        return Err(Code::PictureOfOtherKind);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(PICTURE_MAX_SIDE);
    limits.max_image_height = Some(PICTURE_MAX_SIDE);
    limits.max_alloc = Some(PICTURE_MAX_MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    // The limits above are the decoder's own; what its pixels take (eight
    // bytes each, in the worst case) is allocated by us.
    let bytes = decoder.total_bytes();
    let besides = coefficients(file, u64::from(width) * u64::from(height));
    let takes_too_much = bytes > PICTURE_MAX_MEMORY || bytes + besides > 2 * PICTURE_MAX_MEMORY;
    if width > PICTURE_MAX_SIDE || height > PICTURE_MAX_SIDE || takes_too_much {
        return Err(Code::PictureTooLarge);
    }
    let orientation = decoder.orientation().map_err(refused)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(refused)?;
    if width > PICTURE_SIDE || height > PICTURE_SIDE {
        picture = picture.thumbnail(PICTURE_SIDE, PICTURE_SIDE);
    }
    picture.apply_orientation(orientation);
    let side = |pixels| u16::try_from(pixels).map_err(|_| Code::PictureTooLarge);
    let (width, height) = (side(picture.width())?, side(picture.height())?);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, PICTURE_STORED_QUALITY)
        .encode_image(&on_white(&picture))
        .map_err(|_| Code::PictureUnreadable)?;
    Ok(Drawn { jpeg, width, height })
}

/// What a progressive JPEG of so many pixels may take besides them: all of its
/// coefficients, two bytes each and at most four a pixel, are kept until the
/// last scan. The decoder's own limit does not count them.
fn coefficients(file: &[u8], pixels: u64) -> u64 {
    // No such mark stands in the data between marks, where 0 follows each 0xff.
    let is_frame = |pair: &[u8]| matches!(pair, [0xff, 0xc2 | 0xca]);
    if file.starts_with(b"\xff\xd8") && file.windows(2).any(is_frame) { pixels * 8 } else { 0 }
}

/// JPEG has no transparency; black would swallow dark writing.
fn on_white(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let rgba = picture.to_rgba8();
    RgbImage::from_fn(rgba.width(), rgba.height(), |x, y| {
        let [r, g, b, a] = rgba.get_pixel(x, y).0;
        let over_white = |c: u8| {
            let (c, a) = (u16::from(c), u16::from(a));
            u8::try_from((c * a + 255 * (255 - a)) / 255).unwrap_or(u8::MAX)
        };
        Rgb([over_white(r), over_white(g), over_white(b)])
    })
}

fn refused(error: image::ImageError) -> Code {
    match error {
        image::ImageError::Limits(_) => Code::PictureTooLarge,
        image::ImageError::Unsupported(_) => Code::PictureOfOtherKind,
        _ => Code::PictureUnreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{Rgba, RgbaImage};

    fn png(width: u32, height: u32) -> Vec<u8> {
        let picture =
            RgbaImage::from_fn(width, height, |x, _| Rgba([200, 30, 30, if x < width / 2 { 255 } else { 0 }]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    fn jpeg(width: u32, height: u32) -> Vec<u8> {
        redraw(&png(width, height)).unwrap().jpeg
    }

    #[test]
    fn what_was_transparent_is_white() {
        let picture = image::load_from_memory(&jpeg(64, 64)).unwrap().to_rgb8();
        let pixel = picture.get_pixel(60, 32).0;
        assert!(pixel.iter().all(|&c| c > 245), "{pixel:?}");
    }

    #[test]
    fn a_progressive_picture_takes_more_than_its_pixels() {
        let baseline = jpeg(64, 64);
        assert_eq!(coefficients(&baseline, 64 * 64), 0);
        let frame = baseline.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
        let mut progressive = baseline.clone();
        progressive[frame + 1] = 0xc2;
        assert_eq!(coefficients(&progressive, 64 * 64), 64 * 64 * 8);
        // What makes a PNG large stands in its head.
        assert_eq!(coefficients(b"\x89PNG\xff\xc2", 64 * 64), 0);
    }
}
