//! What is measured: a server somebody runs, or one started for the run on
//! a folder of its own.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::args::Against;
use crate::load::api::Api;
use crate::load::process;
use crate::load::server::Server;
use crate::load::target::Address;
use crate::report::Report;
use crate::report::machine::filesystem_of;
use crate::trouble::Trouble;

/// Where a server shows its metrics unless it is told otherwise.
const USUAL_METRICS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// A server to measure.
pub(crate) struct Subject {
    /// Where it listens.
    pub(crate) address: Address,
    pid: Option<u32>,
    /// Dropped in this order: the server ends before its folder goes.
    own: Option<(Server, TempDir)>,
}

impl Subject {
    /// Finds or starts the server, and makes sure that it is one.
    pub(crate) async fn prepare(against: &Against, is_bare: bool, report: &mut Report) -> Result<Self, Trouble> {
        if let Some(pid) = against.server_pid.filter(|pid| process::cpu_of(*pid).is_none()) {
            return Err(Trouble::because(format!("there is no process {pid}, which --server-pid names")));
        }
        let this = match &against.url {
            Some(url) => Self { address: url.resolve().await?, pid: against.server_pid, own: None },
            None => Self::start(against).await?,
        };
        report.set("server_started", this.own.is_some());
        report.set("server_flags", &against.started.server_flags);
        if is_bare {
            report.say(&format!("a server without accounts, at http://{}", this.address));
            return Ok(this);
        }
        let mut api = Api::new(this.address);
        if !api.is_ready().await? {
            return Err(Trouble::because(format!("the server at http://{} says that it is not ready", this.address)));
        }
        let version = api.version().await?;
        let whose = if this.own.is_some() { "started for this run" } else { "running already" };
        let shown = version.as_deref().unwrap_or("of unknown version");
        report.say(&format!("annon {shown}, {whose}, at http://{}", this.address));
        report.set("server_version", version);
        if let Some(folder) = this.folder() {
            report.data_is_on(filesystem_of(folder));
        }
        Ok(this)
    }

    /// Starts a server on an empty folder.
    pub(crate) async fn start(against: &Against) -> Result<Self, Trouble> {
        let folder = against.started.folder()?;
        let server = against.started.start(folder.path()).await?;
        Ok(Self { address: server.address.into(), pid: Some(server.pid()), own: Some((server, folder)) })
    }

    /// Kills the server that was started for the run and starts it again on
    /// the same folder.
    pub(crate) async fn restart(&mut self, against: &Against) -> Result<(), Trouble> {
        let not_ours = || Trouble::because("only a server that was started for the run can be restarted");
        let (server, folder) = self.own.take().ok_or_else(not_ours)?;
        server.kill();
        let server = against.started.start(folder.path()).await?;
        (self.address, self.pid) = (server.address.into(), Some(server.pid()));
        self.own = Some((server, folder));
        Ok(())
    }

    /// Puts a server that was just started, on an empty folder, in the place
    /// of the one that was started for the run: what a stage leaves behind in
    /// memory would be used again by the next, and not be counted there.
    pub(crate) async fn renew(&mut self, against: &Against) -> Result<(), Trouble> {
        let Some((server, folder)) = self.own.take() else { return Ok(()) };
        server.end().await?;
        drop(folder);
        *self = Self::start(against).await?;
        Ok(())
    }

    /// Its process, if that is known.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// The memory it uses, in bytes, if that is known.
    pub(crate) fn memory(&self) -> Option<u64> {
        process::memory_of(self.pid?)
    }

    /// Where it shows its metrics.
    pub(crate) async fn metrics(&self, against: &Against) -> Result<Address, Trouble> {
        match (&self.own, &against.metrics) {
            (Some((server, _)), _) => Ok(server.metrics.map_or(self.address, Address::from)),
            (None, Some(named)) => named.resolve().await,
            (None, None) => Ok(USUAL_METRICS.into()),
        }
    }

    /// Where its data is, if it was started for the run.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.own.as_ref().map(|(_, folder)| folder.path())
    }

    /// Waits until it says that it is ready; how long that took since its
    /// start, if it was started for the run.
    pub(crate) async fn ready(&self) -> Result<Option<Duration>, Trouble> {
        ready(self.address).await?;
        Ok(self.own.as_ref().map(|(server, _)| server.begun.elapsed()))
    }

    /// Whether it has ended under the load: it has answered, and nobody
    /// listens there now.
    pub(crate) async fn has_ended(&self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(2);
        let tried = timeout(PATIENCE, TcpStream::connect(self.address.at)).await;
        matches!(tried, Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused)
    }

    /// Ends it if it was started for this run.
    pub(crate) async fn end(&mut self) -> Result<(), Trouble> {
        match self.own.take() {
            // The folder goes when the server has ended.
            Some((server, _folder)) => server.end().await,
            None => Ok(()),
        }
    }
}

/// Waits until a server says that it is ready.
pub(crate) async fn ready(address: Address) -> Result<(), Trouble> {
    const AGAIN: Duration = Duration::from_millis(1);
    const TRIES: u32 = 60_000;
    let mut api = Api::new(address);
    for _ in 0..TRIES {
        if api.is_ready().await? {
            return Ok(());
        }
        sleep(AGAIN).await;
    }
    Err(Trouble::because("the server listens, and does not become ready"))
}

/// Makes sure that this process may hold so many connections. A server that
/// it starts afterwards inherits the limit.
pub(crate) fn allow_connections(count: usize) -> Result<(), Trouble> {
    /// Files that are open besides: logs, timers, the runtime's own.
    const OTHERS: u64 = 64;
    let wanted = count as u64 + OTHERS;
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= wanted) {
        return Ok(());
    }
    let raised = Rlimit { current: limit.maximum.or(Some(wanted)), maximum: limit.maximum };
    let is_enough = limit.maximum.is_none_or(|most| most >= wanted);
    if is_enough && setrlimit(Resource::Nofile, raised).is_ok() {
        return Ok(());
    }
    let most = limit.maximum.unwrap_or(wanted);
    Err(Trouble::because(format!(
        "{count} connections need {wanted} open files, and only {most} are allowed (ulimit -Hn): use fewer, or raise the limit"
    )))
}
