//! A letter as mail programs save it: who wrote it, when, about what, and its text. Attachments are named and not read.

use evidence::FragmentType;
use mail_parser::{MessageParser, MimeHeaders};

use crate::document::{Metadata, Problem};
use crate::html;
use crate::piece::Piece;
use crate::plain;
use crate::settings::ReadSettings;

/// Attachments that are named.
const MAX_NAMED: usize = 200;

/// Whether a text begins like the header of a letter: lines of `Name: value`, of which two are a letter's own.
pub(crate) fn is_letter(text: &str) -> bool {
    const OWN: [&str; 8] = [
        "received",
        "return-path",
        "from",
        "date",
        "subject",
        "message-id",
        "mime-version",
        "delivered-to",
    ];
    let mut own = 0;
    for line in text.lines().take(40) {
        if line.starts_with([' ', '\t']) {
            continue;
        }
        let Some((name, _)) = line.split_once(':') else { break };
        if name.is_empty() || !name.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-') {
            break;
        }
        own += usize::from(OWN.contains(&name.to_ascii_lowercase().as_str()));
    }
    own >= 3
}

pub(crate) fn read(bytes: &[u8], options: &ReadSettings) -> (Vec<Piece>, Metadata, Vec<Problem>) {
    let Some(letter) = MessageParser::default().parse(bytes) else {
        let problems = vec![Problem::Damaged { reason: "it is no letter".to_owned() }];
        return (Vec::new(), Metadata::default(), problems);
    };
    let mut pieces = Vec::new();
    let subject = letter.subject().map(|it| it.trim().to_owned()).filter(|it| !it.is_empty());
    if let Some(subject) = &subject {
        pieces.push(Piece::new(FragmentType::Heading, 1, subject.as_str()));
    }
    let mut problems = Vec::new();
    let has_text = letter.text_bodies().any(|it| it.is_text() && !it.is_text_html());
    if has_text {
        for place in 0..letter.text_body_count() {
            let Some(body) = letter.body_text(place) else { continue };
            let (read, _, found) = plain::read(&body, options);
            pieces.extend(read);
            problems.extend(found);
        }
    } else {
        for place in 0..letter.html_body_count() {
            let Some(body) = letter.body_html(place) else { continue };
            let page = html::read(&body, options);
            pieces.extend(page.pieces);
            problems.extend(page.problems);
        }
    }
    for attached in letter.attachments().take(MAX_NAMED) {
        if let Some(name) = attached.attachment_name() {
            pieces.push(Piece::new(FragmentType::List, 1, name.trim()));
        }
    }
    let writer = letter.from().and_then(|it| it.first());
    let author = writer.and_then(|it| it.name().or(it.address()));
    let metadata = Metadata {
        title: subject,
        author: author.map(|it| it.trim().to_owned()),
        published_at: letter.date().map(|it| it.to_rfc3339()),
        ..Metadata::default()
    };
    (pieces, metadata, problems)
}
