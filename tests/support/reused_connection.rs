//! One connection for many calls, as a browser or a proxy uses it.

use crate::support::client::{Answer, Call, Connection};
use crate::support::server::Server;

/// Sends calls over one connection, and opens another one only when the server has announced that
/// it closes the first.
pub(crate) struct Line<'a> {
    server: &'a Server,
    connection: Connection,
}

impl<'a> Line<'a> {
    pub(crate) fn open(server: &'a Server) -> Self {
        Self { server, connection: Connection::open(server.address) }
    }

    pub(crate) fn send(&mut self, call: Call) -> Answer {
        let answer = call.send_on(&mut self.connection);
        if answer.header("connection") == Some("close") {
            *self = Self::open(self.server);
        }
        self.server.get("/healthz").send_on(&mut self.connection).says(200, "alive");
        answer
    }
}
