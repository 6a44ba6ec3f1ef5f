//! What every engine must answer. A new engine is a line in `on_every_engine`.

/// Makes a test per engine out of an async function that takes one.
macro_rules! on_every_engine {
    ($($name:ident),* $(,)?) => {
        on_engine!(on_local, Engine::local(), $($name),*);
        on_engine!(on_local_opened_again_and_again, Engine::local().again_and_again(), $($name),*);
        on_engine!(in_memory, Engine::memory(), $($name),*);
        on_engine!(on_postgres, Engine::postgres().await, $($name),*);
    };
}

macro_rules! on_engine {
    ($engine:ident, $opened:expr, $($name:ident),*) => {
        mod $engine {
            use $crate::contract::engine::Engine;

            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    super::$name($opened).await;
                }
            )*
        }
    };
}

mod access;
mod accounts;
mod answer;
mod conversation;
mod digest;
mod engine;
mod feedback;
mod images;
mod inbox;
mod inbox_seal;
mod invitation;
mod keeping;
mod lapse;
mod model;
mod push;
mod report;
mod room_link;
mod rooms;
mod sent;
mod shelves;
mod shield;
mod sign_in;
mod suspension;
mod telling;
mod told;
mod whole;
