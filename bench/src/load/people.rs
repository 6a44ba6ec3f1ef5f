//! Accounts that a run makes for itself.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::json;

use crate::load::{Address, Call, Client, Reply, Stop, Who, api, clock};
use crate::report::print_line;
use crate::trouble::{Fallible, Trouble};

const PASSWORD: &str = "bench: correct horse";
/// Sign-ups at the same time: enough to keep the server hashing, and so few that the server refuses
/// none.
const AT_ONCE: usize = 4;

/// How long a server's limits may hold up that the accounts of a run are deleted again, and how often that is tried.
/// A server that keeps its limits needs minutes for some accounts, and a run has to end.
const ALLOWED_WITHIN: Duration = Duration::from_secs(20);
const ASKS_AGAIN: Duration = Duration::from_secs(4);

/// A person with an account.
pub(crate) struct Person {
    pub(crate) name: String,
    /// The id to which notes to this person are sent.
    pub(crate) target: String,
}

impl Person {
    pub(crate) async fn token(&self, address: Address) -> Fallible<String> {
        let call = sign_in(&self.name);
        api::word(&Client::new(address).expect(200, &call).await?, "access_token", &call)
    }
}

pub(crate) fn sign_up(name: &str) -> Call {
    let body = json!({"username": name, "email": format!("{name}@bench.example"), "password": PASSWORD});
    Call::post("/api/register", Who::Nobody, body)
}

pub(crate) fn sign_in(name: &str) -> Call {
    Call::post("/api/login", Who::Nobody, json!({"email_or_username": name, "password": PASSWORD}))
}

/// The call that deletes an account.
pub(crate) fn delete(token: &str) -> Call {
    Call::new("DELETE", "/api/user/delete", Who::Token(token), Some(json!({"password": PASSWORD}).to_string()))
}

/// All accounts that a run has made on one server. If some are left on a server that keeps running,
/// the end of the run names them.
pub(crate) struct People {
    /// A text that is different in every run, and is in every name and note of the run.
    pub(crate) tag: String,
    next: Cell<usize>,
    /// The names of the accounts that are not deleted yet.
    open: RefCell<BTreeSet<String>>,
    /// Whether the server keeps running after the run, with these accounts.
    goes_on: bool,
}

impl People {
    pub(crate) fn new(goes_on: bool) -> Self {
        // Ten characters fit into a name with five digits behind them. The same tag comes again
        // after twelve days, for a microsecond.
        let tag = format!("{:010x}", clock::since_1970().as_micros() & 0xff_ffff_ffff);
        Self { tag, next: Cell::new(0), open: RefCell::default(), goes_on }
    }

    pub(crate) async fn sign_up(&self, address: Address, count: usize, stop: &Stop) -> Fallible<Vec<Person>> {
        let first = self.next.replace(self.next.get() + count);
        let one = |n| async move {
            let (name, mut client) = (format!("b{}{:05}", self.tag, first + n), Client::new(address));
            // The name is recorded before the answer, because the run may end before the answer.
            if self.goes_on {
                self.open.borrow_mut().insert(name.clone());
            }
            client.expect(201, &sign_up(&name)).await?;
            let call = Call::get(&format!("/api/annon/{name}"), Who::Nobody);
            let target = api::word(&client.expect(200, &call).await?, "message", &call)?;
            Ok(Person { name, target })
        };
        stop.each("accounts are made", count, AT_ONCE, one).await
    }

    /// Deletes all these accounts from a server that keeps running, so that it is as it was.
    pub(crate) async fn leave(&self, address: Address) -> Fallible {
        let open = self.open.borrow().clone();
        if open.is_empty() {
            return Ok(());
        }
        let until = clock::now() + ALLOWED_WITHIN;
        let one = |name: String| async move {
            let (mut client, call) = (Client::new(address), sign_in(&name));
            let Some(reply) = ask_until_allowed(&mut client, &call, until).await? else { return Ok(()) };
            // A 401 means that the account was never made.
            if reply.status != 401 {
                let token = api::word(&api::expected(200, &call, &reply)?, "access_token", &call)?;
                let call = delete(&token);
                let Some(reply) = ask_until_allowed(&mut client, &call, until).await? else { return Ok(()) };
                api::expected(200, &call, &reply)?;
            }
            self.open.borrow_mut().remove(&name);
            Ok::<_, Trouble>(())
        };
        stream::iter(open).map(one).buffered(AT_ONCE).try_collect::<()>().await?;
        // Those that are left are named when this ends.
        print_line(if self.open.borrow().is_empty() {
            "The accounts made for this run are deleted again."
        } else {
            "The server's limits keep some accounts of this run: delete them, or start it with --address-limits off."
        });
        Ok(())
    }
}

/// Asks again as long as the server's limits refuse it, until a moment. `None` if they still do then.
async fn ask_until_allowed(client: &mut Client, call: &Call, until: Instant) -> Fallible<Option<Reply>> {
    loop {
        let reply = client.ask(call).await?;
        if reply.status != 429 {
            return Ok(Some(reply));
        }
        if clock::now() + ASKS_AGAIN > until {
            return Ok(None);
        }
        tokio::time::sleep(ASKS_AGAIN).await;
    }
}

impl Drop for People {
    fn drop(&mut self) {
        let stay = self.open.borrow().len();
        if stay > 0 {
            print_line(&format!("{stay} accounts stay on the server: b{}…", self.tag));
        }
    }
}
