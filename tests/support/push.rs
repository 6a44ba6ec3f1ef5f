//! A push service (RFC 8030) over TLS, and browsers that subscribe to it and read what it is sent.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use aws_lc_rs::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree};
use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value, json};

use crate::support::certificate::certify_for;
use crate::support::client::Answer;
use crate::support::patience::{HANG, wait_for};
use crate::support::person::Person;
use crate::support::server::{Folder, Server};
use crate::support::talk::{Talk, base64url};

/// How the service answers.
#[derive(Clone)]
pub(crate) enum Reply {
    /// With a status, and other lines of the head.
    Status(u16, String),
    /// Never.
    Silence,
    /// With a 201, and a body of so many bytes.
    Body(usize),
    /// With a 201, and a body without an end.
    EndlessBody,
    /// With a head without an end.
    EndlessHead,
}

/// What the service was sent.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Sent {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

type Replies = Box<dyn Fn(&str, usize) -> Reply + Send + Sync>;

struct Shared {
    /// What is answered to the request for a path that so many came before.
    replies: Replies,
    sent: Mutex<Vec<Sent>>,
    is_over: AtomicBool,
}

pub(crate) struct PushService {
    address: SocketAddr,
    certificate: String,
    shared: Arc<Shared>,
    accepting: Option<JoinHandle<()>>,
}

impl PushService {
    /// A service that takes everything.
    pub(crate) fn start(folder: &Folder) -> Self {
        Self::that(folder, |_, _| Reply::Status(201, String::new()))
    }

    /// A service that answers so.
    pub(crate) fn that(folder: &Folder, replies: impl Fn(&str, usize) -> Reply + Send + Sync + 'static) -> Self {
        let (certificate, key) = certify_for(folder, "push", "DNS:localhost");
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let chain = vec![CertificateDer::from_pem_file(&certificate).unwrap()];
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(chain, PrivateKeyDer::from_pem_file(key).unwrap())
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { replies: Box::new(replies), sent: Mutex::default(), is_over: false.into() });
        let (ours, config) = (shared.clone(), Arc::new(config));
        let accepting = thread::spawn(move || {
            for stream in listener.incoming() {
                if ours.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let (shared, config) = (ours.clone(), config.clone());
                // Who hangs up early is whom this is for.
                thread::spawn(move || stream.map(|stream| serve(&shared, config, stream)));
            }
        });
        Self { address, certificate, shared, accepting: Some(accepting) }
    }

    /// The flags of a server that knows this service.
    pub(crate) fn flags(&self) -> [&str; 4] {
        ["--push-services", "localhost", "--push-service-of-tests", &self.certificate]
    }

    /// The address of a browser of this name.
    pub(crate) fn endpoint(&self, name: &str) -> String {
        format!("https://localhost:{}/push/{name}", self.address.port())
    }

    /// What was sent to a browser of this name.
    pub(crate) fn sent_to(&self, name: &str) -> Vec<Sent> {
        let path = format!("/push/{name}");
        self.shared.sent.lock().unwrap().iter().filter(|sent| sent.path == path).cloned().collect()
    }

    /// Waits until so much was sent to a browser of this name.
    pub(crate) fn wait_for(&self, name: &str, count: usize) -> Vec<Sent> {
        wait_for(&format!("{count} messages to {name}"), || Some(self.sent_to(name)).filter(|sent| sent.len() >= count))
    }
}

impl Drop for PushService {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        self.accepting.take().map(JoinHandle::join);
    }
}

fn serve(shared: &Shared, config: Arc<ServerConfig>, stream: TcpStream) -> Option<()> {
    stream.set_read_timeout(Some(HANG)).ok()?;
    let mut stream = BufReader::new(StreamOwned::new(ServerConnection::new(config).ok()?, stream));
    let mut line = String::new();
    stream.read_line(&mut line).ok()?;
    let path = line.split(' ').nth(1)?.to_owned();
    assert!(line.starts_with("POST "), "{line}");
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.push((name.to_owned(), value.to_owned()));
    }
    let mut sent = Sent { path, headers, body: Vec::new() };
    sent.body = vec![0; sent.header("content-length")?.parse().ok()?];
    stream.read_exact(&mut sent.body).ok()?;
    let reply = {
        let mut all = shared.sent.lock().unwrap();
        let before = all.iter().filter(|other| other.path == sent.path).count();
        let reply = (shared.replies)(&sent.path, before);
        all.push(sent);
        reply
    };
    let stream = stream.get_mut();
    let endless = |stream: &mut StreamOwned<_, _>, first: &[u8], more: &[u8]| {
        stream.write_all(first).ok()?;
        // It ends when the server has hung up.
        while stream.write_all(more).is_ok() {}
        Some(())
    };
    match reply {
        Reply::Status(status, more) => {
            let head = format!("HTTP/1.1 {status} Answer\r\n{more}Content-Length: 0\r\n\r\n");
            stream.write_all(head.as_bytes()).ok()?;
            stream.flush().ok()
        }
        Reply::Silence => stream.read(&mut [0]).map(drop).ok(),
        Reply::Body(length) => {
            stream.write_all(format!("HTTP/1.1 201 Answer\r\nContent-Length: {length}\r\n\r\n").as_bytes()).ok()?;
            stream.write_all(&vec![b'x'; length]).ok()
        }
        Reply::EndlessBody => endless(stream, b"HTTP/1.1 201 Answer\r\n\r\n", &[b'x'; 16 * 1024]),
        Reply::EndlessHead => endless(stream, b"HTTP/1.1 201 Answer\r\n", b"X-More: and more\r\n"),
    }
}

/// A browser with a subscription.
pub(crate) struct Browser {
    key: PrivateKey,
    secret: [u8; 16],
    pub(crate) name: String,
    pub(crate) endpoint: String,
}

impl Browser {
    pub(crate) fn new(service: &PushService) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self::named(service, &format!("browser-{}", NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    pub(crate) fn named(service: &PushService, name: &str) -> Self {
        let key = PrivateKey::generate(&ECDH_P256).unwrap();
        Self { key, secret: [7; 16], name: name.to_owned(), endpoint: service.endpoint(name) }
    }

    fn public(&self) -> Vec<u8> {
        self.key.compute_public_key().unwrap().as_ref().to_vec()
    }

    /// What it sends to be told of these kinds.
    pub(crate) fn form(&self, kinds: &[&str]) -> Value {
        json!({
            "endpoint": self.endpoint, "kinds": kinds, "quiet": null, "language": "en",
            "keys": { "p256dh": base64url(&self.public()), "auth": base64url(&self.secret) },
        })
    }

    pub(crate) fn id(&self) -> String {
        base64url(&digest(&SHA256, self.endpoint.as_bytes()).as_ref()[..16])
    }

    pub(crate) fn subscribe(&self, server: &Server, person: &Person, kinds: &[&str]) {
        assert_subscribed(&person.send(server, "PUT", "/api/push", &self.form(kinds)), self);
    }

    /// What it sends to be told of answers in a conversation, or of a group.
    pub(crate) fn form_of_sender(&self) -> Value {
        let mut form = self.form(&[]);
        form.as_object_mut().unwrap().remove("kinds");
        form
    }

    /// Has a conversation's sender told of answers in this browser.
    pub(crate) fn subscribe_sender(&self, server: &Server, talk: &Talk) {
        let form = self.form_of_sender();
        assert_subscribed(&talk.call(server, None, "PUT", "/push").json(&form).send(), self);
    }

    /// Reads a message as a browser does.
    pub(crate) fn read(&self, Sent { body, .. }: &Sent) -> Value {
        let (salt, rest) = body.split_at(16);
        assert_eq!(rest[..5], [0, 0, 16, 0, 65], "records of 4096 bytes, and a key of 65");
        let (theirs, sealed) = rest[5..].split_at(65);
        let mac = |key: &[u8], data: &[&[u8]]| sign(&Key::new(HMAC_SHA256, key), &data.concat()).as_ref().to_vec();
        let peer = UnparsedPublicKey::new(&ECDH_P256, theirs);
        let shared = agree(&self.key, peer, (), |shared| Ok(mac(&self.secret, &[shared]))).unwrap();
        let content = mac(&shared, &[b"WebPush: info\0", &self.public(), theirs, &[1]]);
        let from = mac(salt, &[&content]);
        let key = mac(&from, &[b"Content-Encoding: aes128gcm\0\x01"]);
        let nonce = mac(&from, &[b"Content-Encoding: nonce\0\x01"]);
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key[..16]).unwrap());
        let mut sealed = sealed.to_vec();
        let nonce = Nonce::try_assume_unique_for_key(&nonce[..12]).unwrap();
        let plain = key.open_in_place(nonce, Aad::empty(), &mut sealed).unwrap();
        let end = plain.iter().rposition(|byte| *byte != 0).unwrap();
        assert_eq!(plain[end], 2, "the last record");
        serde_json::from_slice(&plain[..end]).unwrap()
    }
}

/// A subscription at a service that is taken without any flag. Nothing must be sent there.
pub(crate) fn form_of_usual_service() -> Value {
    let key = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4";
    let keys = json!({ "p256dh": key, "auth": base64url(&[7; 16]) });
    json!({ "endpoint": "https://fcm.googleapis.com/fcm/send/nobody", "keys": keys, "language": "de" })
}

#[track_caller]
pub(crate) fn assert_subscribed(answer: &Answer, browser: &Browser) {
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json(), json!({ "status": 200, "data": { "id": browser.id() } }));
}

/// How many messages this has become of, since the server's start.
pub(crate) fn outcomes(server: &Server, outcome: &str) -> u64 {
    let text = server.metrics().text();
    let name = format!("annon_push_messages_total{{outcome=\"{outcome}\"}} ");
    text.lines().find_map(|line| line.strip_prefix(&*name)).map_or(0, |count| count.parse().unwrap())
}
