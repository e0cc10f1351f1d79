//! The part of CSS selectors that is understood.

use super::Element;
use crate::html::tag::{Attribute, Tag};

/// Brackets inside brackets.
const MAX_NESTING: usize = 8;

/// Which elements are meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector {
    /// An element is meant if one of them names it.
    choices: Vec<Path>,
}

/// Why a selector is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    #[error("it is empty")]
    Empty,
    #[error("a selector is missing at its end")]
    Missing,
    #[error("`{sign}` is not supported (at `{rest}`)")]
    Sign { sign: String, rest: String },
    #[error("`:{name}` is not supported")]
    Pseudo { name: String },
    #[error("no element of HTML is called `{name}`")]
    Element { name: String },
    #[error("a quote is not closed")]
    Quote,
    #[error("a bracket is not closed")]
    Bracket,
    #[error("it is nested too deeply")]
    Nesting,
}

/// Runs of elements inside each other (`ul > li a`: two runs).
#[derive(Debug, Clone, PartialEq, Eq)]
struct Path {
    /// The outermost first.
    runs: Vec<Run>,
    /// The outermost element is a child of the one that `:has()` is about.
    is_child: bool,
}

/// Elements each of which is a child of the one before.
type Run = Vec<Compound>;

/// What one element must be.
type Compound = Vec<Test>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Test {
    Any,
    Tag(Tag),
    Class(String),
    Attribute { name: Attribute, value: Match },
    FirstChild,
    LastChild,
    Has(Selector),
    Not(Selector),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Match {
    Present,
    Is(String),
    StartsWith(String),
    Contains(String),
}

impl Selector {
    /// Understood are `*`, `tag`, `.class`, `#id`, `[attribute]` alone or with `=`, `^=` and `*=`, `:first-child`,
    /// `:last-child`, `:has()` (also `:has(> a)`), `:not()`, all of them joined, inside each other (`a b`, `a > b`)
    /// and in lists.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        let mut parser = Parser { text, at: 0 };
        parser.skip_space();
        if parser.rest().is_empty() {
            return Err(SelectorError::Empty);
        }
        let selector = parser.list(0, false)?;
        if parser.rest().is_empty() { Ok(selector) } else { Err(parser.unsupported()) }
    }

    pub fn matches(&self, element: Element<'_>) -> bool {
        self.choices.iter().any(|it| it.matches(element, None))
    }

    /// Whether an element inside `around` is meant, with everything the selector names inside it, too.
    fn has_inside(&self, around: Element<'_>) -> bool {
        around
            .inside()
            .any(|element| self.choices.iter().any(|it| it.matches(element, Some(around))))
    }
}

impl Path {
    /// The nearest place for each run leaves most room for those outside it, so it never has to be taken back.
    fn matches<'p>(&self, element: Element<'p>, within: Option<Element<'p>>) -> bool {
        let Some((last, outer)) = self.runs.split_last() else { return false };
        let place = |run: &Run, at: Element<'p>, is_outermost: bool| {
            let top = ends_at(run, at, within)?;
            (!is_outermost || !self.is_child || top.parent() == within).then_some(top)
        };
        let Some(mut top) = place(last, element, outer.is_empty()) else { return false };
        for (i, run) in outer.iter().enumerate().rev() {
            let mut around = top.ancestors().take_while(|it| Some(*it) != within);
            match around.find_map(|it| place(run, it, i == 0)) {
                Some(found) => top = found,
                None => return false,
            }
        }
        true
    }
}

/// The outermost element of a run whose innermost is `element`.
fn ends_at<'p>(
    run: &[Compound],
    element: Element<'p>,
    within: Option<Element<'p>>,
) -> Option<Element<'p>> {
    let mut at = element;
    for (i, compound) in run.iter().rev().enumerate() {
        if i > 0 {
            at = at.parent().filter(|it| Some(*it) != within)?;
        }
        if !compound.iter().all(|it| it.holds(at)) {
            return None;
        }
    }
    Some(at)
}

impl Test {
    fn holds(&self, element: Element<'_>) -> bool {
        match self {
            Self::Any => true,
            Self::Tag(tag) => element.page.0.tag(element.id) == Some(*tag),
            Self::Class(class) => element.classes().any(|it| it == class),
            Self::Attribute { name, value } => {
                element.value(*name).is_some_and(|it| value.holds(it))
            }
            Self::FirstChild => element.parent().is_some_and(|parent| {
                let mut children = parent.page.0.children(parent.id);
                children.find_map(|id| Element::of(parent.page, id)) == Some(element)
            }),
            Self::LastChild => element.parent().is_some() && element.following().next().is_none(),
            Self::Has(selector) => selector.has_inside(element),
            Self::Not(selector) => !selector.matches(element),
        }
    }
}

impl Match {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Present => true,
            Self::Is(expected) => value == expected,
            // As in browsers, an empty part is in nothing.
            Self::StartsWith(part) => !part.is_empty() && value.starts_with(part.as_str()),
            Self::Contains(part) => !part.is_empty() && value.contains(part.as_str()),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_ascii_start().len();
    }

    fn takes(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        self.at += if found { sign.len() } else { 0 };
        found
    }

    fn unsupported(&self) -> SelectorError {
        let rest = self.rest();
        let first = rest.chars().next().map(String::from);
        match first {
            None => SelectorError::Missing,
            Some(_) if rest.starts_with("::") => {
                SelectorError::Sign { sign: "::".to_owned(), rest: rest.to_owned() }
            }
            Some(sign) => SelectorError::Sign { sign, rest: rest.to_owned() },
        }
    }

    /// A name as it is written; `None` if there is none here.
    fn name(&mut self) -> Option<&'t str> {
        let is_part = |it: char| it.is_alphanumeric() || matches!(it, '-' | '_');
        let rest = self.rest();
        let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    fn list(&mut self, nesting: usize, is_relative: bool) -> Result<Selector, SelectorError> {
        if nesting > MAX_NESTING {
            return Err(SelectorError::Nesting);
        }
        let mut choices = vec![self.path(nesting, is_relative)?];
        while self.takes(",") {
            choices.push(self.path(nesting, is_relative)?);
        }
        Ok(Selector { choices })
    }

    fn path(&mut self, nesting: usize, is_relative: bool) -> Result<Path, SelectorError> {
        self.skip_space();
        let is_child = is_relative && self.takes(">");
        self.skip_space();
        let mut runs = vec![vec![self.compound(nesting)?]];
        loop {
            let before = self.at;
            self.skip_space();
            let is_next_child = self.takes(">");
            if is_next_child {
                self.skip_space();
            } else if self.rest().is_empty() || self.rest().starts_with([',', ')']) {
                return Ok(Path { runs, is_child });
            } else if self.at == before {
                return Err(self.unsupported());
            }
            let compound = self.compound(nesting)?;
            match runs.last_mut() {
                Some(run) if is_next_child => run.push(compound),
                _ => runs.push(vec![compound]),
            }
        }
    }

    fn compound(&mut self, nesting: usize) -> Result<Compound, SelectorError> {
        let mut tests = Vec::new();
        if self.takes("*") {
            tests.push(Test::Any);
        } else if let Some(name) = self.name() {
            match Tag::from_name(name.to_ascii_lowercase().as_bytes()) {
                Tag::Other => return Err(SelectorError::Element { name: name.to_owned() }),
                tag => tests.push(Test::Tag(tag)),
            }
        }
        loop {
            if self.takes(".") {
                let class = self.name().ok_or_else(|| self.unsupported())?;
                tests.push(Test::Class(class.to_owned()));
            } else if self.takes("#") {
                let id = self.name().ok_or_else(|| self.unsupported())?;
                let value = Match::Is(id.to_owned());
                tests.push(Test::Attribute { name: Attribute::Id, value });
            } else if self.takes("[") {
                tests.push(self.attribute()?);
            } else if self.rest().starts_with(':') && !self.rest().starts_with("::") {
                self.at += 1;
                tests.push(self.pseudo(nesting)?);
            } else if tests.is_empty() {
                return Err(self.unsupported());
            } else {
                return Ok(tests);
            }
        }
    }

    /// What follows `[`.
    fn attribute(&mut self) -> Result<Test, SelectorError> {
        self.skip_space();
        let name = self.name().ok_or_else(|| self.closing_error())?;
        let name = Attribute::any(name.as_bytes());
        self.skip_space();
        let of: fn(String) -> Match = if self.takes("=") {
            Match::Is
        } else if self.takes("^=") {
            Match::StartsWith
        } else if self.takes("*=") {
            Match::Contains
        } else if self.takes("]") {
            return Ok(Test::Attribute { name, value: Match::Present });
        } else {
            return Err(self.closing_error());
        };
        self.skip_space();
        let value = self.value()?.to_owned();
        self.skip_space();
        if !self.takes("]") {
            return Err(self.closing_error());
        }
        Ok(Test::Attribute { name, value: of(value) })
    }

    fn value(&mut self) -> Result<&'t str, SelectorError> {
        for quote in ['"', '\''] {
            if self.rest().starts_with(quote) {
                let inner = &self.rest()[1..];
                let length = inner.find(quote).ok_or(SelectorError::Quote)?;
                self.at += length + 2;
                return Ok(&inner[..length]);
            }
        }
        self.name().ok_or_else(|| self.unsupported())
    }

    /// What follows `:`.
    fn pseudo(&mut self, nesting: usize) -> Result<Test, SelectorError> {
        let name = self.name().ok_or_else(|| self.unsupported())?;
        let of: fn(Selector) -> Test = match name {
            "first-child" => return Ok(Test::FirstChild),
            "last-child" => return Ok(Test::LastChild),
            "has" if self.takes("(") => Test::Has,
            "not" if self.takes("(") => Test::Not,
            _ => return Err(SelectorError::Pseudo { name: name.to_owned() }),
        };
        let inner = self.list(nesting + 1, name == "has")?;
        if !self.takes(")") {
            return Err(self.closing_error());
        }
        Ok(of(inner))
    }

    fn closing_error(&self) -> SelectorError {
        if self.rest().is_empty() { SelectorError::Bracket } else { self.unsupported() }
    }
}
