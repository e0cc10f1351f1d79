//! `lyra read`: what Lyra reads from a page or a file.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use clap::Args;
use extract::{Document, Format, Gate, GateKind, Input, PageType};
use url::Url;

use super::percent;
use crate::failure::{Failure, Kind};
use crate::session::Session;
use crate::ui::{clean, record};

/// Show what Lyra reads from a page or a file
///
/// The content without navigation, adverts and banners, and what was noticed on the way: what kind of
/// page it is, who wrote it and when, hidden text, instructions to machines, logins and challenges.
/// HTML in any character set, PDF, Markdown, text, JSON, feeds and sitemaps. Nothing is stored.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra read report.pdf
  lyra read page.html --markdown > page.md
  curl -s https://example.org/ | lyra read - --url https://example.org/ --json

Pages are read from files and from stdin; fetching an address is not built yet.")]
pub(crate) struct Arguments {
    /// The file, or `-` to read stdin
    #[arg(value_name = "FILE")]
    file: String,
    /// The address the page was fetched from: links and quotes then lead there
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
    /// Print the content as Markdown and nothing else
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let options = &session.settings.read;
        let bytes = self.bytes(options.max_bytes)?;
        let own = self.url.clone().or_else(|| file_url(&self.file));
        let document =
            extract::read(Input { bytes: &bytes, url: own.as_ref(), ..Input::default() }, options);
        let ui = &session.ui;
        if ui.is_json() {
            return ui.document(&document);
        }
        if !self.markdown {
            let fields = facts(&document);
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(label, value)| (*label, value.as_str())).collect();
            ui.print(&record(&fields, ui.layout(3)))?;
            ui.print("\n")?;
        }
        let body = document.markdown();
        if body.is_empty() {
            ui.note("There is no content to show.");
        } else {
            ui.print(&body.lines().map(clean).collect::<Vec<_>>().join("\n"))?;
        }
        for problem in &document.problems {
            ui.warn(&problem.to_string());
        }
        Ok(())
    }

    /// One byte more than is read, so that reading can tell what is missing.
    fn bytes(&self, limit: usize) -> Result<Vec<u8>, Failure> {
        if self.file.starts_with("http://") || self.file.starts_with("https://") {
            return Err(Failure::bad_input("addresses on the web cannot be fetched yet")
                .hint("save the page and name the file, with --url for its address"));
        }
        let mut bytes = Vec::new();
        let take = limit as u64 + 1;
        let outcome = if self.file == "-" {
            io::stdin().lock().take(take).read_to_end(&mut bytes)
        } else {
            let file = File::open(&self.file).and_then(|file| {
                if file.metadata()?.is_dir() {
                    Err(io::ErrorKind::IsADirectory.into())
                } else {
                    Ok(file)
                }
            });
            file.and_then(|file| file.take(take).read_to_end(&mut bytes))
        };
        outcome.map_err(|error| {
            let message = format!("cannot read {}: {error}", self.file);
            Failure::new(Kind::BadInput, message).hint("name a file, or `-` for stdin")
        })?;
        Ok(bytes)
    }
}

fn file_url(file: &str) -> Option<Url> {
    let path = std::path::absolute(Path::new(file)).ok().filter(|_| file != "-")?;
    Url::from_file_path(path).ok()
}

/// What is known about the document, one line each; only what there is.
fn facts(document: &Document) -> Vec<(&'static str, String)> {
    let said = &document.metadata;
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    for (label, value) in [
        ("title", &said.title),
        ("author", &said.author),
        ("site", &said.site_name),
        ("published", &said.published_at),
        ("modified", &said.modified_at),
        ("language", &said.language),
        ("canonical", &said.canonical_url),
    ] {
        if let Some(value) = value {
            facts.push((label, clean(value)));
        }
    }
    facts.push(("kind", kind(document)));
    if let Some(gate) = &document.gate {
        facts.push(("gate", gate_line(gate)));
    }
    facts.push(("quality", quality(document)));
    let counts = [
        (document.fragments.len(), "passage"),
        (document.links.len(), "link"),
        (document.identifiers.len(), "identifier"),
    ];
    let counted =
        counts.map(|(count, what)| format!("{count} {what}{}", if count == 1 { "" } else { "s" }));
    facts.push(("found", counted.join(", ")));
    if !document.hidden.is_empty() {
        let chars: usize = document.hidden.iter().map(|it| it.text.chars().count()).sum();
        facts.push(("hidden", format!("{chars} characters that people do not see")));
    }
    if !document.flags.is_empty() {
        let mut names: Vec<&str> = document.flags.iter().map(|it| it.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        facts.push(("caution", format!("speaks to machines: {}", names.join(", "))));
    }
    facts
}

fn kind(document: &Document) -> String {
    let format = match document.format {
        Format::Html => "HTML",
        Format::Pdf => "PDF",
        Format::Markdown => "Markdown",
        Format::Text => "text",
        Format::Json => "JSON",
        Format::Feed => "feed",
        Format::Sitemap => "sitemap",
    };
    let page = match document.page_type.page_type {
        PageType::Article => "article",
        PageType::Paper => "paper",
        PageType::Knowledge => "knowledge",
        PageType::Forum => "forum",
        PageType::Notice => "notice",
        PageType::List => "list",
        PageType::LoginWall => "login wall",
        PageType::Challenge => "challenge",
        PageType::Error => "error",
        PageType::Soft404 => "not found, though it does not say so",
        PageType::Paywall => "paywall",
    };
    match document.charset.as_str() {
        "" | "UTF-8" => format!("{page} ({format})"),
        charset => format!("{page} ({format}, {charset})"),
    }
}

fn gate_line(gate: &Gate) -> String {
    let what = match gate.kind {
        GateKind::Login => "asks for a login",
        GateKind::Challenge => "asks for a proof that a person is there",
        GateKind::Paywall => "asks for payment",
    };
    let vendor = gate.vendor.as_ref().map(|it| format!(" ({it})")).unwrap_or_default();
    format!("{what}{vendor}: {}", clean(&gate.signs.join("; ")))
}

fn quality(document: &Document) -> String {
    let score = percent(document.quality.score);
    if document.quality.reasons.is_empty() {
        return score;
    }
    format!("{score}: {}", clean(&document.quality.reasons.join("; ")))
}
