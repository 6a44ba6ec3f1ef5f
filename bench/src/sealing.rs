//! What browsers do with what is sealed, as docs/SEALED.md describes it. This program takes part in groups and sends notes,
//! and its tests read the vectors of the web app.

use std::collections::HashMap;

use annon_contract::limits::{SEALED_CHECK_BYTES, SEALED_SIZES};
use annon_contract::palette::PALETTE;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, KeyType, Salt};
use aws_lc_rs::rand::{SystemRandom, fill};
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64URL;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

mod notes;

pub(crate) use notes::Inbox;

/// The first byte of everything that is sealed.
const VERSION: u8 = 1;
/// Stands behind the padded bytes, before the zeros.
const END: u8 = 0x80;
/// The first bytes of a hash that name a message.
const HASH_BYTES: usize = 16;
/// The signature stands last in the JSON: `,"g":"`, 86 letters, and `"}`.
const SIGNATURE: &str = ",\"g\":\"";
const SIGNATURE_LETTERS: usize = 86;

/// The keys that follow from that of a group's link.
pub(crate) struct Keys {
    text: LessSafeKey,
    name: LessSafeKey,
    /// Tells the right key from a wrong one, in base64url.
    pub(crate) check: String,
}

struct Length(usize);

impl KeyType for Length {
    fn len(&self) -> usize {
        self.0
    }
}

fn derive(link: &[u8], label: &str, length: usize) -> Result<Vec<u8>, Unspecified> {
    let mut key = vec![0; length];
    let info = format!("annon sealed {label} 1");
    Salt::new(HKDF_SHA256, &[]).extract(link).expand(&[info.as_bytes()], Length(length))?.fill(&mut key)?;
    Ok(key)
}

impl Keys {
    /// `None` if it can't be a key, as when the link was cut off.
    pub(crate) fn of(link: &str) -> Option<Self> {
        let link = BASE64URL.decode(link).ok().filter(|bytes| bytes.len() == 32)?;
        let key = |label| {
            let bytes = derive(&link, label, 32).ok()?;
            Some(LessSafeKey::new(UnboundKey::new(&AES_256_GCM, &bytes).ok()?))
        };
        let check = BASE64URL.encode(derive(&link, "check", SEALED_CHECK_BYTES).ok()?);
        Some(Self { text: key("text")?, name: key("name")?, check })
    }

    /// The group's own name.
    pub(crate) fn name(&self, sealed: &str) -> Option<String> {
        let bytes = open(&self.name, &parts(&[b"annon name 1"]), &BASE64URL.decode(sealed).ok()?)?;
        String::from_utf8(bytes).ok()
    }
}

/// Each part behind its length, so that no two lists give the same bytes.
fn parts(all: &[&[u8]]) -> Vec<u8> {
    let with_length = |part: &&[u8]| [&u16::try_from(part.len()).unwrap_or(u16::MAX).to_be_bytes()[..], part].concat();
    all.iter().flat_map(with_length).collect()
}

/// Opens what was sealed, and takes the padding off.
fn open(key: &LessSafeKey, aad: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let (nonce, body) = sealed.strip_prefix(&[VERSION])?.split_at_checked(NONCE_LEN)?;
    let mut body = body.to_vec();
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    unpadded(key.open_in_place(nonce, Aad::from(aad), &mut body).ok()?)
}

fn unpadded(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = bytes.to_vec();
    while bytes.pop_if(|byte| *byte == 0).is_some() {}
    bytes.pop_if(|byte| *byte == END).map(|_| bytes)
}

/// Makes bytes as long as the next of these sizes.
fn padded(bytes: &[u8], sizes: &[usize]) -> Result<Vec<u8>, Unspecified> {
    let size = *sizes.iter().find(|size| **size > bytes.len()).ok_or(Unspecified)?;
    let mut padded = [bytes, &[END]].concat();
    padded.resize(size, 0);
    Ok(padded)
}

fn seal(key: &LessSafeKey, aad: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Unspecified> {
    let mut body = padded(bytes, &SEALED_SIZES)?;
    let mut nonce = [0; NONCE_LEN];
    fill(&mut nonce)?;
    key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(aad), &mut body)?;
    Ok([&[VERSION][..], &nonce, &body].concat())
}

/// What a message is sealed to.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Place {
    pub(crate) room: String,
    /// The emoji of its sender.
    pub(crate) sender: String,
    pub(crate) id: String,
    /// The id of the message that it answers, or an empty one.
    pub(crate) answers: String,
}

impl Place {
    fn aad(&self) -> Vec<u8> {
        let number = PALETTE.iter().position(|emoji| *emoji == self.sender);
        let number = number.and_then(|number| u8::try_from(number).ok()).unwrap_or(u8::MAX);
        let [room, id, answers] = [&self.room, &self.id, &self.answers].map(String::as_bytes);
        parts(&[b"annon message 1", room, &[number], id, answers])
    }
}

/// A message after opening.
pub(crate) struct Opened {
    /// Everything in it but the signature.
    pub(crate) said: Map<String, Value>,
    signed: Vec<u8>,
    signature: Vec<u8>,
}

impl Opened {
    /// Whether it was signed with this key.
    pub(crate) fn is_signed(&self, key: &str) -> bool {
        let Ok(key) = BASE64URL.decode(key) else { return false };
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key).verify(&self.signed, &self.signature).is_ok()
    }

    /// The key that it announces, if it announces one.
    pub(crate) fn key(&self) -> Option<&str> {
        self.said.get("kind").filter(|kind| *kind == "key")?;
        self.said.get("k")?.as_str().filter(|key| self.is_signed(key))
    }

    /// What it says: its words, or the caption of its picture.
    pub(crate) fn words(&self) -> &str {
        let text = |name| self.said.get(name).and_then(Value::as_str);
        text("t").or_else(|| text("c")).unwrap_or_default()
    }
}

fn hash(sealed: &[u8]) -> String {
    BASE64URL.encode(&digest(&SHA256, sealed).as_ref()[..HASH_BYTES])
}

/// Opens a message, unless it isn't one of this place. Whose it is is looked at later.
pub(crate) fn open_body(keys: &Keys, place: &Place, sealed: &str) -> Option<Opened> {
    let sealed = BASE64URL.decode(sealed).ok()?;
    let aad = place.aad();
    let whole = String::from_utf8(open(&keys.text, &aad, &sealed)?).ok()?;
    let before = whole.len().checked_sub(SIGNATURE.len() + SIGNATURE_LETTERS + 2)?;
    let (json, tail) = whole.split_at_checked(before)?;
    let signature = tail.strip_prefix(SIGNATURE)?.strip_suffix("\"}")?;
    let signature = BASE64URL.decode(signature).ok()?;
    let json = format!("{json}}}");
    let said = serde_json::from_str(&json).ok()?;
    Some(Opened { said, signed: [&aad, json.as_bytes()].concat(), signature })
}

/// The one who signs, and where the next message stands.
#[derive(Serialize, Deserialize)]
pub(crate) struct Signer {
    /// PKCS#8 in base64url.
    key: String,
    /// The next message's number. The first one announces the key.
    n: u64,
    /// The hash of the message before it.
    p: String,
}

impl Signer {
    pub(crate) fn new() -> Result<Self, Unspecified> {
        let pair = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING)?;
        Ok(Self { key: BASE64URL.encode(pair.to_pkcs8v1()?.as_ref()), n: 0, p: String::new() })
    }

    fn pair(&self) -> Result<EcdsaKeyPair, Unspecified> {
        let key = BASE64URL.decode(&self.key).map_err(|_| Unspecified)?;
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &key).map_err(|_| Unspecified)
    }

    /// Whether the next message has to announce the key.
    pub(crate) fn is_new(&self) -> bool {
        self.n == 0
    }

    pub(crate) fn announce(&mut self, keys: &Keys, place: &Place, seen: u64) -> Result<String, Unspecified> {
        let key = BASE64URL.encode(self.pair()?.public_key().as_ref());
        self.seal(keys, place, json!({"kind": "key", "k": key}), seen)
    }

    pub(crate) fn say(&mut self, keys: &Keys, place: &Place, words: &str, seen: u64) -> Result<String, Unspecified> {
        self.seal(keys, place, json!({"t": words}), seen)
    }

    fn seal(&mut self, keys: &Keys, place: &Place, mut said: Value, seen: u64) -> Result<String, Unspecified> {
        (said["n"], said["p"], said["s"]) = (self.n.into(), self.p.as_str().into(), seen.into());
        let (aad, json) = (place.aad(), said.to_string());
        let signature = self.pair()?.sign(&SystemRandom::new(), &[&aad, json.as_bytes()].concat())?;
        let signature = BASE64URL.encode(signature.as_ref());
        let whole = format!("{}{SIGNATURE}{signature}\"}}", json.strip_suffix('}').ok_or(Unspecified)?);
        let sealed = seal(&keys.text, &aad, whole.as_bytes())?;
        (self.n, self.p) = (self.n + 1, hash(&sealed));
        Ok(BASE64URL.encode(sealed))
    }
}

/// The keys that members sign with, as they announced them.
#[derive(Default)]
pub(crate) struct Announced(HashMap<String, String>);

/// Whose a message is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    Sender,
    SomebodyElse,
    /// Its sender's key isn't known.
    Unknown,
}

impl Announced {
    /// Whether the key takes the place of another one.
    pub(crate) fn announce(&mut self, sender: &str, key: &str) -> bool {
        self.0.insert(sender.to_owned(), key.to_owned()).is_some_and(|before| before != key)
    }

    pub(crate) fn prove(&self, sender: &str, opened: &Opened) -> Proof {
        match self.0.get(sender) {
            Some(key) if opened.is_signed(key) => Proof::Sender,
            Some(_) => Proof::SomebodyElse,
            None => Proof::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../../web/src/features/chat/sealing/vectors.json")).unwrap()
    }

    fn keys() -> Keys {
        Keys::of(vectors()["link"].as_str().unwrap()).unwrap()
    }

    fn place(of: &Value) -> Place {
        serde_json::from_value(of["place"].clone()).unwrap()
    }

    fn sealed(of: &Value) -> &str {
        of["sealed"].as_str().unwrap()
    }

    #[test]
    fn the_vectors_open_and_what_was_changed_does_not() {
        let (vectors, keys) = (vectors(), keys());
        assert_eq!(vectors["check"], keys.check);
        assert_eq!(keys.name(sealed(&vectors["name"])).as_deref(), vectors["name"]["name"].as_str());
        let mut announced = Announced::default();
        for body in vectors["bodies"].as_array().unwrap() {
            let opened = open_body(&keys, &place(body), sealed(body)).unwrap();
            let wanted = [&body["said"], &body["standing"]].map(|part| part.as_object().unwrap().clone());
            assert_eq!(opened.said, wanted.into_iter().flatten().collect());
            assert_eq!(body["hash"], hash(&BASE64URL.decode(sealed(body)).unwrap()));
            if let Some(key) = opened.key() {
                assert!(!announced.announce("🦊", key));
            }
            assert_eq!(announced.prove("🦊", &opened), Proof::Sender);
            assert!(!opened.is_signed(vectors["signer"]["other"].as_str().unwrap()));
        }
        let forged = &vectors["forged"];
        let opened = open_body(&keys, &place(forged), sealed(forged)).unwrap();
        assert_eq!(announced.prove("🦊", &opened), Proof::SomebodyElse);
        assert_eq!(announced.prove("🐶", &opened), Proof::Unknown);
        for body in vectors["unopened"].as_array().unwrap() {
            assert!(open_body(&keys, &place(body), sealed(body)).is_none(), "{}", body["why"]);
        }
    }

    #[test]
    fn what_is_sealed_opens_and_names_the_one_before() {
        let (keys, mut signer) = (keys(), Signer::new().unwrap());
        let place = place(&vectors()["bodies"][0]);
        let key = signer.announce(&keys, &place, 4).unwrap();
        let first = open_body(&keys, &place, &key).unwrap();
        assert!(first.key().is_some() && !signer.is_new());
        let said = open_body(&keys, &place, &signer.say(&keys, &place, "a \"word\" 🦊", 5).unwrap()).unwrap();
        assert_eq!(
            (said.words(), &said.said["p"], &said.said["n"]),
            ("a \"word\" 🦊", &json!(hash(&BASE64URL.decode(&key).unwrap())), &json!(1))
        );
        assert!(said.is_signed(first.key().unwrap()) && said.key().is_none());
        for wrong in ["", "AAAA", &vectors()["link"].as_str().unwrap()[1..]] {
            assert!(Keys::of(wrong).is_none(), "{wrong}");
        }
    }
}
