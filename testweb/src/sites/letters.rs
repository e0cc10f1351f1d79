//! Pages in the encodings of another time, and markup that no standard foresaw.

use encoding_rs::{EUC_JP, SHIFT_JIS};

use crate::answer::Answer;
use crate::{Site, SiteKind};

pub(super) fn encode(site: &Site, answer: Answer) -> Answer {
    let is_html = answer.header("content-type").is_some_and(|it| it.starts_with("text/html"));
    let is_odd = matches!(
        site.kind,
        SiteKind::ShiftJis | SiteKind::EucJp | SiteKind::Utf16 | SiteKind::BrokenHtml
    );
    if !is_html || !is_odd {
        return answer;
    }
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    match site.kind {
        // The header says nothing: the meta element has to be read.
        SiteKind::ShiftJis => {
            let text = renamed(&text, "Shift_JIS");
            typed(answer, "text/html", SHIFT_JIS.encode(&text).0.into_owned())
        }
        SiteKind::EucJp => {
            let text = renamed(&text, "utf-8");
            // The meta element is wrong, as on sites that were moved: the header wins.
            typed(answer, "text/html; charset=EUC-JP", EUC_JP.encode(&text).0.into_owned())
        }
        SiteKind::Utf16 => {
            let mut bytes = vec![0xff, 0xfe];
            bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
            typed(answer, "text/html", bytes)
        }
        SiteKind::BrokenHtml => {
            typed(answer, "text/html; charset=utf-8", broken(&text).into_bytes())
        }
        _ => answer,
    }
}

fn typed(mut answer: Answer, kind: &str, body: Vec<u8>) -> Answer {
    for header in answer.headers.iter_mut().filter(|it| it.0 == "Content-Type") {
        kind.clone_into(&mut header.1);
    }
    answer.body = body.into();
    answer
}

fn renamed(text: &str, charset: &str) -> String {
    let said = format!("charset=\"{charset}\"");
    text.replacen("charset=\"utf-8\"", &said, 1).replacen("CHARSET=\"utf-8\"", &said, 1)
}

/// Ends that are missing, crossed or doubled, attributes without quotes, a stray NUL and an unclosed comment at the end.
fn broken(text: &str) -> String {
    let mut html = text
        .replace("</p>", "")
        .replace("</li>", "")
        .replace("</h2>\n", "</h2></b></i>\n")
        .replace("</article>", "</div></article></span>")
        .replace("class=\"related\"", "class=related data-x='a\"b'")
        .replace("</head>", "")
        .replace("</html>", "</body></html></html>");
    html.push_str("\u{0}<p>&nbsp;&notanentity;&#xZZ; <<b>><!-- never closed <p>");
    html
}
