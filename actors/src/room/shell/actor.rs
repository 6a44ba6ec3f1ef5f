//! A room's actor: its mailbox and its timer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use actix::fut::{ActorFuture, wrap_future};
use actix::{Actor, ActorContext, ActorFutureExt, Addr, AsyncContext, Context, Handler, Message};
use annon_store::image::ImageId;
use annon_store::room::{Emoji, MemberId, RoomMetadata};
use futures_util::FutureExt;
use futures_util::future::join_all;
use uuid::Uuid;

use crate::room::budget::MakeWay;
use crate::room::command::Command;
use crate::room::page::{Asked, View};
use crate::room::services::Services;
use crate::room::shell::Shell;
use crate::room::shell::requests::{MemberRequest, Reply};
use crate::room::shell::sockets::Socket;
use crate::room::status::SharedStatus;
use crate::room::transcript::OldWords;

/// Messages that may wait for one room.
const MAILBOX: usize = 256;

/// A message to a room's actor.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) enum ToRoom {
    /// Decide this command.
    Decide(Command, Reply<()>),
    /// Which emoji does this member have?
    Seat(MemberId, Reply<Emoji>),
    /// What does somebody see who opens the room?
    Look(Asked, Reply<View>),
    /// Give the member a seat, unless they have one: what do they see? A random
    /// number makes the emoji random.
    ComeIn(u64, Asked, Reply<View>),
    /// May this member add a picture of this many bytes?
    MayUpload(MemberId, usize, Reply<()>),
    /// This picture of this many bytes is stored.
    AddPicture(ImageId, usize, Reply<()>),
    /// A socket is open.
    Enter(Uuid, Socket),
    /// A socket is gone.
    Exit(Uuid),
    /// A socket asks for something.
    FromSocket(Uuid, MemberRequest),
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

    /// Does the work for which the mailbox has to wait, or ends the actor.
    fn attend(&mut self, context: &mut Context<Self>) {
        if self.is_given_up {
            return context.stop();
        }
        let first = std::mem::take(&mut self.work.first);
        if !first.is_empty() {
            context.wait(wrap_future(join_all(first)).map(|done, this: &mut Self, context| {
                done.into_iter().for_each(|then| then(this));
                this.attend(context);
            }));
        }
    }

    /// Sets the timer. Returns whether something is due.
    fn poll_timer(&mut self, task: &mut std::task::Context<'_>) -> bool {
        let deadline = self.deadline();
        if self.timer.as_ref().map(|(at, _)| *at) != deadline {
            let (clock, now) = (&self.services.clock, self.services.now());
            self.timer = deadline.map(|at| (at, clock.sleep(Duration::from_millis(at.0.saturating_sub(now.0)))));
        }
        self.timer.take_if(|(_, sleep)| sleep.poll_unpin(task).is_ready()).is_some()
    }
}

impl Actor for Shell {
    type Context = Context<Self>;

    fn started(&mut self, context: &mut Self::Context) {
        self.attend(context);
        context.spawn(Drive);
    }
}

/// Goes on with what is under way, whenever the mailbox is empty.
struct Drive;

impl ActorFuture<Shell> for Drive {
    type Output = ();

    fn poll(
        self: Pin<&mut Self>,
        shell: &mut Shell,
        context: &mut Context<Shell>,
        task: &mut std::task::Context<'_>,
    ) -> Poll<()> {
        if context.waiting() {
            return Poll::Pending;
        }
        shell.poll(task);
        while !shell.is_held() && shell.poll_timer(task) {
            shell.wake();
            shell.poll(task);
        }
        shell.attend(context);
        Poll::Pending
    }
}

impl Handler<ToRoom> for Shell {
    type Result = ();

    fn handle(&mut self, message: ToRoom, context: &mut Self::Context) {
        match message {
            ToRoom::Decide(command, reply) => {
                let decided = Box::new(move |_: &mut Self, outcome| {
                    let _ = reply.send(outcome);
                });
                self.decide(command, &OldWords::default(), decided);
            }
            ToRoom::Seat(member, reply) => self.seat(member, reply),
            ToRoom::Look(asked, reply) => self.view(asked, reply),
            ToRoom::ComeIn(dice, asked, reply) => self.come_in(dice, asked, reply),
            ToRoom::MayUpload(member, bytes, reply) => self.may_upload(member, bytes, reply),
            ToRoom::AddPicture(image, bytes, reply) => self.add_picture(image, bytes, reply),
            ToRoom::Enter(id, socket) => self.enter(id, socket),
            ToRoom::Exit(socket) => self.exit(socket),
            ToRoom::FromSocket(socket, request) => self.handle_request(socket, request),
            ToRoom::GiveUp => self.give_up(),
            ToRoom::ShutDown => self.sockets.clear(),
        }
        self.attend(context);
    }
}

impl Handler<MakeWay> for Shell {
    type Result = ();

    fn handle(&mut self, _: MakeWay, context: &mut Self::Context) {
        self.make_way();
        self.attend(context);
    }
}
