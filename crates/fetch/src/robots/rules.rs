//! Reads robots.txt after RFC 9309, with the mistakes that common readers forgive.
//!
//! Beyond the RFC it keeps `crawl-delay` and `sitemap` lines. It never fails: lines that mean nothing are
//! passed over.

use std::time::Duration;

/// What one robots.txt says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RobotsTxt {
    groups: Vec<Group>,
    sitemaps: Vec<String>,
}

/// The rules under one run of user-agent lines.
#[derive(Debug, Clone, Default, PartialEq)]
struct Group {
    /// In lower case.
    agents: Vec<String>,
    everybody: bool,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

#[derive(Debug, Clone, PartialEq)]
struct Rule {
    allow: bool,
    /// Percent-encoded where it is not ASCII.
    pattern: Vec<u8>,
}

/// More are not kept: no honest file lists that many.
const MAX_SITEMAPS: usize = 1_000;
/// A site cannot ask for a longer pause than this between two requests.
const MAX_CRAWL_DELAY: Duration = Duration::from_secs(1_800);

enum Key {
    UserAgent,
    Allow,
    Disallow,
    Sitemap,
    CrawlDelay,
}

impl RobotsTxt {
    /// Reads any bytes; lines that mean nothing are passed over.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut robots = Self::default();
        // After a rule the next user-agent line begins a new group; other lines do not part groups.
        let mut rules_seen = false;
        for line in without_mark(bytes).split(|it| matches!(it, b'\n' | b'\r')) {
            let Some((key, value)) = key_and_value(line) else { continue };
            match key {
                Key::UserAgent => {
                    if robots.groups.is_empty() || rules_seen {
                        robots.groups.push(Group::default());
                        rules_seen = false;
                    }
                    if let Some(group) = robots.groups.last_mut() {
                        group.add_agent(value);
                    }
                }
                Key::Allow | Key::Disallow => {
                    if let Some(group) = robots.groups.last_mut() {
                        rules_seen = true;
                        let allow = matches!(key, Key::Allow);
                        group.rules.push(Rule { allow, pattern: encoded(value) });
                    }
                }
                Key::CrawlDelay => {
                    if let Some(group) = robots.groups.last_mut() {
                        group.crawl_delay = group.crawl_delay.max(seconds(value));
                    }
                }
                Key::Sitemap => {
                    if robots.sitemaps.len() < MAX_SITEMAPS {
                        robots.sitemaps.push(String::from_utf8_lossy(value).into_owned());
                    }
                }
            }
        }
        robots
    }

    /// Whether a program may ask for a path. `path` is the path with its query, as it is sent.
    pub fn allows(&self, agent: &str, path: &str) -> bool {
        let path = if path.is_empty() { "/" } else { path };
        let longest = |allow: bool| {
            self.groups_of(agent)
                .flat_map(|it| &it.rules)
                .filter(|it| it.allow == allow)
                .filter_map(|it| it.matches(path.as_bytes()))
                .max()
                .unwrap_or(0)
        };
        // The most specific rule decides; of two equal ones, the friendlier. Empty rules say nothing.
        longest(true) >= longest(false)
    }

    /// The pause a program is asked to keep between two requests.
    pub fn crawl_delay(&self, agent: &str) -> Option<Duration> {
        self.groups_of(agent).filter_map(|it| it.crawl_delay).max()
    }

    /// The addresses of its sitemaps, as they stand there.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// All groups that name the agent; those for `*` if none does.
    fn groups_of(&self, agent: &str) -> impl Iterator<Item = &Group> {
        let agent = agent.to_ascii_lowercase();
        let named = self.groups.iter().any(|it| it.agents.contains(&agent));
        self.groups.iter().filter(move |group| match named {
            true => group.agents.contains(&agent),
            false => group.everybody,
        })
    }
}

impl Group {
    fn add_agent(&mut self, value: &[u8]) {
        match value {
            [b'*'] => self.everybody = true,
            [b'*', next, ..] if next.is_ascii_whitespace() => self.everybody = true,
            _ => {
                let name = |it: &&u8| it.is_ascii_alphabetic() || matches!(it, b'-' | b'_');
                let name: Vec<u8> = value.iter().take_while(name).copied().collect();
                self.agents.push(String::from_utf8_lossy(&name).to_ascii_lowercase());
            }
        }
    }
}

impl Rule {
    /// How specific the rule is for a path it matches.
    fn matches(&self, path: &[u8]) -> Option<usize> {
        if matches(&self.pattern, path) {
            return Some(self.pattern.len());
        }
        // Who allows a folder's index page means the folder's address as well.
        let slash = self.pattern.iter().rposition(|it| *it == b'/')?;
        let index = self.allow && self.pattern[slash..].starts_with(b"/index.htm");
        let folder = &self.pattern[..=slash];
        (index && matches(&[folder, b"$"].concat(), path)).then_some(slash + 2)
    }
}

/// Matches a pattern with `*` (anything) and a final `$` (the end) from the start of a path.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split(|it| *it == b'*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let mut pieces = pieces.peekable();
    if pieces.peek().is_none() {
        return !to_the_end || rest.is_empty();
    }
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() && to_the_end {
            return rest.ends_with(piece);
        }
        // The leftmost place leaves the most for the pieces after it.
        match find(rest, piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    true
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    if piece.is_empty() {
        return Some(0);
    }
    text.windows(piece.len()).position(|it| it == piece)
}

/// Without a byte order mark, also one that was cut short.
fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = [0xef, 0xbb, 0xbf];
    let length = mark.iter().zip(bytes).take_while(|(mark, byte)| mark == byte).count();
    &bytes[length..]
}

fn key_and_value(line: &[u8]) -> Option<(Key, &[u8])> {
    let line = line.split(|it| *it == b'#').next().unwrap_or_default().trim_ascii();
    let (key, value) = match line.iter().position(|it| *it == b':') {
        Some(at) => (&line[..at], &line[at + 1..]),
        // A missing colon is forgiven if there are exactly two words.
        None => {
            let at = line.iter().position(u8::is_ascii_whitespace)?;
            let value = line[at..].trim_ascii();
            if value.iter().any(u8::is_ascii_whitespace) {
                return None;
            }
            (&line[..at], value)
        }
    };
    let key = key.trim_ascii().to_ascii_lowercase();
    let key = match key.as_slice() {
        b"user-agent" | b"useragent" | b"user agent" => Key::UserAgent,
        b"allow" => Key::Allow,
        b"disallow" | b"dissallow" | b"dissalow" | b"disalow" | b"diasllow" | b"disallaw" => {
            Key::Disallow
        }
        b"sitemap" | b"site-map" => Key::Sitemap,
        b"crawl-delay" | b"crawldelay" => Key::CrawlDelay,
        _ => return None,
    };
    Some((key, value.trim_ascii()))
}

/// A rule as it is compared with what is sent: other bytes than ASCII percent-encoded, `%aa` as `%AA`.
fn encoded(value: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let mut out = Vec::with_capacity(value.len());
    for (at, byte) in value.iter().copied().enumerate() {
        let escape = |back: usize| {
            at >= back
                && value[at - back] == b'%'
                && value
                    .get(at - back + 1..at - back + 3)
                    .is_some_and(|it| it.iter().all(u8::is_ascii_hexdigit))
        };
        match byte {
            0x80.. => {
                out.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]])
            }
            b'a'..=b'f' if escape(1) || escape(2) => out.push(byte.to_ascii_uppercase()),
            _ => out.push(byte),
        }
    }
    out
}

fn seconds(value: &[u8]) -> Option<Duration> {
    let seconds: f64 = std::str::from_utf8(value).ok()?.parse().ok()?;
    let seconds = seconds.clamp(0.0, MAX_CRAWL_DELAY.as_secs_f64());
    Duration::try_from_secs_f64(seconds).ok().filter(|it| !it.is_zero())
}

#[cfg(test)]
mod tests;
