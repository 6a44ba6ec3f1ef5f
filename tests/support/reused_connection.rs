//! One connection for many calls, as a browser or a proxy uses it.

use crate::support::client::{Answer, Call, Connection};
use crate::support::server::Server;

/// Sends calls over one connection, and opens another when the server has announced its end.
pub(crate) struct ReusedConnection<'a> {
    server: &'a Server,
    connection: Connection,
}

impl<'a> ReusedConnection<'a> {
    pub(crate) fn open(server: &'a Server) -> Self {
        Self { server, connection: Connection::open(server.address) }
    }

    pub(crate) fn send(&mut self, call: Call) -> Answer {
        let answer = call.send_on(&mut self.connection);
        if answer.header("connection") == Some("close") {
            *self = Self::open(self.server);
        }
        self.server.get("/healthz").send_on(&mut self.connection).assert(200, "alive");
        answer
    }
}
