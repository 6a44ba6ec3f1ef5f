//! A room's actor: its mailbox and its timer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use actix::fut::{ActorFuture, wrap_future};
use actix::{Actor, ActorContext, ActorFutureExt, AsyncContext, Context, Handler, Message, ResponseFuture};
use annon_store::image::ImageId;
use annon_store::room::{Emoji, MemberId, Millis, RoomCard, RoomEvent};
use futures_util::FutureExt;
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::clock::Sleep;
use crate::room::budget::MakeWay;
use crate::room::command::{Command, Rejection};
use crate::room::error::RoomError;
use crate::room::page::{Asked, View};
use crate::room::services::Services;
use crate::room::shell::Shell;
use crate::room::shell::asked::{self, Reply};
use crate::room::shell::chores;
use crate::room::shell::requests::{self, MemberRequest};
use crate::room::shell::sockets::Socket;
use crate::room::status::Status;

/// Frames and questions that may wait for one room.
const MAILBOX: usize = 256;

/// Decide this.
#[derive(Clone, Message)]
#[rtype(result = "Result<RoomEvent, RoomError>")]
pub(crate) struct Do(pub(crate) Command);

/// Which emoji does this member have?
#[derive(Clone, Message)]
#[rtype(result = "Result<Emoji, RoomError>")]
pub(crate) struct AskSeat(pub(crate) MemberId);

/// What does somebody see who opens the room?
#[derive(Clone, Message)]
#[rtype(result = "Result<View, RoomError>")]
pub(crate) struct Look(pub(crate) Asked);

/// A seat, or the one that is held, and what is seen from it.
#[derive(Clone, Message)]
#[rtype(result = "Result<View, RoomError>")]
pub(crate) struct ComeIn {
    pub(crate) dice: u64,
    pub(crate) view: Asked,
}

/// May this member add a picture?
#[derive(Clone, Message)]
#[rtype(result = "Result<(), RoomError>")]
pub(crate) struct MayUpload {
    pub(crate) member: MemberId,
    pub(crate) bytes: usize,
}

/// This picture is stored.
#[derive(Clone, Message)]
#[rtype(result = "Result<(), RoomError>")]
pub(crate) struct Issue {
    pub(crate) image: ImageId,
    pub(crate) bytes: usize,
}

/// A socket is there.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Enter(pub(crate) Uuid, pub(crate) Socket);

/// A socket is gone.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Exit(pub(crate) Uuid);

/// A socket said something.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct FromSocket {
    pub(crate) socket: Uuid,
    pub(crate) request: MemberRequest,
}

/// Another has taken this actor's place.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct GiveUp;

/// The server ends.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct ShutDown;

/// The actor of one room.
pub(crate) struct RoomActor {
    shell: Shell,
    /// What is due without anybody asking, and when.
    timer: Option<(Millis, Sleep)>,
}

impl RoomActor {
    /// Starts the actor of a room that nobody was in since a moment, as far as
    /// is known.
    pub(crate) fn launch(
        services: Arc<Services>,
        card: RoomCard,
        status: Arc<Status>,
        nobody_since: Instant,
    ) -> actix::Addr<Self> {
        Self::create(|context| {
            context.set_mailbox_capacity(MAILBOX);
            let shell = Shell::new(services, card, status, nobody_since, context.address().recipient());
            Self { shell, timer: None }
        })
    }

    /// Asks the shell something.
    fn ask<T: 'static>(
        &mut self,
        context: &mut Context<Self>,
        ask: impl FnOnce(&mut Shell, Reply<T>),
    ) -> ResponseFuture<Result<T, RoomError>> {
        let (reply, answered) = oneshot::channel();
        ask(&mut self.shell, reply);
        self.attend(context);
        Box::pin(async move { answered.await.unwrap_or(Err(RoomError::Interrupted)) })
    }

    /// Sees to what the shell has left: work for which the mailbox waits, and
    /// the end.
    fn attend(&mut self, context: &mut Context<Self>) {
        if self.shell.is_given_up {
            return context.stop();
        }
        if let Some(work) = self.shell.work.take_first() {
            context.wait(wrap_future(work).map(|done, this: &mut Self, context| {
                done.into_iter().for_each(|then| then(&mut this.shell));
                this.attend(context);
            }));
        }
    }

    /// Whether something is due.
    fn poll_timer(&mut self, task: &mut std::task::Context<'_>) -> bool {
        let deadline = chores::deadline(&self.shell);
        if self.timer.as_ref().map(|(at, _)| *at) != deadline {
            let Services { clock, .. } = &*self.shell.services;
            let now = self.shell.services.now();
            self.timer = deadline.map(|at| (at, clock.sleep(Duration::from_millis(at.0.saturating_sub(now.0)))));
        }
        self.timer.take_if(|(_, sleep)| sleep.poll_unpin(task).is_ready()).is_some()
    }
}

impl Actor for RoomActor {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.attend(context);
        context.spawn(Drive);
    }
}

/// Goes on with what is under way, whenever the mailbox is empty.
struct Drive;

impl ActorFuture<RoomActor> for Drive {
    type Output = ();

    fn poll(
        self: Pin<&mut Self>,
        actor: &mut RoomActor,
        context: &mut Context<RoomActor>,
        task: &mut std::task::Context<'_>,
    ) -> Poll<()> {
        if context.waiting() {
            return Poll::Pending;
        }
        actor.shell.poll(task);
        while !actor.shell.is_held() && actor.poll_timer(task) {
            chores::wake(&mut actor.shell);
            actor.shell.poll(task);
        }
        actor.attend(context);
        Poll::Pending
    }
}

/// Questions, and who in the shell answers them.
macro_rules! asks {
    ($($message:ident $pattern:pat => $answer:ty: $ask:expr;)*) => {$(
        impl Handler<$message> for RoomActor {
            type Result = ResponseFuture<Result<$answer, RoomError>>;

            fn handle(&mut self, $pattern: $message, context: &mut Self::Context) -> Self::Result {
                self.ask(context, $ask)
            }
        }
    )*};
}

asks! {
    Do Do(command) => RoomEvent: |shell, reply| asked::decide(shell, command, reply);
    AskSeat AskSeat(member) => Emoji: |shell, reply| asked::seat(shell, member, reply);
    Look Look(asked) => View: |shell, reply| asked::view(shell, asked, reply);
    MayUpload MayUpload { member, bytes } => (): |shell, reply| asked::may_upload(shell, member, bytes, reply);
    Issue Issue { image, bytes } => (): |shell, reply| asked::issue(shell, image, bytes, reply);
}

impl Handler<ComeIn> for RoomActor {
    type Result = ResponseFuture<Result<View, RoomError>>;

    fn handle(&mut self, ComeIn { dice, view }: ComeIn, context: &mut Self::Context) -> Self::Result {
        let claimed = self.handle(Do(Command::Claim { member: view.member, dice }), context);
        let seen = self.handle(Look(view), context);
        Box::pin(async move {
            match claimed.await {
                Ok(_) | Err(RoomError::Rejected(Rejection::Seated(_))) => seen.await,
                Err(error) => Err(error),
            }
        })
    }
}

/// Messages that nobody hears an answer to.
macro_rules! tells {
    ($($message:ident $pattern:pat => $shell:ident $does:expr;)*) => {$(
        impl Handler<$message> for RoomActor {
            type Result = ();

            fn handle(&mut self, $pattern: $message, context: &mut Self::Context) {
                let $shell = &mut self.shell;
                $does;
                self.attend(context);
            }
        }
    )*};
}

tells! {
    Enter Enter(id, socket) => shell requests::enter(shell, id, socket);
    Exit Exit(socket) => shell requests::exit(shell, socket);
    FromSocket FromSocket { socket, request } => shell requests::handle(shell, socket, request);
    MakeWay MakeWay => shell chores::make_way(shell);
    GiveUp GiveUp => shell shell.give_up();
    ShutDown ShutDown => shell shell.sockets.clear();
}
