//! Search by words: the graph's own full-text search over a graph made for the occasion.

use std::collections::HashMap;

use evidence::{DomainCategory, FragmentType, Node, PageId};
use graph::{
    Cause, FindSettings, FindTarget, Graph, NewFragment, NewPage, Options, Reader, Words, Writer,
};

use super::collections::Document;
use crate::Failure;

#[derive(Debug)]
pub(crate) struct WordIndex {
    graph: Graph,
    /// The document behind each page.
    places: HashMap<PageId, usize>,
}

impl WordIndex {
    /// Loads the documents as passages, each on a page of its own.
    pub(crate) fn build(documents: &[Document]) -> Result<Self, Failure> {
        let graph = Graph::in_memory(Options::default())?;
        let places = graph.write(Cause::new("evaluation"), |writer| {
            let record = |(place, document): (usize, &Document)| {
                Ok((record(writer, place, document)?, place))
            };
            documents
                .iter()
                .enumerate()
                .filter(|(_, it)| !it.whole().trim().is_empty())
                .map(record)
                .collect::<graph::Result<HashMap<_, _>>>()
        })?;
        Ok(Self { graph, places })
    }

    /// The best documents for a query and their scores.
    pub(crate) fn find(&self, query: &str, limit: usize) -> Result<Vec<(usize, f64)>, Failure> {
        let options = FindSettings {
            target: FindTarget::Fragments,
            words: Words::Any,
            limit,
            ..FindSettings::default()
        };
        let answer = self.graph.read(|it: &Reader<'_>| it.find(&plain(query), &options))?;
        let place = |it: graph::FullTextHit| match (it.node, it.page_id) {
            (Node::Fragment(_), Some(page)) => Some((*self.places.get(&page)?, it.score)),
            _ => None,
        };
        Ok(answer.found.into_iter().filter_map(place).collect())
    }
}

fn record(writer: &Writer<'_>, place: usize, document: &Document) -> graph::Result<PageId> {
    let page_id = writer.record_page(&NewPage {
        url: format!("https://example.org/{place}"),
        domain: "example.org".to_owned(),
        domain_category: DomainCategory::Unverified,
        title: Some(document.title.clone()),
        language: None,
        year: None,
        work_id: None,
    })?;
    writer.record_fragment(&NewFragment {
        page_id,
        fragment_type: FragmentType::Paragraph,
        text: document.whole(),
        heading_context: None,
        element_index: None,
        chars: None,
        language: None,
    })?;
    Ok(page_id)
}

/// A question is text: its dashes, stars and quotation marks are no commands.
fn plain(query: &str) -> String {
    let words = query.split_whitespace().map(|it| it.trim_start_matches('-').trim_end_matches('*'));
    words.collect::<Vec<_>>().join(" ").replace('"', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> WordIndex {
        let texts = ["aspirin lowers fever", "糖尿病の予防と運動", "", "fever without end"];
        let documents: Vec<_> = texts
            .iter()
            .map(|text| Document {
                id: String::new(),
                title: String::new(),
                text: (*text).to_owned(),
            })
            .collect();
        WordIndex::build(&documents).unwrap()
    }

    fn found(query: &str) -> Vec<usize> {
        index().find(query, 10).unwrap().into_iter().map(|it| it.0).collect()
    }

    #[test]
    fn any_word_finds_and_more_words_rank_higher() {
        assert_eq!(found("Does aspirin cure fever?"), [0, 3]);
        assert_eq!(found("糖尿病は予防できるか"), [1]);
    }

    #[test]
    fn signs_in_a_question_are_no_commands() {
        assert_eq!(found("-aspirin \"fever with*"), [0, 3]);
        assert_eq!(index().find("fever", 1).unwrap().len(), 1);
    }
}
