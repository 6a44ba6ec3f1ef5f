//! Collects what is logged while a function runs.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing_subscriber::fmt::MakeWriter;

#[derive(Clone, Default)]
struct LogLines(Arc<Mutex<Vec<u8>>>);

impl Write for LogLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for LogLines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// Runs `deed`, and returns what this thread logged meanwhile.
pub(crate) fn logged<T>(deed: impl FnOnce() -> T) -> (T, String) {
    let lines = LogLines::default();
    let subscriber = tracing_subscriber::fmt().with_writer(lines.clone()).with_ansi(false).finish();
    let outcome = tracing::subscriber::with_default(subscriber, deed);
    let bytes = lines.0.lock().unwrap().clone();
    (outcome, String::from_utf8(bytes).unwrap())
}
