//! Tests of a session on a real connection, with a clock that stands still.

use std::sync::mpsc::{Receiver, Sender, channel};

use actix_http::ws::{Codec, Message};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::codec::{Decoder, Encoder};

use super::*;
use crate::clock::stopped::TestClock;

mod autobahn;

/// A role that sends each text back, and reports the end of its session.
struct Echo(Option<Arc<Outbox>>, Sender<()>);

impl Role for Echo {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        self.0 = Some(outbox);
    }

    fn received(&mut self, text: &str) -> Option<EncodedFrame> {
        Some(EncodedFrame::of(&text))
    }

    fn closed(&mut self) {
        assert!(self.0.as_ref().unwrap().end().is_some());
        let _ = self.1.send(());
    }
}

/// A role that hands its outbox out.
struct Speaker(Sender<Arc<Outbox>>);

impl Role for Speaker {
    fn opened(&mut self, outbox: Arc<Outbox>) {
        let _ = self.0.send(outbox);
    }

    fn received(&mut self, _: &str) -> Option<EncodedFrame> {
        None
    }

    fn closed(&mut self) {}
}

/// Waits for what a session's task sends.
async fn received<T>(from: &Receiver<T>) -> T {
    let arrives = async {
        loop {
            match from.try_recv() {
                Ok(sent) => return sent,
                Err(_) => actix::clock::sleep(Duration::from_millis(5)).await,
            }
        }
    };
    actix::clock::timeout(Duration::from_secs(30), arrives).await.expect("it arrives")
}

/// A client, and what the role at the other end tells its test.
struct Client<T = ()> {
    tcp: TcpStream,
    codec: Codec,
    bytes: BytesMut,
    told: Receiver<T>,
}

impl Client {
    async fn of(clock: &Arc<TestClock>, lives_for: Option<Duration>) -> Self {
        Self::with(|tell| Echo(None, tell), clock, lives_for).await
    }
}

impl<T> Client<T> {
    async fn with<R: Role + Send>(
        role: impl FnOnce(Sender<T>) -> R,
        clock: &Arc<TestClock>,
        lives_for: Option<Duration>,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let tcp = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (theirs, _) = listener.accept().await.unwrap();
        let connection = Connection::Tcp(theirs, BytesMut::new());
        let (tell, told) = channel();
        Takeover::new(role(tell), clock.clone(), lives_for, Box::new(())).begin(connection);
        Self { tcp, codec: Codec::new().client_mode(), bytes: BytesMut::new(), told }
    }

    async fn send(&mut self, message: Message) {
        let mut bytes = BytesMut::new();
        self.codec.encode(message, &mut bytes).unwrap();
        self.tcp.write_all(&bytes).await.unwrap();
    }

    /// The next frame; `None` at the end.
    async fn next(&mut self) -> Option<Frame> {
        loop {
            if let Some(frame) = self.codec.decode(&mut self.bytes).unwrap() {
                return Some(frame);
            }
            if self.tcp.read_buf(&mut self.bytes).await.unwrap() == 0 {
                return None;
            }
        }
    }

    async fn says_goodbye(&mut self, code: CloseCode) {
        let Some(Frame::Close(Some(reason))) = self.next().await else { panic!("no goodbye") };
        assert_eq!(reason.code, code);
        assert_eq!(self.next().await, None, "and then the end");
    }
}

#[actix::test]
async fn who_answers_stays_and_who_is_silent_for_forty_seconds_does_not() {
    let clock = TestClock::new();
    let (mut there, mut gone) = (Client::of(&clock, None).await, Client::of(&clock, None).await);
    for _ in 0..2 {
        clock.pass(SOCKET_PING).await;
        assert_eq!(gone.next().await, Some(Frame::Ping(Bytes::new())));
        assert_eq!(there.next().await, Some(Frame::Ping(Bytes::new())));
        there.send(Message::Pong(Bytes::new())).await;
        // The pong has arrived before more time passes.
        there.send(Message::Text("here".into())).await;
        assert_eq!(there.next().await, Some(Frame::Text("\"here\"".into())));
    }
    clock.pass(SOCKET_PING).await;
    gone.says_goodbye(CloseCode::Policy).await;
    assert_eq!(there.next().await, Some(Frame::Ping(Bytes::new())));
}

#[actix::test]
async fn a_session_ends_when_its_time_is_up() {
    let clock = TestClock::new();
    let mut client = Client::of(&clock, Some(Duration::from_secs(20))).await;
    clock.pass(SOCKET_PING).await;
    assert_eq!(client.next().await, Some(Frame::Ping(Bytes::new())));
    clock.pass(Duration::from_secs(5)).await;
    let Some(Frame::Text(closed)) = client.next().await else { panic!("no word") };
    assert!(closed.starts_with(b"{\"event\":\"event.closed\""), "{closed:?}");
    client.says_goodbye(CloseCode::Other(4401)).await;
    drop(client.tcp);
    received(&client.told).await;
}

#[actix::test]
async fn a_client_that_goes_without_a_word_ends_its_session() {
    let client = Client::of(&TestClock::new(), None).await;
    drop(client.tcp);
    received(&client.told).await;
}

#[actix::test]
async fn what_a_slow_client_does_not_take_waits_and_too_much_of_it_ends_the_session() {
    let mut client = Client::with(Speaker, &TestClock::new(), None).await;
    let outbox = received(&client.told).await;
    let word = |n: usize| format!("{n} {}", "x".repeat(10_000));
    let mut said = 0;
    while outbox.push(&EncodedFrame::of(&word(said))).is_continue() {
        said += 1;
    }
    assert_eq!(outbox.end(), Some(CloseReason::TooSlow));
    for n in 0..said {
        let Some(Frame::Text(text)) = client.next().await else { panic!("{n} of {said} have arrived") };
        assert_eq!(text, format!("\"{}\"", word(n)));
    }
    client.says_goodbye(CloseCode::Again).await;
}

/// Its length is known before it is there.
#[actix::test]
async fn a_frame_that_is_too_long_is_not_waited_for() {
    let mut client = Client::of(&TestClock::new(), None).await;
    let head = [&[0x81, 0xFF][..], &(1_u64 << 30).to_be_bytes(), &[0; 4]].concat();
    client.tcp.write_all(&head).await.unwrap();
    client.tcp.write_all(&vec![b'x'; FRAME_MAX_BYTES + 1]).await.unwrap();
    let goodbye = client.says_goodbye(CloseCode::Size);
    actix::clock::timeout(Duration::from_secs(30), goodbye).await.expect("it ends");
}

/// Sends a text. Returns whether it was admitted; `None` at the end.
async fn is_admitted(client: &mut Client) -> Option<bool> {
    client.send(Message::Text("word".into())).await;
    loop {
        match client.next().await? {
            Frame::Text(text) => return Some(text == "\"word\""),
            Frame::Close(reason) => {
                assert_eq!(reason.unwrap().code, CloseCode::Policy);
                return None;
            }
            Frame::Ping(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[actix::test]
async fn who_stays_above_the_rate_is_cut_off_though_most_is_admitted() {
    let clock = TestClock::new();
    for (a_second, at_most) in [(15, 15), (100, 3)] {
        let mut client = Client::of(&clock, None).await;
        let mut admitted = 0;
        let mut sent = 0;
        while let Some(is_admitted) = is_admitted(&mut client).await {
            admitted += u32::from(is_admitted);
            sent += 1;
            assert!(sent < a_second * at_most, "{a_second} a second is heard for {at_most} s");
            clock.pass(Duration::from_secs(1) / a_second).await;
        }
        assert!(admitted > 20, "{admitted}");
    }
}

#[actix::test]
async fn who_is_above_the_rate_once_in_a_while_stays() {
    let clock = TestClock::new();
    let mut client = Client::of(&clock, None).await;
    for _ in 0..10 {
        let mut refused = 0;
        for _ in 0..30 {
            refused += u32::from(!is_admitted(&mut client).await.expect("is not cut off"));
        }
        assert_eq!(refused, 10);
        clock.pass(Duration::from_secs(10)).await;
    }
}

#[actix::test]
async fn a_message_in_pieces_is_one_message() {
    let mut client = Client::of(&TestClock::new(), None).await;
    let fox = "🦊 says".as_bytes();
    // More pieces than the rate allows whole messages.
    let mut pieces: Vec<_> = fox.chunks(1).chain([&b""[..]; 30]).map(Bytes::copy_from_slice).collect();
    client.send(Message::Continuation(Item::FirstText(pieces.remove(0)))).await;
    client.send(Message::Ping(Bytes::new())).await;
    for piece in pieces {
        client.send(Message::Continuation(Item::Continue(piece))).await;
    }
    client.send(Message::Continuation(Item::Last(Bytes::from_static(b" hello")))).await;
    client.send(Message::Text("whole".into())).await;
    assert_eq!(client.next().await, Some(Frame::Pong(Bytes::new())));
    assert_eq!(client.next().await, Some(Frame::Text("\"🦊 says hello\"".into())));
    assert_eq!(client.next().await, Some(Frame::Text("\"whole\"".into())));
}

#[actix::test]
async fn no_message_grows_without_end_in_pieces() {
    let clock = TestClock::new();
    for size in [0, 1, 5_000] {
        let mut client = Client::of(&clock, None).await;
        let piece = || Bytes::from(vec![b'x'; size]);
        client.send(Message::Continuation(Item::FirstText(piece()))).await;
        for _ in 0..FRAME_MAX_BYTES / (FRAME_HEAD + size) + 1 {
            client.send(Message::Continuation(Item::Continue(piece()))).await;
        }
        client.says_goodbye(CloseCode::Size).await;
    }
}

#[actix::test]
async fn pieces_are_held_against_the_protocol_and_the_rate_like_whole_messages() {
    let clock = TestClock::new();
    let mut client = Client::of(&clock, None).await;
    client.send(Message::Continuation(Item::FirstText(Bytes::from_static(b"x")))).await;
    client.send(Message::Text("another in between".into())).await;
    client.says_goodbye(CloseCode::Protocol).await;

    let mut client = Client::of(&clock, None).await;
    client.send(Message::Continuation(Item::FirstBinary(Bytes::from_static(b"x")))).await;
    client.says_goodbye(CloseCode::Unsupported).await;

    let mut client = Client::of(&clock, None).await;
    for _ in 0..FRAME_RATE.burst + 1 {
        client.send(Message::Continuation(Item::FirstText(Bytes::from_static(b"a ")))).await;
        client.send(Message::Continuation(Item::Last(Bytes::from_static(b"word")))).await;
    }
    for _ in 0..FRAME_RATE.burst {
        assert_eq!(client.next().await, Some(Frame::Text("\"a word\"".into())));
    }
    let Some(Frame::Text(refused)) = client.next().await else { panic!("no answer") };
    assert!(str::from_utf8(&refused).unwrap().contains(Code::SendingTooFast.sentence()), "{refused:?}");
}
