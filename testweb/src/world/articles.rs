//! Writes the text of a page from its facts.
//!
//! News, notices, blogs, threads, encyclopedia entries, press releases and papers differ in order and tone; all state
//! their facts in sentences from [`super::facts`], word for word, so that what a reader found can be checked.

use super::words::{composed, filler, headings, openings, organisations, people, places};
use super::{Date, Language, Page, PageKind, Stance, World, fact, hash, pick};

/// A text before any site puts it into a page.
#[derive(Debug, Clone)]
pub struct Article {
    pub title: String,
    pub author: String,
    pub published: Date,
    pub language: Language,
    /// The first paragraph.
    pub lead: String,
    pub sections: Vec<Section>,
    /// Rows of a table of the numbers it gives, without the heading row.
    pub table: Vec<[String; 2]>,
}

#[derive(Debug, Clone)]
pub struct Section {
    pub heading: String,
    pub paragraphs: Vec<String>,
}

impl Article {
    /// Paragraphs in reading order, without headings and table.
    pub fn paragraphs(&self) -> impl Iterator<Item = &str> {
        let rest = self.sections.iter().flat_map(|it| it.paragraphs.iter().map(String::as_str));
        std::iter::once(self.lead.as_str()).chain(rest)
    }

    pub fn text(&self) -> String {
        self.paragraphs().collect::<Vec<_>>().join("\n")
    }
}

pub(super) fn write(world: &World, page: &Page) -> Article {
    if let Some(paper) = page.paper {
        return of_paper(&world.papers[paper], page);
    }
    // Copies share their seed, and then differ in the few places a desk changes.
    let seed = page.copy_of.map_or(page.seed, |it| hash(world.seed, &format!("copy {it}")));
    let random = fastrand::Rng::with_seed(seed);
    let mut writer = Writer { random, page, is_distinct: world.divided };
    let mut article = match page.kind {
        PageKind::Forum => writer.thread(),
        PageKind::Encyclopedia | PageKind::Notice => writer.entry(),
        PageKind::Digest => writer.digest(world),
        _ => writer.story(),
    };
    if page.copy_of.is_some() {
        retouch(&mut article, page);
    }
    article
}

/// The headline of a page, known before its text is.
pub(super) fn headline(
    language: Language,
    kind: PageKind,
    topic: &super::Topic,
    facts: &[(&'static str, Stance)],
    number: u64,
) -> String {
    let name = capitalised(topic.name.of(language));
    let stance = facts.first().map_or(Stance::Agrees, |it| it.1);
    let forms: &[&str] = match (language, kind) {
        (Language::English, PageKind::Forum) => {
            &["Is it true what they say about {t}?", "{t}: has anybody checked the numbers?"]
        }
        (Language::English, PageKind::Encyclopedia) => &["{t}"],
        (Language::English, PageKind::Notice) => {
            &["Notice on {t}", "{t}: information for the public"]
        }
        (Language::English, PageKind::Digest) => &["{t}: what others write"],
        (Language::English, PageKind::PressRelease) => &["New results on {t} announced"],
        (Language::English, PageKind::Paper) => &["{t}"],
        (Language::English, _) => match stance {
            Stance::Agrees => {
                &["{t}: what the new figures show", "What we know about {t}", "{t} explained"]
            }
            Stance::Differs => &["{t}: our numbers tell another story", "A closer look at {t}"],
            Stance::Denies => {
                &["{t}: the doubts are growing", "Why critics reject the claims about {t}"]
            }
            Stance::Outdated => &["{t}: the state of knowledge", "First figures on {t}"],
        },
        (Language::Japanese, PageKind::Forum) => {
            &["{t}の話は本当ですか", "{t}の数字を確かめた人はいますか"]
        }
        (Language::Japanese, PageKind::Encyclopedia) => &["{t}"],
        (Language::Japanese, PageKind::Notice) => &["{t}に関するお知らせ", "{t}について"],
        (Language::Japanese, PageKind::Digest) => &["{t}について書かれたこと"],
        (Language::Japanese, PageKind::PressRelease) => &["{t}に関する新たな結果を発表"],
        (Language::Japanese, PageKind::Paper) => &["{t}"],
        (Language::Japanese, _) => match stance {
            Stance::Agrees => {
                &["{t}、新しい数字が示すもの", "{t}についてわかっていること", "{t}を解説"]
            }
            Stance::Differs => &["{t}、独自集計で異なる結果", "{t}を詳しく見る"],
            Stance::Denies => &["{t}に広がる疑問", "{t}の主張を批判する人々"],
            Stance::Outdated => &["{t}の現状", "{t}の最初の数字"],
        },
    };
    forms[number as usize % forms.len()].replace("{t}", &name)
}

pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn of_paper(paper: &super::Paper, page: &Page) -> Article {
    let names = ["Introduction", "Methods", "Results", "Discussion"];
    let parts = [&paper.introduction, &paper.methods, &paper.results, &paper.discussion];
    let sections = names.iter().zip(parts).map(|(heading, text)| Section {
        heading: (*heading).to_owned(),
        paragraphs: vec![text.clone()],
    });
    Article {
        title: paper.title.clone(),
        author: paper.authors.join(", "),
        published: page.published,
        language: page.language,
        lead: paper.abstract_text.clone(),
        sections: sections.collect(),
        table: Vec::new(),
    }
}

/// A desk takes over a press release: another dateline, one sentence more or less.
fn retouch(article: &mut Article, page: &Page) {
    let mut random = fastrand::Rng::with_seed(page.seed);
    let place = pick(&mut random, places(page.language));
    article.lead = match page.language {
        Language::English => format!("{place} – {}", article.lead),
        Language::Japanese => format!("【{place}】{}", article.lead),
    };
    article.title.clone_from(&page.title);
    article.published = page.published;
    if random.bool()
        && let Some(last) = article.sections.last_mut()
        && last.paragraphs.len() > 1
    {
        last.paragraphs.pop();
    }
}

struct Writer<'a> {
    random: fastrand::Rng,
    page: &'a Page,
    /// Whether its filling is its own.
    is_distinct: bool,
}

impl Writer<'_> {
    fn story(&mut self) -> Article {
        let names = headings(self.page.language);
        let mut sections = Vec::new();
        let [first, second, third] = self.background();
        sections.push(self.section(names[0], vec![format!("{first} {second}"), third]));
        let mut found = Vec::new();
        for sentence in self.fact_sentences() {
            let more = self.filler();
            found.push(format!("{sentence} {more}"));
        }
        sections.push(self.section(names[1], found));
        let reactions = vec![self.fillers(3), self.fillers(2)];
        sections.push(self.section(names[2], reactions));
        let outlook = vec![self.fillers(2), self.fillers(2)];
        sections.push(self.section(names[3], outlook));
        let lead = self.fact_sentences().into_iter().next().unwrap_or_default();
        let lead = format!("{lead} {}", self.filler());
        self.article(lead, sections)
    }

    /// Headings first, facts as plain statements, a table.
    fn entry(&mut self) -> Article {
        let [first, second, third] = self.background();
        let names = headings(self.page.language);
        let facts = self.fact_sentences();
        let found = self.section(names[1], facts);
        let ground = vec![second, third, self.fillers(2)];
        let ground = self.section(names[0], ground);
        let outlook = vec![self.fillers(3)];
        let outlook = self.section(names[3], outlook);
        let mut article = self.article(first, vec![ground, found, outlook]);
        article.table = self.table();
        article
    }

    /// A question and answers; each answer is a section under its author's name.
    fn thread(&mut self) -> Article {
        let language = self.page.language;
        let [first, second, _] = self.background();
        let mut sections = Vec::new();
        for sentence in self.fact_sentences() {
            let author = pick(&mut self.random, people(language));
            let mut answer = match language {
                Language::English => format!("I looked it up. {sentence}"),
                Language::Japanese => format!("調べてみました。{sentence}"),
            };
            answer.push(' ');
            answer.push_str(&self.filler());
            sections.push(Section { heading: author.to_owned(), paragraphs: vec![answer] });
        }
        let thanks = match language {
            Language::English => "Thank you all, that helps. I will read the sources myself.",
            Language::Japanese => "皆さんありがとうございます。自分でも資料を読んでみます。",
        };
        let author = pick(&mut self.random, people(language));
        sections.push(Section {
            heading: author.to_owned(),
            paragraphs: vec![thanks.to_owned(), first],
        });
        let question = match language {
            Language::English => {
                format!("{second} Now I hear different things about it. Does anybody know more?")
            }
            Language::Japanese => {
                format!("{second} 最近いろいろな話を聞きます。詳しい方はいますか。")
            }
        };
        self.article(question, sections)
    }

    /// What the pages it links to say, one after the other.
    fn digest(&mut self, world: &World) -> Article {
        let language = self.page.language;
        let mut sections = Vec::new();
        for source in self.page.sources.iter().filter_map(|it| world.page_at(it)) {
            let said = source.facts.first().and_then(|(id, stance)| Some((fact(id)?.1, *stance)));
            let said = said.map(|(fact, stance)| fact.sentence(language, stance));
            sections.push(self.section(&source.title, said.into_iter().collect()));
        }
        let lead = self.fillers(2);
        self.article(lead, sections)
    }

    fn article(&mut self, lead: String, sections: Vec<Section>) -> Article {
        Article {
            title: self.page.title.clone(),
            author: pick(&mut self.random, people(self.page.language)).to_owned(),
            published: self.page.published,
            language: self.page.language,
            lead,
            sections,
            table: Vec::new(),
        }
    }

    fn section(&self, heading: &str, paragraphs: Vec<String>) -> Section {
        Section { heading: heading.to_owned(), paragraphs }
    }

    fn background(&self) -> [String; 3] {
        self.page.topic.background.map(|it| it.of(self.page.language).to_owned())
    }

    fn fact_sentences(&mut self) -> Vec<String> {
        let language = self.page.language;
        let mut sentences = Vec::new();
        for (id, stance) in &self.page.facts {
            let (_, fact) = fact(id).expect("pages are made from known facts");
            let opening = pick(&mut self.random, openings(language, *stance));
            sentences.push(format!("{opening}{}", fact.sentence(language, *stance)));
        }
        sentences
    }

    fn table(&self) -> Vec<[String; 2]> {
        let rows = self.page.facts.iter().map(|(id, stance)| {
            let (_, fact) = fact(id).expect("pages are made from known facts");
            let value = match stance {
                Stance::Agrees | Stance::Denies => fact.value,
                Stance::Differs => fact.other,
                Stance::Outdated => fact.old,
            };
            [format!("{} ({})", self.page.topic.name.of(self.page.language), id), value.to_owned()]
        });
        rows.collect()
    }

    fn filler(&mut self) -> String {
        let language = self.page.language;
        if self.is_distinct {
            return composed(&mut self.random, language);
        }
        let sentence = pick(&mut self.random, filler(language));
        let topic = self.page.topic.name.of(language);
        let filled = sentence
            .replace("{topic}", topic)
            .replace("{person}", pick(&mut self.random, people(language)))
            .replace("{org}", pick(&mut self.random, organisations(language)))
            .replace("{place}", pick(&mut self.random, places(language)));
        capitalised(&filled)
    }

    fn fillers(&mut self, count: usize) -> String {
        let between = if self.page.language.is_japanese() { "" } else { " " };
        (0..count).map(|_| self.filler()).collect::<Vec<_>>().join(between)
    }
}
