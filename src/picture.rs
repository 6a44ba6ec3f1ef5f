//! Pictures from strangers: checked before they are decoded, decoded under
//! limits, and always re-encoded, so that nothing but pixels remains.

use std::io::Cursor;
use std::panic::catch_unwind;

use annon_contract::code::Code;
use annon_contract::limits::{PICTURE_MAX_MEMORY, PICTURE_MAX_SIDE, PICTURE_SIDE, PICTURE_STORED_QUALITY};
use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, Rgb, RgbImage};

/// A picture that this server has encoded.
#[derive(Debug, PartialEq, Eq)]
pub struct Drawn {
    pub jpeg: Vec<u8>,
    pub width: u16,
    pub height: u16,
}

/// Re-encodes a picture as a JPEG: upright, its longest side at most
/// `PICTURE_SIDE`, without anything else the file held.
pub fn redraw(file: &[u8]) -> Result<Drawn, Code> {
    // A file can be made so that its decoder panics.
    catch_unwind(|| draw(file)).unwrap_or(Err(Code::PictureUnreadable))
}

fn draw(file: &[u8]) -> Result<Drawn, Code> {
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
    // The limits above are for the decoder's own memory. The memory for its
    // pixels (eight bytes each, in the worst case) is allocated here.
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

/// The bytes that a progressive JPEG takes besides its pixels: all of its
/// coefficients, two bytes each, are kept until the last scan. The decoder's
/// own limit does not count them.
fn coefficients(file: &[u8], pixels: u64) -> u64 {
    let Some(segments) = file.strip_prefix(b"\xff\xd8") else { return 0 };
    match frame(segments) {
        Some((0xc0 | 0xc1, _)) => 0,
        frame => frame.and_then(|(_, frame)| of_frame(frame)).unwrap_or(pixels * 8),
    }
}

/// The frame's kind and its header. `None` if anything but usual segments comes
/// first: the decoder may read that in another way, so the most that a JPEG can
/// take, four coefficients a pixel, is counted then.
fn frame(mut rest: &[u8]) -> Option<(u8, &[u8])> {
    loop {
        let (&[0xff, marker], segment) = rest.split_first_chunk()? else { return None };
        let length = usize::from(u16::from_be_bytes(*segment.first_chunk()?));
        rest = match marker {
            // Any number of fill bytes may stand before a marker.
            0xff => &rest[1..],
            0xc4 | 0xdb | 0xdd | 0xe0..=0xef | 0xfe => segment.get(length..)?,
            0xc0..=0xc2 => return Some((marker, segment.get(2..length)?)),
            _ => return None,
        }
    }
}

fn of_frame(frame: &[u8]) -> Option<u64> {
    let (&[_, y0, y1, x0, x1, _], components) = frame.split_first_chunk()?;
    let sampling: Vec<_> =
        components.chunks_exact(3).map(|it| (u64::from(it[1] >> 4), u64::from(it[1] & 15))).collect();
    let most = sampling.iter().map(|(h, _)| h).max()? * sampling.iter().map(|(_, v)| v).max()?;
    let blocks: u64 = sampling.iter().map(|(h, v)| h * v).sum();
    // The sides are rounded up to whole blocks, of up to 32 by 32 pixels.
    let sides = [[y0, y1], [x0, x1]].map(|side| u64::from(u16::from_be_bytes(side)).next_multiple_of(32));
    (sides[0] * sides[1] * blocks * 2).checked_div(most)
}

/// JPEG has no transparency, and on black nobody could read dark writing.
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
    fn a_file_at_which_its_decoder_panics_is_refused_as_any_other() {
        let webp = include_bytes!("../fuzz/corpus/picture/chroma.webp");
        assert!(catch_unwind(|| draw(webp)).is_err(), "image-webp 0.2.4 panics; does a newer one read it?");
        assert_eq!(redraw(webp), Err(Code::PictureUnreadable));
    }

    #[test]
    fn what_was_transparent_is_white() {
        let picture = image::load_from_memory(&jpeg(64, 64)).unwrap().to_rgb8();
        let pixel = picture.get_pixel(60, 32).0;
        assert!(pixel.iter().all(|&c| c > 245), "{pixel:?}");
    }

    /// The beginning of a JPEG: a comment that looks like a frame, and a frame.
    fn head(kind: u8, side: u16, sampling: &[u8]) -> Vec<u8> {
        let mut head = b"\xff\xd8\xff\xfe\0\x04\xff\xc2\xff\xff".to_vec();
        let count = u8::try_from(sampling.len()).unwrap();
        head.extend([kind, 0, 8 + 3 * count, 8]);
        head.extend([side.to_be_bytes(), side.to_be_bytes()].concat());
        head.push(count);
        sampling.iter().zip(1..).for_each(|(&both, id)| head.extend([id, both, 0]));
        head
    }

    #[test]
    fn a_progressive_picture_takes_more_than_its_pixels() {
        let side = 4096;
        let pixels = u64::from(side).pow(2);
        let takes = |kind, sampling: &[u8]| coefficients(&head(kind, side, sampling), pixels);
        assert_eq!(takes(0xc0, &[0x22, 0x11, 0x11]), 0);
        assert_eq!(takes(0xc2, &[0x22, 0x11, 0x11]), pixels * 3);
        assert!(takes(0xc2, &[0x22, 0x11, 0x11]) + pixels * 3 <= 2 * PICTURE_MAX_MEMORY, "the usual ones fit");
        assert_eq!(takes(0xc2, &[0x11; 3]), pixels * 6);
        assert_eq!(takes(0xc2, &[0x11]), pixels * 2);
        assert_eq!(coefficients(&head(0xc2, 33, &[0x11]), 33 * 33), 64 * 64 * 2);
        assert_eq!(coefficients(&jpeg(64, 64), 64 * 64), 0);
        // The decoder skips what is broken, and finds another frame.
        let odd = [b"\xff\xd8odd", &head(0xc0, side, &[0x11])[2..]].concat();
        assert_eq!(coefficients(&odd, pixels), pixels * 8);
        assert_eq!(takes(0xc2, &[0]), pixels * 8);
        // The header of a PNG tells its size.
        assert_eq!(coefficients(b"\x89PNG\xff\xc2", 64 * 64), 0);
    }
}
