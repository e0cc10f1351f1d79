//! Papers, who cites whom, and which index knows them.

use super::articles::capitalised;
use super::words::{composed, organisations, places};
use super::{Date, Language, Stance, Topic, hash, pick, topics};

/// Papers on each topic.
const PER_TOPIC: usize = 6;

/// Journals that print them: `journal-1.test` and so on.
pub(super) const JOURNALS: usize = 4;

/// A made-up paper.
#[derive(Debug, Clone)]
pub struct Paper {
    pub topic: &'static Topic,
    /// The facts it reports and how.
    pub facts: Vec<(&'static str, Stance)>,
    pub title: String,
    pub authors: Vec<String>,
    pub year: i32,
    pub published: Date,
    pub venue: &'static str,
    /// Under the prefix that is reserved for tests.
    pub doi: String,
    pub pmid: Option<String>,
    pub arxiv: Option<String>,
    /// Forty hexadecimal digits, as Semantic Scholar names papers.
    pub s2_id: String,
    /// `W` and digits, as OpenAlex names works.
    pub openalex_id: String,
    pub indexed: Indexed,
    pub retracted: bool,
    pub open_access: bool,
    /// Places of the papers it cites; all are older.
    pub references: Vec<usize>,
    /// The page of the journal.
    pub page_url: String,
    pub pdf_url: String,
    pub abstract_text: String,
    pub(super) introduction: String,
    pub(super) methods: String,
    pub(super) results: String,
    pub(super) discussion: String,
}

/// Which index knows a paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Indexed {
    Both,
    SemanticScholar,
    OpenAlex,
}

impl Paper {
    pub fn in_semantic_scholar(&self) -> bool {
        self.indexed != Indexed::OpenAlex
    }

    pub fn in_openalex(&self) -> bool {
        self.indexed != Indexed::SemanticScholar
    }

    /// Puts sentences of its own between those that papers on one topic share.
    fn fill(&mut self, seed: u64) {
        const SENTENCES: usize = 6;
        let mut random = fastrand::Rng::with_seed(hash(seed, &format!("filling {}", self.doi)));
        let mut own = || {
            let sentences = (0..SENTENCES).map(|_| composed(&mut random, Language::English));
            sentences.collect::<Vec<_>>().join(" ")
        };
        self.abstract_text =
            self.abstract_text.replace(" Results: ", &format!(" {} Results: ", own()));
        for part in [&mut self.introduction, &mut self.methods, &mut self.discussion] {
            *part = format!("{part} {}", own());
        }
    }

    /// The path of its page on the journal's site.
    pub(super) fn path(&self) -> String {
        format!("/article/{}", self.doi)
    }
}

const VENUES: [&str; 4] = [
    "Journal of Careful Measurement",
    "Annals of Applied Evidence",
    "Lowmere Letters",
    "Proceedings of the Coastal Research Council",
];

const AUTHORS: [&str; 10] = [
    "Ada Fenwick",
    "Jun Morikawa",
    "Leila Sandoval",
    "Oskar Brandt",
    "Priya Ramaswami",
    "Emi Tachibana",
    "Noah Castellan",
    "Ruth Okafor",
    "Daisuke Hirano",
    "Elena Marchetti",
];

/// Words that titles of a catalogue are made of.
const SUBJECTS: [&str; 24] = [
    "shift work",
    "dietary salt",
    "school gardens",
    "urban bees",
    "knee replacement",
    "river sediment",
    "reading aloud",
    "hand hygiene",
    "night lighting",
    "soil nitrogen",
    "remote teaching",
    "cough syrup",
    "wind turbines",
    "stair climbing",
    "ocean noise",
    "hearing aids",
    "bread fermentation",
    "office plants",
    "winter cycling",
    "insulin pumps",
    "paper recycling",
    "forest paths",
    "team handovers",
    "rainwater tanks",
];
const OUTCOMES: [&str; 20] = [
    "blood pressure",
    "reading speed",
    "sleep quality",
    "household energy use",
    "fall rates",
    "crop yield",
    "attention span",
    "hospital readmission",
    "noise exposure",
    "water quality",
    "job satisfaction",
    "bone density",
    "seed dispersal",
    "test scores",
    "recovery time",
    "carbon storage",
    "speech clarity",
    "symptom burden",
    "travel time",
    "error rates",
];
const GROUPS: [&str; 18] = [
    "older adults",
    "primary schools",
    "coastal towns",
    "intensive care",
    "mountain villages",
    "call centres",
    "first-year students",
    "rural clinics",
    "young swimmers",
    "dairy farms",
    "public libraries",
    "apprentices",
    "night nurses",
    "small islands",
    "city parks",
    "bus drivers",
    "kindergartens",
    "rehabilitation wards",
];
const DESIGNS: [&str; 9] = [
    "a cohort study",
    "a randomised trial",
    "a systematic review",
    "a cross-sectional survey",
    "a pilot study",
    "an interrupted time series",
    "a qualitative study",
    "a registry analysis",
    "a replication",
];
const FAMILIES: [&str; 30] = [
    "Abernathy",
    "Bellweather",
    "Castellanos",
    "Drozdowski",
    "Eriksen",
    "Fujimoto",
    "Gallagher",
    "Hakimi",
    "Ishikawa",
    "Jovanovic",
    "Kowalczyk",
    "Lindqvist",
    "Mbeki",
    "Nakagawa",
    "Oyelaran",
    "Petrov",
    "Quintero",
    "Rasmussen",
    "Sokolova",
    "Takeuchi",
    "Ueda",
    "Vasquez",
    "Whitcombe",
    "Xanthos",
    "Yamaguchi",
    "Zielinski",
    "Bergström",
    "Łukasik",
    "Núñez",
    "Okonkwo",
];
const GIVEN: [&str; 16] = [
    "Maria", "Kenji", "Aoife", "Pavel", "Ngozi", "Lars", "Hana", "Tomás", "Ingrid", "Yusuf",
    "Chloe", "Daniel", "Sofia", "Haruto", "Miriam", "Oleg",
];

/// Papers that only Crossref, Europe PMC and the register of DOIs know: what lists of references are checked against. Each
/// eighth was retracted, and each fifth is in no PubMed.
pub(super) fn catalogue(seed: u64, count: usize, like: &Paper) -> Vec<Paper> {
    (0..count)
        .map(|number| {
            let mut random =
                fastrand::Rng::with_seed(hash(seed, &format!("catalogue {number}")));
            let subject = SUBJECTS[number % SUBJECTS.len()];
            let outcome = OUTCOMES[(number / 3 + number * 7) % OUTCOMES.len()];
            let group = GROUPS[random.usize(..GROUPS.len())];
            let design = DESIGNS[random.usize(..DESIGNS.len())];
            let title = match number % 4 {
                0 => format!("{} and {outcome} in {group}: {design}", capitalised(subject)),
                1 => format!("Effects of {subject} on {outcome} in {group}"),
                2 => format!("Does {subject} change {outcome}? {} in {group}", capitalised(design)),
                _ => format!("{} in {group} after the introduction of {subject}", capitalised(outcome)),
            };
            let year = 2004 + random.i32(0..20);
            let mut families: Vec<&str> = FAMILIES.to_vec();
            random.shuffle(&mut families);
            let authors = families[..random.usize(1..=5)]
                .iter()
                .map(|it| format!("{} {it}", GIVEN[random.usize(..GIVEN.len())]))
                .collect();
            let effect = ["raised", "lowered", "did not change"][random.usize(..3)];
            Paper {
                title,
                authors,
                year,
                published: Date { year, month: random.u32(1..=12), day: random.u32(1..=28) },
                venue: VENUES[random.usize(..VENUES.len())],
                doi: format!("10.5555/cat.{number:04}"),
                pmid: (number % 5 != 4).then(|| format!("{}", 31_000_000 + number)),
                arxiv: None,
                retracted: number % 8 == 5,
                references: Vec::new(),
                abstract_text: format!(
                    "Background: Little is known of {subject} in {group}. Methods: We followed {} people. Results: {} {effect} {outcome}. Conclusions: In {group}, {subject} {effect} {outcome}.",
                    random.u32(4..90) * 10,
                    capitalised(subject)
                ),
                ..like.clone()
            }
        })
        .collect()
}

/// All papers of a world, oldest first within each topic.
pub(super) fn write(seed: u64, is_distinct: bool) -> Vec<Paper> {
    let mut papers: Vec<Paper> = Vec::new();
    for (place, topic) in topics().iter().enumerate() {
        for number in 0..PER_TOPIC {
            let earlier = number.min(4);
            let mut references: Vec<usize> = (papers.len() - earlier..papers.len()).collect();
            // Fields are joined by a few citations, so that the graph is one.
            if number == 2 && papers.len() > PER_TOPIC {
                references.push(papers.len() - PER_TOPIC - 1);
            }
            let retracted = number == 3 && place % 4 == 0;
            let mut paper = Paper { retracted, ..paper(seed, topic, number, references) };
            if is_distinct {
                paper.fill(seed);
            }
            papers.push(paper);
        }
    }
    papers
}

fn paper(seed: u64, topic: &'static Topic, number: usize, references: Vec<usize>) -> Paper {
    let own = hash(seed, &format!("paper {} {number}", topic.id));
    let mut random = fastrand::Rng::with_seed(own);
    let fact = &topic.facts[number % topic.facts.len()];
    let stance = match number {
        0 => Stance::Outdated,
        3 => Stance::Differs,
        5 => Stance::Denies,
        _ => Stance::Agrees,
    };
    let year = 2016 + number as i32 * 2;
    let published = Date { year, month: random.u32(1..=12), day: random.u32(1..=28) };
    let kinds = [
        "a first observational study",
        "a randomised comparison",
        "a follow-up over five years",
        "evidence from a second site",
        "a systematic review",
        "a critical reanalysis",
    ];
    let title = format!("{}: {}", capitalised(topic.name.en), kinds[number]);
    let first = random.usize(..AUTHORS.len());
    let count = random.usize(2..=4);
    let authors =
        (0..count).map(|it| AUTHORS[(first + it * 3) % AUTHORS.len()].to_owned()).collect();
    let doi = format!("10.5555/tw.{year}.{}{number}", topic.id);
    let org = pick(&mut random, organisations(Language::English));
    let place = pick(&mut random, places(Language::English));
    let claim = fact.sentence(Language::English, stance);
    let [ground, why, how] = topic.background.map(|it| it.en);
    let participants = random.u32(12..98) * 10;
    let host = format!("journal-{}.test", random.usize(1..=JOURNALS));
    Paper {
        topic,
        facts: vec![(fact.id, stance)],
        abstract_text: format!(
            "Background: {ground} Methods: We examined {participants} records from {place}. Results: {claim} Conclusions: The finding should be confirmed by others."
        ),
        introduction: format!("{ground} {why} Earlier work left open how far this holds outside a single place, and reports contradict each other."),
        methods: format!("{how} We examined {participants} records that {org} collected in {place} between {} and {}. Two readers coded each record without knowing the other's result.", year - 3, year - 1),
        results: format!("{claim} The result was the same in both halves of the sample."),
        discussion: "Our study has limits: the records come from one region, and some were incomplete. We did not register the protocol in advance. The finding should be confirmed by others.".to_owned(),
        title,
        authors,
        year,
        published,
        venue: VENUES[random.usize(..VENUES.len())],
        pmid: (topic.field == super::Field::Medical).then(|| format!("{}", 39_000_000 + own % 900_000)),
        arxiv: (topic.field == super::Field::Technical)
            .then(|| format!("{:02}{:02}.{:05}", year - 2000, published.month, own % 100_000)),
        s2_id: format!("{own:016x}{:016x}{:08x}", hash(own, "s2"), hash(own, "id") as u32),
        openalex_id: format!("W{}", 4_200_000_000 + own % 99_999_999),
        indexed: match number {
            1 => Indexed::SemanticScholar,
            4 => Indexed::OpenAlex,
            _ => Indexed::Both,
        },
        retracted: false,
        open_access: number != 2,
        references,
        page_url: format!("https://{host}/article/{doi}"),
        pdf_url: format!("https://{host}/pdf/{doi}.pdf"),
        doi,
    }
}
