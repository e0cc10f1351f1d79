//! `lyra read`: what Lyra reads from a page or a file.

use std::io::Read;
use std::path::Path;

use clap::Args;
use extract::{Document, Format, Gate, GateKind, Input, PageType, Problem};
use fetch::{FetchRequest, Freshness, Origin, Reason};
use research::{ReadPage, Reading, read_page};
use serde_json::json;
use url::Url;

use super::{Field, percent};
use crate::failure::{Failure, Kind, hint_for_missed};
use crate::session::Session;
use crate::ui::{self, clean, record};
use crate::words::{Words, say};

/// Show what Lyra reads from a page or a file
///
/// The content without navigation, adverts and banners, and what was noticed on the way: what kind of
/// page it is, who wrote it and when, hidden text, instructions to machines, logins and challenges.
/// HTML in any character set, PDF, Word, PowerPoint and Excel files, OpenDocument, EPUB, letters (eml), Markdown,
/// text, JSON, feeds and sitemaps.
///
/// A file is only read. An address is fetched politely: robots.txt is asked, the request is in the
/// ledger (`lyra egress`) and the page in the archive (`lyra archive show URL`); a page that was fetched
/// before is only sent again if it changed. A page whose text is made by scripts is rendered by the
/// browser that `lyra doctor` names, and what it asks for is fetched in the same way.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra read https://example.org/
  lyra read report.pdf
  lyra read page.html --markdown > page.md
  cat saved.html | lyra read - --url https://example.org/ --json")]
pub(crate) struct Arguments {
    /// The address, the file, or `-` to read stdin
    #[arg(value_name = "URL|FILE")]
    target: String,
    /// The address a file was fetched from: links and quotes then lead there
    #[arg(long, value_name = "URL")]
    url: Option<Url>,
    /// Fetch the whole page again, whether it changed or not
    #[arg(long)]
    again: bool,
    /// Print the content as Markdown and nothing else
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl Arguments {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        match self.address()? {
            Some(url) => self.fetch(session, url),
            None => {
                let options = &session.settings.read;
                let bytes = self.bytes(options.max_bytes)?;
                let own = self.url.clone().or_else(|| file_url(&self.target));
                let input = Input { bytes: &bytes, url: own.as_ref(), ..Input::default() };
                let document = extract::read(input, options);
                self.check(&document)?;
                self.show(session, &document, None)
            }
        }
    }

    /// The address, where one is given: what begins like one is never a file.
    fn address(&self) -> Result<Option<Url>, Failure> {
        let start = self.target.get(..8).unwrap_or(&self.target).to_lowercase();
        if !start.starts_with("http://") && !start.starts_with("https://") {
            return Ok(None);
        }
        if self.url.is_some() {
            return Err(Failure::bad_input("an address cannot have another address")
                .hint(|w| &w.hint.url_is_for_files));
        }
        Url::parse(&self.target).map(Some).map_err(|error| {
            Failure::bad_input(format!("`{}` is not an address: {error}", self.target))
                .hint(|w| &w.hint.address_form)
        })
    }

    fn fetch(&self, session: &Session, url: Url) -> Result<(), Failure> {
        let network = session.network()?;
        let mut request = FetchRequest::page(url);
        if self.again {
            request.freshness = Freshness::Again;
        }
        let browser = session.browser();
        let reading = Reading { options: &session.settings.read, browser: Some(&browser) };
        let page = network.run(async |fetcher| read_page(fetcher, request, reading).await)??;
        self.show(session, &page.document, Some(&page))?;
        page.problem.map_or(Ok(()), |reason| Err(not_the_page(&page, reason)))
    }

    /// A file of which nothing can be read is no document: what is wrong with it is all there is to say.
    fn check(&self, document: &Document) -> Result<(), Failure> {
        let nothing = document.text.trim().is_empty();
        let problem = document.problems.iter().find(|it| {
            matches!(it, Problem::NotText { .. } | Problem::Damaged { .. } | Problem::Encrypted)
                || matches!(it, Problem::UnreadablePages { .. } | Problem::ReaderStopped { .. })
        });
        match problem.filter(|_| nothing) {
            None => Ok(()),
            Some(problem) => {
                let message = format!("cannot read {}: {problem}", clean(&self.target));
                let failure = Failure::bad_input(message);
                Err(match problem {
                    Problem::NotText { .. } => failure.hint(|w| &w.hint.read_formats),
                    Problem::ReaderStopped { .. } => failure.hint(|w| &w.hint.read_stopped),
                    Problem::Encrypted => failure.hint(|w| &w.hint.read_encrypted),
                    _ => failure.hint(|w| &w.hint.read_damaged),
                })
            }
        }
    }

    fn show(
        &self,
        session: &Session,
        document: &Document,
        page: Option<&ReadPage>,
    ) -> Result<(), Failure> {
        let ui = &session.ui;
        if ui.is_json() {
            let fetched = page.map(|it| {
                let page = &it.fetched;
                json!({
                    "requested": page.requested, "url": page.url, "redirects": page.redirects,
                    "status": page.status, "origin": page.origin, "record_id": page.record_id,
                    "fetched_at": page.fetched_at,
                    "rendered": it.rendered, "not_rendered": it.not_rendered,
                })
            });
            let mut answer = serde_json::to_value(document)
                .map_err(|error| Failure::new(Kind::Internal, error))?;
            if let Some(fetched) = fetched {
                answer["fetched"] = fetched;
            }
            return ui.document(&answer);
        }
        if !self.markdown {
            let words = ui.words();
            let mut fields = facts(words, document);
            if let Some(page) = page {
                let mut about = vec![(&words.read.address, address_line(words, page))];
                about.extend(scripts_line(words, page).map(|it| (&words.read.scripts, it)));
                fields.splice(0..0, about);
            }
            let fields: Vec<(&str, &str)> =
                fields.iter().map(|(label, value)| (label.as_str(), value.as_str())).collect();
            ui.print(&record(&fields, ui.layout(3)))?;
            ui.print("\n")?;
        }
        let body = document.markdown();
        if body.is_empty() {
            ui.note(ui.words().common.no_content.as_str());
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
        let mut bytes = Vec::new();
        let take = limit as u64 + 1;
        let outcome = if self.target == "-" {
            ui::stdin().take(take).read_to_end(&mut bytes)
        } else {
            let file = files::open(Path::new(&self.target));
            file.and_then(|file| file.take(take).read_to_end(&mut bytes))
        };
        outcome.map_err(|error| {
            let message = format!("cannot read {}: {error}", self.target);
            Failure::new(Kind::BadInput, message).hint(|w| &w.hint.read_what)
        })?;
        Ok(bytes)
    }
}

/// Where a page came from, in a line.
fn address_line(words: &Words, page: &ReadPage) -> String {
    let fetched = &page.fetched;
    let origin = match fetched.origin {
        Origin::Network => &words.read.fetched_now,
        Origin::NotModified => &words.read.not_modified,
        Origin::Archive => &words.read.from_archive,
    };
    clean(&format!("{} ({}, {})", fetched.url, fetched.status, origin.as_str()))
}

/// What became of the scripts of a page, where its text seems to be made by them.
fn scripts_line(words: &Words, page: &ReadPage) -> Option<String> {
    let words_of = &words.read;
    match (&page.rendered, &page.not_rendered) {
        (Some(it), _) => Some(match &it.cut_short {
            None => say!(words_of.rendered, record = it.record_id),
            Some(why) => {
                let why = words.code(why);
                say!(words_of.rendered_cut_short, record = it.record_id, why = why)
            }
        }),
        (None, Some(why)) => {
            let why = words.code(why);
            Some(say!(words_of.not_rendered, why = clean(&why)))
        }
        (None, None) => None,
    }
}

/// The answer was shown, and is not what was asked for.
fn not_the_page(page: &ReadPage, reason: Reason) -> Failure {
    let fetched = &page.fetched;
    let what = match reason {
        Reason::Login => "the page asks for a login".to_owned(),
        Reason::Challenge => "the page asks for a proof of being human".to_owned(),
        Reason::Paywall => "the page asks for payment".to_owned(),
        Reason::NeedsScripts => page.detail(),
        Reason::NotFound if fetched.status == 200 => {
            "the page says that there is nothing here".to_owned()
        }
        _ => format!("the site answered with status {}", fetched.status),
    };
    let hint = match (reason, &page.not_rendered) {
        // A browser was there, and it did not help.
        (Reason::NeedsScripts, None) => None,
        _ => hint_for_missed(reason),
    };
    Failure { hint, ..Failure::new(Kind::Network, what) }
}

fn file_url(file: &str) -> Option<Url> {
    let path = std::path::absolute(Path::new(file)).ok().filter(|_| file != "-")?;
    Url::from_file_path(path).ok()
}

/// What is known about the document, one line each; only what there is.
fn facts(words: &'static Words, document: &Document) -> Vec<Field> {
    let (said, label) = (&document.metadata, &words.read);
    let mut facts: Vec<Field> = Vec::new();
    for (label, value) in [
        (&label.title, &said.title),
        (&label.author, &said.author),
        (&label.site, &said.site_name),
        (&label.published, &said.published_at),
        (&label.modified, &said.modified_at),
        (&label.language, &said.language),
        (&label.canonical, &said.canonical_url),
    ] {
        facts.extend(value.iter().map(|value| (label, clean(value))));
    }
    facts.push((&label.kind, kind(words, document)));
    facts.extend(document.gate.iter().map(|gate| (&label.gate, gate_line(words, gate))));
    facts.push((&label.quality, quality(words, document)));
    let counted = [
        say!(words.read.passages, n = document.fragments.len()),
        say!(words.read.links, n = document.links.len()),
        say!(words.read.identifiers, n = document.identifiers.len()),
    ];
    facts.push((&label.found, counted.join(", ")));
    if !document.hidden.is_empty() {
        let chars: usize = document.hidden.iter().map(|part| part.text.chars().count()).sum();
        facts.push((&label.hidden, say!(words.read.hidden_chars, n = chars)));
    }
    if !document.flags.is_empty() {
        let mut names: Vec<&str> = document.flags.iter().map(|flag| flag.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        facts.push((&label.caution, say!(words.read.to_machines, names = names.join(", "))));
    }
    facts
}

fn kind(words: &Words, document: &Document) -> String {
    let words = &words.read;
    let format = match document.format {
        Format::Html => "HTML",
        Format::Pdf => "PDF",
        Format::Markdown => "Markdown",
        Format::Text => words.text.as_str(),
        Format::Json => "JSON",
        Format::Feed => words.feed.as_str(),
        Format::Sitemap => words.sitemap.as_str(),
        Format::Docx => "Word",
        Format::Pptx => "PowerPoint",
        Format::Xlsx => "Excel",
        Format::OpenDocument => "OpenDocument",
        Format::Epub => "EPUB",
        Format::Email => words.letter.as_str(),
    };
    let page = match document.page_type.page_type {
        PageType::Article => &words.article,
        PageType::Paper => &words.paper,
        PageType::Knowledge => &words.knowledge,
        PageType::Forum => &words.forum,
        PageType::Notice => &words.notice,
        PageType::List => &words.list,
        PageType::LoginWall => &words.login_wall,
        PageType::Challenge => &words.challenge,
        PageType::Error => &words.error,
        PageType::Soft404 => &words.soft_404,
        PageType::Paywall => &words.paywall,
    };
    match document.charset.as_str() {
        "" | "UTF-8" => format!("{} ({format})", page.as_str()),
        charset => format!("{} ({format}, {charset})", page.as_str()),
    }
}

fn gate_line(words: &Words, gate: &Gate) -> String {
    let what = match gate.kind {
        GateKind::Login => &words.read.asks_login,
        GateKind::Challenge => &words.read.asks_challenge,
        GateKind::Paywall => &words.read.asks_payment,
    };
    let vendor = gate.vendor.as_ref().map(|name| format!(" ({name})")).unwrap_or_default();
    format!("{}{vendor}: {}", what.as_str(), clean(&gate.signs.join("; ")))
}

fn quality(words: &Words, document: &Document) -> String {
    let score = percent(document.quality.score);
    if document.quality.reasons.is_empty() {
        return score;
    }
    let reasons = document.quality.reasons.iter().map(|it| words.code(it));
    format!("{score}: {}", clean(&reasons.collect::<Vec<_>>().join("; ")))
}
