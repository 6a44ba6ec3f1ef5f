//! Passwords: argon2id with OWASP's parameters, on a pool of its own.

use annon_store::account::{Password, PasswordHash};
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::{Mutex, MutexGuard};

use crate::error::ApiError;
use crate::pool::Pool;

/// 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
/// Hashes that may wait; each takes some 20 ms.
const QUEUE: usize = 32;

/// Compared with when there is no such user, so that it takes as long.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$QW5ub24tTm9ib2R5cy4$f9TazzWTgIFskiuoQ+VXWPP1IWiWYg5laAiDB+70Y5s";

/// Hashes and compares passwords.
pub struct Passwords {
    pool: Pool,
    replacing: Mutex<()>,
}

impl Passwords {
    /// Starts the pool.
    pub fn start(cores: usize) -> std::io::Result<Self> {
        // At least one core is left for everything else.
        let pool = Pool::start("passwords", cores.saturating_sub(1).max(1), QUEUE)?;
        Ok(Self { pool, replacing: Mutex::default() })
    }

    /// To be held while a password is replaced, from making sure that it is
    /// still the one that was shown: hashing takes a while, and whoever did
    /// it meanwhile must not be undone.
    pub async fn replacing(&self) -> MutexGuard<'_, ()> {
        self.replacing.lock().await
    }

    /// The form in which a password is kept.
    pub async fn hash(&self, password: Password) -> Result<PasswordHash, ApiError> {
        self.pool.run(move || hash(password.as_bytes())).await?
    }

    /// Whether the password is right. Without a hash the answer is no, and
    /// takes as long.
    pub async fn is_right(&self, password: Password, hash: Option<PasswordHash>) -> Result<bool, ApiError> {
        let exists = hash.is_some();
        let hash = hash.unwrap_or_else(|| PasswordHash(NOBODYS.to_owned()));
        let matches = move || argon2().verify_password(password.as_bytes(), hash.0.as_str()).is_ok();
        Ok(self.pool.run(matches).await? && exists)
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, PASSES, 1, None).unwrap_or_default();
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &[u8]) -> Result<PasswordHash, ApiError> {
    match argon2().hash_password(password) {
        Ok(hash) => Ok(PasswordHash(hash.to_string())),
        Err(error) => {
            tracing::error!(%error, "a password can't be hashed");
            Err(ApiError::Internal)
        }
    }
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
        let passwords = Passwords::start(2).unwrap();
        let hash = passwords.hash(password("correct horse")).await.unwrap();
        assert!(hash.0.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{}", hash.0);
        assert!(passwords.is_right(password("correct horse"), Some(hash.clone())).await.unwrap());
        assert!(!passwords.is_right(password("correct house"), Some(hash)).await.unwrap());
        assert!(!passwords.is_right(password("nobody has this password"), None).await.unwrap());
    }

    #[test]
    fn nobodys_hash_costs_what_everybodys_does() {
        let mine = hash(b"any password").unwrap();
        let costs = |hash: &str| hash.split('$').nth(3).map(str::to_owned);
        assert_eq!(costs(NOBODYS), costs(&mine.0));
        assert!(argon2().verify_password(b"nobody has this password", NOBODYS).is_ok(), "it has to be a whole hash");
    }
}
