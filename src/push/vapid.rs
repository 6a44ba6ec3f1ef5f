//! By what a push service knows this server (RFC 8292): a token that is signed with one key, to which subscriptions are
//! bound. The key comes from the server's secret: all nodes have the same one, and so has a restored backup.

use annon_store::account::Timestamp;
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey};
use aws_lc_rs::hmac;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Serialize;
use zeroize::Zeroizing;

/// How long a token is good for: at most a day is allowed. The clock of a push service may differ.
const GOOD_FOR: u64 = 12 * 60 * 60;
/// Tokens of one hour say the same, so that none tells when it was made.
const HOUR: u64 = 60 * 60;

const HEAD: &str = r#"{"typ":"JWT","alg":"ES256"}"#;

/// What a token says. The order is that of the RFC's example.
#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<&'a str>,
}

pub(super) struct Vapid {
    key: EcdsaKeyPair,
    /// The public key, as browsers and push services are told it.
    public: String,
    /// Where the operator can be reached, if that is known.
    contact: Option<String>,
}

impl Vapid {
    /// `None` if the key can't be made, which no secret is known for.
    pub(super) fn new(secret: &[u8; 32], contact: Option<String>) -> Option<Self> {
        // One secret of some four billions is no key of the curve.
        (0..=u8::MAX).find_map(|n| {
            let bytes = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, secret), &[n]);
            let bytes = Zeroizing::new(<[u8; 32]>::try_from(bytes.as_ref()).ok()?);
            let public = PrivateKey::from_private_key(&ECDH_P256, &*bytes).ok()?.compute_public_key().ok()?;
            let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
            let key = EcdsaKeyPair::from_private_key_and_public_key(signing, &*bytes, public.as_ref()).ok()?;
            Some(Self { key, public: BASE64_URL_SAFE_NO_PAD.encode(public.as_ref()), contact: contact.clone() })
        })
    }

    pub(super) fn public(&self) -> &str {
        &self.public
    }

    /// What a request to the push service of this origin says of who asks; `None` if it can't be signed.
    pub(super) fn authorization(&self, origin: &str, now: Timestamp) -> Option<String> {
        let exp = (now / HOUR * HOUR).saturating_add(GOOD_FOR);
        let signed = unsigned(&Claims { aud: origin, exp, sub: self.contact.as_deref() })?;
        let signature = self.key.sign(&SystemRandom::new(), signed.as_bytes()).ok()?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.as_ref());
        Some(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}

/// What is signed of a token.
fn unsigned(claims: &Claims<'_>) -> Option<String> {
    let claims = serde_json::to_vec(claims).ok()?;
    Some(format!("{}.{}", BASE64_URL_SAFE_NO_PAD.encode(HEAD), BASE64_URL_SAFE_NO_PAD.encode(claims)))
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
    use serde_json::{Value, json};

    use super::*;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
    }

    /// Checks a header as a push service does, and returns what it says.
    fn checked(header: &str) -> (Value, String) {
        let (token, key) = header.strip_prefix("vapid t=").unwrap().split_once(", k=").unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let public = UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, bytes(key));
        public.verify(signed.as_bytes(), &bytes(signature)).unwrap();
        (serde_json::from_slice(&bytes(signed.split_once('.').unwrap().1)).unwrap(), key.to_owned())
    }

    /// RFC 8292, section 2.4.
    #[test]
    fn a_token_is_written_and_signed_as_in_the_rfc() {
        let signed = "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9.eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3Nj\
                      gsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0";
        let claims =
            Claims { aud: "https://push.example.net", exp: 1_453_523_768, sub: Some("mailto:push@example.com") };
        assert_eq!(unsigned(&claims).unwrap(), signed);
        let header = format!(
            "vapid t={signed}.i3CYb7t4xfxCDquptFOepC9GAu_HLGkMlMuCGSK2rpiUfnK9ojFwDXb1JrErtmysazNjjvW2L9OkSSHzvoD1oA, \
             k=BA1Hxzyi1RUM1b5wjxsn7nGxAszw2u61m164i3MrAIxHF6YK5h4SDYic-dRuU_RCPCfA5aq9ojSwk5Y2EmClBPs"
        );
        assert_eq!(checked(&header).0["sub"], "mailto:push@example.com");
    }

    #[test]
    fn one_secret_is_one_key_and_a_token_is_for_one_service_and_half_a_day() {
        let contact = || Some("mailto:safe@annon.example".to_owned());
        let vapid = Vapid::new(&[3; 32], contact()).unwrap();
        let header = vapid.authorization("https://push.example", 1_790_000_123).unwrap();
        let (claims, key) = checked(&header);
        let exp = 1_790_000_123 / 3600 * 3600 + 12 * 3600;
        assert_eq!(claims, json!({ "aud": "https://push.example", "exp": exp, "sub": "mailto:safe@annon.example" }));
        assert_eq!((key.as_str(), bytes(&key).len()), (vapid.public(), 65));
        assert_eq!(Vapid::new(&[3; 32], None).unwrap().public(), vapid.public());
        assert_ne!(Vapid::new(&[4; 32], None).unwrap().public(), vapid.public());
        let nobody = Vapid::new(&[3; 32], None).unwrap().authorization("https://push.example", u64::MAX).unwrap();
        assert!(checked(&nobody).0.get("sub").is_none());
    }
}
