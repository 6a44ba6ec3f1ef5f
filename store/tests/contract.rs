//! What every engine must answer: sled, sled opened again at every step, and memory.

/// Makes a test per engine out of an async function that takes one.
macro_rules! on_every_engine {
    ($($name:ident),* $(,)?) => {
        mod on_sled {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::contract::engine::Engine::sled(false)).await;
            }
        )*}
        mod on_sled_opened_again_and_again {$(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                super::$name($crate::contract::engine::Engine::sled(true)).await;
            }
        )*}
        mod in_memory {$(
            #[tokio::test]
            async fn $name() {
                super::$name($crate::contract::engine::Engine::memory()).await;
            }
        )*}
    };
}

mod access;
mod accounts;
mod engine;
mod feedback;
mod images;
mod inbox;
mod model;
mod rooms;
