//! References that are made from papers, and what is true of each.

use references::Status;
use testweb::{Paper, World};

/// What was done to a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Truth {
    True,
    Title,
    Author,
    Year,
    DoiOfAnother,
    NoSuchDoi,
    Invented,
    Retracted,
}

impl Truth {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::Title => "altered: title",
            Self::Author => "altered: author",
            Self::Year => "altered: year",
            Self::DoiOfAnother => "altered: DOI of another",
            Self::NoSuchDoi => "altered: DOI that is none",
            Self::Invented => "invented",
            Self::Retracted => "retracted",
        }
    }

    pub(super) fn status(self) -> Status {
        match self {
            Self::True => Status::Fits,
            Self::Invented => Status::NotFound,
            Self::Retracted => Status::Retracted,
            _ => Status::Differs,
        }
    }
}

#[derive(Debug)]
pub(super) struct Made {
    pub(super) truth: Truth,
    pub(super) style: Style,
    pub(super) written: String,
}

/// How people write references.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    Bibtex,
    Ris,
    Vancouver,
    Apa,
    Ieee,
}

const STYLES: [Style; 5] = [Style::Bibtex, Style::Vancouver, Style::Apa, Style::Ieee, Style::Ris];

/// What a reference says.
#[derive(Debug, Clone)]
struct Fields {
    title: String,
    /// Given and family name.
    authors: Vec<(String, String)>,
    year: i32,
    venue: String,
    doi: Option<String>,
}

/// Words that change what a title says, and spellings that do not.
const CHANGED: [(&str, &str); 10] = [
    ("Effects", "Predictors"),
    ("after", "before"),
    ("trial", "simulation"),
    ("cohort", "census"),
    ("adults", "twins"),
    ("schools", "prisons"),
    ("towns", "deserts"),
    ("change", "explain"),
    ("study", "hypothesis"),
    ("in", "without"),
];
const SPELLED: [(&str, &str); 3] =
    [("randomised", "randomized"), ("centres", "centers"), ("introduction", "Introduction")];

/// So many references: of each ten, four true, three altered, two invented, one and a half retracted.
pub(super) fn references(world: &World, seed: u64, count: usize) -> Vec<Made> {
    let mut random = fastrand::Rng::with_seed(seed ^ 0x7e57);
    let (retracted, sound): (Vec<&Paper>, Vec<&Paper>) =
        world.catalogue().iter().partition(|it| it.retracted);
    let altered = [Truth::Title, Truth::Author, Truth::Year, Truth::DoiOfAnother, Truth::NoSuchDoi];
    (0..count)
        .map(|number| {
            let truth = match number % 20 {
                0..8 => Truth::True,
                8..13 => altered[(number / 20 + number) % altered.len()],
                13..17 => Truth::Invented,
                _ => Truth::Retracted,
            };
            let papers = if truth == Truth::Retracted { &retracted } else { &sound };
            let paper = papers[random.usize(..papers.len())];
            let mut fields = Fields::of(paper);
            // Every other reference has no DOI, as in most lists; a wrong one needs one.
            let with_doi = number % 2 == 0;
            fields.doi = fields.doi.filter(|_| with_doi);
            let another = sound[random.usize(..sound.len())];
            fields.alter(truth, paper, another, &mut random, world);
            let style = STYLES[random.usize(..STYLES.len())];
            let written = fields.written(style, number, &mut random);
            Made { truth, style, written }
        })
        .collect()
}

/// The files references go into, by their format.
pub(super) fn files(made: &[Made]) -> [(&'static str, Vec<&Made>); 3] {
    let of = |fits: &dyn Fn(Style) -> bool| made.iter().filter(|it| fits(it.style)).collect();
    [
        ("references.bib", of(&|it| it == Style::Bibtex)),
        ("references.ris", of(&|it| it == Style::Ris)),
        ("references.md", of(&|it| !matches!(it, Style::Bibtex | Style::Ris))),
    ]
}

pub(super) fn text(name: &str, made: &[&Made]) -> String {
    let heading = if name.ends_with(".md") { "## References\n\n" } else { "" };
    let numbered = made.iter().enumerate().map(|(number, it)| match it.style {
        Style::Bibtex | Style::Ris => it.written.clone(),
        _ => format!("[{}] {}", number + 1, it.written),
    });
    format!("{heading}{}\n", numbered.collect::<Vec<_>>().join("\n"))
}

impl Fields {
    fn of(paper: &Paper) -> Self {
        let name = |it: &String| {
            let (given, family) = it.rsplit_once(' ').unwrap_or(("", it));
            (given.to_owned(), family.to_owned())
        };
        Self {
            title: paper.title.clone(),
            authors: paper.authors.iter().map(name).collect(),
            year: paper.year,
            venue: paper.venue.to_owned(),
            doi: Some(paper.doi.clone()),
        }
    }

    fn alter(
        &mut self,
        truth: Truth,
        paper: &Paper,
        another: &Paper,
        random: &mut fastrand::Rng,
        world: &World,
    ) {
        match truth {
            Truth::True | Truth::Retracted => {
                for (one, other) in SPELLED {
                    if random.bool() {
                        self.title = self.title.replace(one, other);
                    }
                }
                if let Some((title, _)) =
                    self.title.split_once(": ").filter(|_| random.u8(..4) == 0)
                {
                    self.title = title.to_owned();
                }
                self.year += i32::from(random.u8(..6) == 0);
            }
            Truth::Title => {
                let words: Vec<&str> = self.title.split(' ').collect();
                let place = words.iter().position(|it| CHANGED.iter().any(|of| of.0 == *it));
                let place = place.unwrap_or(0);
                let changed = CHANGED.iter().find(|it| it.0 == words[place]);
                let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
                words[place] = changed.map_or("Untested", |it| it.1).to_owned();
                self.title = words.join(" ");
            }
            Truth::Author => {
                let family = ["Featherstone", "Kurosawa", "Dimitriou", "Abubakar"];
                let place = random.usize(..self.authors.len());
                self.authors[place] =
                    ("Robin".to_owned(), family[random.usize(..family.len())].to_owned());
            }
            Truth::Year => self.year += if random.bool() { 3 } else { -random.i32(2..9) },
            Truth::DoiOfAnother => {
                let other = world.catalogue().iter().find(|it| it.doi != paper.doi);
                let other = if another.doi == paper.doi { other } else { Some(another) };
                self.doi = other.map(|it| it.doi.clone());
            }
            Truth::NoSuchDoi => {
                self.doi = Some(format!("10.5555/cat.{}", random.u32(7_000..9_999)))
            }
            Truth::Invented => {
                // The words of two titles, and a year and authors of a third: it reads like the others.
                let (start, _) = halves(&self.title);
                let papers = world.catalogue();
                let (_, end) = halves(&papers[random.usize(..papers.len())].title);
                let title = format!("{start} {end} under changing conditions");
                self.title = title;
                self.authors = Self::of(another).authors;
                self.year = 2004 + random.i32(0..20);
                let doi = match random.u8(..3) {
                    0 => Some(another.doi.clone()),
                    _ => Some(format!("10.5555/cat.{}", random.u32(3_000..6_000))),
                };
                self.doi = self.doi.take().and(doi);
            }
        }
    }

    fn written(&self, style: Style, number: usize, random: &mut fastrand::Rng) -> String {
        let initials = |given: &str, dot: &str| {
            let letters = given.split(' ').filter_map(|it| it.chars().next());
            letters.map(|it| format!("{it}{dot}")).collect::<String>()
        };
        let (first, last) = (random.u32(1..400), random.u32(1..20));
        let pages = format!("{first}-{}", first + last);
        let volume = random.u32(1..60);
        let Self { title, authors, year, venue, doi } = self;
        let by = |written: &dyn Fn(&(String, String)) -> String, between: &str| {
            authors.iter().map(written).collect::<Vec<_>>().join(between)
        };
        let at = |before: &str| doi.as_ref().map_or(String::new(), |it| format!("{before}{it}"));
        match style {
            Style::Bibtex => {
                let authors = by(&|it| format!("{}, {}", it.1, it.0), " and ");
                let doi = at(",\n  doi = {");
                let doi = if doi.is_empty() { doi } else { format!("{doi}}}") };
                format!(
                    "@article{{key{number},\n  author = {{{authors}}},\n  title = {{{title}}},\n  journal = {{{venue}}},\n  volume = {volume},\n  pages = {{{pages}}},\n  year = {{{year}}}{doi}\n}}\n"
                )
            }
            Style::Ris => {
                let authors: String = authors
                    .iter()
                    .map(|it| format!("AU  - {}, {}\n", it.1, initials(&it.0, ".")))
                    .collect();
                let doi = if doi.is_some() { at("DO  - ") + "\n" } else { String::new() };
                format!(
                    "TY  - JOUR\n{authors}TI  - {title}\nJO  - {venue}\nPY  - {year}\n{doi}ER  -\n"
                )
            }
            Style::Vancouver => {
                let authors = by(&|it| format!("{} {}", it.1, initials(&it.0, "")), ", ");
                format!("{authors}. {title}. {venue}. {year};{volume}:{pages}.{}", at(" doi:"))
            }
            Style::Apa => {
                let authors = by(&|it| format!("{}, {}", it.1, initials(&it.0, ".")), ", & ");
                format!(
                    "{authors} ({year}). {title}. *{venue}*, {volume}, {pages}.{}",
                    at(" https://doi.org/")
                )
            }
            Style::Ieee => {
                let authors = by(&|it| format!("{} {}", initials(&it.0, "."), it.1), ", ");
                format!(
                    "{authors}, “{title},” {venue}, vol. {volume}, pp. {pages}, {year}{}.",
                    at(", doi: ")
                )
            }
        }
    }
}

/// A title in two, between words.
fn halves(title: &str) -> (String, String) {
    let words: Vec<&str> = title.trim_end_matches('?').split(' ').collect();
    let middle = words.len() / 2;
    (words[..middle].join(" "), words[middle..].join(" "))
}
