//! The listener that numbers are read from. It is never the public one: on a
//! quiet server the numbers tell what a stranger's call has caused.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener};
use std::rc::Rc;
use std::time::Duration;

use actix_http::HttpService;
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, ServiceFactoryExt, fn_factory, fn_service, map_config,
};
use actix_web::App as WebApp;
use actix_web::dev::AppConfig;
use actix_web::middleware::from_fn;
use actix_web::rt::net::TcpStream;
use actix_web::web::Data;
use tokio::sync::Semaphore;

use crate::app::App;
use crate::config::MetricsListen;
use crate::http::{self, guard};
use crate::takeover::Transport;

/// Where it is when nobody has said: what exporters of OpenTelemetry use.
pub const USUAL: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 9464));

/// How long a request's head may take.
const HEAD_WITHIN: Duration = Duration::from_secs(5);

/// Places for connections. They aren't counted by address; a Prometheus needs
/// one.
static PLACES: Semaphore = Semaphore::const_new(16);

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

/// The service behind the listener.
pub fn service(app: Data<App>) -> impl Transport {
    let app = WebApp::new().app_data(app).wrap(from_fn(guard::around)).configure(http::numbers).into_factory();
    let service = HttpService::build().client_request_timeout(HEAD_WITHIN);
    let http = Rc::new(service.finish(map_config(app, |()| AppConfig::default())).tcp().map_err(drop));
    fn_factory(move || {
        let http = http.clone();
        async move {
            let http = Rc::new(http.new_service(()).await?);
            Ok(fn_service(move |tcp: TcpStream| {
                let (http, place) = (http.clone(), PLACES.try_acquire());
                async move {
                    let _place = place.map_err(drop)?;
                    http.call(tcp).await
                }
            }))
        }
    })
}
