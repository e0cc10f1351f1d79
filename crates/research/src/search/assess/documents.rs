//! What is around a passage in its document: title, headings, opening and neighbours.

use std::collections::BTreeMap;
use std::sync::Arc;

use evidence::PageId;
use graph::PassageForAssessment;
use judge::{Standing, Words, is_study_of};
use text::script::count_words;

use super::passages::Cycle;

/// How many words of a document's opening, and of what is next to a passage, are around it. An abstract is within both; of a
/// book it is a page.
const OPENING: f32 = 150.0;
const NEIGHBOURS: f32 = 150.0;

/// A page as the passages of it that are read.
#[derive(Debug)]
pub(super) struct Document {
    title: Option<String>,
    in_study: bool,
    passages: Vec<DocumentPassage>,
}

#[derive(Debug)]
struct DocumentPassage {
    headings: Vec<String>,
    words: Words,
    length: f32,
}

/// Where a kept passage stands, and the words that are there.
#[derive(Debug, Default)]
pub(super) struct Surroundings {
    title: Option<String>,
    headings: Vec<String>,
    in_study: bool,
    /// Of the passage itself.
    pub(super) own: Words,
    /// Of the passage and what is around it.
    pub(super) around: Words,
}

impl Surroundings {
    pub(super) fn standing(&self) -> Standing<'_> {
        Standing { title: self.title.as_deref(), headings: &self.headings, in_study: self.in_study }
    }
}

impl Document {
    pub(super) fn of(title: Option<&str>, passages: &[&PassageForAssessment]) -> Self {
        let parts = passages.iter().map(|it| (it.text.as_str(), it.headings.as_slice()));
        Self {
            title: title.map(str::to_owned),
            in_study: is_study_of(parts),
            passages: passages
                .iter()
                .map(|it| DocumentPassage {
                    headings: it.headings.clone(),
                    words: Words::of(&it.text),
                    length: count_words(&it.text),
                })
                .collect(),
        }
    }

    /// What is around the passage at this place.
    pub(super) fn surroundings(&self, at: usize) -> Arc<Surroundings> {
        let passage = &self.passages[at];
        let mut around = passage.words.clone();
        for text in self.title.iter().chain(&passage.headings) {
            around.add(text);
        }
        let mut join = |places: &mut dyn Iterator<Item = usize>, most: f32| {
            let mut length = 0.0;
            for other in places {
                if length >= most {
                    break;
                }
                around.join(&self.passages[other].words);
                length += self.passages[other].length;
            }
        };
        join(&mut (0..at), OPENING);
        join(&mut (0..at).rev(), NEIGHBOURS);
        join(&mut (at + 1..self.passages.len()), NEIGHBOURS);
        Arc::new(Surroundings {
            title: self.title.clone(),
            headings: passage.headings.clone(),
            in_study: self.in_study,
            own: passage.words.clone(),
            around,
        })
    }
}

/// What is around each passage of a cycle, by its place there.
pub(super) fn surroundings_of(cycle: &Cycle) -> Vec<Arc<Surroundings>> {
    let mut of_page: BTreeMap<PageId, Vec<usize>> = BTreeMap::new();
    for (place, passage) in cycle.passages.iter().enumerate() {
        of_page.entry(passage.page_id).or_default().push(place);
    }
    let mut found: Vec<Arc<Surroundings>> = vec![Arc::default(); cycle.passages.len()];
    for (page, places) in of_page {
        let passages: Vec<&PassageForAssessment> =
            places.iter().map(|it| &cycle.passages[*it]).collect();
        let document = Document::of(cycle.pages[&page].title.as_deref(), &passages);
        for (at, place) in places.into_iter().enumerate() {
            found[place] = document.surroundings(at);
        }
    }
    found
}
