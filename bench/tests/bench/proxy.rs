//! A proxy that replaces a word in the server's answers.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;

/// A proxy. It runs until the test ends.
pub(crate) struct Proxy {
    pub(crate) url: String,
}

impl Proxy {
    /// Passes everything on, and replaces `word` in the server's answers by `other`, which is as
    /// long.
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

/// Passes bytes on until one side closes the connection.
fn pass_on(mut from: TcpStream, mut to: TcpStream, word: &str, other: &str) {
    let mut bytes = vec![0; 64 * 1024];
    while let Some(read) = from.read(&mut bytes).ok().filter(|read| *read > 0) {
        let piece = &mut bytes[..read];
        for at in 0..(read + 1).saturating_sub(word.len().max(1)) {
            if piece[at..].starts_with(word.as_bytes()) {
                piece[at..at + word.len()].copy_from_slice(other.as_bytes());
            }
        }
        if to.write_all(piece).is_err() {
            break;
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
