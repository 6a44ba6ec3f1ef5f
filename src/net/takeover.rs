//! Takes connections over after a handshake. The usual handlers answer a
//! request for a WebSocket; if they accept it, the connection leaves actix-web
//! and belongs to a session.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use actix_codec::Framed;
use actix_http::body::{BodySize, BoxBody, MessageBody};
use actix_http::h1::{Codec, ExpectHandler, SendResponse};
use actix_http::{ConnectionType, HttpService, KeepAlive, Protocol, Request, Response};
use actix_service::boxed::{self, BoxServiceFactory};
use actix_service::{Service, ServiceFactory, ServiceFactoryExt, fn_factory, fn_service, map_config};
use actix_tls::accept::rustls_0_23::reexports::ServerConfig;
use actix_tls::accept::rustls_0_23::{Acceptor, TlsStream};
use actix_web::Error;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::rt::net::TcpStream;
use annon_actors::session::{Connection, Duplex, Takeover};
use bytes::{Bytes, BytesMut};

use crate::limits::rate_limit::QuotaGuard;
use crate::net::admission::{Admission, tune};
use crate::net::slow_client::TimedStream;

/// How long an idle connection stays open.
const KEEP_ALIVE: KeepAlive = KeepAlive::Timeout(Duration::from_secs(75));

/// How long a client may take to close a connection that the server ends, so
/// that it can read the last answer.
const DISCONNECT: Duration = Duration::from_secs(1);

/// How long a TLS handshake may take. Lost packets are sent again after a
/// second, and after two more.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Each thread has two apps. Only the one for upgrades has this in its data, and
/// only with this a handler may answer 101.
pub struct AllowsTakeover;

/// A connection that carries HTTP.
pub trait Carrier: Duplex {
    /// The connection for a session; `read` has the bytes that were read ahead.
    fn into_connection(self, read: BytesMut) -> Connection;
}

impl Carrier for TimedStream<TcpStream> {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Tcp(self.into_inner(), read)
    }
}

impl Carrier for TimedStream<TlsStream<TcpStream>> {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Other(Box::new(self.into_inner()), read)
    }
}

/// HTTP on plain connections.
pub fn plain(app: WebFactory, app_for_upgrades: WebFactory, admission: Admission) -> impl Transport {
    let entrance = admission.clone();
    fn_service(move |tcp: TcpStream| {
        let admitted = entrance.admit(&tcp);
        async move {
            let (peer, guard) = admitted.ok_or(())?;
            tune(&tcp);
            Ok(arrived(tcp, peer, guard))
        }
    })
    .and_then(http(app, app_for_upgrades, admission).map_err(drop))
}

/// HTTP over TLS. A connection is counted from before the first byte of its
/// handshake until it is dropped.
pub fn secure(
    app: WebFactory,
    app_for_upgrades: WebFactory,
    mut config: ServerConfig,
    admission: Admission,
) -> impl Transport {
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let mut acceptor = Acceptor::new(config);
    acceptor.set_handshake_timeout(HANDSHAKE);
    let entrance = admission.clone();
    let handshakes = fn_factory(move || {
        let (acceptor, entrance) = (acceptor.clone(), entrance.clone());
        async move {
            let acceptor = Rc::new(ServiceFactory::<TcpStream>::new_service(&acceptor, ()).await?);
            Ok(fn_service(move |tcp: TcpStream| {
                let (acceptor, entrance) = (acceptor.clone(), entrance.clone());
                let admitted = entrance.admit(&tcp);
                async move {
                    let (peer, guard) = admitted.ok_or(())?;
                    tune(&tcp);
                    tokio::select! {
                        tls = acceptor.call(tcp) => Ok(arrived(tls.map_err(drop)?, peer, guard)),
                        () = entrance.shut() => Err(()),
                    }
                }
            }))
        }
    });
    handshakes.and_then(http(app, app_for_upgrades, admission).map_err(drop))
}

type Arrived<T> = (TimedStream<T>, Protocol, Option<SocketAddr>);

fn arrived<T>(io: T, peer: SocketAddr, guard: QuotaGuard) -> Arrived<T> {
    (TimedStream::new(io, guard), Protocol::Http1, Some(peer))
}

/// What actix-server runs on each of its threads to serve connections.
pub trait Transport: ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()> {}

impl<F> Transport for F where F: ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()> {}

type Upgrade<T> = (Request, Framed<T, Codec>);

/// The app, before it runs. It is boxed, as its own type is too long to name.
pub type WebFactory = BoxServiceFactory<AppConfig, Request, ServiceResponse, Error, ()>;

type Http<T> = HttpService<
    T,
    BoxServiceFactory<(), Request, ServiceResponse, Error, ()>,
    BoxBody,
    ExpectHandler,
    BoxServiceFactory<(), Upgrade<T>, (), Error, ()>,
>;

/// HTTP as `HttpServer` would build it, and the takeover. Each has its own app,
/// and both apps share their data.
fn http<T: Carrier>(app: WebFactory, app_for_upgrades: WebFactory, admission: Admission) -> Http<T> {
    let app_for_upgrades = Rc::new(app_for_upgrades);
    let upgrades = fn_factory(move || {
        let app = app_for_upgrades.clone();
        async move {
            let app = Rc::new(app.new_service(AppConfig::default()).await?);
            Ok(fn_service(move |(request, framed)| answer(app.clone(), request, framed)))
        }
    });
    HttpService::build()
        .keep_alive(KEEP_ALIVE)
        .client_disconnect_timeout(DISCONNECT)
        .graceful_shutdown_signal(move || admission.clone().shut())
        .upgrade(boxed::factory(upgrades))
        .finish(boxed::factory(map_config(app, |()| AppConfig::default())))
}

async fn answer<T, S>(app: Rc<S>, request: Request, framed: Framed<T, Codec>) -> Result<(), Error>
where
    T: Carrier,
    S: Service<Request, Response = ServiceResponse, Error = Error>,
{
    let mut response: Response<BoxBody> = match app.call(request).await {
        Ok(response) => response.into(),
        Err(error) => error.into(),
    };
    let takeover = response.extensions_mut().remove::<Takeover>();
    if takeover.is_none() {
        // No other request can follow on this connection.
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    let framed = SendResponse::new(framed, response.map_body(|_, body| InfallibleBody(body))).await?;
    if let Some(takeover) = takeover {
        let parts = framed.into_parts();
        takeover.begin(parts.io.into_connection(parts.read_buf));
    }
    Ok(())
}

/// A body that ends early instead of failing, since its client can't be told.
/// The connection ends then, too.
struct InfallibleBody(BoxBody);

impl MessageBody for InfallibleBody {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        self.0.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        Poll::Ready(ready!(Pin::new(&mut self.0).poll_next(context)).and_then(Result::ok).map(Ok))
    }
}
