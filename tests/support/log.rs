//! What a server writes to standard error, line by line.

use std::io::{BufRead, BufReader, Read};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::Value;

use crate::support::patience::wait_for;

#[derive(Clone, Default)]
pub(crate) struct ServerLog {
    kept: Arc<Mutex<LogLines>>,
}

#[derive(Default)]
struct LogLines {
    lines: Vec<String>,
    ended: bool,
}

impl ServerLog {
    /// Reads the output in a thread until the process ends.
    pub(crate) fn of(output: impl Read + Send + 'static) -> Self {
        let log = Self::default();
        let writing = log.clone();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                writing.kept.lock().unwrap().lines.push(line);
            }
            writing.kept.lock().unwrap().ended = true;
        });
        log
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.kept.lock().unwrap().lines.clone()
    }

    /// Waits for the first line with this message. `None` if the process ends without it.
    pub(crate) fn wait_for(&self, message: &str) -> Option<Value> {
        let find = || {
            let ended = self.kept.lock().unwrap().ended;
            let found = self.lines_with(message).into_iter().next();
            if found.is_none() && ended { Some(None) } else { found.map(Some) }
        };
        wait_for(message, find)
    }

    pub(crate) fn count(&self, message: &str) -> usize {
        self.lines_with(message).len()
    }

    fn lines_with(&self, message: &str) -> Vec<Value> {
        let parsed = self.lines().into_iter().filter_map(|line| serde_json::from_str::<Value>(&line).ok());
        parsed.filter(|line| line["message"] == message).collect()
    }

    /// All lines, once the process has ended.
    pub(crate) fn whole(&self) -> Vec<String> {
        wait_for("the log's end", || self.kept.lock().unwrap().ended.then_some(()));
        self.lines()
    }
}
