//! A NATS server, started for a run and ended with it.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;
use tokio::time::sleep;

use crate::load::clock;
use crate::scenarios::cluster::databases::free_port;
use crate::trouble::{Because, Fallible, Trouble};

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(30);
/// Where Debian has it, which is in no folder of everybody's PATH.
const PROGRAM: &str = "/usr/sbin/nats-server";

pub(super) struct Nats {
    pub(super) port: u16,
    child: Option<Child>,
}

impl Nats {
    pub(super) async fn start() -> Fallible<Self> {
        let mut this = Self { port: free_port()?, child: None };
        this.start_again().await?;
        Ok(this)
    }

    pub(super) async fn start_again(&mut self) -> Fallible {
        let program = Some(PathBuf::from(PROGRAM)).filter(|program| program.exists());
        let program = program.unwrap_or_else(|| PathBuf::from("nats-server"));
        // It ends with this program, however that ends.
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL"]).arg(program).args(["-a", "127.0.0.1", "-p", &self.port.to_string()]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        self.child = Some(command.spawn().because("can't start NATS: apt install nats-server")?);
        let begun = clock::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).await.is_err() {
            let has_ended = self.child.as_mut().is_none_or(|child| !matches!(child.try_wait(), Ok(None)));
            if has_ended || begun.elapsed() > PATIENCE {
                return Trouble::because("NATS does not start: apt install nats-server");
            }
            sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.kill();
    }
}
