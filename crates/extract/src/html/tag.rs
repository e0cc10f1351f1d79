//! The names of elements, and what each name means for reading.

macro_rules! tags {
    ($($variant:ident = $name:literal),* $(,)?) => {
        /// An element's name; everything Lyra has no rule for is `Other`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Tag { $($variant,)* Other }

        impl Tag {
            /// Reads a name in lower case.
            pub(crate) fn from_name(name: &[u8]) -> Self {
                match name { $($name => Self::$variant,)* _ => Self::Other }
            }

            /// The name in lower case; empty for one without a rule.
            pub(crate) fn name(self) -> &'static str {
                let bytes: &[u8] = match self { $(Self::$variant => $name,)* Self::Other => b"" };
                std::str::from_utf8(bytes).unwrap_or_default()
            }
        }
    };
}

tags! {
    A = b"a", Abbr = b"abbr", Address = b"address", Area = b"area", Article = b"article", Aside = b"aside",
    Audio = b"audio", B = b"b", Base = b"base", Blockquote = b"blockquote", Body = b"body", Br = b"br",
    Button = b"button", Canvas = b"canvas", Caption = b"caption", Center = b"center", Cite = b"cite",
    Code = b"code", Col = b"col", Colgroup = b"colgroup", Dd = b"dd", Del = b"del", Details = b"details",
    Dialog = b"dialog", Dir = b"dir", Div = b"div", Dl = b"dl", Dt = b"dt", Em = b"em", Embed = b"embed",
    Fieldset = b"fieldset", Figcaption = b"figcaption", Figure = b"figure", Font = b"font",
    Footer = b"footer", Form = b"form", Frame = b"frame", Frameset = b"frameset", H1 = b"h1", H2 = b"h2",
    H3 = b"h3", H4 = b"h4", H5 = b"h5", H6 = b"h6", Head = b"head", Header = b"header", Hgroup = b"hgroup",
    Hr = b"hr", Html = b"html", I = b"i", Iframe = b"iframe", Img = b"img", Input = b"input", Ins = b"ins",
    Kbd = b"kbd", Label = b"label", Legend = b"legend", Li = b"li", Link = b"link", Main = b"main",
    Map = b"map", Mark = b"mark", Math = b"math", Menu = b"menu", Meta = b"meta", Nav = b"nav",
    Noembed = b"noembed", Noframes = b"noframes", Noscript = b"noscript", Object = b"object", Ol = b"ol",
    Optgroup = b"optgroup", Option = b"option", P = b"p", Param = b"param", Picture = b"picture",
    Plaintext = b"plaintext", Pre = b"pre", Q = b"q", Rp = b"rp", Rt = b"rt", Ruby = b"ruby", S = b"s",
    Samp = b"samp", Script = b"script", Search = b"search", Section = b"section", Select = b"select",
    Small = b"small", Source = b"source", Span = b"span", Strike = b"strike", Strong = b"strong",
    Style = b"style", Sub = b"sub", Summary = b"summary", Sup = b"sup", Svg = b"svg", Table = b"table",
    Tbody = b"tbody", Td = b"td", Template = b"template", Textarea = b"textarea", Tfoot = b"tfoot",
    Th = b"th", Thead = b"thead", Time = b"time", Title = b"title", Tr = b"tr", Track = b"track", U = b"u",
    Ul = b"ul", Video = b"video", Wbr = b"wbr", Xmp = b"xmp",
}

impl Tag {
    /// Elements that never have content.
    pub(crate) fn is_void(self) -> bool {
        matches!(
            self,
            Self::Area
                | Self::Base
                | Self::Br
                | Self::Col
                | Self::Embed
                | Self::Frame
                | Self::Hr
                | Self::Img
                | Self::Input
                | Self::Link
                | Self::Meta
                | Self::Param
                | Self::Source
                | Self::Track
                | Self::Wbr
        )
    }

    /// Elements whose content is text until their own end tag, whatever it looks like.
    pub(crate) fn is_raw(self) -> bool {
        matches!(
            self,
            Self::Script
                | Self::Style
                | Self::Textarea
                | Self::Title
                | Self::Xmp
                | Self::Iframe
                | Self::Noembed
                | Self::Noframes
        )
    }

    /// Elements that start a line of their own.
    pub(crate) fn is_block(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Article
                | Self::Aside
                | Self::Blockquote
                | Self::Body
                | Self::Button
                | Self::Caption
                | Self::Center
                | Self::Dd
                | Self::Details
                | Self::Dialog
                | Self::Dir
                | Self::Div
                | Self::Dl
                | Self::Dt
                | Self::Fieldset
                | Self::Figcaption
                | Self::Figure
                | Self::Footer
                | Self::Form
                | Self::H1
                | Self::H2
                | Self::H3
                | Self::H4
                | Self::H5
                | Self::H6
                | Self::Header
                | Self::Hgroup
                | Self::Hr
                | Self::Html
                | Self::Iframe
                | Self::Legend
                | Self::Li
                | Self::Main
                | Self::Menu
                | Self::Nav
                | Self::Noscript
                | Self::Ol
                | Self::Option
                | Self::P
                | Self::Pre
                | Self::Search
                | Self::Section
                | Self::Select
                | Self::Summary
                | Self::Table
                | Self::Tbody
                | Self::Td
                | Self::Textarea
                | Self::Tfoot
                | Self::Th
                | Self::Thead
                | Self::Tr
                | Self::Ul
                | Self::Xmp
        )
    }

    /// The level of a heading.
    pub(crate) fn heading(self) -> Option<u8> {
        Some(match self {
            Self::H1 => 1,
            Self::H2 => 2,
            Self::H3 => 3,
            Self::H4 => 4,
            Self::H5 => 5,
            Self::H6 => 6,
            _ => return None,
        })
    }

    /// A start tag of this name ends an open paragraph.
    pub(crate) fn closes_paragraph(self) -> bool {
        self.is_block()
            && !matches!(
                self,
                Self::Button
                    | Self::Caption
                    | Self::Html
                    | Self::Body
                    | Self::Iframe
                    | Self::Legend
                    | Self::Noscript
                    | Self::Option
                    | Self::Select
                    | Self::Tbody
                    | Self::Td
                    | Self::Textarea
                    | Self::Tfoot
                    | Self::Th
                    | Self::Thead
                    | Self::Tr
            )
    }

    /// An end tag of another name does not reach beyond such an element.
    pub(crate) fn is_boundary(self) -> bool {
        matches!(
            self,
            Self::Html
                | Self::Table
                | Self::Td
                | Self::Th
                | Self::Caption
                | Self::Template
                | Self::Object
        )
    }

    /// Elements that may stand in the head of a page.
    pub(crate) fn belongs_in_head(self) -> bool {
        matches!(
            self,
            Self::Base
                | Self::Link
                | Self::Meta
                | Self::Noscript
                | Self::Script
                | Self::Style
                | Self::Template
                | Self::Title
        )
    }
}

/// The attributes that reading needs; all others are read over, or kept under a hash of their name.
macro_rules! names {
    ($($variant:ident = $name:literal),* $(,)?) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Attribute { $($variant,)* Other(u64) }

        impl Attribute {
            /// Reads a name in lower case.
            pub(crate) fn from_name(name: &[u8]) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

impl Attribute {
    /// Any name, in lower case or not.
    pub(crate) fn any(name: &[u8]) -> Self {
        let lower = name.to_ascii_lowercase();
        Self::from_name(&lower).unwrap_or_else(|| {
            // FNV-1a: two names of one page with the same 64 bits do not happen by chance.
            let step =
                |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
            Self::Other(lower.iter().fold(0xcbf2_9ce4_8422_2325, step))
        })
    }
}

names! {
    Action = b"action", AriaControls = b"aria-controls", AriaHidden = b"aria-hidden", Bgcolor = b"bgcolor",
    Class = b"class", Color = b"color", Content = b"content", DataBsTarget = b"data-bs-target",
    DataSitekey = b"data-sitekey", DataTarget = b"data-target", Datetime = b"datetime", Hidden = b"hidden",
    Href = b"href", HttpEquiv = b"http-equiv", Id = b"id", Itemprop = b"itemprop", Lang = b"lang", Name = b"name",
    Property = b"property", Rel = b"rel", Role = b"role", Shadowrootmode = b"shadowrootmode", Src = b"src",
    Style = b"style", Type = b"type",
}
