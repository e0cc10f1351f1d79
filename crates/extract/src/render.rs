//! A document as Markdown, for people and for language models.

use evidence::FragmentType;
use url::Url;

use crate::document::Document;
use crate::piece::Piece;

impl Document {
    /// The content as Markdown: headings, lists, tables, quotes, code and links as they were.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let mut before: Option<&Piece> = None;
        for piece in &self.pieces {
            let together = before.is_some_and(|it| it.kind == piece.kind) && joins(piece.kind);
            if before.is_some() {
                out.push_str(if together { "\n" } else { "\n\n" });
            }
            write(&mut out, piece, self.base.as_ref(), !together);
            before = Some(piece);
        }
        if before.is_some() {
            out.push('\n');
        }
        out
    }
}

/// Items of a list and rows of a table are on adjacent lines.
fn joins(kind: FragmentType) -> bool {
    matches!(kind, FragmentType::List | FragmentType::Table)
}

fn write(out: &mut String, piece: &Piece, base: Option<&Url>, first: bool) {
    match piece.kind {
        FragmentType::Heading => {
            let marks = usize::from(piece.level.clamp(1, 6));
            out.push_str(&"#".repeat(marks));
            out.push(' ');
            out.push_str(&one_line(&linked(piece, base)));
        }
        FragmentType::List => {
            out.push_str(&"  ".repeat(usize::from(piece.level)));
            out.push_str("- ");
            out.push_str(&one_line(&linked(piece, base)));
        }
        FragmentType::Table => {
            let row = one_line(&linked(piece, base));
            out.push_str(&format!("| {row} |"));
            if first {
                let columns = piece.text.matches(" | ").count() + 1;
                out.push_str(&format!("\n|{}", " --- |".repeat(columns)));
            }
        }
        FragmentType::Quote => {
            let lines: Vec<String> =
                linked(piece, base).lines().map(|it| format!("> {it}")).collect();
            out.push_str(&lines.join("\n"));
        }
        FragmentType::Code => {
            // A fence longer than any in the code.
            let mut fence = "```".to_owned();
            while piece.text.contains(&fence) {
                fence.push('`');
            }
            out.push_str(&format!("{fence}\n{}\n{fence}", piece.text));
        }
        FragmentType::Figure => {
            out.push_str(&format!("*{}*", one_line(&linked(piece, base))));
        }
        FragmentType::Paragraph => out.push_str(&linked(piece, base)),
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// The text with its links written out; a link that leads nowhere stays plain text.
fn linked(piece: &Piece, base: Option<&Url>) -> String {
    let mut out = String::with_capacity(piece.text.len());
    let mut at = 0;
    for link in &piece.links {
        let Some(anchor) = piece.text.get(link.start..link.end) else { continue };
        let url = match base {
            Some(base) => base.join(&link.href).ok(),
            None => Url::parse(&link.href).ok(),
        };
        let url = url.filter(|it| matches!(it.scheme(), "http" | "https" | "file" | "mailto"));
        if link.start < at || anchor.trim().is_empty() {
            continue;
        }
        if let Some(url) = url {
            out.push_str(&piece.text[at..link.start]);
            out.push_str(&format!(
                "[{}]({})",
                anchor.replace(['[', ']'], ""),
                url.as_str().replace(')', "%29")
            ));
            at = link.end;
        }
    }
    out.push_str(&piece.text[at..]);
    out
}
