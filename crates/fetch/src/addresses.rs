//! Which addresses are on the public internet.
//!
//! Everything else (this machine, its network, the services of a cloud that hand out keys) is refused
//! before a byte is sent, so that no page can make Lyra read what only its user may read.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Why an address is not public.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NotPublic {
    Loopback,
    Private,
    LinkLocal,
    CloudMetadata,
    Shared,
    Multicast,
    Unspecified,
    Broadcast,
    Reserved,
}

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Loopback => "this machine itself",
            Self::Private => "a private network",
            Self::LinkLocal => "the local network link",
            Self::CloudMetadata => "a cloud's metadata service",
            Self::Shared => "a provider's inner network",
            Self::Multicast => "a multicast group",
            Self::Unspecified => "no machine",
            Self::Broadcast => "a broadcast",
            Self::Reserved => "a reserved range",
        })
    }
}

/// Says why an address may not be asked; `None` for a public one and for what `allowed` names.
pub(crate) fn refusal(address: IpAddr, allowed: &[IpNet]) -> Option<NotPublic> {
    if allowed.iter().any(|it| it.contains(&address)) {
        return None;
    }
    match address {
        IpAddr::V4(address) => of_v4(address),
        IpAddr::V6(address) => match embedded(address) {
            // The allowlist speaks about machines, in whichever way their address is written.
            Some(inner) if allowed.iter().any(|it| it.contains(&IpAddr::V4(inner))) => None,
            Some(inner) => of_v4(inner),
            None => of_v6(address),
        },
    }
}

fn of_v4(address: Ipv4Addr) -> Option<NotPublic> {
    let [a, b, c, d] = address.octets();
    Some(match (a, b, c, d) {
        // The services that answer with keys: first, because they lie inside wider ranges.
        (169, 254, 169, 253 | 254)
        | (169, 254, 170, 2)
        | (100, 100, 100, 200)
        | (168, 63, 129, 16)
        | (192, 0, 0, 192) => NotPublic::CloudMetadata,
        (0, 0, 0, 0) => NotPublic::Unspecified,
        // "This network": some systems take 0.x.x.x for themselves.
        (0, ..) | (127, ..) => NotPublic::Loopback,
        (10, ..) | (172, 16..=31, ..) | (192, 168, ..) => NotPublic::Private,
        (100, 64..=127, ..) => NotPublic::Shared,
        (169, 254, ..) => NotPublic::LinkLocal,
        // Protocol assignments, documentation, the old 6to4 relay, benchmarks.
        (192, 0, 0 | 2, _)
        | (192, 88, 99, _)
        | (198, 18 | 19, ..)
        | (198, 51, 100, _)
        | (203, 0, 113, _) => NotPublic::Reserved,
        (224..=239, ..) => NotPublic::Multicast,
        (255, 255, 255, 255) => NotPublic::Broadcast,
        (240..=255, ..) => NotPublic::Reserved,
        _ => return None,
    })
}

fn of_v6(address: Ipv6Addr) -> Option<NotPublic> {
    let segments = address.segments();
    Some(match segments {
        [0, 0, 0, 0, 0, 0, 0, 0] => NotPublic::Unspecified,
        [0, 0, 0, 0, 0, 0, 0, 1] => NotPublic::Loopback,
        [0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23 | 0x253 | 0x254] => NotPublic::CloudMetadata,
        [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254] => NotPublic::CloudMetadata,
        [0xfc00..=0xfdff, ..] => NotPublic::Private,
        // Link-local, and the site-local range that came before fc00::/7.
        [0xfe80..=0xfebf, ..] => NotPublic::LinkLocal,
        [0xfec0..=0xfeff, ..] => NotPublic::Private,
        [0xff00..=0xffff, ..] => NotPublic::Multicast,
        // Local NAT64 prefixes can lead into any network.
        [0x64, 0xff9b, 1, ..] => NotPublic::Private,
        // Protocol assignments (Teredo and ORCHID among them) and documentation.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..] => {
            NotPublic::Reserved
        }
        // Only 2000::/3 is given out; the rest is reserved, discard-only or a special block.
        [0x2000..=0x3fff, ..] => return None,
        _ => NotPublic::Reserved,
    })
}

/// The IPv4 address that an IPv6 address stands for, where packets to it end there.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let v4 = |high: u16, low: u16| Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)));
    match (a, b, c, d, e, f) {
        // Mapped and translated.
        (0, 0, 0, 0, 0, 0xffff) | (0, 0, 0, 0, 0xffff, 0) => v4(g, h),
        // Compatible, without :: and ::1, which are addresses of their own.
        (0, 0, 0, 0, 0, 0) if g != 0 || h > 1 => v4(g, h),
        // NAT64.
        (0x64, 0xff9b, 0, 0, 0, 0) => v4(g, h),
        // 6to4.
        (0x2002, high, low, ..) => v4(high, low),
        // Teredo: the client's address, inverted.
        (0x2001, 0, ..) => v4(!g, !h),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(address: &str, allowed: &[&str]) -> String {
        let allowed: Vec<IpNet> = allowed.iter().map(|it| it.parse().unwrap()).collect();
        let refused = refusal(address.parse().unwrap(), &allowed);
        refused.map_or_else(|| "public".to_owned(), |it| it.to_string())
    }

    #[test]
    fn addresses_that_are_not_public_are_refused_by_kind() {
        for (address, kind) in [
            ("127.0.0.1", "this machine itself"),
            ("127.255.255.254", "this machine itself"),
            ("0.0.0.0", "no machine"),
            ("0.1.2.3", "this machine itself"),
            ("10.0.0.1", "a private network"),
            ("172.16.0.1", "a private network"),
            ("172.31.255.255", "a private network"),
            ("192.168.1.1", "a private network"),
            ("100.64.0.1", "a provider's inner network"),
            ("100.127.255.255", "a provider's inner network"),
            ("169.254.0.1", "the local network link"),
            ("169.254.169.254", "a cloud's metadata service"),
            ("169.254.170.2", "a cloud's metadata service"),
            ("100.100.100.200", "a cloud's metadata service"),
            ("168.63.129.16", "a cloud's metadata service"),
            ("192.0.0.192", "a cloud's metadata service"),
            ("192.0.0.8", "a reserved range"),
            ("192.0.2.1", "a reserved range"),
            ("198.18.0.1", "a reserved range"),
            ("198.51.100.7", "a reserved range"),
            ("203.0.113.9", "a reserved range"),
            ("192.88.99.1", "a reserved range"),
            ("224.0.0.1", "a multicast group"),
            ("239.255.255.250", "a multicast group"),
            ("240.0.0.1", "a reserved range"),
            ("255.255.255.255", "a broadcast"),
            ("::", "no machine"),
            ("::1", "this machine itself"),
            ("::ffff:127.0.0.1", "this machine itself"),
            ("::ffff:10.1.2.3", "a private network"),
            ("::ffff:0:127.0.0.1", "this machine itself"),
            ("::127.0.0.1", "this machine itself"),
            ("::2", "this machine itself"),
            ("64:ff9b::7f00:1", "this machine itself"),
            ("64:ff9b::a9fe:a9fe", "a cloud's metadata service"),
            ("64:ff9b:1::a00:1", "a private network"),
            ("2002:7f00:1::", "this machine itself"),
            ("2002:c0a8:101::1", "a private network"),
            ("2001:0:4136:e378:8000:63bf:f5ff:fffe", "a private network"),
            ("2001:db8::1", "a reserved range"),
            ("3fff:1::1", "a reserved range"),
            ("2001:10::1", "a reserved range"),
            ("100::1", "a reserved range"),
            ("fc00::1", "a private network"),
            ("fd12:3456::1", "a private network"),
            ("fd00:ec2::254", "a cloud's metadata service"),
            ("fe80::1", "the local network link"),
            ("febf::1", "the local network link"),
            ("fec0::1", "a private network"),
            ("ff02::1", "a multicast group"),
            ("4000::1", "a reserved range"),
            ("5f00::1", "a reserved range"),
        ] {
            assert_eq!(shown(address, &[]), kind, "{address}");
        }
    }

    #[test]
    fn public_addresses_pass_at_the_edges_of_refused_ranges() {
        for address in [
            "1.1.1.1",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.1",
            "169.253.255.255",
            "169.255.0.0",
            "172.15.255.255",
            "172.32.0.0",
            "192.0.1.1",
            "192.167.255.255",
            "192.169.0.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "2606:4700::1111",
            "2001:200::1",
            "2001:4860:4860::8888",
            "2400:cb00::1",
            "::ffff:8.8.8.8",
            "2002:808:808::1",
            "64:ff9b::808:808",
        ] {
            assert_eq!(shown(address, &[]), "public", "{address}");
        }
    }

    #[test]
    fn the_allowlist_lifts_only_what_it_names() {
        assert_eq!(shown("10.1.2.3", &["10.1.0.0/16"]), "public");
        assert_eq!(shown("10.2.2.3", &["10.1.0.0/16"]), "a private network");
        assert_eq!(shown("::ffff:10.1.2.3", &["10.1.0.0/16"]), "public");
        assert_eq!(shown("::1", &["127.0.0.0/8"]), "this machine itself");
        assert_eq!(shown("fd00::5", &["fd00::/64"]), "public");
    }
}
