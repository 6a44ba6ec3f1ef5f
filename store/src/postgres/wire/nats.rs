//! NATS as what carries the wire: a node hears only of the rooms and inboxes that it has
//! open. A subject is `annon.`, what the cluster is called, and the mark of what it is about;
//! the mark of nothing is for all nodes. Payloads are the same as in notifications.
//!
//! When NATS is gone, nothing is wrong: the heads of open rooms are then looked at twice a
//! second in the record. So a lost connection is given up, and a new one made, by those who
//! hear on it.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, Message, ServerAddr, StatusCode, Subscriber};
use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::sync::mpsc::Sender;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::Unsaid;
use super::message::{Mark, Marks, hex};
use crate::postgres::options::advice;
use crate::postgres::{PostgresError, ServerPlace};
use crate::seals;
use crate::wire::NodeId;

/// Where nodes ask which cluster uses a NATS.
const HELLO: &str = "annon.hello";
/// How long the answer may take.
const ANSWER: Duration = Duration::from_secs(3);
/// How long a server may take to accept a connection.
const CONNECT: Duration = Duration::from_secs(5);
/// Messages about one subject that may wait. With more, the connection counts as lost.
const WAITING: usize = 4096;

/// How NATS is reached.
pub(in crate::postgres) struct Nats {
    servers: Vec<ServerAddr>,
    /// With a password.
    user: Option<(String, String)>,
    tls: rustls::ClientConfig,
    /// The connection that there is, for the farewell.
    current: Mutex<Option<Client>>,
}

impl Nats {
    /// Reads a URL such as `nats://annon@one,two`. Its password may stand elsewhere.
    pub(super) fn of(place: &ServerPlace, tls: rustls::ClientConfig) -> Result<Self, PostgresError> {
        let (mut servers, mut user, mut password) = (Vec::new(), None, place.password.clone());
        let (scheme, hosts) = place.url.split_once("://").unwrap_or(("nats", &place.url));
        for host in hosts.split(',') {
            let server: ServerAddr = format!("{scheme}://{host}").parse().map_err(PostgresError::NatsUrl)?;
            let mut url = server.into_inner();
            let unreadable = |()| PostgresError::NatsUrl(io::ErrorKind::InvalidInput.into());
            if !url.username().is_empty() {
                user = Some(url.username().to_owned());
            }
            if let Some(theirs) = url.password().map(str::to_owned) {
                if place.password.is_some() {
                    return Err(PostgresError::TwoPasswords("NATS"));
                }
                password = Some(theirs);
            }
            url.set_password(None).and_then(|()| url.set_username("")).map_err(unreadable)?;
            servers.push(ServerAddr::from_url(url).map_err(PostgresError::NatsUrl)?);
        }
        let user = user.map(|user| (user, password.unwrap_or_default()));
        Ok(Self { servers, user, tls, current: Mutex::default() })
    }

    /// A connection that is given up when it is lost; `lost` is notified then.
    async fn connect(&self, lost: Arc<Notify>) -> Result<Client, async_nats::ConnectError> {
        let hears = move |event| {
            if matches!(event, Event::Disconnected | Event::Closed | Event::SlowConsumer(_)) {
                lost.notify_one();
            }
            std::future::ready(())
        };
        let mut options = ConnectOptions::new()
            .name("annon")
            .tls_client_config(self.tls.clone())
            .connection_timeout(CONNECT)
            .subscription_capacity(WAITING)
            .max_reconnects(self.servers.len())
            .event_callback(hears);
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        options.connect(self.servers.as_slice()).await
    }

    /// The connection is lost.
    pub(super) fn give_up(&self) {
        *self.current.lock() = None;
    }

    /// Looks whether this NATS hands on what is said, and whether another cluster uses it.
    /// Nobody is disturbed.
    pub(super) async fn look(&self, cluster: Option<&str>) -> Result<(), PostgresError> {
        let unreachable = |error: async_nats::ConnectError| PostgresError::NoNats(error.to_string() + advice(&error));
        let client = self.connect(Arc::default()).await.map_err(unreachable)?;
        match timeout(ANSWER, ask(&client)).await {
            Ok(Some(None)) => Ok(()),
            Ok(Some(Some(theirs))) if Some(&*theirs) == cluster => Ok(()),
            Ok(Some(Some(_))) => Err(PostgresError::OthersNats),
            Ok(None) | Err(_) => Err(PostgresError::MuteNats),
        }
    }

    /// Tells the others that this node stops, if it is connected.
    pub(super) async fn say_at_last(&self, cluster: &str, payload: String) {
        let current = self.current.lock().take();
        if let Some(client) = current {
            let _ = client.publish(subject(cluster, Mark::default()), payload.into()).await;
            let _ = client.flush().await;
        }
    }
}

/// Asks the nodes that use this NATS what their cluster is called, and returns what one of
/// them says; `Some(None)` if there are none, and `None` if the connection is lost.
async fn ask(client: &Client) -> Option<Option<String>> {
    let answers_to = format!("{HELLO}.{}", hex(seals::random().ok()?));
    let mut answers = client.subscribe(answers_to.clone()).await.ok()?;
    client.publish_with_reply(HELLO, answers_to, Default::default()).await.ok()?;
    // With nobody there to answer, NATS itself does.
    let answer = answers.next().await?;
    let has_nobody = answer.status == Some(StatusCode::NO_RESPONDERS);
    Some((!has_nobody).then(|| String::from_utf8_lossy(&answer.payload).into_owned()))
}

fn subject(cluster: &str, mark: Mark) -> String {
    format!("annon.{cluster}.{}", hex(mark))
}

/// A connection that hears and says.
pub(super) struct Session {
    client: Client,
    cluster: String,
    lost: Arc<Notify>,
    heard: Sender<String>,
    hearing: Mutex<Hearing>,
}

/// What is listened to: a task for each subject, which ends with the session.
#[derive(Default)]
struct Hearing {
    tasks: JoinSet<()>,
    of: HashMap<Mark, AbortHandle>,
}

impl Session {
    /// Connects, and hands on what is heard.
    pub(super) async fn connect(nats: &Nats, cluster: &str, heard: Sender<String>) -> Option<Self> {
        let lost = Arc::new(Notify::new());
        let client = nats.connect(lost.clone()).await.ok()?;
        let (cluster, hearing) = (cluster.to_owned(), Mutex::default());
        let this = Self { client, cluster, lost, heard, hearing };
        this.listen(&[Mark::default()]).await?;
        let questions = this.client.subscribe(HELLO).await.ok()?;
        this.hearing.lock().tasks.spawn(answer(questions, this.client.clone(), this.cluster.clone()));
        *nats.current.lock() = Some(this.client.clone());
        Some(this)
    }

    /// Hears what is said about these subjects, too, from before whatever is said next. `None`
    /// if the connection is lost.
    pub(super) async fn listen(&self, marks: &[Mark]) -> Option<()> {
        for mark in marks {
            if self.hearing.lock().of.contains_key(mark) {
                continue;
            }
            let messages = self.client.subscribe(subject(&self.cluster, *mark)).await.ok()?;
            let hearing = &mut *self.hearing.lock();
            let task = hearing.tasks.spawn(hand_on(messages, self.heard.clone(), self.lost.clone()));
            hearing.of.insert(*mark, task);
        }
        Some(())
    }

    /// Hears no more of subjects to which nobody listens.
    pub(super) fn forget(&self, is_wanted: impl Fn(&Mark) -> bool) {
        let hearing = &mut *self.hearing.lock();
        hearing.of.retain(|mark, task| {
            let stays = *mark == Mark::default() || is_wanted(mark);
            if !stays {
                task.abort();
            }
            stays
        });
        while hearing.tasks.try_join_next().is_some() {}
    }

    /// Says what waits. Returns whether the connection took it.
    pub(super) async fn say(&self, node: NodeId, unsaid: Unsaid) -> bool {
        let pokes = unsaid.pokes.into_iter().filter_map(|mark| Some((mark, Marks::poke(node, &[mark])?)));
        for (mark, payload) in pokes.chain(unsaid.messages) {
            if self.client.publish(subject(&self.cluster, mark), payload.into()).await.is_err() {
                return false;
            }
        }
        true
    }

    /// Ends when the connection is lost.
    pub(super) async fn lost(&self) {
        self.lost.notified().await;
    }
}

/// Hands on what is said about one subject.
async fn hand_on(mut messages: Subscriber, heard: Sender<String>, lost: Arc<Notify>) {
    while let Some(Message { payload, .. }) = messages.next().await {
        let Ok(payload) = String::from_utf8(payload.into()) else { continue };
        if heard.try_send(payload).is_err() {
            return lost.notify_one();
        }
    }
}

/// Tells nodes that are about to start which cluster uses this NATS.
async fn answer(mut questions: Subscriber, client: Client, cluster: String) {
    while let Some(question) = questions.next().await {
        if let Some(reply) = question.reply {
            let _ = client.publish(reply, cluster.clone().into()).await;
        }
    }
}
