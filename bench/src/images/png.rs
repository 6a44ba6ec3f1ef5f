//! A picture to send: a PNG drawn here, not compressed, with enough noise in
//! it that a server has as much to do as with a photograph.

/// Draws one. The same seed gives the same picture.
pub(super) fn png(width: u32, height: u32, seed: u32) -> Vec<u8> {
    let mut rows = Vec::with_capacity((height * (1 + 3 * width)) as usize);
    let mut noise = seed | 1;
    for y in 0..height {
        // No filter.
        rows.push(0);
        for x in 0..width {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            let grain = noise & 0x1f;
            let shades = [x * 200 / width, y * 200 / height, (x + y) * 200 / (width + height)];
            rows.extend(shades.map(|shade| (shade + grain) as u8));
        }
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut head = Vec::new();
    head.extend(width.to_be_bytes());
    head.extend(height.to_be_bytes());
    // Eight bits, true colour, nothing special.
    head.extend([8, 2, 0, 0, 0]);
    chunk(b"IHDR", &head, &mut out);
    chunk(b"IDAT", &stored(&rows), &mut out);
    chunk(b"IEND", &[], &mut out);
    out
}

/// As zlib writes what it doesn't compress.
fn stored(bytes: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 0xffff;
    let mut out = vec![0x78, 0x01];
    let blocks = bytes.len().div_ceil(BLOCK);
    for (n, block) in bytes.chunks(BLOCK).enumerate() {
        let length = block.len() as u16;
        out.push(u8::from(n + 1 == blocks));
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.extend_from_slice(block);
    }
    out.extend(adler32(bytes).to_be_bytes());
    out
}

fn adler32(bytes: &[u8]) -> u32 {
    const PRIME: u32 = 65_521;
    let (mut a, mut b) = (1, 0);
    for byte in bytes {
        a = (a + u32::from(*byte)) % PRIME;
        b = (b + a) % PRIME;
    }
    b << 16 | a
}

fn chunk(name: &[u8; 4], bytes: &[u8], out: &mut Vec<u8>) {
    out.extend((bytes.len() as u32).to_be_bytes());
    let begin = out.len();
    out.extend_from_slice(name);
    out.extend_from_slice(bytes);
    let sum = crc32(&out[begin..]);
    out.extend(sum.to_be_bytes());
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = !0_u32;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_standards() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    }

    #[test]
    fn a_picture_is_what_it_says() {
        let picture = png(30, 20, 1);
        assert_eq!(picture[..8], *b"\x89PNG\r\n\x1a\n");
        assert_eq!(picture[16..24], [0, 0, 0, 30, 0, 0, 0, 20]);
        assert!(picture.ends_with(b"IEND\xae\x42\x60\x82"));
        assert_ne!(picture, png(30, 20, 3));
    }
}
