//! The room as an actix actor: its mailbox, and the loop beside it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Instant;

use actix::fut::ActorFuture;
use actix::{Actor, ActorContext, Addr, AsyncContext, Context, Handler, Message};
use annon_store::room::RoomMetadata;
use uuid::Uuid;

use crate::room::budget::MakeWay;
use crate::room::services::Services;
use crate::room::shell::Shell;
use crate::room::shell::requests::Request;
use crate::room::shell::sockets::Socket;
use crate::room::status::SharedStatus;

/// Messages that may wait for one room.
const MAILBOX: usize = 256;

/// A message to a room's actor.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum ToRoom {
    /// Somebody asks for something, and is answered.
    Ask(Request),
    /// A socket is open.
    Enter(Uuid, Socket),
    /// A socket is gone.
    Exit(Uuid),
    /// Another actor has taken this one's place.
    GiveUp,
    /// The server ends.
    ShutDown,
}

impl Shell {
    /// Starts the actor of a room. Nobody is known to have been in the room
    /// since `nobody_since`.
    pub(crate) fn launch(
        services: Arc<Services>,
        metadata: RoomMetadata,
        status: SharedStatus,
        nobody_since: Instant,
    ) -> Addr<Self> {
        Self::create(|context| {
            context.set_mailbox_capacity(MAILBOX);
            Self::new(services, metadata, status, nobody_since, context.address())
        })
    }
}

impl Actor for Shell {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.load(context);
        context.spawn(Loop);
    }
}

/// Takes what comes beside messages, whenever the mailbox is empty, and sends
/// the frames that the messages and the steps have left.
struct Loop;

impl ActorFuture<Shell> for Loop {
    type Output = ();

    fn poll(
        self: Pin<&mut Self>,
        shell: &mut Shell,
        context: &mut Context<Shell>,
        task: &mut std::task::Context<'_>,
    ) -> Poll<()> {
        loop {
            // While the log is read, everything else waits.
            while !context.waiting() && !shell.is_given_up {
                shell.tell_owner();
                match shell.next(task) {
                    Poll::Ready(next) => shell.step(next, context),
                    Poll::Pending => break,
                }
            }
            if !shell.sockets.flush() {
                break;
            }
            // The others see that some members are gone.
            shell.broadcast_active();
        }
        if shell.is_given_up {
            context.stop();
        }
        Poll::Pending
    }
}

impl Handler<ToRoom> for Shell {
    type Result = ();

    fn handle(&mut self, message: ToRoom, context: &mut Self::Context) {
        match message {
            ToRoom::Ask(request) => self.receive(request, context),
            ToRoom::Enter(id, socket) => self.enter(id, socket, context),
            ToRoom::Exit(socket) => self.exit(socket),
            ToRoom::GiveUp => self.give_up(),
            ToRoom::ShutDown => {
                self.sockets.clear();
                // Other nodes show at once that they are gone from here.
                self.broadcast_active();
                self.dismiss_visitors();
            }
        }
    }
}

impl Handler<MakeWay> for Shell {
    type Result = ();

    fn handle(&mut self, _: MakeWay, _: &mut Self::Context) {
        self.make_way();
    }
}
