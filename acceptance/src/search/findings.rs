//! What a task's graph says, beside what is true in the small internet.

use std::collections::{BTreeMap, BTreeSet};

use evidence::{ClaimId, DomainCategory, TaskId};
use extract::near_duplicate::Sketch;
use graph::{Graph, QuerySettings};
use serde_json::Value;
use testweb::{Fact, Language, Page, SiteKind, Stance, World, registrable_domain};

/// A claim of the graph with its evidence.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) id: ClaimId,
    pub(super) text: String,
    pub(super) edges: Vec<Evidence>,
    /// Kinds of events of its life.
    pub(super) events: BTreeSet<String>,
}

/// A passage that was judged against a claim.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub(super) relation: String,
    pub(super) url: String,
    pub(super) domain: String,
    pub(super) category: DomainCategory,
    pub(super) text: String,
    /// When its page was published, where the page says so.
    pub(super) published: Option<String>,
}

/// A page that a task looked at.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) url: String,
    pub(super) category: DomainCategory,
    pub(super) sketch: Option<Sketch>,
}

/// Everything a task found.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) claims: Vec<Finding>,
    pub(super) pages: Vec<Read>,
    /// From page to page, by address.
    pub(super) citations: Vec<(String, String)>,
    /// Passages that searches kept, each once.
    pub(super) kept: Vec<String>,
}

impl Findings {
    pub(super) fn of(graph: &Graph, task: TaskId) -> Self {
        let mut claims: Vec<Finding> = rows(
            graph,
            &format!("SELECT id, claim_text FROM claims WHERE task_id = '{task}' ORDER BY id"),
        )
        .iter()
        .map(|row| Finding {
            id: text(&row[0]).parse().expect("ids are ids"),
            text: text(&row[1]),
            edges: Vec::new(),
            events: BTreeSet::new(),
        })
        .collect();
        let places: BTreeMap<String, usize> =
            claims.iter().enumerate().map(|(place, it)| (it.id.to_string(), place)).collect();
        let edges = rows(
            graph,
            &format!(
                "SELECT e.target_id, e.relation, p.url, p.domain, p.domain_category, f.text_content,
                   p.published_at
                 FROM edges e JOIN claims c ON c.id = e.target_id JOIN fragments f ON f.id = e.source_id
                 JOIN pages p ON p.id = f.page_id WHERE c.task_id = '{task}' ORDER BY e.id"
            ),
        );
        for row in edges {
            claims[places[&text(&row[0])]].edges.push(Evidence {
                relation: text(&row[1]),
                url: text(&row[2]),
                domain: text(&row[3]),
                category: category(&row[4]),
                text: text(&row[5]),
                published: row[6].as_str().map(ToOwned::to_owned),
            });
        }
        let events = rows(
            graph,
            &format!(
                "SELECT v.claim_id, v.kind FROM claim_events v JOIN claims c ON c.id = v.claim_id
                 WHERE c.task_id = '{task}'"
            ),
        );
        for row in events {
            claims[places[&text(&row[0])]].events.insert(text(&row[1]));
        }
        let of_task = format!(
            "SELECT s.page_id FROM serp_items s JOIN queries q ON q.id = s.query_id WHERE q.task_id = '{task}'"
        );
        let pages = graph.read(|r| r.read_pages_of(task)).expect("the graph can be read");
        let citations = rows(
            graph,
            &format!(
                "SELECT a.url, b.url FROM edges e JOIN pages a ON a.id = e.source_id JOIN pages b ON b.id = e.target_id
                 WHERE e.relation = 'cites' AND a.id IN ({of_task}) ORDER BY e.id"
            ),
        );
        let kept = rows(
            graph,
            &format!(
                "SELECT DISTINCT f.id, f.text_content FROM selected_fragments k JOIN queries q ON q.id = k.query_id
                 JOIN fragments f ON f.id = k.fragment_id WHERE q.task_id = '{task}' ORDER BY f.id"
            ),
        );
        Self {
            claims,
            pages: pages
                .into_iter()
                .map(|page| Read {
                    url: page.url,
                    category: page.domain_category,
                    sketch: page.sketch.as_deref().and_then(Sketch::from_bytes),
                })
                .collect(),
            citations: citations.iter().map(|row| (text(&row[0]), text(&row[1]))).collect(),
            kept: kept.iter().map(|row| text(&row[1])).collect(),
        }
    }

    /// The claim that states a fact in this way and has the most independent support.
    pub(super) fn stating(&self, world: &World, fact: &Fact, stance: Stance) -> Option<&Finding> {
        let sentence = fact.sentence(Language::English, stance);
        let found = self.claims.iter().filter(|it| states(&it.text, &sentence));
        found.max_by_key(|it| it.independent(world, "supports"))
    }
}

impl Finding {
    pub(super) fn with(&self, relation: &str) -> impl Iterator<Item = &Evidence> {
        self.edges.iter().filter(move |it| it.relation == relation)
    }

    /// Different publishers with this opinion; copies of one text are one.
    pub(super) fn independent(&self, world: &World, relation: &str) -> usize {
        let mut publishers: BTreeMap<String, String> = BTreeMap::new();
        for it in self.with(relation) {
            let page = page_of(world, &it.url);
            let domain = page.map_or(it.domain.as_str(), |it| registrable_domain(it.host()));
            let copy = page.and_then(|it| it.copy_of).map(|it| format!("copy {it}"));
            publishers.insert(domain.to_owned(), copy.unwrap_or_else(|| domain.to_owned()));
        }
        publishers.values().collect::<BTreeSet<_>>().len()
    }
}

/// The page at an address, or the journal's page of the paper that a DOI names.
pub(super) fn page_of<'a>(world: &'a World, url: &str) -> Option<&'a Page> {
    world.page_at(url).or_else(|| {
        let doi = url.split_once("doi.org/")?.1;
        let paper = world.papers().iter().find(|it| it.doi == doi)?;
        world.page_at(&paper.page_url)
    })
}

/// Whether a page is the first to say something, and not one that repeats it.
pub(super) fn is_digest(world: &World, url: &str) -> bool {
    page_of(world, url).is_some_and(|it| it.site == SiteKind::Digest)
}

/// Whether a text says what a sentence says, word for word, with a few words more or in another order.
pub(super) fn states(text: &str, sentence: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let parts = text.split(|it: char| !(it.is_alphanumeric() || matches!(it, '.' | ',')));
        let parts = parts.map(|it| it.trim_matches(['.', ',']).to_lowercase());
        parts.filter(|it| !it.is_empty()).collect()
    };
    let (text, sentence) = (words(text), words(sentence));
    let numbers = |words: &BTreeSet<String>| -> BTreeSet<String> {
        words.iter().filter(|word| word.contains(|it: char| it.is_ascii_digit())).cloned().collect()
    };
    let common = sentence.intersection(&text).count();
    common * 10 >= sentence.len() * 9 && numbers(&sentence).is_subset(&text)
}

pub(super) fn rows(graph: &Graph, sql: &str) -> Vec<Vec<Value>> {
    let limits = QuerySettings {
        rows: 1_000_000,
        bytes: 1 << 30,
        timeout_ms: 60_000,
        vm_steps: 10_000_000_000,
        ..QuerySettings::default()
    };
    graph.query(sql, &limits).expect("the question is good SQL").table.rows
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn category(value: &Value) -> DomainCategory {
    text(value).parse().expect("the graph holds known categories")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_states_a_sentence_with_more_words_but_not_with_another_number() {
        let sentence = "Two hours after tarcoxin 47 percent of patients were free of pain.";
        let cases = [
            ("Two hours after tarcoxin 47 percent of patients were free of pain", true),
            ("Tarcoxin: two hours after tarcoxin 47 percent of patients were free of pain.", true),
            ("Two hours after tarcoxin 19 percent of patients were free of pain.", false),
            ("47 percent of patients were free of pain.", false),
            ("", false),
        ];
        for (text, expected) in cases {
            assert_eq!(states(text, sentence), expected, "{text}");
        }
    }
}
