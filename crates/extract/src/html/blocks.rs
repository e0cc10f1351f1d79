//! A tree to the blocks of text a reader sees, one after the other.
//!
//! A block is a run of text on lines of its own: a paragraph, a heading, an item of a
//! list, a row of a table. Everything later (what is content, what is a passage) is decided on blocks.

use evidence::FragmentType;

use crate::document::HiddenBy;
use text::script::is_cjk;

use super::measure::Measures;
use super::tag::Tag;
use super::tree::{NodeId, ROOT, Tree};

/// A run of text on lines of its own.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// The element it stands in.
    pub(crate) node: NodeId,
    pub(crate) kind: FragmentType,
    /// 1 to 6 for headings, the depth of the list for items, else 0.
    pub(crate) level: u8,
    pub(crate) text: String,
    pub(crate) anchors: Vec<Anchor>,
    pub(crate) hidden: Option<HiddenBy>,
}

/// A link inside a block: the bytes of its text and its element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anchor {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) node: NodeId,
}

/// Cuts a tree into blocks.
pub(crate) fn blocks(tree: &Tree, measures: &Measures, hidden: &[Option<HiddenBy>]) -> Vec<Block> {
    let mut cutter = Cutter { tree, measures, hidden, out: Vec::new(), run: Run::default() };
    cutter.walk();
    cutter.out
}

#[derive(Debug, Clone, Copy)]
struct Context {
    /// The nearest block-level element.
    block: NodeId,
    kind: FragmentType,
    level: u8,
    hidden: Option<HiddenBy>,
    keeps_space: bool,
    /// Inside a row of a table of data: cells do not end the block.
    in_row: bool,
}

#[derive(Debug, Default)]
struct Run {
    text: String,
    anchors: Vec<Anchor>,
    open_anchors: Vec<(usize, NodeId)>,
    space: Space,
    context: Option<Context>,
}

/// White space that was met and not yet written.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Space {
    #[default]
    None,
    Line,
    Blank,
    Break,
}

enum Step {
    Enter(NodeId, Context),
    Leave(NodeId, Context),
}

struct Cutter<'a> {
    tree: &'a Tree,
    measures: &'a Measures,
    hidden: &'a [Option<HiddenBy>],
    out: Vec<Block>,
    run: Run,
}

impl Cutter<'_> {
    fn walk(&mut self) {
        let top = Context {
            block: ROOT,
            kind: FragmentType::Paragraph,
            level: 0,
            hidden: None,
            keeps_space: false,
            in_row: false,
        };
        let mut steps = vec![Step::Enter(ROOT, top)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(node, outer) => {
                    let Some(tag) = self.tree.tag(node) else {
                        self.text(node, outer);
                        continue;
                    };
                    if skips(tag) {
                        continue;
                    }
                    let inner = self.enter(node, tag, outer);
                    steps.push(Step::Leave(node, outer));
                    let from = steps.len();
                    steps.extend(self.tree.children(node).map(|it| Step::Enter(it, inner)));
                    steps[from..].reverse();
                }
                Step::Leave(node, outer) => self.leave(node, outer),
            }
        }
        self.flush();
    }

    fn enter(&mut self, node: NodeId, tag: Tag, outer: Context) -> Context {
        let mut inner = outer;
        let newly = self.hidden[node as usize];
        if outer.hidden.is_none() && newly.is_some() {
            self.flush();
            inner.hidden = newly;
        }
        match tag {
            Tag::Br => {
                self.line_break();
                return inner;
            }
            Tag::A => self.run.open_anchors.push((usize::MAX, node)),
            _ => {}
        }
        if outer.in_row {
            if matches!(tag, Tag::Td | Tag::Th) {
                if !self.run.text.is_empty() {
                    self.run.space = Space::None;
                    self.run.text.push_str(" | ");
                }
            } else if tag.is_block() {
                self.run.space = self.run.space.max(Space::Blank);
            }
            return inner;
        }
        if !tag.is_block() {
            return inner;
        }
        self.flush();
        inner.block = node;
        match tag {
            Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => {
                inner.kind = FragmentType::Heading;
                inner.level = tag.heading().unwrap_or(0);
            }
            Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dl | Tag::Dir => {
                inner.level = if outer.kind == FragmentType::List { outer.level + 1 } else { 0 };
            }
            Tag::Li | Tag::Dt | Tag::Dd
                if matches!(outer.kind, FragmentType::Paragraph | FragmentType::List) =>
            {
                inner.kind = FragmentType::List;
            }
            Tag::Pre | Tag::Xmp => {
                inner.kind = FragmentType::Code;
                inner.keeps_space = true;
            }
            Tag::Blockquote => inner.kind = FragmentType::Quote,
            Tag::Figure | Tag::Figcaption => inner.kind = FragmentType::Figure,
            Tag::Table if self.measures.is_data_table(self.tree, node) => {
                inner.kind = FragmentType::Table
            }
            Tag::Tr if outer.kind == FragmentType::Table => inner.in_row = true,
            _ => {}
        }
        inner
    }

    fn leave(&mut self, node: NodeId, outer: Context) {
        let Some(tag) = self.tree.tag(node) else { return };
        if tag == Tag::A
            && let Some((start, node)) = self.run.open_anchors.pop()
            && start < self.run.text.len()
        {
            self.run.anchors.push(Anchor { start, end: self.run.text.len(), node });
        }
        let ends_row = tag == Tag::Tr && !outer.in_row;
        let ends_hidden = outer.hidden.is_none() && self.hidden[node as usize].is_some();
        if (tag.is_block() && !outer.in_row) || ends_row || ends_hidden {
            self.flush();
        }
    }

    fn line_break(&mut self) {
        if self.run.space == Space::Break {
            self.flush();
        } else if !self.run.text.is_empty() {
            self.run.space = Space::Break;
        }
    }

    fn text(&mut self, node: NodeId, context: Context) {
        let Some(text) = self.tree.text(node) else { return };
        if self
            .run
            .context
            .is_none_or(|it| it.block != context.block || it.hidden != context.hidden)
        {
            if text.trim_start().is_empty() {
                // White space alone starts nothing, but separates what is around it.
                self.run.space = self.run.space.max(Space::Blank);
                return;
            }
            self.flush();
            self.run.context = Some(context);
        }
        if context.keeps_space {
            self.mark_anchors();
            self.run.text.push_str(&text.replace("\r\n", "\n"));
            return;
        }
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some((space, length)) = bytes.get(at).map(|_| space_at(bytes, at)) {
            if space == Space::None {
                let end = at + words_from(&bytes[at..]);
                self.push(&text[at..end]);
                at = end;
            } else {
                self.run.space = self.run.space.max(space);
                at += length;
            }
        }
    }

    /// Writes words behind the white space that was met before them.
    fn push(&mut self, words: &str) {
        if self.run.space != Space::None {
            if let Some(before) = self.run.text.chars().next_back() {
                match self.run.space {
                    Space::Break => self.run.text.push('\n'),
                    // A line of the source that ends inside Japanese is no space between words.
                    Space::Line if is_cjk(before) && words.chars().next().is_some_and(is_cjk) => {}
                    _ if before == '\n' => {}
                    _ => self.run.text.push(' '),
                }
            }
            self.run.space = Space::None;
        }
        self.mark_anchors();
        self.run.text.push_str(words);
    }

    fn mark_anchors(&mut self) {
        let at = self.run.text.len();
        for open in self.run.open_anchors.iter_mut().rev() {
            if open.0 != usize::MAX {
                break;
            }
            open.0 = at;
        }
    }

    fn flush(&mut self) {
        self.run.space = Space::None;
        let context = self.run.context.take();
        // A copy of its own size; the buffer grows once for the whole page.
        let mut text = self.run.text.clone();
        self.run.text.clear();
        let mut anchors = std::mem::take(&mut self.run.anchors);
        for open in &mut self.run.open_anchors {
            if open.0 < text.len() {
                anchors.push(Anchor { start: open.0, end: text.len(), node: open.1 });
            }
            open.0 = usize::MAX;
        }
        anchors.sort_by_key(|it| it.start);
        let Some(context) = context else { return };
        if context.keeps_space {
            let keep = text.trim_end().len();
            text.truncate(keep);
            let lead = text.len() - text.trim_start_matches(['\n', '\r']).len();
            text.drain(..lead);
            for anchor in &mut anchors {
                anchor.start = anchor.start.saturating_sub(lead).min(text.len());
                anchor.end = anchor.end.saturating_sub(lead).min(text.len());
            }
        }
        if text.trim_start().is_empty() {
            return;
        }
        self.out.push(Block {
            node: context.block,
            kind: context.kind,
            level: context.level,
            text,
            anchors,
            hidden: context.hidden,
        });
    }
}

/// The kind of white space at a place, and its bytes.
fn space_at(bytes: &[u8], at: usize) -> (Space, usize) {
    match bytes[at] {
        b'\n' | b'\r' => (Space::Line, 1),
        b' ' | b'\t' | b'\x0c' => (Space::Blank, 1),
        // U+00A0, which nothing breaks at.
        0xc2 if bytes.get(at + 1) == Some(&0xa0) => (Space::Blank, 2),
        _ => (Space::None, 0),
    }
}

/// How many bytes can be written as they are: words with one blank between them.
fn words_from(bytes: &[u8]) -> usize {
    let mut at = 1;
    while let Some(byte) = bytes.get(at) {
        if (*byte <= b' ' || *byte == 0xc2) && space_at(bytes, at).0 != Space::None {
            let one_blank = *byte == b' '
                && bytes.get(at + 1).is_some_and(|_| space_at(bytes, at + 1).0 == Space::None);
            if !one_blank {
                break;
            }
        }
        at += 1;
    }
    at
}

/// Elements whose content is never text for a reader.
fn skips(tag: Tag) -> bool {
    matches!(
        tag,
        Tag::Head
            | Tag::Script
            | Tag::Style
            | Tag::Svg
            | Tag::Iframe
            | Tag::Object
            | Tag::Audio
            | Tag::Video
            | Tag::Canvas
            | Tag::Select
            | Tag::Option
            | Tag::Textarea
            | Tag::Rt
            | Tag::Map
    )
}

#[cfg(test)]
mod tests {
    use super::super::hidden;
    use super::super::names::Names;
    use super::super::tag::Attribute;
    use super::super::tree::TreeLimits;
    use super::*;

    /// Blocks one a line: kind, level, `hidden`, text, then what is linked in it.
    fn shown(page: &str) -> String {
        let tree = Tree::read(page, TreeLimits { depth: 64, nodes: 10_000, attribute_bytes: 100 });
        let measures = Measures::of(&tree);
        let hidden = hidden::marks(&tree, &measures, &Names::of(&tree));
        let mut out = String::new();
        for block in blocks(&tree, &measures, &hidden) {
            let hidden = block.hidden.map(|it| format!(" hidden by {it:?}")).unwrap_or_default();
            out += &format!("{} {}{hidden}: {:?}", block.kind.as_str(), block.level, block.text);
            for anchor in &block.anchors {
                let href = tree.attribute(anchor.node, Attribute::Href).unwrap_or("-");
                out += &format!(" [{} -> {href}]", &block.text[anchor.start..anchor.end]);
            }
            out.push('\n');
        }
        out
    }

    #[test]
    fn every_kind_of_block_is_told_apart() {
        let page = "<h2>Tides</h2><p>The <b>sea</b> rises.</p><ul><li>one<ul><li>inner</ul><li>two</ul>
            <blockquote><p>Quoted.</p></blockquote><pre>a  b\n  c</pre><figure><img><figcaption>A map</figcaption></figure>
            <table><tr><th>Year<th>Rise<tr><td>2024<td>4 mm</table><dl><dt>Term<dd>Meaning</dl>";
        insta::assert_snapshot!(shown(page), @r#"
        heading 2: "Tides"
        paragraph 0: "The sea rises."
        list 0: "one"
        list 1: "inner"
        list 0: "two"
        quote 0: "Quoted."
        code 0: "a  b\n  c"
        figure 0: "A map"
        table 0: "Year | Rise"
        table 0: "2024 | 4 mm"
        list 0: "Term"
        list 0: "Meaning"
        "#);
    }

    #[test]
    fn white_space_is_what_a_reader_sees() {
        let page = "<p>  one\n  two&nbsp;&nbsp;three<br>four<br><br>five</p><p>日本\n語の文\nEnglish</p>loose<div>in a box</div>tail";
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "one two three\nfour"
        paragraph 0: "five"
        paragraph 0: "日本語の文 English"
        paragraph 0: "loose"
        paragraph 0: "in a box"
        paragraph 0: "tail"
        "#);
    }

    #[test]
    fn links_keep_their_place_even_around_blocks() {
        let page = "<p>See <a href=/a>the <i>first</i></a> and <a href=/b>second</a>.</p><a href=/c><h3>Card</h3><p>text</p></a><p>after</p>
            <a href=/d>unclosed <div>in <a href=/e>next</a> out</div>";
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "See the first and second." [the first -> /a] [second -> /b]
        heading 3: "Card" [Card -> /c]
        paragraph 0: "text" [text -> /c]
        paragraph 0: "after"
        paragraph 0: "unclosed" [unclosed -> /d]
        paragraph 0: "in next out" [in next out -> /d] [next -> /e]
        "#);
    }

    #[test]
    fn forgotten_end_tags_end_where_browsers_end_them() {
        let page = "<p>one<p>two<div>three</p>four</div><li>a<li>b</ul><table><tr><td>x<td>y<tr><td>z</table><b>bold<p>para</b> rest</p>plain";
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "one"
        paragraph 0: "two"
        paragraph 0: "three"
        paragraph 0: "four"
        list 0: "a"
        list 0: "b"
        table 0: "x | y"
        table 0: "z"
        list 0: "bold"
        list 0: "para rest"
        list 0: "plain"
        "#);
    }

    #[test]
    fn tables_for_layout_are_read_cell_by_cell() {
        let page =
            "<table role=presentation><tr><td><p>left</p></td><td><p>right</p></td></tr></table>";
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "left"
        paragraph 0: "right"
        "#);
    }

    #[test]
    fn what_people_do_not_see_is_marked_with_the_way_it_was_hidden() {
        let page = r#"<p>seen</p><p hidden>a</p><p style="display: none">b</p><p style="visibility:hidden">c</p><p aria-hidden=true>d</p>
            <span class="sr-only">e</span><p style="font-size:0">f</p><p style="color:#fff;background:white">g</p><p style="position:absolute;left:-9999px">h</p>
            <div style="width:1px;height:1px;overflow:hidden">i <b>i</b></div><p style="opacity:0">j</p><template>k</template><p style="color:#fff">white alone</p>
            <noscript>without scripts</noscript><script>var never = 1</script><style>p{}</style><p>seen again</p>"#;
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "seen"
        paragraph 0 hidden by Attribute: "a"
        paragraph 0 hidden by DisplayNone: "b"
        paragraph 0 hidden by Invisible: "c"
        paragraph 0 hidden by AriaHidden: "d"
        paragraph 0 hidden by ScreenReaderOnly: "e"
        paragraph 0 hidden by Tiny: "f"
        paragraph 0 hidden by SameColour: "g"
        paragraph 0 hidden by OffPage: "h"
        paragraph 0 hidden by Tiny: "i i"
        paragraph 0 hidden by Transparent: "j"
        paragraph 0 hidden by Element: "k"
        paragraph 0 hidden by SameColour: "white alone"
        paragraph 0: "without scripts"
        paragraph 0: "seen again"
        "#);
    }

    #[test]
    fn what_a_click_opens_is_not_hidden() {
        let page = r##"<button aria-controls="one">More</button><div id="one" aria-hidden="true">first panel</div><a href="#two">Two</a>
            <div id="two" style="display:none">second panel</div><div role="tabpanel" hidden>third panel</div><div hidden>really hidden</div>"##;
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "More"
        paragraph 0: "first panel"
        paragraph 0: "Two" [Two -> #two]
        paragraph 0: "second panel"
        paragraph 0: "third panel"
        paragraph 0 hidden by Attribute: "really hidden"
        "#);
    }

    #[test]
    fn a_page_that_is_shown_by_script_is_read() {
        let page = format!("<div style='opacity:0'><p>{}</p></div>", "word ".repeat(200));
        assert!(shown(&page).starts_with("paragraph 0: \"word word"), "{}", shown(&page));
    }

    #[test]
    fn broken_markup_loses_no_text() {
        let page = "a < b <3 <p title=\"unclosed>c</p> <!-- never closed <p>d</p> <![CDATA[e]]> </> <?php f ?> <p>g &amp; &notanentity; &#x3042; &#0;</p><script>never closed <p>h</p>";
        insta::assert_snapshot!(shown(page), @r#"
        paragraph 0: "a < b <3"
        paragraph 0: "c"
        paragraph 0: "never closed"
        paragraph 0: "d"
        paragraph 0: "e"
        paragraph 0: "g & ¬anentity; あ �"
        paragraph 0: "never closed"
        paragraph 0: "h"
        "#);
    }

    #[test]
    fn depth_and_number_of_elements_are_bounded() {
        let deep = format!("{}deep{}<p>after</p>", "<div>".repeat(5_000), "</div>".repeat(5_000));
        assert_eq!(shown(&deep), "paragraph 0: \"deep\"\nparagraph 0: \"after\"\n");
        let unclosed = format!("{}deep", "<b>".repeat(5_000));
        assert_eq!(shown(&unclosed), "paragraph 0: \"deep\"\n");
        let many = "<p>x</p>".repeat(20_000);
        let tree = Tree::read(&many, TreeLimits { depth: 64, nodes: 10_000, attribute_bytes: 100 });
        assert_eq!((tree.len(), tree.truncated), (10_000, true));
    }
}
