//! What every engine of the store must answer, held against each of them:
//! sled, sled closed and opened again between any two steps, and memory.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]

mod support;

/// Makes a test per engine out of an async function that takes one.
macro_rules! on_every_engine {
    ($($name:ident),* $(,)?) => {
        mod on_sled {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::engine::Engine::sled(false)).await;
            }
        )*}
        mod on_sled_opened_again_and_again {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::engine::Engine::sled(true)).await;
            }
        )*}
        mod in_memory {$(
            #[tokio::test]
            async fn $name() {
                super::$name($crate::engine::Engine::memory()).await;
            }
        )*}
    };
}

#[path = "contract/access.rs"]
mod access;
#[path = "contract/accounts.rs"]
mod accounts;
#[path = "contract/engine.rs"]
mod engine;
#[path = "contract/feedback.rs"]
mod feedback;
#[path = "contract/images.rs"]
mod images;
#[path = "contract/inbox.rs"]
mod inbox;
#[path = "contract/model.rs"]
mod model;
#[path = "contract/rooms.rs"]
mod rooms;
