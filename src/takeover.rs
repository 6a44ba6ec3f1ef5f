//! Handshakes, taken over: whoever asks for a WebSocket is answered by the
//! same handlers as everybody else, and when the answer is yes, the connection
//! leaves actix-web and becomes a session's.

use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use actix_codec::Framed;
use actix_http::body::{BoxBody, to_bytes};
use actix_http::h1::{Codec, ExpectHandler, SendResponse};
use actix_http::{ConnectionType, HttpService, KeepAlive, Protocol, Request, Response};
use actix_service::{Service, ServiceFactory, ServiceFactoryExt, fn_factory, fn_service, map_config};
use actix_tls::accept::max_concurrent_tls_connect;
use actix_tls::accept::rustls_0_23::reexports::ServerConfig;
use actix_tls::accept::rustls_0_23::{Acceptor, TlsStream};
use actix_web::Error;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::rt::net::TcpStream;
use annon_actors::session::{Connection, Duplex, Takeover};
use bytes::BytesMut;

use crate::door::{Door, tune};
use crate::patient::Patient;
use crate::rate_limit::Slot;

/// How long a connection nobody asks anything on stays open.
const KEEP_ALIVE: KeepAlive = KeepAlive::Timeout(Duration::from_secs(75));

/// How long a client may take to hear that its connection ends, so that it
/// reads the answer before.
const DISCONNECT: Duration = Duration::from_secs(1);

/// TLS connections that are being made, for each thread: some that say nothing
/// for three seconds, after which they end, must not keep others waiting.
const HANDSHAKES: usize = 4096;

/// Among the data of the app that upgrades go to, and of no other.
pub struct TakesOver;

/// What carries HTTP.
pub trait Carrier: Duplex {
    /// It carries a session from now on.
    fn into_connection(self, read: BytesMut) -> Connection;
}

impl Carrier for Patient<TcpStream> {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Tcp(self.into_inner(), read)
    }
}

impl Carrier for Patient<TlsStream<TcpStream>> {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Other(Box::new(self.into_inner()), read)
    }
}

/// HTTP on plain connections.
pub fn plain<F>(app: F, app_for_upgrades: F, door: Door) -> impl Transport
where
    F: WebFactory,
    F::Service: Service<Request, Future: 'static>,
{
    tuned()
        .and_then(fn_service(move |tcp: TcpStream| {
            let admitted = door.admit(&tcp);
            async move { patient(tcp, admitted) }
        }))
        .and_then(http(app, app_for_upgrades).map_err(drop))
}

/// HTTP over TLS.
pub fn secure<F>(app: F, app_for_upgrades: F, mut config: ServerConfig, door: Door) -> impl Transport
where
    F: WebFactory,
    F::Service: Service<Request, Future: 'static>,
{
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    max_concurrent_tls_connect(HANDSHAKES);
    tuned()
        .and_then(Acceptor::new(config).map_err(drop).map_init_err(drop))
        .and_then(fn_service(move |tls: TlsStream<TcpStream>| {
            let admitted = door.admit(tls.get_ref().0);
            async move { patient(tls, admitted) }
        }))
        .and_then(http(app, app_for_upgrades).map_err(drop))
}

type Arrived<T> = (Patient<T>, Protocol, Option<SocketAddr>);

fn patient<T>(io: T, admitted: Option<(SocketAddr, Slot)>) -> Result<Arrived<T>, ()> {
    let (peer, slot) = admitted.ok_or(())?;
    Ok((Patient::new(io, slot), Protocol::Http1, Some(peer)))
}

/// What serves connections.
pub trait Transport: ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()> {}

impl<F> Transport for F where F: ServiceFactory<TcpStream, Config = (), Response = (), Error = (), InitError = ()> {}

fn tuned() -> impl ServiceFactory<TcpStream, Config = (), Response = TcpStream, Error = (), InitError = ()> {
    fn_service(|tcp: TcpStream| async move {
        tune(&tcp);
        Ok(tcp)
    })
}

type Upgrade<T> = (Request, Framed<T, Codec>);

/// HTTP as `HttpServer` would put it together, and the takeover. Each gets an
/// app of its own; what they share is in its data.
fn http<T, F>(
    app: F,
    app_for_upgrades: F,
) -> HttpService<
    T,
    impl ServiceFactory<
        Request,
        Config = (),
        Response = ServiceResponse,
        Error = Error,
        InitError = (),
        Service: Service<Request, Future: 'static>,
    > + 'static,
    BoxBody,
    ExpectHandler,
    impl UpgradeFactory<T>,
>
where
    T: Carrier,
    F: WebFactory,
    F::Service: Service<Request, Future: 'static>,
{
    HttpService::build()
        .keep_alive(KEEP_ALIVE)
        .client_disconnect_timeout(DISCONNECT)
        .upgrade(upgrades(app_for_upgrades))
        .finish(map_config(app, |()| AppConfig::default()))
}

/// The app, before it runs.
pub trait WebFactory:
    ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse, Error = Error, InitError = ()> + 'static
{
}

impl<F> WebFactory for F where
    F: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse, Error = Error, InitError = ()> + 'static
{
}

/// What takes handshakes, before it runs.
pub trait UpgradeFactory<T>:
    ServiceFactory<
        Upgrade<T>,
        Config = (),
        Response = (),
        Error = Error,
        InitError = (),
        Future: 'static,
        Service: Service<Upgrade<T>, Future: 'static>,
    > + 'static
{
}

impl<T, F> UpgradeFactory<T> for F where
    F: ServiceFactory<
            Upgrade<T>,
            Config = (),
            Response = (),
            Error = Error,
            InitError = (),
            Future: 'static,
            Service: Service<Upgrade<T>, Future: 'static>,
        > + 'static
{
}

/// The service that requests for an upgrade go to, around an app of its own.
fn upgrades<T, F>(app: F) -> impl UpgradeFactory<T>
where
    T: Carrier,
    F: WebFactory,
{
    let app = Rc::new(app);
    fn_factory(move || {
        let app = app.clone();
        async move {
            let app = Rc::new(app.new_service(AppConfig::default()).await?);
            Ok(fn_service(move |(request, framed)| answer(app.clone(), request, framed)))
        }
    })
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
        // HTTP doesn't go on here.
        response.head_mut().set_connection_type(ConnectionType::Close);
    }
    let (response, body) = response.into_parts();
    let body = to_bytes(body).await.unwrap_or_default();
    let framed = SendResponse::new(framed, response.set_body(body)).await?;
    if let Some(takeover) = takeover {
        let parts = framed.into_parts();
        takeover.begin(parts.io.into_connection(parts.read_buf));
    }
    Ok(())
}
