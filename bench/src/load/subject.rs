//! The server that is measured: one that runs already, or one that is started for the run on a
//! folder of its own.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::args::Against;
use crate::load::{Address, Call, Client, Server, Who, process};
use crate::report::{Report, print_line};
use crate::trouble::{Because, Fallible, Trouble};

/// The address at which a server shows its metrics by default.
const USUAL_METRICS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// A server to measure.
pub(crate) struct Subject {
    pub(crate) address: Address,
    /// The server's process, if it is known.
    pub(crate) pid: Option<u32>,
    /// The server is dropped first, then its folder.
    own: Option<(Server, TempDir)>,
}

impl Subject {
    /// Finds or starts the server, and makes sure that it is a server of Annon.
    pub(crate) async fn prepare(against: &Against, report: &mut Report) -> Fallible<Self> {
        if let Some(pid) = against.server_pid.filter(|pid| process::cpu_of(*pid).is_none()) {
            return Trouble::because(format!("there is no process {pid}, which --server-pid names"));
        }
        let this = match &against.url {
            Some(url) => Self { address: Address::of(url).await?, pid: against.server_pid, own: None },
            None => Self::start(against.started.folder()?, against).await?,
        };
        if against.bare {
            print_line(&format!("a server without accounts, at http://{}", this.address));
            return Ok(this);
        }
        let mut client = Client::new(this.address);
        if !client.is_ready().await? {
            return Trouble::because(format!("the server at http://{} says that it is not ready", this.address));
        }
        let description = client.ask(&Call::get("/api/openapi.json", Who::Nobody)).await?.json();
        let version = description["info"]["version"].as_str();
        let whose = if this.own.is_some() { "started for this run" } else { "running already" };
        let number = version.unwrap_or("of unknown version");
        print_line(&format!("annon {number}, {whose}, at http://{}", this.address));
        report.set("server_version", version);
        if let Some(folder) = this.folder() {
            report.data_is_in(folder);
        }
        Ok(this)
    }

    pub(crate) async fn start(folder: TempDir, against: &Against) -> Fallible<Self> {
        let server = against.started.start(folder.path()).await?;
        Ok(Self { address: server.address.into(), pid: Some(server.pid()), own: Some((server, folder)) })
    }

    /// Kills the server that was started for the run, and starts it again on the same folder.
    pub(crate) async fn restart(&mut self, against: &Against) -> Fallible {
        let Some((server, folder)) = self.own.take() else {
            return Trouble::because("only a server that was started for the run can be restarted");
        };
        // The kill comes without warning, like a power cut.
        drop(server);
        *self = Self::start(folder, against).await?;
        Ok(())
    }

    /// Replaces the server that was started for the run by a new one on an empty folder. The next
    /// stage would use the memory that this stage leaves behind, and not count it.
    pub(crate) async fn renew(&mut self, against: &Against) -> Fallible {
        if self.own.is_some() {
            self.end().await?;
            *self = Self::start(against.started.folder()?, against).await?;
        }
        Ok(())
    }

    /// The memory that the server uses, in bytes, if it is known.
    pub(crate) fn memory(&self) -> Option<u64> {
        process::memory_of(self.pid?)
    }

    /// The address of its metrics.
    pub(crate) fn metrics(&self) -> Address {
        self.own.as_ref().map_or(USUAL_METRICS, |(server, _)| server.metrics).into()
    }

    /// The server's data folder, if it was started for the run.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.own.as_ref().map(|(_, folder)| folder.path())
    }

    /// Waits until a server that was started for the run is ready, and returns the time since its
    /// start.
    pub(crate) async fn ready(&self) -> Fallible<Option<Duration>> {
        match &self.own {
            Some((server, _)) => server.ready().await.map(Some),
            None => Ok(None),
        }
    }

    /// Whether the server, which has answered before, has ended under the load: nobody listens at
    /// its address now.
    pub(crate) async fn has_ended(&self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(2);
        let tried = timeout(PATIENCE, TcpStream::connect(self.address.at)).await;
        matches!(tried, Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused)
    }

    /// Stops the server if it was started for this run.
    pub(crate) async fn end(&mut self) -> Fallible {
        // The folder is removed after the server has ended.
        let Some((server, _folder)) = self.own.take() else { return Ok(()) };
        server.end().await
    }
}

/// Makes sure that this process may have `count` connections. A server that it
/// starts afterwards inherits the limit.
pub(crate) fn allow_connections(count: usize) -> Fallible {
    /// Other open files: logs, timers, files of the runtime.
    const OTHERS: u64 = 64;
    let (wanted, Rlimit { maximum, .. }) = (count as u64 + OTHERS, getrlimit(Resource::Nofile));
    if let Some(most) = maximum.filter(|most| *most < wanted) {
        return Trouble::because(format!(
            "{count} connections need {wanted} open files, and only {most} are allowed (ulimit -Hn): use fewer, or raise the limit"
        ));
    }
    // The limit is raised to its maximum, because the server needs files of its own.
    let raised = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    raised.because("the limit of open files can't be raised")
}
