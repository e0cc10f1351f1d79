//! Which URLs may be asked for at all, before anything is resolved.
//!
//! Hosts come from the `url` crate in their normal form: `0x7f.1`, `2130706433` and `１２７.0.0.1` are
//! all `127.0.0.1` by then. Names are checked again, as addresses, by the resolver.

use std::net::{IpAddr, SocketAddr};

use evidence::domain::normal_host;
use ipnet::IpNet;
use url::{Host, Url};

use crate::addresses::refusal;
use crate::{FetchSettings, OpenError, Reason};

/// Ports of other protocols, which browsers refuse as well: a page must not make Lyra speak to a mail server.
const REFUSED_PORTS: &[u16] = &[
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101,
    102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427,
    465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990,
    993, 995, 1433, 1521, 1719, 1720, 1723, 2049, 2375, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
    5432, 5900, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080, 11211, 27017,
];

/// Longer addresses are no real pages, and archives refuse them.
const MAX_URL: usize = 8_192;

/// Endings of names that only mean something inside a network.
const INNER_NAMES: &[&str] = &[
    "localhost",
    "localdomain",
    "local",
    "internal",
    "intranet",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
    "onion",
];

/// The rules for URLs, with what the user's settings lift.
#[derive(Debug, Clone, Default)]
pub(crate) struct Guard {
    allowed: Vec<IpNet>,
    hosts: Vec<HostEntry>,
    /// The proxy's own name: it is reached without a check, so no request may name it.
    proxy_host: Option<String>,
}

/// One line of the `hosts` setting.
#[derive(Debug, Clone)]
struct HostEntry {
    name: String,
    wildcard: bool,
    /// Port 0: the URL's own.
    address: SocketAddr,
}

/// Why a URL is refused, in the terms of an outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) reason: Reason,
    pub(crate) detail: String,
}

impl Refused {
    fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into() }
    }
}

impl Guard {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Self, OpenError> {
        let bad = |setting, value: &str, problem: &str| OpenError::Setting {
            setting,
            value: value.to_owned(),
            problem: problem.to_owned(),
        };
        let mut allowed = Vec::new();
        for network in &settings.allow_networks {
            // A single address is a network of one.
            let one = network.trim().parse::<IpAddr>().map(IpNet::from);
            allowed.push(network.trim().parse().or(one).map_err(|_| {
                bad("allow_networks", network, "is no network such as 10.1.0.0/16")
            })?);
        }
        let mut hosts = Vec::new();
        for line in &settings.hosts {
            hosts.push(HostEntry::parse(line).ok_or_else(|| {
                bad("hosts", line, "is not NAME=ADDRESS, *.NAME=ADDRESS or NAME=ADDRESS:PORT")
            })?);
        }
        let proxy_host = match settings.proxy.trim() {
            "" => None,
            proxy => {
                let url = Url::parse(proxy).ok().filter(|it| {
                    matches!(it.scheme(), "http" | "socks5" | "socks5h") && it.host().is_some()
                });
                let url = url.ok_or_else(|| {
                    // The whole value may hold a password.
                    bad(
                        "proxy",
                        "...",
                        "is not socks5://HOST:PORT, socks5h://HOST:PORT or http://HOST:PORT",
                    )
                })?;
                url.host_str().map(normal_host)
            }
        };
        Ok(Self { allowed, hosts, proxy_host })
    }

    /// Checks everything that can be known about a URL without a lookup.
    pub(crate) fn check(&self, url: &Url) -> Result<(), Refused> {
        if !matches!(url.scheme(), "http" | "https") {
            let scheme = url.scheme();
            return Err(Refused::new(
                Reason::BadAddress,
                format!("{scheme}: addresses are not on the web"),
            ));
        }
        if url.as_str().len() > MAX_URL {
            return Err(Refused::new(
                Reason::BadAddress,
                format!("the address is longer than {MAX_URL} characters"),
            ));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::new(
                Reason::BadAddress,
                "the address carries a user name or password",
            ));
        }
        let Some(host) = url.host() else {
            return Err(Refused::new(Reason::BadAddress, "the address names no host"));
        };
        if let Some(port) = url.port().filter(|it| REFUSED_PORTS.contains(it)) {
            return Err(Refused::new(
                Reason::BadAddress,
                format!("port {port} belongs to another service than the web"),
            ));
        }
        match host {
            Host::Ipv4(address) => self.check_address(&address.to_string(), address.into()),
            Host::Ipv6(address) => self.check_address(&address.to_string(), address.into()),
            Host::Domain(name) => self.check_name(&normal_host(name)),
        }
    }

    /// Checks one address that a host is, or that its name was answered with.
    pub(crate) fn check_address(&self, host: &str, address: IpAddr) -> Result<(), Refused> {
        match refusal(address, &self.allowed) {
            None => Ok(()),
            Some(kind) => Err(Refused::new(
                Reason::PrivateAddress,
                format!("{host} leads to {kind} ({address}) and not to the public internet"),
            )),
        }
    }

    fn check_name(&self, name: &str) -> Result<(), Refused> {
        if self.proxy_host.as_deref() == Some(name) {
            return Err(Refused::new(
                Reason::PrivateAddress,
                format!("{name} is the proxy itself"),
            ));
        }
        if name.is_empty() || name.split('.').any(str::is_empty) {
            return Err(Refused::new(Reason::BadAddress, "the host is no valid name"));
        }
        if !self.hosts_of(name).is_empty() {
            return Ok(());
        }
        let inner = INNER_NAMES
            .iter()
            .any(|it| name == *it || name.strip_suffix(it).is_some_and(|rest| rest.ends_with('.')));
        if inner || !name.contains('.') {
            return Err(Refused::new(
                Reason::PrivateAddress,
                format!("{name} is a name of the local network and not of the public internet"),
            ));
        }
        Ok(())
    }

    /// What the `hosts` setting answers for a name: the exact lines, else those of the longest wildcard.
    pub(crate) fn hosts_of(&self, name: &str) -> Vec<SocketAddr> {
        let name = normal_host(name);
        let matching = |entry: &&HostEntry| match entry.wildcard {
            false => entry.name == name,
            true => name.strip_suffix(&entry.name).is_some_and(|rest| rest.ends_with('.')),
        };
        let rank = |it: &HostEntry| (!it.wildcard, it.name.len());
        let best = self.hosts.iter().filter(matching).map(rank).max();
        let chosen = self.hosts.iter().filter(matching).filter(|it| Some(rank(it)) == best);
        chosen.map(|it| it.address).collect()
    }

    pub(crate) fn is_proxy(&self, name: &str) -> bool {
        self.proxy_host.as_deref() == Some(normal_host(name).as_str())
    }
}

impl HostEntry {
    fn parse(line: &str) -> Option<Self> {
        let (name, address) = line.split_once('=')?;
        let address = address.trim();
        let address = address
            .parse::<SocketAddr>()
            .or_else(|_| address.parse::<IpAddr>().map(|it| SocketAddr::new(it, 0)))
            .ok()?;
        let name = name.trim();
        let (wildcard, name) = match name.strip_prefix("*.") {
            Some(rest) => (true, rest),
            None => (false, name),
        };
        let valid = !name.is_empty() && !name.contains(['*', '/', ':', ' ']);
        valid.then(|| Self { name: normal_host(name), wildcard, address })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(allow: &[&str], hosts: &[&str]) -> Guard {
        let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
        Guard::new(&FetchSettings {
            allow_networks: owned(allow),
            hosts: owned(hosts),
            ..FetchSettings::default()
        })
        .unwrap()
    }

    fn shown(guard: &Guard, url: &str) -> String {
        match Url::parse(url) {
            Err(_) => "no URL".to_owned(),
            Ok(url) => match guard.check(&url) {
                Ok(()) => "passes".to_owned(),
                Err(it) => format!("{:?}: {}", it.reason, it.detail),
            },
        }
    }

    #[test]
    fn every_way_to_write_this_machine_is_refused() {
        let guard = guard(&[], &[]);
        for host in [
            "127.0.0.1",
            "127.1",
            "127.0.1",
            "2130706433",
            "0x7f000001",
            "0x7f.1",
            "0177.0.0.1",
            "017700000001",
            "0x7f.0x0.0x0.0x1",
            "127.0.0.1.",
            "１２７.0.0.1",
            "127。0。0。1",
            "①②⑦.0.0.1",
            "[::1]",
            "[0:0:0:0:0:0:0:1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]",
            "0.0.0.0",
            "0",
            "[::]",
            "127.0.0.2",
            "127.127.127.127",
            "%31%32%37.0.0.1",
            "localhost",
            "LOCALHOST",
            "localhost.",
            "LocalHost.",
            "ｌocalhost",
            "foo.localhost",
            "a.b.localhost.",
            "localhost.localdomain",
            "printer.local",
            "metadata.google.internal",
            "metadata",
            "router",
            "db.internal",
            "nas.home.arpa",
            "files.corp",
            "x.onion",
        ] {
            let shown = shown(&guard, &format!("http://{host}/"));
            assert!(shown.starts_with("PrivateAddress: "), "{host}: {shown}");
        }
    }

    #[test]
    fn what_is_no_web_address_says_why() {
        let guard = guard(&[], &[]);
        for (url, expected) in [
            ("ftp://example.com/", "BadAddress: ftp: addresses are not on the web"),
            ("file:///etc/passwd", "BadAddress: file: addresses are not on the web"),
            ("gopher://example.com/", "BadAddress: gopher: addresses are not on the web"),
            ("data:text/html,x", "BadAddress: data: addresses are not on the web"),
            ("http://me@example.com/", "BadAddress: the address carries a user name or password"),
            ("http://:pw@example.com/", "BadAddress: the address carries a user name or password"),
            (
                "http://example.com:25/",
                "BadAddress: port 25 belongs to another service than the web",
            ),
            (
                "https://example.com:22/",
                "BadAddress: port 22 belongs to another service than the web",
            ),
            ("http://a..b.com/", "BadAddress: the host is no valid name"),
            ("http://1.2.3.4.5/", "no URL"),
            ("http://256.1.1.1/", "no URL"),
            ("http://[::1/", "no URL"),
            (
                "http://10.0.0.8/",
                "PrivateAddress: 10.0.0.8 leads to a private network (10.0.0.8) and not to the public internet",
            ),
            (
                "http://localhost/",
                "PrivateAddress: localhost is a name of the local network and not of the public internet",
            ),
            ("http://example.com:8080/", "passes"),
            ("https://例え.jp/", "passes"),
            ("http://1.1.1.1/", "passes"),
            ("http://localhost.example.com/", "passes"),
            (
                "http://notlocal/",
                "PrivateAddress: notlocal is a name of the local network and not of the public internet",
            ),
        ] {
            assert_eq!(shown(&guard, url), expected, "{url}");
        }
    }

    #[test]
    fn an_address_has_a_longest_length() {
        let guard = guard(&[], &[]);
        let start = "http://example.com/";
        let url = |length: usize| format!("{start}{}", "x".repeat(length - start.len()));
        assert_eq!(shown(&guard, &url(MAX_URL)), "passes");
        assert_eq!(
            shown(&guard, &url(MAX_URL + 1)),
            "BadAddress: the address is longer than 8192 characters"
        );
    }

    #[test]
    fn settings_lift_the_networks_and_names_they_give() {
        let guard = guard(
            &["10.1.0.0/16", "::1"],
            &["wiki=10.1.2.3", "*.test=10.1.0.9:8080", "a.test=[::1]:99", "*.b.test=10.1.0.7"],
        );
        assert_eq!(shown(&guard, "http://10.1.9.9/"), "passes");
        assert_eq!(shown(&guard, "http://wiki/page"), "passes");
        assert_eq!(shown(&guard, "http://x.y.test/"), "passes");
        let answers =
            |name| guard.hosts_of(name).iter().map(|it| it.to_string()).collect::<Vec<_>>();
        assert_eq!(answers("wiki"), ["10.1.2.3:0"]);
        assert_eq!(answers("x.y.test"), ["10.1.0.9:8080"]);
        assert_eq!(answers("A.test."), ["[::1]:99"]);
        assert_eq!(answers("c.b.test"), ["10.1.0.7:0"]);
        assert_eq!(answers("test"), Vec::<String>::new());
        assert_eq!(answers("example.com"), Vec::<String>::new());
    }

    #[test]
    fn settings_that_mean_nothing_are_named() {
        let problem = |settings: FetchSettings| Guard::new(&settings).unwrap_err().to_string();
        assert_eq!(
            problem(FetchSettings {
                allow_networks: vec!["10.1/16".to_owned()],
                ..FetchSettings::default()
            }),
            "allow_networks = \"10.1/16\" is no network such as 10.1.0.0/16"
        );
        assert_eq!(
            problem(FetchSettings { hosts: vec!["a.test".to_owned()], ..FetchSettings::default() }),
            "hosts = \"a.test\" is not NAME=ADDRESS, *.NAME=ADDRESS or NAME=ADDRESS:PORT"
        );
        assert_eq!(
            problem(FetchSettings {
                proxy: "ftp://user:secret@x".to_owned(),
                ..FetchSettings::default()
            }),
            "proxy = \"...\" is not socks5://HOST:PORT, socks5h://HOST:PORT or http://HOST:PORT"
        );
    }
}
