//! A server whose databases are not there yet: it waits for them, and meanwhile it is alive and not ready.

use std::io;
use std::net::TcpListener;
use std::time::Duration;

use actix_server::ServerHandle;
use actix_web::http::StatusCode;
use actix_web::middleware::from_fn;
use actix_web::{App as WebApp, HttpRequest, HttpResponse, HttpServer, ResponseError, rt, web};
use annon_contract::code::Code;
use tokio::signal::unix::Signal;

use super::opened::{Opened, Unopened};
use super::{certificate, told_to_stop};
use crate::config::Config;
use crate::error::{ApiError, Outcome};
use crate::http::guard;
use crate::net::tls;

/// How long after one try the next one is made.
const TRIES_EVERY: Duration = Duration::from_millis(500);

/// Opens the store. Databases that are away are waited for, for as long as the operator has set. `None` after a signal.
pub(super) async fn open(
    config: &Config,
    listeners: &[TcpListener],
    signals: &mut [Signal; 3],
) -> Result<Option<Opened>, String> {
    let seconds = config.wait_for_database;
    let mut why = match Opened::open(config).await {
        Ok(opened) => return Ok(Some(opened)),
        Err(Unopened { why, may_come: true }) if seconds > 0 => why,
        Err(Unopened { why, .. }) => return Err(why),
    };
    tracing::warn!(why, seconds, "waiting for the databases");
    let meanwhile = answer_meanwhile(config, listeners)?;
    let tries = async {
        loop {
            rt::time::sleep(TRIES_EVERY).await;
            match Opened::open(config).await {
                Err(unopened) if unopened.may_come => why = unopened.why,
                outcome => return outcome.map_err(|unopened| unopened.why),
            }
        }
    };
    let opened = tokio::select! {
        tried = rt::time::timeout(Duration::from_secs(seconds.into()), tries) => tried.ok().map(|tried| tried.map(Some)),
        () = told_to_stop(signals) => Some(Ok(None)),
    };
    meanwhile.stop(false).await;
    opened.unwrap_or(Err(why))
}

/// Answers on the server's sockets until it has its store.
fn answer_meanwhile(config: &Config, listeners: &[TcpListener]) -> Result<ServerHandle, String> {
    let cant = |error: io::Error| format!("can't listen: {error}");
    let encrypted = certificate(config)?.map(tls::server_config).transpose()?;
    let app = || WebApp::new().wrap(from_fn(guard::around)).default_service(web::to(answer));
    let mut server = HttpServer::new(app).workers(1).disable_signals();
    for listener in listeners {
        let listener = listener.try_clone().map_err(cant)?;
        server = match &encrypted {
            Some(config) => server.listen_rustls_0_23(listener, config.clone()),
            None => server.listen(listener),
        }
        .map_err(cant)?;
    }
    let server = server.run();
    let handle = server.handle();
    rt::spawn(server);
    Ok(handle)
}

async fn answer(request: HttpRequest) -> HttpResponse {
    match request.path() {
        "/healthz" => Outcome::response(StatusCode::OK, "alive"),
        _ => ApiError::from(Code::CannotStore).error_response(),
    }
}
