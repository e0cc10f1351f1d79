//! Files that are small and want to be large, slow or deep.

use super::Attack;
use super::program::{Home, Program};

const AREA: &str = "bombs";
const WOULD: &str = "takes all time, memory or stack of the program";

pub(super) fn attacks(program: &Program) -> Vec<Attack> {
    let home = Home::new();
    let mut attacks = Vec::new();
    for (name, bytes) in files() {
        home.write(&name, &bytes);
        let ended = program.run(&home, &["read", &name, "--json"], b"");
        attacks.push(Attack::new(AREA, name.clone(), WOULD, ended.decent()));
        // In a folder it may cost no more than itself.
        let folder = format!("library-{name}");
        home.write(&format!("{folder}/{name}"), &bytes);
        home.write(
            &format!("{folder}/leave.md"),
            b"# Leave\n\nThe new rule raised the leave of parents to twelve weeks.\n",
        );
        let asked = "Did the new rule raise the leave of parents?";
        let ended = program.run(&home, &["research", asked, "--library", &folder, "--json"], b"");
        let held = ended.decent().and_then(|()| match ended.code {
            Some(0) => Ok(()),
            code => Err(format!("the search ended with {code:?}: {}", ended.stderr.trim())),
        });
        let would = "takes the search with it that meets it";
        attacks.push(Attack::new(AREA, format!("{name} in a library"), would, held));
    }
    attacks
}

fn files() -> Vec<(String, Vec<u8>)> {
    let many = |text: &str, times: usize| text.repeat(times).into_bytes();
    let html =
        |body: String| format!("<!doctype html><html><body>{body}</body></html>").into_bytes();
    let deep = |open: &str, close: &str, depth| open.repeat(depth) + "x" + &close.repeat(depth);
    let laughs = {
        let mut text = String::from("<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY a \"ha\">");
        for (from, to) in ('a'..='i').zip('b'..='j') {
            text += &format!("<!ENTITY {to} \"{}\">", format!("&{from};").repeat(10));
        }
        text + "]><rss><channel><title>&j;</title><item><title>&j;</title></item></channel></rss>"
    };
    let outside = "<?xml version=\"1.0\"?><!DOCTYPE rss [<!ENTITY x SYSTEM \"secret.md\">]><rss><channel><title>&x;</title><item><title>&x;</title><link>https://a.example/</link></item></channel></rss>";
    let pdf = |body: &str| {
        format!("%PDF-1.7\n{body}\ntrailer << /Root 1 0 R /Size 9 >>\n%%EOF\n").into_bytes()
    };
    let pages = "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n";
    let stream = |dictionary: &str, data: &str| {
        format!(
            "{pages}2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj\n3 0 obj << /Type /Page /Parent 2 0 R /Contents 4 0 R >> endobj\n\
             4 0 obj << {dictionary} >> stream\n{data}\nendstream endobj"
        )
    };
    let named: Vec<(&str, Vec<u8>)> = vec![
        ("deep-divs.html", html(deep("<div>", "</div>", 200_000))),
        ("deep-tables.html", html(deep("<table><tr><td>", "</td></tr></table>", 50_000))),
        ("deep-inline.html", html(deep("<b><i>", "</i></b>", 100_000))),
        ("deep-lists.html", html(deep("<ul><li>", "</li></ul>", 100_000))),
        ("deep-svg.html", html(deep("<svg><g>", "</g></svg>", 50_000))),
        ("deep-templates.html", html(deep("<template>", "</template>", 50_000))),
        ("unclosed.html", html("<p><b><i><a href=x>".repeat(100_000))),
        ("misnested.html", html("<b><p></b></p>".repeat(100_000))),
        ("many-elements.html", html("<p>a</p>".repeat(1_000_000))),
        ("many-links.html", html("<a href='https://a.example/x'>x</a> ".repeat(200_000))),
        ("many-attributes.html", html(format!("<p {}>x</p>", "a=b ".repeat(500_000)))),
        ("long-attribute.html", html(format!("<p title='{}'>x</p>", "x".repeat(10_000_000)))),
        ("long-tag.html", html(format!("<{}>x", "a".repeat(5_000_000)))),
        ("long-comment.html", html(format!("<!--{}", "-".repeat(10_000_000)))),
        ("entities.html", html("&amp;&#x26;&lt".repeat(500_000))),
        ("bad-entities.html", html("&#99999999999;&#xD800;&".repeat(200_000))),
        ("one-word.txt", many("a", 15_000_000)),
        ("one-line.txt", many("word ", 3_000_000)),
        ("newlines.txt", many("\n", 15_000_000)),
        ("zeros.txt", vec![0; 5_000_000]),
        ("combining.txt", many("e\u{301}\u{302}\u{303}", 500_000)),
        ("ligatures.txt", many("\u{fdfa}", 1_000_000)),
        ("bidi.txt", many("\u{202e}\u{2066}x", 500_000)),
        ("bad-utf8.txt", vec![0xC0; 2_000_000]),
        ("utf16.txt", [vec![0xFF, 0xFE], [0x00, 0xD8].repeat(1_000_000)].concat()),
        ("quotes.md", many("> ", 500_000)),
        ("brackets.md", many("[", 500_000)),
        ("links.md", many("[a](", 300_000)),
        ("emphasis.md", many("*a_", 500_000)),
        ("backticks.md", many("`", 1_000_000)),
        ("tables.md", many("|a", 500_000)),
        ("headings.md", many("# a\n", 500_000)),
        ("lists.md", (0..3_000).map(|it| format!("{}- a\n", " ".repeat(it))).collect::<String>().into_bytes()),
        ("front-matter.md", [b"---\n".to_vec(), many("a: b\n", 1_000_000)].concat()),
        ("arrays.json", many("[", 1_000_000)),
        ("objects.json", many("{\"a\":", 500_000)),
        ("numbers.json", format!("[{}1]", "1e999999,".repeat(300_000)).into_bytes()),
        ("laughs.xml", laughs.into_bytes()),
        ("outside.xml", outside.as_bytes().to_vec()),
        ("deep.xml", ["<rss>".repeat(200_000).into_bytes()].concat()),
        ("sitemap.xml", format!("<urlset>{}</urlset>", "<url><loc>https://a.example/</loc></url>".repeat(200_000)).into_bytes()),
        ("pages-loop.pdf", pdf(&format!("{pages}2 0 obj << /Type /Pages /Kids [2 0 R] /Count 1 >> endobj"))),
        ("pages-many.pdf", pdf(&format!("{pages}2 0 obj << /Type /Pages /Kids [{}] /Count 2000000000 >> endobj\n3 0 obj << /Type /Page >> endobj", "3 0 R ".repeat(300_000)))),
        ("objects-deep.pdf", pdf(&format!("{pages}2 0 obj {}{} endobj", "[".repeat(300_000), "]".repeat(300_000)))),
        ("length-loop.pdf", pdf(&stream("/Length 4 0 R", "BT (x) Tj ET"))),
        ("length-lies.pdf", pdf(&stream("/Length 2000000000", "BT (x) Tj ET"))),
        ("filters.pdf", pdf(&stream(&format!("/Length 12 /Filter [{}]", "/FlateDecode ".repeat(10_000)), "BT (x) Tj ET"))),
        ("predictor.pdf", pdf(&stream("/Length 12 /Filter /FlateDecode /DecodeParms << /Predictor 12 /Columns 2000000000 >>", "x"))),
        ("operators.pdf", pdf(&stream("/Length 9000000", &"q ".repeat(4_500_000)))),
        ("arrays.pdf", pdf(&stream("/Length 3000000", &"[".repeat(3_000_000)))),
        ("xref-loop.pdf", b"%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer << /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF".to_vec()),
        ("startxref.pdf", b"%PDF-1.7\nstartxref\n99999999999999999999\n%%EOF".to_vec()),
        ("only-header.pdf", b"%PDF-1.7".to_vec()),
        ("memo.docx", b"PK\x03\x04\x14\x00\x06\x00\x08\x00 word/document.xml".to_vec()),
        ("program", b"\x7fELF\x02\x01\x01\x00".repeat(1_000)),
        ("empty.html", Vec::new()),
    ];
    named.into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect()
}
