//! Starts, runs and stops the server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use actix_server::{Server, ServerHandle};
use actix_service::{IntoServiceFactory, boxed};
use actix_web::middleware::from_fn;
use actix_web::rt::task::JoinHandle;
use actix_web::web::Data;
use actix_web::{App as WebApp, rt};
use annon_actors::clock::SystemClock;
use annon_store::Local;
use socket2::SockRef;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::app::App;
use crate::config::{Cli, Config};
use crate::http::site::Site;
use crate::http::{self, guard};
use crate::lapsing::see_to_the_unused;
use crate::metrics;
use crate::net::admission::Admission;
use crate::net::takeover::{self, AllowsTakeover};
use crate::net::tls::{self, Certificate};
use crate::openapi::Document;
use crate::operator::control::Control;
use crate::{digest, telemetry, waits};

mod drain;
mod opened;
mod systemd;
mod waiting;
use opened::Opened;

/// Connections that may wait to be accepted; the kernel has a limit of its own.
const BACKLOG: i32 = 4096;
/// The most connections of one thread, open or about to be accepted.
const ACCEPTED_EACH: usize = 25_600;
/// The name of the server's threads.
const NAME: &str = "annon";
/// How long requests under way may take when the server stops.
const GRACE: Duration = Duration::from_secs(3);
/// How long it may take to tell sockets that the server stops.
const FAREWELL: Duration = Duration::from_secs(1);
/// How often the server checks whether connections have ended.
const LOOKS_EVERY: Duration = Duration::from_millis(10);
/// How often the store is swept.
const SWEEP_EVERY: Duration = Duration::from_secs(5 * 60);
/// How often a server looks whether another has begun or ended a pause.
const LOOK_FOR_PAUSES_EVERY: Duration = Duration::from_secs(1);
/// How often the store writes an export, from which it can rebuild the index.
const EXPORT_EVERY: Duration = Duration::from_secs(6 * 60 * 60);
/// When the first export is written: there may be none yet.
const FIRST_EXPORT: Duration = Duration::from_secs(10 * 60);
/// How often the certificate's files are looked at: whoever renews them need not
/// tell the server.
const RENEW_EVERY: Duration = Duration::from_secs(60);

/// Serves until a signal. The exit code is 0 if all went well.
pub async fn serve(config: Config) -> ExitCode {
    match run(config).await {
        Ok(code) => code,
        Err(message) => {
            tracing::error!("{message}");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> Result<ExitCode, String> {
    // Before the server listens: a signal without a handler would end the
    // process on the spot.
    let (mut signals, hangup) = signals()?;
    let listeners = listen(config.listen)?;
    for warning in config.warnings() {
        tracing::warn!("{warning}");
    }
    let metrics_listener = metrics::listener::bind(config.metrics_listen)?;
    let Some(opened) = waiting::open(&config, &listeners.all, &mut signals).await? else {
        tracing::info!("stopped");
        return Ok(ExitCode::SUCCESS);
    };
    let store = opened.engine();
    let running = Running::start(config, &opened, listeners, metrics_listener, hangup).await?;
    let code = until_the_end(signals, &running.app).await;
    running.stop().await;
    store.stop().await.map_err(|error| format!("closing the store: {error}"))?;
    tracing::info!("stopped");
    Ok(code)
}

/// What the server listens on.
struct Listeners {
    /// At least one.
    all: Vec<TcpListener>,
    /// Whether systemd keeps them open when this server stops.
    are_kept: bool,
}

/// The sockets that systemd keeps, or else one of our own.
fn listen(at: SocketAddr) -> Result<Listeners, String> {
    let cant = |error: io::Error| format!("can't listen on {at}: {error}");
    let mut all = systemd::sockets()?;
    let are_kept = !all.is_empty();
    if !are_kept {
        all.push(TcpListener::bind(at).map_err(cant)?);
    }
    for listener in &all {
        // The standard library's queue is short: when many clients come back at
        // once, some of their first packets are dropped, and those wait a second.
        SockRef::from(listener).listen(BACKLOG).map_err(cant)?;
    }
    Ok(Listeners { all, are_kept })
}

/// Waits for a signal, or for the store to fail. After a signal the sockets are
/// left to other servers, until a second one. The exit code is 0 after a signal.
async fn until_the_end(mut signals: [Signal; 3], app: &App) -> ExitCode {
    let told = async {
        told_to_stop(&mut signals).await;
        tracing::info!("stopping");
        systemd::tell(systemd::STOPPING);
        tokio::select! {
            () = drain::drain(app, app.config.drain()) => {}
            () = told_to_stop(&mut signals) => {}
        }
    };
    tokio::select! {
        () = told => ExitCode::SUCCESS,
        () = app.store.failed() => {
            // What can't be written can't be acknowledged. The next start
            // begins with what the disk really holds.
            tracing::error!("the store has failed; ending");
            rt::time::sleep(Duration::from_millis(500)).await;
            ExitCode::FAILURE
        }
    }
}

/// What runs until the server stops.
struct Running {
    app: Data<App>,
    control: Control,
    server: JoinHandle<io::Result<()>>,
    handle: ServerHandle,
    /// What admits connections, if whoever comes later is served by the next server.
    keeps: Option<Admission>,
    /// Tells connections that the server stops.
    shut: watch::Sender<bool>,
    metrics: Option<ServerHandle>,
    chores: Vec<JoinHandle<()>>,
}

impl Running {
    async fn start(
        config: Config,
        opened: &Opened,
        listeners: Listeners,
        metrics_listener: Option<TcpListener>,
        hangup: Signal,
    ) -> Result<Self, String> {
        let address = |listener: &TcpListener| listener.local_addr().map_err(|error| format!("can't listen: {error}"));
        let Listeners { all: listeners, are_kept } = listeners;
        let at = listeners.iter().map(address).collect::<Result<Vec<_>, _>>()?;
        let listening = *at.first().ok_or("there is no socket to listen on")?;
        let metrics_at = metrics_listener.as_ref().map(address).transpose()?;
        let certificate = certificate(&config)?;
        let app = Data::new(App::new(config, opened.engine(), Arc::new(SystemClock), listening)?);
        app.look_at_pause().await.map_err(|error| format!("can't look whether there is a pause: {error}"))?;
        let control = Control::start(app.clone()).map_err(|error| format!("can't open the control socket: {error}"))?;
        let (admission, shut) = Admission::new(app.clone());
        let keeps = are_kept.then(|| admission.clone());
        let server = start(&app, listeners, admission, certificate.clone())?;
        let handle = server.handle();
        let server = rt::spawn(server);
        let metrics = metrics_listener.map(|listener| metrics::listener::serve(listener, app.clone())).transpose();
        let metrics = metrics.map_err(|error| format!("can't serve metrics: {error}"))?.map(|server| {
            let handle = server.handle();
            rt::spawn(server);
            handle
        });
        let mut chores = vec![
            rt::spawn(keep_clean(app.clone())),
            rt::spawn(waits::keep_told(app.clone())),
            rt::spawn(digest::keep_sent(app.clone())),
            rt::spawn(app.inboxes.clone().tell_changes(app.inbox.changes())),
            rt::spawn(app.inboxes.clone().hear_others(app.store.clone(), app.clock.clone())),
            rt::spawn(app.talks.clone().tell_changes(app.conversations.changes())),
            rt::spawn(app.talks.clone().hear_others()),
            rt::spawn(app.pusher.clone().run()),
            rt::spawn(app.inboxes.clone().announce_batches(app.inbox.clone(), app.clock.clone())),
            rt::spawn(keep_renewed(app.clone(), certificate, hangup)),
        ];
        if app.store.wire().is_some() {
            chores.push(rt::spawn(hear_of_pauses(app.clone())));
        }
        if let Some(local) = opened.local() {
            chores.push(rt::spawn(keep_exported(local.clone())));
        }
        announce(&app, listening, metrics_at);
        systemd::tell(systemd::READY);
        Ok(Self { app, control, server, handle, keeps, shut, metrics, chores })
    }

    async fn stop(self) {
        let Self { app, control, server, handle, keeps, shut, metrics, chores } = self;
        app.farewells().into_iter().for_each(|say| say());
        // actix-server checks only once a second whether its connections have
        // ended. So before it is told to stop, no new connection is accepted, idle
        // ones are closed, and the others are waited for.
        handle.pause().await;
        if let Some(admission) = keeps {
            let _ = rt::time::timeout(GRACE, admission.until_all_have_arrived()).await;
        }
        shut.send_replace(true);
        tokio::join!(until_none(FAREWELL, || app.limits.sockets()), until_none(GRACE, || app.limits.connections()));
        handle.stop(false).await;
        if let Some(metrics) = metrics {
            metrics.stop(false).await;
        }
        let _ = server.await;
        chores.iter().for_each(JoinHandle::abort);
        drop(control);
    }
}

fn certificate(config: &Config) -> Result<Option<Arc<Certificate>>, String> {
    let (Some(chain), Some(key)) = (&config.tls_cert, &config.tls_key) else { return Ok(None) };
    Ok(Some(Arc::new(Certificate::read(chain, key)?)))
}

fn start(
    app: &Data<App>,
    listeners: Vec<TcpListener>,
    admission: Admission,
    certificate: Option<Arc<Certificate>>,
) -> Result<Server, String> {
    let document = Data::new(Document::new().map_err(|error| format!("the API's description: {error}"))?);
    let site = Data::new(Site::new(
        app.public_url.origin(),
        &app.config.community,
        &app.config.events,
        app.config.retention.kept(),
    ));
    let shared = app.clone();
    let web_app = move |allows_takeover: Option<AllowsTakeover>| {
        let app = match allows_takeover {
            Some(it) => WebApp::new().app_data(it),
            None => WebApp::new(),
        };
        let app = app
            .app_data(shared.clone())
            .app_data(document.clone())
            .app_data(site.clone())
            .wrap(from_fn(guard::around))
            .configure(http::api)
            .configure(http::site::routes);
        boxed::factory(app.into_factory())
    };
    let workers = app.config.worker_count();
    // A connection that waits for a busy thread has a descriptor already.
    let each = (app.limits.most_open() / workers).clamp(1, ACCEPTED_EACH);
    let encrypted = certificate.map(tls::server_config).transpose()?;
    let mut server = Server::build().workers(workers).max_concurrent_connections(each).disable_signals();
    for listener in listeners {
        let (web_app, admission) = (web_app.clone(), admission.clone());
        let listens = match encrypted.clone() {
            Some(config) => server.listen(NAME, listener, move || {
                takeover::secure(web_app(None), web_app(Some(AllowsTakeover)), config.clone(), admission.clone())
            }),
            None => server.listen(NAME, listener, move || {
                takeover::plain(web_app(None), web_app(Some(AllowsTakeover)), admission.clone())
            }),
        };
        server = listens.map_err(|error| format!("can't serve: {error}"))?;
    }
    Ok(server.run())
}

/// Waits until `left` returns 0, but no longer than `at_most`.
async fn until_none(at_most: Duration, left: impl Fn() -> usize) {
    let looks = async {
        while left() > 0 {
            rt::time::sleep(LOOKS_EVERY).await;
        }
    };
    let _ = rt::time::timeout(at_most, looks).await;
}

fn announce(app: &App, listening: SocketAddr, metrics_at: Option<SocketAddr>) {
    let data_dir = app.config.data_dir.display().to_string();
    tracing::info!(
        address = %listening,
        metrics = metrics_at.map(tracing::field::display),
        url = app.public_url.origin(),
        data_dir,
        mail = app.config.mail_goes(),
        "listening"
    );
}

/// The signals that stop the server, and the one that asks it to read
/// files anew. SIGUSR1 and SIGUSR2 do nothing: without a handler each would
/// end the process on the spot.
fn signals() -> Result<([Signal; 3], Signal), String> {
    let wait_for = |kind| signal(kind).map_err(|error| format!("can't wait for signals: {error}"));
    for unused in [SignalKind::user_defined1(), SignalKind::user_defined2()] {
        let _ = wait_for(unused)?;
    }
    let stop = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::quit()];
    let [terminate, interrupt, quit] = stop.map(wait_for);
    Ok(([terminate?, interrupt?, quit?], wait_for(SignalKind::hangup())?))
}

async fn told_to_stop([terminate, interrupt, quit]: &mut [Signal; 3]) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
        _ = quit.recv() => {}
    }
}

/// Reads anew what may have been renewed: at SIGHUP the certificate, the mail
/// server's password and the operator's words, and now and then the certificate, which whoever renews it
/// need not tell.
async fn keep_renewed(app: Data<App>, certificate: Option<Arc<Certificate>>, mut hangup: Signal) {
    loop {
        let was_told = rt::time::timeout(RENEW_EVERY, hangup.recv()).await.is_ok();
        match certificate.as_ref().map(|certificate| certificate.renew()) {
            Some(Ok(true)) => tracing::info!("new connections get the renewed certificate"),
            Some(Ok(false)) | None => {}
            // Its files may just be being written.
            Some(Err(why)) => tracing::error!(why, "the certificate stays the one that was read before"),
        }
        if was_told {
            match Cli::log_level_now() {
                Ok(level) if telemetry::set_level(level) => tracing::info!(%level, "the log has another level now"),
                Ok(_) => {}
                Err(why) => tracing::error!(why, "the log's level stays as it was read before"),
            }
            if let Err(why) = app.events.renew() {
                tracing::error!(why, "the event log goes on in the file that is open");
            }
            match app.own_words.renew(&app.config.community) {
                Ok(()) => {}
                Err(why) => tracing::error!(why, "the operator's words stay as they were read before"),
            }
            match app.mailer.renew(&app.config) {
                Ok(true) => tracing::info!("what signs in to the mail server was read anew"),
                Ok(false) => {}
                Err(why) => tracing::error!(why, "what signs in to the mail server stays as it was read before"),
            }
        }
    }
}

/// Notices the pauses that other servers begin and end.
async fn hear_of_pauses(app: Data<App>) {
    loop {
        rt::time::sleep(LOOK_FOR_PAUSES_EVERY).await;
        // While it can't be known, it stays as it was.
        let _ = app.look_at_pause().await;
    }
}

async fn keep_clean(app: Data<App>) {
    let mut first = true;
    loop {
        let now = app.clock.now();
        let swept =
            if first { app.store.sweep_after_start(now.as_secs()).await } else { app.store.sweep(now.as_secs()).await };
        if let Err(error) = see_to_the_unused(&app).await {
            tracing::error!(%error, "an account that nobody uses could not be deleted");
        }
        if let Err(error) = app.events.drop_old().await {
            tracing::error!(%error, "old lines of the event log can't be removed");
        }
        first &= swept.is_err();
        match swept {
            Ok(swept) if swept == annon_store::Swept::default() => {}
            Ok(swept) => tracing::info!(?swept, "swept"),
            Err(error) => tracing::error!(%error, "sweeping failed"),
        }
        if app.mailer.clear_old().await.is_err() {
            tracing::error!("old mails can't be cleared from the mail folder");
        }
        rt::time::sleep(SWEEP_EVERY).await;
    }
}

async fn keep_exported(store: Local) {
    let mut wait = FIRST_EXPORT;
    loop {
        rt::time::sleep(wait).await;
        wait = EXPORT_EVERY;
        let store = store.clone();
        match rt::task::spawn_blocking(move || store.export()).await {
            Ok(Ok(())) => tracing::info!("exported"),
            Ok(Err(error)) => tracing::error!(%error, "the export failed"),
            Err(error) => tracing::error!(%error, "the export failed"),
        }
    }
}
