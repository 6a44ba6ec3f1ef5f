//! Passwords: argon2id with OWASP's parameters, on a pool of its own.

use annon_actors::ids::random_bytes;
use annon_contract::code::Code;
use annon_store::account::{Password, PasswordHash};
use argon2::password_hash::phc::{self, Output, ParamsString, Salt};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::runtime::Handle;

use crate::error::ApiError;
use crate::pool::Pool;

mod arenas;

use arenas::Arenas;

/// 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// The most hashes that may wait; each takes some 20 ms.
const QUEUE: usize = 32;
/// Bytes of salt, as many as OWASP asks for.
const SALT: usize = 16;

/// Compared if there is no such user, so that the answer takes as long.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$QW5ub24tTm9ib2R5cy4$f9TazzWTgIFskiuoQ+VXWPP1IWiWYg5laAiDB+70Y5s";

pub struct Passwords {
    pool: Pool,
    arenas: Arenas,
}

impl Passwords {
    pub fn start(threads: usize) -> std::io::Result<Self> {
        let pool = Pool::start("passwords", threads, QUEUE)?;
        Ok(Self { pool, arenas: Arenas::default() })
    }

    /// Hashes a new password, for the store.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, ApiError> {
        self.run(move |arenas| new_hash(password.as_bytes(), arenas)).await?
    }

    /// Whether the password is right. Without a hash it is not, and the answer
    /// takes as long.
    pub async fn is_right(&self, password: Password, hash: Option<PasswordHash>) -> Result<bool, ApiError> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or_else(|| PasswordHash(NOBODYS.to_owned()));
        let matched = self.run(move |arenas| matches(password.as_bytes(), &hash.0, arenas).unwrap_or(false)).await;
        Ok(matched? && exists)
    }

    /// Does the work on the pool. The pool's thread also gives the memory back,
    /// since the caller may have hung up by then.
    async fn run<T: Send + 'static>(&self, work: impl FnOnce(&Arenas) -> T + Send + 'static) -> Result<T, Code> {
        let (arenas, runtime) = (self.arenas.clone(), Handle::current());
        let job = move || {
            let done = work(&arenas);
            arenas.give_back_later(&runtime);
            done
        };
        self.pool.run(job).await
    }
}

fn new_hash(password: &[u8], arenas: &Arenas) -> Result<PasswordHash, ApiError> {
    let salt: [u8; 32] = random_bytes().ok_or(Code::Internal)?;
    let hash = || {
        let salt = Salt::new(&salt[..SALT])?;
        let params = Params::new(MEMORY_KIB, PASSES, 1, Some(Params::DEFAULT_OUTPUT_LEN))?;
        let kept = ParamsString::try_from(&params)?;
        let output = output(password, &salt, Argon2::new(Algorithm::Argon2id, Version::V0x13, params), arenas)?;
        let version = Some(Version::V0x13.into());
        Ok(phc::PasswordHash {
            algorithm: Algorithm::Argon2id.ident(),
            version,
            params: kept,
            salt: Some(salt),
            hash: Some(output),
        })
    };
    match hash() {
        Ok(hash) => Ok(PasswordHash(hash.to_string())),
        Err::<_, argon2::password_hash::Error>(error) => {
            tracing::error!(%error, "a password can't be hashed");
            Err(Code::Internal.into())
        }
    }
}

/// Whether a hash is this password's. The error: it is no valid hash.
fn matches(password: &[u8], hash: &str, arenas: &Arenas) -> argon2::password_hash::Result<bool> {
    let hash = phc::PasswordHash::new(hash)?;
    let (Some(salt), Some(expected)) = (hash.salt, hash.hash) else { return Ok(false) };
    let algorithm = Algorithm::try_from(hash.algorithm.as_str())?;
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from)?;
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&hash)?);
    // Outputs are compared in constant time.
    Ok(output(password, &salt, argon2, arenas)? == expected)
}

fn output(password: &[u8], salt: &Salt, argon2: Argon2<'_>, arenas: &Arenas) -> argon2::password_hash::Result<Output> {
    let params = argon2.params();
    let mut bytes = [0; Output::MAX_LENGTH];
    let bytes = &mut bytes[..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN).min(Output::MAX_LENGTH)];
    arenas.with(params.block_count(), |blocks| argon2.hash_password_into_with_memory(password, salt, bytes, blocks))?;
    Ok(Output::new(bytes)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use annon_store::account::SignUpPassword;

    fn password(raw: &str) -> Password {
        SignUpPassword::try_from(raw.to_owned()).unwrap().0
    }

    #[actix_web::test]
    async fn the_right_password_is_right_and_a_missing_user_never_is() {
        let passwords = Passwords::start(1).unwrap();
        let hash = passwords.hash(password("correct horse")).await.unwrap();
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.0);
        assert!(passwords.is_right(password("correct horse"), Some(hash.clone())).await.unwrap());
        assert!(!passwords.is_right(password("correct house"), Some(hash)).await.unwrap());
        assert!(!passwords.is_right(password("nobody has this password"), None).await.unwrap());
    }

    #[test]
    fn nobodys_hash_costs_what_everybodys_does() {
        let arenas = Arenas::default();
        let mine = new_hash(b"any password", &arenas).unwrap();
        let costs = |hash: &str| hash.split('$').nth(3).map(str::to_owned);
        assert_eq!(costs(NOBODYS), costs(&mine.0));
        assert!(matches(b"nobody has this password", NOBODYS, &arenas).unwrap(), "it has to be a whole hash");
    }

    #[test]
    fn an_arena_that_was_used_before_changes_nothing() {
        use argon2::password_hash::PasswordVerifier;
        let arenas = Arenas::default();
        for password in ["correct horse", "another one"] {
            let hash = new_hash(password.as_bytes(), &arenas).unwrap().0;
            assert!(Argon2::default().verify_password(password.as_bytes(), &*hash).is_ok(), "{hash}");
            assert!(matches(password.as_bytes(), &hash, &arenas).unwrap());
            assert!(!matches(b"anything else", &hash, &arenas).unwrap());
        }
    }
}
