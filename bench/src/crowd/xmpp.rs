//! Members of an XMPP server's rooms. They come in anonymously, each with an
//! address the server makes up.

use crate::clock;
use crate::crowd::{Size, awaited, fill, not_in, source};
use crate::dialect::{Xmpp, nick};
use crate::engine::Hall;
use crate::socket::{Door, Socket, SocketError};
use crate::stop::Stop;
use crate::target::Address;
use crate::trouble::Trouble;

const DOMAIN: &str = "localhost";
const OPEN: &str = "<open xmlns='urn:ietf:params:xml:ns:xmpp-framing' to='localhost' version='1.0'/>";
const SIGN_IN: &str = "<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='ANONYMOUS'/>";
const BIND: &str =
    "<iq xmlns='jabber:client' type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>";

/// Rooms of the service `conference.localhost`.
pub(crate) async fn gather_xmpp(address: Address, size: Size, stop: &Stop) -> Result<(Xmpp, Hall), Trouble> {
    let xmpp = Xmpp { service: format!("conference.{DOMAIN}"), tag: clock::since_1970().as_millis() };
    let fill_one = |room| {
        let room_address = xmpp.room(room);
        async move {
            let mut filled = Vec::with_capacity(size.members);
            for member in 0..size.members {
                let connection = room * size.members + member;
                let joined = join(address, &room_address, &nick(member), connection).await;
                filled.push((joined.map_err(|error| not_in(address, &error))?, Some(nick(member))));
            }
            Ok(filled)
        }
    };
    let hall = fill(size, fill_one, stop).await?;
    Ok((xmpp, hall))
}

async fn join(address: Address, room: &str, nick: &str, connection: usize) -> Result<Socket, SocketError> {
    let door = Door { protocol: Some("xmpp"), from: source(address.at, connection), ..Door::new(address, "/ws") };
    let mut socket = Socket::open(&door).await?;
    socket.say(OPEN).await?;
    wait(&mut socket, "<open", None).await?;
    wait(&mut socket, "<stream:features", Some("ANONYMOUS")).await?;
    socket.say(SIGN_IN).await?;
    wait(&mut socket, "<success", None).await?;
    socket.say(OPEN).await?;
    wait(&mut socket, "<open", None).await?;
    wait(&mut socket, "<stream:features", Some("bind")).await?;
    socket.say(BIND).await?;
    wait(&mut socket, "<iq", Some("<jid>")).await?;
    let enter = format!(
        "<presence xmlns='jabber:client' to='{room}/{nick}'><x xmlns='http://jabber.org/protocol/muc'>\
         <history maxstanzas='0'/></x></presence>"
    );
    socket.say(&enter).await?;
    // The subject comes last, and says that one is in.
    wait(&mut socket, "<message", Some("<subject")).await?;
    Ok(socket)
}

/// Waits for a stanza; presences of others may come before it.
async fn wait(socket: &mut Socket, name: &str, holds: Option<&str>) -> Result<(), SocketError> {
    loop {
        let said = awaited("a stanza", socket.hear()).await?;
        if said.starts_with(name) && holds.is_none_or(|holds| said.contains(holds)) {
            return Ok(());
        }
        if !said.starts_with("<presence") && !said.starts_with("<message") || said.contains("type='error'") {
            return Err(SocketError::Odd(said));
        }
    }
}
