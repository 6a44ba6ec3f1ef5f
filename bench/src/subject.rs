//! What is measured: a server somebody runs, or one started for the run on
//! a folder of its own.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tempfile::TempDir;

use crate::api::Api;
use crate::args::Against;
use crate::cpu;
use crate::crowd::Speak;
use crate::http::Connection;
use crate::report::Report;
use crate::server::{Launch, Server};
use crate::trouble::Trouble;

/// A server to measure.
pub(crate) struct Subject {
    /// Where it listens.
    pub(crate) address: SocketAddr,
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
        Ok(this)
    }

    /// Finds or starts a server of this kind. Only Annon is started here.
    pub(crate) async fn of_kind(speak: Speak, against: &Against, report: &mut Report) -> Result<Self, Trouble> {
        if speak == Speak::Annon {
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
        report.say(&format!("a server that speaks {speak:?}, at http://{address}"));
        report.set("speaks", format!("{speak:?}"));
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
        (self.address, self.pid) = (server.address, Some(server.pid()));
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

    /// Starts a server on an empty folder.
    pub(crate) async fn start(against: &Against) -> Result<Self, Trouble> {
        let (folder, launch) = (temporary(against.dir.as_deref())?, against.launch()?);
        let server = launch.start(folder.path()).await?;
        Ok(Self { address: server.address, pid: Some(server.pid()), launch: Some(launch), own: Some((server, folder)) })
    }

    /// Its process, if that is known.
    pub(crate) fn pid(&self) -> Option<u32> {
        self.pid
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
