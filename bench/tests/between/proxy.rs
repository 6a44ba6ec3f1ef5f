//! Somebody between who says one thing for another.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

/// It runs until the test ends.
pub(crate) struct Proxy {
    /// Where.
    pub(crate) url: String,
}

impl Proxy {
    /// Passes everything on, and what the server says with one word changed
    /// for another that is as long.
    pub(crate) fn start(server: SocketAddr, word: &'static str, other: &'static str) -> Self {
        assert_eq!(word.len(), other.len());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let server = TcpStream::connect(server).unwrap();
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || pass_on(from, to, "", ""));
                thread::spawn(move || pass_on(server, client, word, other));
            }
        });
        Self { url }
    }
}

/// Somebody at the door, who soon lets nobody in any more.
pub(crate) struct Porter {
    /// Where.
    pub(crate) url: String,
    turned_away: Arc<AtomicUsize>,
}

impl Porter {
    /// Passes everything on. When the server has said a word, so many more are
    /// let in.
    pub(crate) fn start(server: SocketAddr, word: &'static str, more: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (places, turned_away) = (Arc::new(AtomicUsize::new(usize::MAX)), Arc::new(AtomicUsize::new(0)));
        let away = turned_away.clone();
        thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if places.fetch_update(SeqCst, SeqCst, |places| places.checked_sub(1)).is_err() {
                    away.fetch_add(1, SeqCst);
                    continue;
                }
                let server = TcpStream::connect(server).unwrap();
                let (from, to) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                let places = places.clone();
                thread::spawn(move || pass_on(from, to, "", ""));
                thread::spawn(move || {
                    pass_on_and(server, client, |piece| {
                        let is_said = piece.windows(word.len()).any(|bytes| bytes == word.as_bytes());
                        // It is said to each of them, and counts once.
                        let first = |places: usize| (is_said && places > usize::MAX / 2).then_some(more);
                        let _ = places.fetch_update(SeqCst, SeqCst, first);
                    });
                });
            }
        });
        Self { url, turned_away }
    }

    /// How many were not let in.
    pub(crate) fn turned_away(&self) -> usize {
        self.turned_away.load(SeqCst)
    }
}

fn pass_on(from: TcpStream, to: TcpStream, word: &str, other: &str) {
    pass_on_and(from, to, |piece| {
        let length = word.len().max(1);
        for at in 0..(piece.len() + 1).saturating_sub(length) {
            if piece[at..].starts_with(word.as_bytes()) {
                piece[at..at + word.len()].copy_from_slice(other.as_bytes());
            }
        }
    });
}

/// Until one of the two hangs up.
fn pass_on_and(mut from: TcpStream, mut to: TcpStream, mut with: impl FnMut(&mut [u8])) {
    let mut bytes = vec![0; 64 * 1024];
    while let Some(read) = from.read(&mut bytes).ok().filter(|read| *read > 0) {
        let piece = &mut bytes[..read];
        with(piece);
        if to.write_all(piece).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
