//! Which push services are called.

use std::path::PathBuf;

use clap::Args;

use crate::push::service::{self, ServiceHost};

#[derive(Clone, Args)]
pub struct Push {
    /// Hosts of push services, which tell people's browsers while no page is open; *.host means all below it. Browsers
    /// choose their service: one that isn't named can't be told. With «off» nobody is told, and no push service learns
    /// anything.
    #[arg(long, global = true, env = "ANNON_PUSH_SERVICES", value_name = "HOST,…|off", value_delimiter = ',', default_value = service::USUAL, value_parser = push_service)]
    pub push_services: Vec<PushService>,

    /// For tests alone: certificates (PEM) of a push service on this machine. Messages go there at once, at any port
    /// and any address.
    #[arg(long, global = true, env = "ANNON_PUSH_SERVICE_OF_TESTS", value_name = "FILE", hide = true)]
    pub push_service_of_tests: Option<PathBuf>,
}

impl Push {
    /// The hosts of the push services that are called.
    pub fn hosts(&self) -> Vec<ServiceHost> {
        let hosts = self.push_services.iter().map(|service| match service {
            PushService::Host(host) => Some(host.clone()),
            PushService::Off => None,
        });
        // A list that has `off` in it names no host.
        hosts.collect::<Option<_>>().unwrap_or_default()
    }
}

/// A push service that is called, or none of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushService {
    Host(ServiceHost),
    Off,
}

fn push_service(raw: &str) -> Result<PushService, &'static str> {
    if raw == "off" { Ok(PushService::Off) } else { raw.parse().map(PushService::Host) }
}
