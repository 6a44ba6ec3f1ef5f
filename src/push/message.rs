//! A message as a push service carries it: encrypted for one browser (RFC 8291, over RFC 8188), all equally long.

use annon_actors::ids::random_bytes;
use annon_store::push::{BrowserKey, BrowserSecret};
use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, ParsedPublicKey, ParsedPublicKeyFormat, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Prk, Salt};
use zeroize::Zeroizing;

const SALT_LEN: usize = 16;
/// The size of a record, which the head names. A message is one record, and shorter.
const RECORD: u32 = 4096;
/// Ends what is said in the last record; zeros follow.
const LAST: u8 = 2;
/// How many bytes the words of a message have together with what they are padded with.
pub const PADDED: usize = 1024;

/// A key and a nonce, by how many bytes each has.
struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive<const N: usize>(from: &Prk, info: &[&[u8]]) -> Result<Zeroizing<[u8; N]>, Unspecified> {
    let mut bytes = Zeroizing::new([0; N]);
    from.expand(info, Length(N))?.fill(&mut *bytes)?;
    Ok(bytes)
}

/// Whether it is the key of a browser: a point of the curve, as browsers write it.
pub fn is_key(key: &[u8]) -> bool {
    let parsed = ParsedPublicKey::try_from(UnparsedPublicKey::new(&ECDH_P256, key));
    parsed.is_ok_and(|key| key.alg() == &ECDH_P256 && key.format() == ParsedPublicKeyFormat::Uncompressed)
}

/// Encrypts words for a browser. They are padded, so that all messages are equally long.
pub fn encrypt(words: &[u8], key: &BrowserKey, secret: &BrowserSecret) -> Result<Vec<u8>, Unspecified> {
    let random = random_bytes().ok_or(Unspecified)?;
    let salt = random.first_chunk().ok_or(Unspecified)?;
    encrypt_with(words, PADDED, key, secret, &PrivateKey::generate(&ECDH_P256)?, salt)
}

fn encrypt_with(
    words: &[u8],
    padded: usize,
    BrowserKey(theirs): &BrowserKey,
    BrowserSecret(secret): &BrowserSecret,
    ours: &PrivateKey,
    salt: &[u8; SALT_LEN],
) -> Result<Vec<u8>, Unspecified> {
    let public = ours.compute_public_key()?;
    let peer = UnparsedPublicKey::new(&ECDH_P256, theirs);
    let shared = agree(ours, peer, Unspecified, |shared| Ok(Salt::new(HKDF_SHA256, secret).extract(shared)))?;
    let content: Zeroizing<[u8; 32]> = derive(&shared, &[b"WebPush: info\0", theirs, public.as_ref()])?;
    seal(words, padded, &*content, public.as_ref(), salt)
}

/// One record (RFC 8188), of words that are padded to so many bytes.
fn seal(
    words: &[u8],
    padded: usize,
    content: &[u8],
    key_id: &[u8],
    salt: &[u8; SALT_LEN],
) -> Result<Vec<u8>, Unspecified> {
    if words.len() >= padded || padded + AES_128_GCM.tag_len() > RECORD as usize {
        return Err(Unspecified);
    }
    let from = Salt::new(HKDF_SHA256, salt).extract(content);
    let key: Zeroizing<[u8; 16]> = derive(&from, &[b"Content-Encoding: aes128gcm\0"])?;
    let nonce: Zeroizing<[u8; 12]> = derive(&from, &[b"Content-Encoding: nonce\0"])?;
    let mut body = [&salt[..], &RECORD.to_be_bytes(), &[u8::try_from(key_id.len())?], key_id].concat();
    let head = body.len();
    body.extend_from_slice(words);
    body.push(LAST);
    body.resize(head + padded, 0);
    // The key is of this message alone, so the nonce comes once.
    let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &*key)?);
    let tag = key.seal_in_place_separate_tag(Nonce::assume_unique_for_key(*nonce), Aad::empty(), &mut body[head..])?;
    body.extend_from_slice(tag.as_ref());
    Ok(body)
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// RFC 8188, section 3.1.
    #[test]
    fn the_walrus_is_encrypted_as_the_rfc_says() {
        let salt = bytes("I1BsxtFttlv3u_Oo94xnmw").try_into().unwrap();
        let words = b"I am the walrus";
        let body = seal(words, words.len() + 1, &bytes("yqdlZ-tYemfogSmv7Ws5PQ"), b"", &salt).unwrap();
        assert_eq!(body, bytes("I1BsxtFttlv3u_Oo94xnmwAAEAAA-NAVub2qFgBEuQKRapoZu-IxkIva3MEB1PD-ly8Thjg"));
    }

    /// RFC 8291, section 5 and appendix A.
    #[test]
    fn the_watermelon_is_encrypted_as_the_rfc_says() {
        let ours = bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw");
        let ours = PrivateKey::from_private_key(&ECDH_P256, &ours).unwrap();
        let theirs = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
        let (key, secret) =
            (BrowserKey(bytes(theirs)), BrowserSecret(bytes("BTBZMqHH6r4Tts7J_aSIgg").try_into().unwrap()));
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let words = b"When I grow up, I want to be a watermelon";
        let body = encrypt_with(words, words.len() + 1, &key, &secret, &ours, &salt).unwrap();
        let expected = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
                        AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
        assert_eq!(body, bytes(expected));
    }

    #[test]
    fn messages_are_equally_long_and_each_is_encrypted_anew() {
        let browser = PrivateKey::generate(&ECDH_P256).unwrap();
        let key = BrowserKey(browser.compute_public_key().unwrap().as_ref().to_vec());
        let secret = BrowserSecret([7; 16]);
        let (short, long) =
            (encrypt(b"", &key, &secret).unwrap(), encrypt(&[b'x'; PADDED - 1], &key, &secret).unwrap());
        assert_eq!((short.len(), long.len()), (86 + PADDED + 16, 86 + PADDED + 16));
        assert!(encrypt(&[b'x'; PADDED], &key, &secret).is_err(), "it would not be as long as all others");
        let again = encrypt(b"", &key, &secret).unwrap();
        assert!(again[..16] != short[..16] && again[21..86] != short[21..86]);
    }

    #[test]
    fn a_key_is_a_point_of_the_curve() {
        let theirs = bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4");
        assert!(is_key(&theirs));
        let mut off = theirs.clone();
        off[64] ^= 1;
        let compressed = [&[2], &theirs[1..33]].concat();
        for bad in [&off[..], &theirs[..64], &compressed, &[4; 65], &[0], &[], &[0; 65]] {
            assert!(!is_key(bad), "{bad:?}");
            assert!(encrypt(b"", &BrowserKey(bad.to_vec()), &BrowserSecret([7; 16])).is_err() || bad == compressed);
        }
    }
}
