//! What is measured: a server somebody runs, or one started for the run on
//! a folder of its own.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::api::Api;
use crate::args::Against;
use crate::cpu;
use crate::disk::doubts;
use crate::http::Connection;
use crate::machine::filesystem_of;
use crate::report::Report;
use crate::server::{Launch, Server};
use crate::target::Address;
use crate::trouble::Trouble;

/// Where a server shows its metrics unless it is told otherwise.
const USUAL_METRICS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9464);

/// A server to measure.
pub(crate) struct Subject {
    /// Where it listens.
    pub(crate) address: Address,
    pid: Option<u32>,
    launch: Option<Launch>,
    /// Dropped in this order: the server ends before its folder goes.
    own: Option<(Server, TempDir)>,
}

impl Subject {
    /// Finds or starts the server, and makes sure that it is one.
    pub(crate) async fn prepare(against: &Against, report: &mut Report) -> Result<Self, Trouble> {
        against.find_process()?;
        let this = match &against.url {
            Some(url) => Self { address: url.resolve().await?, pid: against.server_pid, launch: None, own: None },
            None => Self::start(against).await?,
        };
        let mut api = Api::new(this.address);
        if !api.is_ready().await? {
            return Err(Trouble::because(format!("the server at http://{} says that it is not ready", this.address)));
        }
        let version = api.version().await?;
        let whose = if this.own.is_some() { "started for this run" } else { "running already" };
        report.say(&format!(
            "annon {}, {whose}, at http://{}",
            version.as_deref().unwrap_or("of unknown version"),
            this.address
        ));
        report.set("server_version", version);
        report.set("server_started", this.own.is_some());
        report.set("server_flags", &against.server_flags);
        this.say_where(report);
        Ok(this)
    }

    /// What its data is on: of one in memory nothing is durable.
    fn say_where(&self, report: &mut Report) {
        let Some(folder) = self.folder() else { return };
        let filesystem = filesystem_of(folder);
        report.say(&format!("Its data is on {}", filesystem.as_deref().unwrap_or("a filesystem of unknown kind")));
        if let Some(doubts) = doubts(filesystem.as_deref()) {
            report.say(doubts);
        }
        report.set("filesystem", filesystem);
    }

    /// Finds or starts a server. One without accounts is never started here.
    pub(crate) async fn of_kind(is_bare: bool, against: &Against, report: &mut Report) -> Result<Self, Trouble> {
        if !is_bare {
            return Self::prepare(against, report).await;
        }
        against.find_process()?;
        let url = against.url.as_ref();
        let url =
            url.ok_or_else(|| Trouble::because("a server that is not Annon is not started here: give its --url"))?;
        let address = url.resolve().await?;
        if let Err(error) = Connection::open(address).await {
            return Err(Trouble::because(format!("http://{address}: {error}")));
        }
        report.say(&format!("a server without accounts, at http://{address}"));
        report.set("bare", true);
        Ok(Self { address, pid: against.server_pid, launch: None, own: None })
    }

    /// Kills the server that was started for the run and starts it again on
    /// the same folder.
    pub(crate) async fn restart(&mut self) -> Result<(), Trouble> {
        let not_ours = || Trouble::because("only a server that was started for the run can be restarted");
        let (server, folder) = self.own.take().ok_or_else(not_ours)?;
        let launch = self.launch.clone().ok_or_else(not_ours)?;
        server.kill().map_err(|error| Trouble::because(format!("the server can't be killed: {error}")))?;
        let server = launch.start(folder.path()).await?;
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

    /// Whether a stage with this number finds a server that others have
    /// used: only one that was started for the run is renewed.
    pub(crate) fn is_used(&self, stage: usize) -> bool {
        stage > 0 && self.own.is_none()
    }

    /// A line on what can't be told then.
    pub(crate) fn say_if_used(&self, stages: usize, report: &Report) {
        if self.pid.is_some() && self.is_used(stages - 1) {
            report.say(
                "The memory of a connection is told for the first stage alone: what that leaves behind is used again.\n",
            );
        }
    }

    /// Starts a server on an empty folder.
    pub(crate) async fn start(against: &Against) -> Result<Self, Trouble> {
        let (folder, launch) = (temporary(against.dir.as_deref())?, against.launch()?);
        let server = launch.start(folder.path()).await?;
        Ok(Self {
            address: server.address.into(),
            pid: Some(server.pid()),
            launch: Some(launch),
            own: Some((server, folder)),
        })
    }

    /// Its process, if that is known.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.pid
    }

    /// Where it shows its metrics. A server of before has no listener of
    /// their own.
    pub(crate) async fn metrics(&self, against: &Against) -> Result<Address, Trouble> {
        match (&self.own, &against.metrics) {
            (Some((server, _)), _) => Ok(server.metrics.map_or(self.address, Address::from)),
            (None, Some(named)) => named.resolve().await,
            (None, None) => Ok(USUAL_METRICS.into()),
        }
    }

    /// Where its data is, if that is known.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.own.as_ref().map(|(_, folder)| folder.path())
    }

    /// Since it was last started, if that was done here.
    pub(crate) fn since_start(&self) -> Option<Duration> {
        self.own.as_ref().map(|(server, _)| server.begun.elapsed())
    }

    /// Processor time it has used, if that can be known.
    pub(crate) fn cpu(&self) -> Option<Duration> {
        cpu::used_by(self.pid?)
    }

    /// Whether it has ended under the load: it has answered, and nobody
    /// listens there now.
    pub(crate) async fn has_ended(&self) -> bool {
        const PATIENCE: Duration = Duration::from_secs(2);
        let tried = timeout(PATIENCE, TcpStream::connect(self.address.at)).await;
        matches!(tried, Ok(Err(error)) if error.kind() == ErrorKind::ConnectionRefused)
    }

    /// Ends it if it was started for this run.
    pub(crate) async fn end(self) -> Result<(), Trouble> {
        match self.own {
            Some((server, folder)) => {
                let ended = server.end().await;
                drop(folder);
                ended
            }
            None => Ok(()),
        }
    }
}

impl Against {
    /// Makes sure that the process whose costs are asked for is there.
    fn find_process(&self) -> Result<(), Trouble> {
        match self.server_pid {
            Some(pid) if cpu::used_by(pid).is_none() => {
                Err(Trouble::because(format!("there is no process {pid}, which --server-pid names")))
            }
            _ => Ok(()),
        }
    }

    /// How to start the server.
    pub(crate) fn launch(&self) -> Result<Launch, Trouble> {
        let beside = || {
            let own = std::env::current_exe().map_err(|error| Trouble::because(format!("where am I? {error}")))?;
            Ok(own.with_file_name("annon"))
        };
        let program = self.server.clone().map_or_else(beside, Ok::<PathBuf, Trouble>)?;
        Ok(Launch { program, flags: self.server_flags.clone() })
    }
}

/// A folder that goes away again.
pub(crate) fn temporary(within: Option<&Path>) -> Result<TempDir, Trouble> {
    let within = within.map_or_else(std::env::temp_dir, Path::to_path_buf);
    let made = tempfile::Builder::new().prefix("annon-bench-").tempdir_in(&within);
    made.map_err(|error| Trouble::because(format!("can't make a folder in {}: {error}", within.display())))
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
