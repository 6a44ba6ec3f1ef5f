//! The sign-ins of an account, as they are on disk.

use serde::{Deserialize, Serialize};

use crate::sign_in::SignIn;

/// The oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SignInsRecord(pub(crate) Vec<SignIn>);
