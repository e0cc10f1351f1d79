//! Finds pages and papers for a query: words in common, Japanese by pairs of characters.

use std::collections::{HashMap, HashSet};

use super::{Expected, World, hash};

/// An index over the world's pages and papers, made when the first engine is asked.
#[derive(Debug)]
pub(crate) struct Ranking {
    pages: Inverted,
    papers: Inverted,
}

impl Ranking {
    pub(super) fn new(world: &World) -> Self {
        let page_text = |page: &super::Page| {
            let article = world.article(page);
            (page.title.clone(), article.text())
        };
        let paper_text = |it: &super::Paper| (it.title.clone(), it.abstract_text.clone());
        Self {
            pages: Inverted::new(world.pages.iter().map(page_text)),
            papers: Inverted::new(world.papers.iter().map(paper_text)),
        }
    }

    /// Places of pages, best first. An engine does not know what robots.txt closes.
    ///
    /// Where engines know different parts of the world they also differ in which of two equal pages goes first.
    pub(crate) fn pages(&self, world: &World, engine: &str, query: &str) -> Vec<usize> {
        let mut found = self.pages.find(query);
        found.retain(|scored| {
            let page = &world.pages[scored.0];
            page.expected != Expected::Robots && world.is_known_to(engine, page)
        });
        if world.divided {
            let taste = |place: usize| hash(world.pages[place].seed, &format!("{engine} {query}"));
            found.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| taste(a.0).cmp(&taste(b.0))));
        }
        found.into_iter().map(|it| it.0).collect()
    }

    pub(crate) fn papers(&self, query: &str) -> Vec<usize> {
        self.papers.find(query).into_iter().map(|it| it.0).collect()
    }
}

#[derive(Debug, Default)]
struct Inverted {
    /// For each term the documents that hold it, with its weight there.
    postings: HashMap<String, Vec<(u32, f32)>>,
    documents: usize,
}

impl Inverted {
    fn new(texts: impl Iterator<Item = (String, String)>) -> Self {
        let mut index = Self::default();
        for (place, (title, body)) in texts.enumerate() {
            let in_title: HashSet<String> = terms(&title).into_iter().collect();
            let mut in_body: Vec<String> =
                terms(&body).into_iter().collect::<HashSet<_>>().into_iter().collect();
            in_body.extend(in_title.iter().filter(|it| !body.contains(it.as_str())).cloned());
            for term in in_body {
                let weight = if in_title.contains(&term) { 3.0 } else { 1.0 };
                index.postings.entry(term).or_default().push((place as u32, weight));
            }
            index.documents += 1;
        }
        index
    }

    /// Places with their scores, best first.
    fn find(&self, query: &str) -> Vec<(usize, f32)> {
        let mut scores: HashMap<u32, f32> = HashMap::new();
        let mut wanted = terms(query);
        wanted.sort();
        wanted.dedup();
        for term in &wanted {
            let Some(postings) = self.postings.get(term) else { continue };
            let rarity = (1.0 + self.documents as f32 / postings.len() as f32).ln();
            for (place, weight) in postings {
                *scores.entry(*place).or_default() += weight * rarity;
            }
        }
        let mut found: Vec<(u32, f32)> = scores.into_iter().collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // What shares only a common word with the query is not a result.
        let best = found.first().map_or(0.0, |it| it.1);
        let good = found.into_iter().filter(|it| it.1 >= best * 0.4);
        good.map(|it| (it.0 as usize, it.1)).collect()
    }
}

/// Lower-case words without the most common ones, and pairs of neighbouring characters of Japanese runs.
fn terms(text: &str) -> Vec<String> {
    const COMMON: [&str; 24] = [
        "the", "a", "an", "of", "and", "or", "to", "in", "on", "for", "is", "are", "was", "by",
        "with", "at", "it", "that", "this", "what", "how", "does", "do", "not",
    ];
    let mut terms = Vec::new();
    for run in text.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()) {
        if run.is_ascii() {
            let word = run.to_ascii_lowercase();
            if !COMMON.contains(&word.as_str()) {
                terms.push(word);
            }
            continue;
        }
        let letters: Vec<char> = run.chars().collect();
        if letters.len() == 1 {
            terms.push(run.to_owned());
        }
        terms.extend(letters.windows(2).map(|it| it.iter().collect::<String>()));
    }
    terms
}
