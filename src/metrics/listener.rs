//! The listener for metrics. It is never the public one: on a quiet server the
//! metrics would show strangers what a call has caused.

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener};

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::web::Data;
use actix_web::{App as WebApp, HttpServer};

use crate::app::App;
use crate::config::MetricsListen;
use crate::http::{self, guard};

/// The default address, with the port that OpenTelemetry's exporters use.
pub const USUAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 9464));

/// The most connections at once. They aren't counted per address, and
/// Prometheus needs one.
const AT_ONCE: usize = 16;

/// Binds the address. The default one may be taken by a second server on the
/// machine: then this server runs without metrics.
pub fn bind(wish: Option<MetricsListen>) -> Result<Option<TcpListener>, String> {
    let at = match wish {
        Some(MetricsListen::Off) => return Ok(None),
        Some(MetricsListen::At(at)) => at,
        None => USUAL,
    };
    match TcpListener::bind(at) {
        Ok(listener) => Ok(Some(listener)),
        Err(error) if wish.is_none() && error.kind() == ErrorKind::AddrInUse => {
            tracing::warn!("no metrics: the usual port for them is taken; --metrics-listen names another, or off");
            Ok(None)
        }
        Err(error) => Err(format!("can't listen on {at} for metrics: {error}")),
    }
}

/// A server with a thread of its own. It closes a connection that is idle for
/// five seconds.
pub fn serve(listener: TcpListener, app: Data<App>) -> io::Result<Server> {
    let web_app = move || WebApp::new().app_data(app.clone()).wrap(from_fn(guard::around)).configure(http::metrics);
    let server = HttpServer::new(web_app).workers(1).max_connections(AT_ONCE).disable_signals();
    Ok(server.listen(listener)?.run())
}
