//! English questions: "Does X cause Y?" becomes "X causes Y."
//!
//! The verb that asks goes behind the subject, so the end of the subject must be found, without a grammar: by lists of
//! verbs, by what can follow a predicate, and by what a subject cannot end with. Where two ends are possible the
//! question is left.

mod forms;

use std::collections::HashSet;
use std::sync::LazyLock;

use serde::Deserialize;
use text::word_list::{self, WordSet};
use text::words::directed;

use self::forms::{past, third_person};
use super::Question;
use crate::claims::{capitalised, english_verbs};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    open: WordSet,
    verbs: WordSet,
    doubtful: WordSet,
    nouns: WordSet,
    /// Plain form, past, participle.
    irregular: Vec<[String; 3]>,
    doubling: WordSet,
    predicates: WordSet,
    after_predicates: WordSet,
    joins: WordSet,
    conjunctions: WordSet,
    openers: WordSet,
    adverbs: WordSet,
    linking: WordSet,
    empty_it: WordSet,
    empty_it_verbs: WordSet,
    unnamed: WordSet,
}

static WORDS: LazyLock<Words> =
    LazyLock::new(|| word_list::read(include_str!("../../data/en/question.toml")));

/// Plain forms that are verbs and hardly ever anything else.
static CLEAR_VERBS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    let pasts: HashSet<&str> =
        WORDS.irregular.iter().flat_map(|[_, past, done]| [past.as_str(), done.as_str()]).collect();
    let plain: HashSet<&str> = WORDS.irregular.iter().map(|it| it[0].as_str()).collect();
    english_verbs()
        .chain(WORDS.verbs.iter())
        .chain(plain.iter().copied())
        .filter(|it| !pasts.contains(it) || plain.contains(it))
        .filter(|it| !WORDS.doubtful.contains(it) && !WORDS.nouns.contains(it))
        .collect()
});

/// Longer questions say more than one thing.
const LONGEST: usize = 60;

/// The verb that asks, by what follows the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// Followed by a plain form, and gone from the statement.
    Do,
    /// Followed by a plain form.
    Modal,
    Be,
    Have,
}

impl Asking {
    fn of(word: &str) -> Option<Self> {
        match word {
            "do" | "does" | "did" => Some(Self::Do),
            "can" | "could" | "should" | "may" | "might" | "must" | "will" | "would" => {
                Some(Self::Modal)
            }
            "is" | "are" | "was" | "were" => Some(Self::Be),
            "has" | "have" | "had" => Some(Self::Have),
            _ => None,
        }
    }
}

pub(super) fn read(plain: &str) -> Question {
    let text = plain.trim();
    let marked = text.ends_with('?');
    let body = text.trim_end_matches(['?', '.', '!', ' ']);
    let quoted = body.matches('"').count() % 2;
    let left = if marked { Question::Unclear } else { Question::Topic };
    if body.contains(['?', '!', ';']) || quoted > 0 || body.split(' ').count() > LONGEST {
        return left;
    }
    let Some((topic, clause)) = clause_of(body) else {
        return match marked && !asks_openly(body) && is_declared(body) {
            true => Question::Whether(ended(body)),
            false if asks_openly(body) => Question::Open,
            false => left,
        };
    };
    // "will smith age" is no question, "may" is a month, and "do not" an order.
    let doubtful = ["will", "may", "must", "might"];
    let mut words = clause.split(' ').map(lower);
    let (first, second) = (words.next().unwrap_or_default(), words.next());
    let orders = first == "do" && second.as_deref() == Some("not");
    if !marked && (orders || doubtful.contains(&first.as_str())) {
        return Question::Topic;
    }
    match turned(topic, clause) {
        Some(statement) => Question::Whether(statement),
        None => Question::Unclear,
    }
}

/// The clause that asks, and what it is about where that was said before: "Aspirin: does it prevent strokes".
fn clause_of(body: &str) -> Option<(Option<&str>, &str)> {
    let asks = |it: &str| it.split(' ').next().is_some_and(|it| Asking::of(&lower(it)).is_some());
    if asks(body) {
        return Some((None, body));
    }
    for mark in [": ", " - ", "--", ". ", ", "] {
        let Some((topic, clause)) = body.rsplit_once(mark) else { continue };
        let second = clause.split(' ').nth(1).map(lower).unwrap_or_default();
        // Behind a comma only what says where or whom, or what "it" then stands for.
        let fits = mark != ", " || says_where(topic) || is_pronoun(&second);
        if asks(clause) && fits && !topic.is_empty() {
            return Some((Some(topic.trim()), clause));
        }
    }
    None
}

/// "In older women", "Among smokers".
fn says_where(topic: &str) -> bool {
    let first = lower(topic.split(' ').next().unwrap_or_default());
    WORDS.openers.contains(&first)
}

fn turned(topic: Option<&str>, clause: &str) -> Option<String> {
    let words: Vec<&str> = clause.split(' ').collect();
    let (verb, rest) = words.split_first()?;
    let (verb, rest) = (lower(verb), rest.to_vec());
    let asking = Asking::of(&verb)?;
    let first = lower(rest.first()?);
    if offers_a_choice(clause, asking) {
        return None;
    }
    let behind_topic = |statement: String| match topic {
        Some(topic) if says_where(topic) => format!("{}, {statement}", capitalised(topic)),
        Some(topic) => format!("{}: {statement}", capitalised(topic)),
        None => capitalised(&statement),
    };
    if first == "there" && asking == Asking::Be {
        let thing: Vec<String> = rest[1..].iter().map(|it| affirmed(it)).collect();
        let said = (!thing.is_empty()).then(|| format!("there {verb} {}", thing.join(" ")))?;
        return Some(ended(&behind_topic(said)));
    }
    if first == "it" && asking == Asking::Be && is_empty_it(&rest) {
        return Some(ended(&behind_topic(format!("it {verb} {}", rest[1..].join(" ")))));
    }
    // "It costs money to ...": nothing is meant by "it".
    let verb_of_it = rest.get(1).map(|it| lower(it)).unwrap_or_default();
    let says_what = rest.iter().skip(3).any(|it| lower(it) == "to");
    if first == "it" && WORDS.empty_it_verbs.contains(&verb_of_it) && says_what {
        return said(asking, &verb, &rest, 1).map(|it| ended(&behind_topic(it)));
    }
    let (rest, behind) = match topic {
        // What the clause points at is named before it.
        Some(topic) if is_pronoun(&first) => {
            if is_declared(topic) || (first == "they") != is_several(topic) {
                return None;
            }
            let named = topic.split(' ').chain(rest[1..].iter().copied()).collect::<Vec<_>>();
            let end = topic.split(' ').count();
            return said(asking, &verb, &named, end).map(|it| ended(&capitalised(&it)));
        }
        _ if WORDS.unnamed.contains(&first) => return None,
        _ => (rest, behind_topic),
    };
    let end = subject_end(asking, &rest)?;
    said(asking, &verb, &rest, end).map(|it| ended(&behind(it)))
}

/// The statement: the subject, the verb, and the rest.
fn said(asking: Asking, verb: &str, words: &[&str], end: usize) -> Option<String> {
    let (subject, rest) = words.split_at(end);
    if rest.is_empty() {
        return None;
    }
    // "Anyone can" says more than "someone can"; after other verbs "any" is "some".
    let affirmed =
        |it: &&str| if asking == Asking::Modal { (*it).to_owned() } else { affirmed(it) };
    let subject: Vec<String> = subject.iter().map(affirmed).collect();
    let mut rest: Vec<String> =
        rest.iter().filter(|it| lower(it) != "ever").map(affirmed).collect();
    let denied = rest.first().is_some_and(|it| lower(it) == "not");
    if asking == Asking::Do && !denied {
        let at = rest.iter().position(|it| !is_adverb(&lower(it)))?;
        let plain = lower(&rest[at]);
        let tail = rest[at].get(plain.len()..).unwrap_or_default().to_owned();
        rest[at] = match verb {
            "does" => third_person(&plain),
            "did" => past(&plain),
            _ => plain,
        } + &tail;
        return Some(format!("{} {}", subject.join(" "), rest.join(" ")));
    }
    Some(format!("{} {verb} {}", subject.join(" "), rest.join(" ")))
}

/// Where the subject ends.
fn subject_end(asking: Asking, words: &[&str]) -> Option<usize> {
    let plain: Vec<String> = words.iter().map(|it| lower(it)).collect();
    if matches!(plain[0].as_str(), "we" | "you" | "everyone" | "somebody" | "people") {
        return (plain.len() > 1 && !WORDS.joins.contains(&plain[1])).then_some(1);
    }
    let end = match asking {
        Asking::Do | Asking::Modal => plain_verb(words, &plain)?,
        Asking::Be => predicate(words, &plain)?,
        Asking::Have => participle(&plain)?,
    };
    let adverbs = plain[1..end].iter().rev().take_while(|it| is_adverb(it)).count();
    let end = end - adverbs;
    // The end lies behind a relative clause, or inside it.
    let relative = plain[..end].iter().any(|it| matches!(it.as_str(), "who" | "that" | "which"));
    if relative && matches!(asking, Asking::Be | Asking::Have) {
        return None;
    }
    // A subject cannot end so, and brackets are not cut.
    let open = words[..end].join(" ");
    let listed = !open.contains(',') || plain[..end].iter().any(|it| it == "and" || it == "or");
    let whole = open.matches('(').count() == open.matches(')').count() && listed;
    (end > 0 && whole && !WORDS.joins.contains(&plain[end - 1]) && !open.ends_with(','))
        .then_some(end)
}

/// The plain form of a verb behind the subject.
fn plain_verb(words: &[&str], plain: &[String]) -> Option<usize> {
    let (mut clear, mut doubtful, mut nouns) = (Vec::new(), Vec::new(), Vec::new());
    let mut inside = false;
    for at in 1..plain.len() {
        let (word, before) = (plain[at].as_str(), plain[at - 1].as_str());
        if matches!(word, "who" | "that" | "which" | "whose" | "where") {
            inside = true;
            continue;
        }
        if WORDS.conjunctions.contains(word)
            && !(clear.is_empty() && doubtful.is_empty() && nouns.is_empty())
        {
            break;
        }
        let known = CLEAR_VERBS.contains(word)
            || WORDS.doubtful.contains(word)
            || WORDS.nouns.contains(word);
        if inside {
            // The first verb of a relative clause ends it.
            inside = !(known || Asking::of(word).is_some() || word.ends_with("ed"));
            continue;
        }
        if !known || WORDS.joins.contains(before) && before != "not" || words[at - 1].ends_with(',')
        {
            continue;
        }
        let next = plain.get(at + 1).map_or("", String::as_str);
        if CLEAR_VERBS.contains(word) {
            clear.push(at);
        } else if next != "of" && !is_any_verb(next) {
            if WORDS.doubtful.contains(word) { doubtful.push(at) } else { nouns.push(at) }
        } else if WORDS.doubtful.contains(word) && WORDS.nouns.contains(next) {
            doubtful.push(at);
        }
    }
    let is_object = |at: usize| {
        plain
            .get(at + 1)
            .is_some_and(|it| matches!(it.as_str(), "the" | "a" | "an" | "their" | "its"))
    };
    if let Some(first) = clear.first() {
        // "Does stress cause the heart ...": an object before the verb means that the verb came earlier.
        let earlier = doubtful.iter().chain(&nouns).any(|it| it < first && is_object(*it));
        return (!earlier).then_some(*first);
    }
    match (doubtful.first(), &nouns[..]) {
        (Some(first), _) => Some(*first),
        (None, [only]) => Some(*only),
        _ => None,
    }
}

fn is_any_verb(word: &str) -> bool {
    CLEAR_VERBS.contains(word) || WORDS.doubtful.contains(word) || WORDS.nouns.contains(word)
}

/// What is said of a subject after "is".
fn predicate(words: &[&str], plain: &[String]) -> Option<usize> {
    let next = |at: usize| plain.get(at + 1).map_or("", String::as_str);
    let ends = |at: usize| {
        let next = next(at);
        next.is_empty()
            || words[at].ends_with(',')
            || WORDS.after_predicates.contains(next)
            || next.ends_with("ly")
    };
    let fits = |at: &usize| !WORDS.joins.contains(&plain[at - 1]) || is_adverb(&plain[at - 1]);
    let places = || (1..plain.len()).filter(fits);
    let is_clear = |at: &usize| match plain[*at].as_str() {
        // "more effective than", "as safe as", "one of", "part of"
        "as" => plain[at + 1..].iter().skip(1).take(4).any(|it| it == "as"),
        "more" | "less" | "still" => !next(*at).is_empty() && next(*at) != "than",
        "one" | "part" => next(*at) == "of",
        "worth" => true,
        word => WORDS.predicates.contains(word) && ends(*at),
    };
    let clear: Vec<usize> = places().filter(is_clear).collect();
    let article = |at: &usize| {
        matches!(plain[*at].as_str(), "a" | "an" | "the")
            && !words[at - 1].ends_with(',')
            && (plain[at - 1] == "still" || !WORDS.joins.contains(&plain[at - 1]))
    };
    // "Is the film The Train a true story": the name may have an article of its own.
    let things: Vec<usize> = places().filter(article).collect();
    let thing = match things[..] {
        [first, second] if plain[first] == "the" && plain[second] != "the" => Some(second),
        [first, ..] => Some(first),
        [] => None,
    };
    let thing = match thing {
        Some(at) => Some(before_link(plain, at)?),
        None => None,
    };
    match (clear.first(), thing) {
        (Some(first), Some(thing)) if thing < *first => return Some(thing),
        (Some(first), _) => {
            // "treatment recommended by doctors effective": the first may only describe the subject.
            let linked = |at: &usize| {
                matches!(plain[at - 1].as_str(), "and" | "or" | "but" | "be" | "been")
                    || is_adverb(&plain[at - 1])
                    || is_adverb(&plain[*at])
            };
            let others = clear[1..].iter().filter(|it| !linked(it)).count();
            return (others == 0).then_some(*first);
        }
        (None, Some(thing)) => return Some(thing),
        (None, None) => {}
    }
    // Nothing certain: the only place where a predicate could begin.
    let participle = |at: &usize| {
        let word = plain[*at].as_str();
        let made = word.ends_with("ed") && word.len() > 4 || is_done(word);
        made && ends(*at) || word.ends_with("ing") && word.len() > 5 && !ends(*at)
    };
    let where_it_is = |at: &usize| {
        let place = matches!(plain[*at].as_str(), "in" | "on" | "at" | "from" | "under");
        place
            && matches!(next(*at), "the" | "danger" | "risk" | "high" | "use" | "need" | "a" | "an")
    };
    let possible: Vec<usize> = places().filter(|it| participle(it) || where_it_is(it)).collect();
    let inner: Vec<usize> = possible.iter().copied().filter(|it| participle(it)).collect();
    match (&inner[..], &possible[..]) {
        ([only], [first, ..]) if only == first => Some(*only),
        ([], [only]) => Some(*only),
        _ => None,
    }
}

/// Where what is said begins if it ends with an article: "considered a", "going to be a". Nothing if that is not clear.
fn before_link(plain: &[String], article: usize) -> Option<usize> {
    let before = plain[article - 1].as_str();
    if before == "be" {
        let from =
            plain[..article].iter().position(|it| matches!(it.as_str(), "going" | "supposed"));
        return from.filter(|it| *it > 0);
    }
    let at = article - usize::from(WORDS.linking.contains(before));
    (at > 0).then_some(at)
}

/// What has been done, behind the subject.
fn participle(plain: &[String]) -> Option<usize> {
    let been = (1..plain.len()).find(|at| matches!(plain[*at].as_str(), "been" | "ever"));
    been.or_else(|| {
        let fits = |at: &usize| {
            let word = plain[*at].as_str();
            let made = word.ends_with("ed") && word.len() > 4 || is_done(word);
            made && !WORDS.joins.contains(&plain[at - 1])
        };
        let mut places = (1..plain.len()).filter(fits);
        places.next().filter(|_| places.next().is_none())
    })
}

fn is_done(word: &str) -> bool {
    WORDS.irregular.iter().any(|it| it[2] == word)
}

/// "Is it safe or dangerous?", "Does it raise or lower prices?"
fn offers_a_choice(clause: &str, asking: Asking) -> bool {
    if !clause.contains(" or ") {
        return false;
    }
    let (found, _) = directed(clause);
    let asks_again =
        |it: &str| it.split(' ').next().is_some_and(|it| Asking::of(&lower(it)).is_some());
    clause.split(" or ").skip(1).any(asks_again)
        || asking == Asking::Be && !clause.contains(" with ") && !clause.contains(" for ")
        || found.iter().any(|it| found.contains(&it.opposite()))
}

/// Whether a text asks which, why or how, wherever that begins.
fn asks_openly(body: &str) -> bool {
    let clauses =
        [": ", ". ", ", ", " - "].iter().filter_map(|it| body.rsplit_once(it)).map(|it| it.1);
    std::iter::once(body).chain(clauses).any(|clause| {
        let mut words = clause.split(' ').map(lower);
        let first = words.next().unwrap_or_default();
        let second = words.next().unwrap_or_default();
        WORDS.open.contains(&first) || WORDS.joins.contains(&first) && WORDS.open.contains(&second)
    })
}

/// Whether words before a question mark are in the order of a statement: "Aspirin does not prevent strokes?"
fn is_declared(body: &str) -> bool {
    let plain: Vec<String> = body.split(' ').map(lower).collect();
    let inside =
        |it: &String| matches!(it.as_str(), "who" | "that" | "which" | "whose" | "whether");
    let verbs = plain.iter().enumerate().skip(1).filter(|(at, word)| {
        let base = word.strip_suffix("es").or_else(|| word.strip_suffix('s')).unwrap_or_default();
        let made = word.strip_suffix('s').is_some_and(|it| CLEAR_VERBS.contains(it))
            || CLEAR_VERBS.contains(base);
        (made || Asking::of(word).is_some()) && !WORDS.joins.contains(&plain[at - 1])
    });
    !body.contains([':', ',']) && !plain.iter().any(inside) && verbs.count() == 1
}

fn is_empty_it(words: &[&str]) -> bool {
    let plain: Vec<String> = words.iter().map(|it| lower(it)).collect();
    let said = plain.iter().skip(1).find(|it| !is_adverb(it));
    let goes_on =
        plain.iter().skip(2).any(|it| matches!(it.as_str(), "to" | "that" | "for" | "the"));
    said.is_some_and(|it| WORDS.empty_it.contains(it)) && goes_on
}

fn is_pronoun(word: &str) -> bool {
    matches!(word, "it" | "they")
}

/// "They" needs several things before it: a plural, or two.
fn is_several(topic: &str) -> bool {
    let head = [" of ", " in ", " for ", " with ", " from ", " after ", " among ", " to "];
    let end = head.iter().filter_map(|it| topic.find(it)).min().unwrap_or(topic.len());
    let several = topic[..end].contains(" and ") || topic[..end].contains(" vs ");
    several
        || topic[..end].ends_with('s')
            && !topic[..end].ends_with("ss")
            && !topic[..end].ends_with("is")
}

fn is_adverb(word: &str) -> bool {
    let made = word.len() > 4 && word.ends_with("ly") && !is_any_verb(word);
    made && !matches!(word, "early" | "daily" | "family" | "elderly" | "supply" | "assembly")
        || WORDS.adverbs.contains(word)
}

/// What a question leaves open a statement says: "any evidence" is "some evidence".
fn affirmed(word: &str) -> String {
    match word {
        "any" => "some".to_owned(),
        "anyone" => "someone".to_owned(),
        "anybody" => "somebody".to_owned(),
        "anything" => "something".to_owned(),
        _ => word.to_owned(),
    }
}

fn lower(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn ended(statement: &str) -> String {
    let statement = statement.replace(" or not", "");
    format!("{}.", capitalised(statement.trim_end_matches(['.', ',', ' '])))
}
