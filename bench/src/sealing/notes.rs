//! A sealed inbox, as docs/SEALED.md describes it: who sends a note seals it by HPKE (RFC 9180), and its owner opens it.

use annon_contract::limits::{FINGERPRINT_BYTES, INBOX_KEY_BYTES, SEALED_NOTE_SIZES};
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, Prk};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, Tag, sign};
use aws_lc_rs::rand::fill;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine;
use serde_json::{Value, json};

use super::{BASE64URL, Length, VERSION, padded, parts, unpadded};

const USE: &[u8] = b"annon note 1";
const WRAP: &[u8] = b"annon inbox wrap 1";

/// DHKEM with P-256 and HKDF-SHA256, by the number of RFC 9180.
const KEM: &[u8] = b"KEM\x00\x10";
/// The same with HKDF-SHA256 and AES-256-GCM.
const SUITE: &[u8] = b"HPKE\x00\x10\x00\x01\x00\x02";

fn extract(suite: &[u8], salt: &[u8], label: &[u8], secret: &[u8]) -> Tag {
    sign(&Key::new(HMAC_SHA256, salt), &[b"HPKE-v1", suite, label, secret].concat())
}

fn expand(suite: &[u8], from: &[u8], label: &[u8], info: &[u8], length: usize) -> Result<Vec<u8>, Unspecified> {
    let bytes = u16::try_from(length).map_err(|_| Unspecified)?.to_be_bytes();
    let (info, mut key) = ([&bytes, &b"HPKE-v1"[..], suite, label, info].concat(), vec![0; length]);
    Prk::new_less_safe(HKDF_SHA256, from).expand(&[&info], Length(length))?.fill(&mut key)?;
    Ok(key)
}

/// What a message is sealed with: the base mode's key, and the nonce of the first message.
fn schedule(shared: &[u8], ephemeral: &[u8], public: &[u8], info: &[u8]) -> Result<(LessSafeKey, Nonce), Unspecified> {
    let both = [ephemeral, public].concat();
    let shared = expand(KEM, extract(KEM, &[], b"eae_prk", shared).as_ref(), b"shared_secret", &both, 32)?;
    let [no_psk, info] =
        [(&b"psk_id_hash"[..], &[][..]), (b"info_hash", info)].map(|(l, of)| extract(SUITE, &[], l, of));
    let context = [&[0], no_psk.as_ref(), info.as_ref()].concat();
    let secret = extract(SUITE, &shared, b"secret", &[]);
    let key = expand(SUITE, secret.as_ref(), b"key", &context, 32)?;
    let nonce = expand(SUITE, secret.as_ref(), b"base_nonce", &context, NONCE_LEN)?;
    Ok((LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key)?), Nonce::try_assume_unique_for_key(&nonce)?))
}

fn aad(target: &str) -> Vec<u8> {
    parts(&[USE, target.as_bytes()])
}

/// The keys of an inbox.
pub(crate) struct Inbox {
    key: PrivateKey,
    public: Vec<u8>,
    pkcs8: Vec<u8>,
}

impl Inbox {
    pub(crate) fn new() -> Result<Self, Unspecified> {
        Self::of(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?.to_pkcs8v1()?.as_ref())
    }

    fn of(pkcs8: &[u8]) -> Result<Self, Unspecified> {
        let key = PrivateKey::from_private_key_der(&ECDH_P256, pkcs8).map_err(|_| Unspecified)?;
        let public = key.compute_public_key()?.as_ref().to_vec();
        Ok(Self { key, public, pkcs8: pkcs8.to_vec() })
    }

    /// What its owner sends to have it sealed. A run needs no recovery code, so it draws a key to wrap with, and forgets it.
    pub(crate) fn form(&self) -> Result<Value, Unspecified> {
        let (mut key, mut nonce, mut wrapped) = ([0; 32], [0; NONCE_LEN], self.pkcs8.clone());
        fill(&mut key)?;
        fill(&mut nonce)?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &key)?);
        key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(WRAP), &mut wrapped)?;
        let wrapped = BASE64URL.encode([&nonce[..], &wrapped].concat());
        Ok(json!({ "key": BASE64URL.encode(&self.public), "wrapped": wrapped, "open_notes": false }))
    }

    pub(crate) fn fingerprint(&self) -> String {
        BASE64URL.encode(&digest(&SHA256, &self.public).as_ref()[..FINGERPRINT_BYTES])
    }

    /// Seals words for the id of a target, as its sender does.
    pub(crate) fn seal(&self, target: &str, words: &str) -> Result<String, Unspecified> {
        self.seal_with(&PrivateKey::generate(&ECDH_P256)?, target, &json!({ "m": words, "f": false }).to_string())
    }

    fn seal_with(&self, ephemeral: &PrivateKey, target: &str, said: &str) -> Result<String, Unspecified> {
        let sent = ephemeral.compute_public_key()?;
        let (key, nonce) = agree(ephemeral, UnparsedPublicKey::new(&ECDH_P256, &self.public), Unspecified, |shared| {
            schedule(shared, sent.as_ref(), &self.public, USE)
        })?;
        let mut body = padded(said.as_bytes(), &SEALED_NOTE_SIZES)?;
        key.seal_in_place_append_tag(nonce, Aad::from(aad(target)), &mut body)?;
        Ok(BASE64URL.encode([&[VERSION], sent.as_ref(), &body].concat()))
    }

    /// What a note says, if it was sealed for this inbox and this target.
    pub(crate) fn open(&self, target: &str, sealed: &str) -> Option<Value> {
        let sealed = BASE64URL.decode(sealed).ok()?;
        let (sent, body) = sealed.strip_prefix(&[VERSION])?.split_at_checked(INBOX_KEY_BYTES)?;
        let (key, nonce) = agree(&self.key, UnparsedPublicKey::new(&ECDH_P256, sent), Unspecified, |shared| {
            schedule(shared, sent, &self.public, USE)
        })
        .ok()?;
        let mut body = body.to_vec();
        serde_json::from_slice(&unpadded(key.open_in_place(nonce, Aad::from(aad(target)), &mut body).ok()?)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../../web/src/shared/sealing/vectors.json")).unwrap()
    }

    fn text(of: &Value) -> &str {
        of.as_str().unwrap()
    }

    fn key(name: &str) -> Vec<u8> {
        BASE64URL.decode(text(&vectors()[name]["pkcs8"])).unwrap()
    }

    #[test]
    fn the_vectors_are_made_again_and_opened_and_nobody_else_opens_them() {
        let (vectors, inbox, other) = (vectors(), Inbox::of(&key("inbox")).unwrap(), Inbox::of(&key("other")).unwrap());
        assert_eq!(inbox.form().unwrap()["key"], vectors["inbox"]["publicKey"]);
        assert_eq!(vectors["inbox"]["fingerprint"], inbox.fingerprint());
        let target = text(&vectors["target"]);
        let ephemeral = PrivateKey::from_private_key_der(&ECDH_P256, &key("ephemeral")).unwrap();
        for note in vectors["notes"].as_array().unwrap() {
            let sealed = text(&note["sealed"]);
            assert_eq!(inbox.open(target, sealed).as_ref(), Some(&note["said"]));
            assert!(other.open(target, sealed).is_none());
            assert!(inbox.open("0f8b1c1e-52a7-4f0e-9a53-6c2f1b7d9e45", sealed).is_none());
            assert!(inbox.open(target, &sealed.replacen("AQ", "Ag", 1)).is_none());
            assert!(inbox.open(target, &sealed[..sealed.len() - 4]).is_none());
            // The browsers' JSON has no blanks, and the order of its letters.
            let said = note["said"].to_string();
            let again = inbox.seal_with(&ephemeral, target, &said).unwrap();
            assert_eq!(inbox.open(target, &again).as_ref(), Some(&note["said"]));
            assert_eq!(again[..88], sealed[..88], "the same key that is used once");
        }
        let sealed = inbox.seal(target, "only \"words\" 🦊").unwrap();
        assert_eq!(inbox.open(target, &sealed), Some(json!({ "m": "only \"words\" 🦊", "f": false })));
    }
}
