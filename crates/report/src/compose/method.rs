//! How far to rely on the report, its sources, and how it was made.

use super::coverage::or_dash;
use super::{Composer, phrases};
use crate::document::{Anchor, Block, Item, Level, Line, Look, Span};
use crate::escape::shortened;
use crate::report::{Search, Source};
use crate::words::fill;

impl Composer<'_> {
    /// What a reader must know before relying on the numbers.
    pub(super) fn reliability(self) -> Vec<Block> {
        let (words, summary) = (self.words, &self.report.summary);
        let threshold = phrases::two(summary.min_confidence);
        let corrected = (summary.judgements > 0).then(|| {
            let corrected = summary.corrected_judgements.to_string();
            let values = [("n", &*corrected), ("total", &summary.judgements.to_string())];
            fill(&words.reliability_corrected, &values)
        });
        let lines = words.reliability_lines.iter().cloned();
        let lines = lines.chain([fill(&words.reliability_order, &[("threshold", &threshold)])]);
        let items = lines.chain(corrected).map(|line| Item::from(Line::from(line)));
        let list = Block::List(Look::Prose, items.collect());
        vec![Block::fold(&words.reliability_summary, vec![list])]
    }

    pub(super) fn sources(self) -> Vec<Block> {
        if self.report.sources.is_empty() {
            return Vec::new();
        }
        let sources = self.report.sources.iter().map(|source| self.source(source));
        vec![Block::List(Look::Sources, sources.collect())]
    }

    fn source(self, source: &Source) -> Item {
        let words = self.words;
        let title = phrases::title(source.title.as_deref(), &source.url);
        let title = shortened(title, phrases::MAX_TITLE);
        let trimmed = |text: &Option<String>| text.as_ref().map(|it| it.trim().to_owned());
        let badge = |look, text: String| Line::default().span(Span::Badge(look, text));
        let facts = [
            Some(Line::from(self.origin(source.own_document, source.category))),
            trimmed(&source.author).map(Line::from),
            trimmed(&source.venue).map(Line::from),
            Some(Line::from(self.date(source.published_at.as_deref(), source.year))),
            trimmed(&source.doi).map(|doi| Line::from(format!("doi:{doi}"))),
            source.retracted_at.map(|at| badge(Look::Withdrawn, self.retracted(at))),
            source.flagged.then(|| badge(Look::Alarm, words.flagged.clone())),
            Some(Line::from(self.found(source.found_at))),
            Some(self.archive(source.archive.as_ref(), true)),
        ];
        let facts = Line::joined(facts.into_iter().flatten(), " · ");
        let number = Line::default().span(Span::Mark(source.number));
        let line = Line::default().span(Span::Strong(number)).text(" ");
        let line = line.styled(Look::Title, title).text(". ").and(phrases::address(&source.url));
        let line = line.styled(Look::Details, Line::from(" · ").and(facts));
        Item { anchor: Some(Anchor::Source(source.number)), ..Item::from(line) }
    }

    pub(super) fn method(self) -> Vec<Block> {
        let (words, searches) = (self.words, &self.report.method.searches);
        let mut blocks = Vec::new();
        if !searches.is_empty() {
            let header = [
                &words.query,
                &words.status,
                &words.pages,
                &words.harvest,
                &words.satisfaction,
                &words.novelty,
            ];
            blocks.push(Block::Heading(Level::Part, Line::from(&words.searches)));
            blocks.push(Block::Table {
                look: Look::Searches,
                header: header.map(String::clone).into(),
                rows: searches.iter().map(|search| self.search(search)).collect(),
            });
        }
        blocks.push(Block::Facts(vec![
            (words.budget.clone(), self.budget()),
            (words.engines.clone(), self.engines()),
            (words.requests.clone(), vec![self.requests()]),
            (words.models.clone(), self.models()),
            (words.versions.clone(), self.versions()),
        ]));
        vec![Block::fold(&words.method_summary, blocks)]
    }

    fn search(self, search: &Search) -> Vec<Line> {
        let words = self.words;
        let query = Line::from(search.query.trim());
        let query = match search.refuting {
            true => query.aside(Look::Against, &words.refuting_search),
            false => query,
        };
        let status = Line::from(words.codes.search.word(search.status.as_str()));
        let status = match search.stop_reason {
            Some(reason) => status.aside(Look::Details, words.codes.stop.word(reason.as_str())),
            None => status,
        };
        let numbers = [search.harvest, search.satisfaction, search.novelty];
        let pages = Line::from(search.pages.to_string());
        let numbers = numbers.map(|number| Line::from(or_dash(number)));
        [query, status, pages].into_iter().chain(numbers).collect()
    }

    fn budget(self) -> Vec<String> {
        let (words, budget) = (self.words, &self.report.method.budget);
        let of = |template: &str, used: &str, limit: u32| {
            fill(template, &[("used", used), ("limit", &limit.to_string())])
        };
        let seconds = |seconds: f64| format!("{seconds:.0}");
        let mut spent = vec![
            of(&words.budget_pages, &budget.pages_used.to_string(), budget.pages_limit),
            of(&words.budget_time, &seconds(budget.seconds_used), budget.seconds_limit),
        ];
        if budget.llm_seconds > 0.0 {
            spent.push(fill(&words.budget_llm, &[("used", &seconds(budget.llm_seconds))]));
        }
        spent
    }

    fn engines(self) -> Vec<String> {
        let words = self.words;
        let lines = self.report.method.engines.iter().map(|engine| {
            let (results, pages) = (engine.results.to_string(), engine.pages.to_string());
            let values = [("name", &*engine.name), ("results", &results), ("pages", &pages)];
            // That nothing was found is what the line says.
            let why = engine.problem.as_deref().filter(|it| *it != "nothing found");
            let why = why.map(|it| it.strip_prefix("not asked: ").unwrap_or(it));
            let line = match engine.access.as_deref() {
                Some("nothing_there") => &words.engine_nothing,
                Some("not_let_in") => &words.engine_closed,
                Some("not_asked") => &words.engine_not_asked,
                _ => &words.engine_line,
            };
            fill(line, &values) + &self.because(self.told(why))
        });
        or(&words.none, lines.collect())
    }

    fn requests(self) -> String {
        let requests = &self.report.method.requests;
        if requests.count == 0 {
            return self.words.requests_none.clone();
        }
        let values = [
            ("count", &*requests.count.to_string()),
            ("hosts", &requests.hosts.to_string()),
            ("sent", &requests.bytes_sent.to_string()),
            ("received", &requests.bytes_received.to_string()),
        ];
        fill(&self.words.requests_line, &values)
    }

    fn models(self) -> Vec<String> {
        let words = self.words;
        let lines = self.report.method.models.iter().map(|model| {
            let role = words.codes.role.word(&model.role);
            let name = words.codes.method.word(&model.name);
            let uses = model.uses.to_string();
            fill(&words.model_line, &[("role", role), ("name", name), ("uses", &uses)])
        });
        or(&words.models_none, lines.collect())
    }

    fn versions(self) -> Vec<String> {
        let (words, method) = (self.words, &self.report.method);
        let schema = method.schema_version.to_string();
        let values = [("version", &*method.lyra_version), ("schema", &schema)];
        let fingerprint = method.graph_fingerprint.as_deref();
        let fingerprint = fingerprint.map(|it| fill(&words.fingerprint, &[("fingerprint", it)]));
        let log = fill(&words.log_line, &[("n", &method.logged_events.to_string())]);
        [Some(fill(&words.versions_line, &values)), fingerprint, Some(log)]
            .into_iter()
            .flatten()
            .collect()
    }
}

fn or(none: &str, list: Vec<String>) -> Vec<String> {
    if list.is_empty() { vec![none.to_owned()] } else { list }
}
