//! Handshakes, taken over: whoever asks for a WebSocket is answered by the
//! same handlers as everybody else, and when the answer is yes, the connection
//! leaves actix-web and becomes a session's.

use std::rc::Rc;
use std::time::Duration;

use actix_codec::Framed;
use actix_http::body::{BoxBody, to_bytes};
use actix_http::h1::{Codec, ExpectHandler, SendResponse};
use actix_http::{ConnectionType, HttpService, KeepAlive, Request, Response};
use actix_service::{Service, ServiceFactory, fn_factory, fn_service, map_config};
use actix_tls::accept::rustls_0_23::TlsStream;
use actix_web::Error;
use actix_web::dev::{AppConfig, ServiceResponse};
use actix_web::rt::net::TcpStream;
use annon_actors::session::{Connection, Duplex, Takeover};
use bytes::BytesMut;

/// How long a connection nobody asks anything on stays open.
const KEEP_ALIVE: KeepAlive = KeepAlive::Timeout(Duration::from_secs(75));

/// How long a client may take to hear that its connection ends, so that it
/// reads the answer before.
const DISCONNECT: Duration = Duration::from_secs(1);

/// What carries HTTP.
pub trait Carrier: Duplex {
    /// It carries a session from now on.
    fn into_connection(self, read: BytesMut) -> Connection;
}

impl Carrier for TcpStream {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Tcp(self, read)
    }
}

impl Carrier for TlsStream<TcpStream> {
    fn into_connection(self, read: BytesMut) -> Connection {
        Connection::Other(Box::new(self), read)
    }
}

type Upgrade<T> = (Request, Framed<T, Codec>);

/// HTTP as `HttpServer` would put it together, and the takeover. Each gets an
/// app of its own; what they share is in its data.
pub fn http<T, F>(
    app: F,
    app_for_upgrades: F,
    tune: fn(&T),
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
        .tcp_nodelay(true)
        .on_connect_ext(move |io: &T, _| tune(io))
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
