//! Which push services are called: those that the operator's list has, over HTTPS, and no other machine.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use annon_contract::code::Code;
use annon_contract::limits::ENDPOINT_MAX;
use annon_store::push::Endpoint;
use url::{Host, Url};

/// Those of the browsers there are: Chromium and what is built of it, Firefox, Safari, and Edge on Windows.
pub const USUAL: &str = "fcm.googleapis.com,updates.push.services.mozilla.com,web.push.apple.com,*.notify.windows.com";

/// A host of a push service; or, as `*.host`, every host below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceHost {
    name: String,
    is_below: bool,
}

impl ServiceHost {
    fn is(&self, host: &str) -> bool {
        if !self.is_below {
            return host == self.name;
        }
        host.strip_suffix(&*self.name).is_some_and(|below| below.len() > 1 && below.ends_with('.'))
    }
}

impl FromStr for ServiceHost {
    type Err = &'static str;

    fn from_str(raw: &str) -> Result<Self, Self::Err> {
        let (is_below, name) = raw.trim().strip_prefix("*.").map_or((false, raw.trim()), |name| (true, name));
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte));
        let is_domain = matches!(Host::parse(name), Ok(Host::Domain(parsed)) if parsed == name);
        let is_name = is_plain && is_domain && !name.ends_with('.');
        // With `*.com` on the list the server would call anybody's machine.
        if !is_name || is_below && !name.contains('.') {
            return Err("it has to be the name of a host in lower case, or *. and such a name");
        }
        Ok(Self { name: name.to_owned(), is_below })
    }
}

impl Display for ServiceHost {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_below { "*." } else { "" }, self.name)
    }
}

/// The services that are taken, as configured.
#[derive(Debug, Clone)]
pub struct Services {
    pub hosts: Vec<ServiceHost>,
    /// Whether they may listen at any port, as those of tests.
    pub at_any_port: bool,
}

/// Where a message is sent.
#[derive(Debug, PartialEq, Eq)]
pub struct Target {
    pub host: String,
    pub port: u16,
    pub origin: String,
    /// The path with its query.
    pub path: String,
}

impl Services {
    /// Checks what a browser says is its address at a push service.
    pub fn endpoint(&self, raw: String) -> Result<Endpoint, Code> {
        self.target(&raw)?;
        Ok(Endpoint(raw))
    }

    /// Where messages for this address are sent. It is asked each time, since the operator's list may have changed.
    pub fn target(&self, raw: &str) -> Result<Target, Code> {
        let is_written_well = raw.len() <= ENDPOINT_MAX && raw.bytes().all(|byte| byte.is_ascii_graphic());
        let url = Url::parse(raw).ok().filter(|_| is_written_well).ok_or(Code::PushInvalid)?;
        let Some(Host::Domain(host)) = url.host() else { return Err(Code::PushInvalid) };
        let has_more = !url.username().is_empty() || url.password().is_some() || url.fragment().is_some();
        if url.scheme() != "https" || has_more || url.port().is_some() && !self.at_any_port {
            return Err(Code::PushInvalid);
        }
        if !self.hosts.iter().any(|service| service.is(host)) {
            return Err(Code::PushServiceUnknown);
        }
        let path = url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()));
        let port = url.port_or_known_default().ok_or(Code::PushInvalid)?;
        Ok(Target { host: host.to_owned(), port, origin: url.origin().ascii_serialization(), path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn services(hosts: &str, at_any_port: bool) -> Services {
        Services { hosts: hosts.split(',').map(|host| host.parse().unwrap()).collect(), at_any_port }
    }

    #[test]
    fn only_the_services_of_the_list_are_called_and_only_over_https() {
        let usual = services(USUAL, false);
        for good in [
            "https://fcm.googleapis.com/fcm/send/dGVzdA:APA91b-_x",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QGuQ",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAA%3d%3d",
            "https://fcm.googleapis.com:443/x",
        ] {
            let target = usual.target(good).unwrap_or_else(|code| panic!("{good}: {code}"));
            assert_eq!(target.port, 443);
            assert!(good.ends_with(&target.path) && good.starts_with(&target.origin), "{target:?}");
        }
        for unknown in [
            "https://push.example/x",
            "https://fcm.googleapis.com.evil.example/x",
            "https://evilfcm.googleapis.com/x",
            "https://notify.windows.com/x",
            "https://evilnotify.windows.com/x",
            "https://fcm.googleapis.com./x",
            "https://localhost/x",
        ] {
            assert_eq!(usual.target(unknown), Err(Code::PushServiceUnknown), "{unknown}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "x".repeat(ENDPOINT_MAX));
        for bad in [
            "http://fcm.googleapis.com/x",
            "https://fcm.googleapis.com:8443/x",
            "https://u@fcm.googleapis.com/x",
            "https://u:p@fcm.googleapis.com/x",
            "https://fcm.googleapis.com/x#y",
            "https://fcm.googleapis.com/x y",
            "https://fcm.googleapis.com/x\n",
            "https://fcm.googleapis.com/é",
            "https://127.0.0.1/x",
            "https://[::1]/x",
            "https://2130706433/x",
            "ftp://fcm.googleapis.com/x",
            "fcm.googleapis.com",
            "https://",
            "",
            &long,
        ] {
            assert_eq!(usual.target(bad), Err(Code::PushInvalid), "{bad}");
        }
        assert_eq!(services("localhost", true).target("https://localhost:4433/a?b").unwrap().port, 4433);
    }

    #[test]
    fn a_list_names_hosts() {
        for bad in
            ["", "*", "*.com", "https://push.example", "push.example/x", "Push.example", "127.0.0.1", "a.b.", "a b"]
        {
            assert!(bad.parse::<ServiceHost>().is_err(), "{bad}");
        }
        for good in USUAL.split(',').chain(["localhost"]) {
            assert_eq!(good.parse::<ServiceHost>().unwrap().to_string(), good);
        }
    }
}
