//! What a reader is shown, before it has a format: sections of blocks, and lines of spans.
//!
//! A document is made in one place ([`Document::of`]) and printed by printers that know no content. Texts are kept
//! as they are, quoted ones too: each printer escapes whatever it writes.

use crate::drawing::Svg;

/// Kinds with the names that addresses and style sheets know them by.
macro_rules! named {
    ($(#[$meta:meta])* $kind:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $kind {
            $($(#[$about])* $variant,)*
        }

        impl $kind {
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }
        }
    };
}

/// A report as a reader sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The tag of the language of headings and labels (BCP 47).
    pub(crate) language: &'static str,
    pub(crate) punctuation: Punctuation,
    /// What made it, with its version.
    pub(crate) generator: String,
    /// What kind of document it is.
    pub(crate) kind: String,
    pub(crate) title: String,
    /// About the document: labels and values.
    pub(crate) facts: Vec<(String, String)>,
    /// Before the sections.
    pub(crate) preface: Vec<Block>,
    /// What a list of the sections is called.
    pub(crate) contents: String,
    pub(crate) sections: Vec<Section>,
    pub(crate) footer: Option<String>,
}

/// The signs of a language that printers put between what they print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Punctuation {
    pub(crate) colon: &'static str,
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Section {
    pub(crate) id: SectionId,
    pub(crate) heading: String,
    pub(crate) blocks: Vec<Block>,
}

named! {
    SectionId {
        Answer = "answer",
        Summary = "summary",
        Documents = "documents",
        Findings = "findings",
        AlsoFound = "also-found",
        Disputes = "disputes",
        Graph = "graph",
        Timeline = "timeline",
        Retractions = "retractions",
        Security = "security",
        Narratives = "narratives",
        Chains = "chains",
        SetAside = "set-aside",
        Missed = "missed",
        Unsatisfied = "unsatisfied",
        Unread = "unread",
        Reliability = "reliability",
        Sources = "sources",
        Method = "method",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Block {
    Heading(Level, Line),
    Paragraph(Look, Line),
    List(Look, Vec<Item>),
    Table {
        look: Look,
        header: Vec<String>,
        rows: Vec<Vec<Line>>,
    },
    /// Numbers, each with what it counts.
    Numbers(Vec<(String, String)>),
    /// Names, each with its values.
    Facts(Vec<(String, Vec<String>)>),
    Measures(Measures),
    Quote(Quote),
    Figure(Figure),
    /// Blocks that belong together, such as a finding.
    Group {
        look: Look,
        anchor: Option<Anchor>,
        blocks: Vec<Block>,
    },
    /// Details, folded away behind a summary where a reader can unfold them; on paper only the summary is printed.
    Fold {
        summary: Line,
        blocks: Vec<Block>,
    },
}

/// Headings below that of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Part,
    Side,
    Notes,
}

named! {
    /// What a block or a span is, for printers that can set it apart.
    Look {
        Plain = "",
        Note = "note",
        Prose = "prose",
        Entries = "entries",
        Lines = "lines",
        Sources = "sources",
        Searches = "searches",
        Claim = "claim",
        Limits = "limits",
        Hypothesis = "hypothesis",
        Verdict = "verdict",
        Documents = "documents",
        NothingFound = "nothing",
        Finding = "finding",
        Caveat = "caveat",
        Sides = "sides",
        /// Both sides have evidence.
        TwoSides = "sides two",
        Supports = "side supports",
        Refutes = "side refutes",
        Dispute = "dispute",
        /// Two sides and what is between them.
        Facing = "facing",
        Number = "number",
        Title = "title",
        Details = "parts",
        Unchecked = "unchecked",
        Against = "against",
        Supported = "supported",
        Disputed = "disputed",
        Refuted = "refuted",
        Usual = "usual",
        Withdrawn = "withdrawn",
        Calm = "calm",
        Alarm = "alarm",
    }
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item {
    pub(crate) look: Look,
    pub(crate) anchor: Option<Anchor>,
    pub(crate) blocks: Vec<Block>,
}

impl From<Line> for Item {
    fn from(line: Line) -> Self {
        Self { look: Look::Plain, anchor: None, blocks: vec![Block::Paragraph(Look::Plain, line)] }
    }
}

/// A place that marks and references lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Finding(u32),
    Source(u32),
}

/// How a claim does: its side, its confidence as a drawing, and numbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measures {
    pub(crate) badge: Option<(Look, String)>,
    pub(crate) gauge: Option<Gauge>,
    pub(crate) values: Vec<(String, String)>,
    pub(crate) more: Option<(Anchor, String)>,
}

impl Measures {
    /// The numbers, each behind its name, and where there is more.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = String> {
        let values = self.values.iter().map(|(name, value)| format!("{name} {value}"));
        values.chain(self.more.iter().map(|(_, name)| name.clone()))
    }
}

/// A confidence between 0 and 1 with its uncertainty and the threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Gauge {
    pub(crate) value: f64,
    pub(crate) uncertainty: f64,
    pub(crate) threshold: f64,
}

/// The words of a passage and where they are from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quote {
    /// With its quotation marks. Line breaks matter.
    pub(crate) text: String,
    pub(crate) source: Line,
    pub(crate) facts: Vec<Line>,
    /// The name and the address of a link to the very passage.
    pub(crate) passage: Option<(String, String)>,
    pub(crate) copies: Option<Line>,
    /// One that counts less.
    pub(crate) small: bool,
}

/// A drawing, and what says the same where drawings cannot be shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    pub(crate) svg: Svg,
    pub(crate) caption: String,
    /// What the drawing leaves out.
    pub(crate) note: Option<String>,
    pub(crate) instead: Vec<Block>,
}

/// Text with links and marks in it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Line(pub(crate) Vec<Span>);

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Span {
    Text(String),
    Strong(Line),
    /// A name for machines.
    Code(String),
    Badge(Look, String),
    /// A part of the sentence that looks different where it can.
    Styled(Look, Line),
    /// Something by the way: in brackets, or set apart.
    Aside(Look, Line),
    /// The number of a source where it begins an entry.
    Mark(u32),
    /// The numbers of sources behind what rests on them, and how many more there are.
    Marks(Vec<u32>, Option<String>),
    /// A place in this document.
    Reference(Anchor, String),
    Link(Link),
}

/// A page or a file elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub(crate) text: String,
    pub(crate) url: String,
    /// Whether its address is listed with the sources, so that a printer need not write it out.
    pub(crate) listed: bool,
}

impl Line {
    pub(crate) fn text(self, text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() { self } else { self.span(Span::Text(text)) }
    }

    pub(crate) fn strong(self, text: impl Into<String>) -> Self {
        self.span(Span::Strong(Self::from(text.into())))
    }

    pub(crate) fn styled(self, look: Look, line: impl Into<Self>) -> Self {
        self.span(Span::Styled(look, line.into()))
    }

    pub(crate) fn aside(self, look: Look, line: impl Into<Self>) -> Self {
        self.span(Span::Aside(look, line.into()))
    }

    pub(crate) fn span(mut self, span: Span) -> Self {
        self.0.push(span);
        self
    }

    pub(crate) fn and(mut self, line: Self) -> Self {
        self.0.extend(line.0);
        self
    }

    /// Lines one after the other, with a text between them.
    pub(crate) fn joined(lines: impl IntoIterator<Item = Self>, between: &str) -> Self {
        lines.into_iter().enumerate().fold(Self::default(), |all, (index, line)| {
            if index > 0 { all.text(between).and(line) } else { all.and(line) }
        })
    }
}

impl<T: Into<String>> From<T> for Line {
    fn from(text: T) -> Self {
        Self::default().text(text)
    }
}

impl Block {
    pub(crate) fn note(text: impl Into<Line>) -> Self {
        Self::Paragraph(Look::Note, text.into())
    }

    pub(crate) fn entries(lines: impl IntoIterator<Item = impl Into<Item>>) -> Self {
        Self::List(Look::Entries, lines.into_iter().map(Into::into).collect())
    }

    pub(crate) fn group(look: Look, blocks: Vec<Self>) -> Self {
        Self::Group { look, anchor: None, blocks }
    }

    pub(crate) fn fold(summary: impl Into<Line>, blocks: Vec<Self>) -> Self {
        Self::Fold { summary: summary.into(), blocks }
    }
}
