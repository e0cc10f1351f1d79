//! Which nodes a reference means: the same file first, then the same manual, then a file it names.

use std::collections::HashMap;

use super::file::ManualFile;
use super::index::Snapshot;
use super::pointers::Target;
use super::query::pieces::{Script, script};
use super::query::{Label, dotted, label_at};
use crate::normal_form::{Loose, normalised};

/// A node by the number of its file and its own.
pub(crate) type NodeId = (u32, u32);

/// The titles of all nodes, by what they are called.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    by_label: HashMap<Label, Vec<NodeId>>,
    /// Without their numbers, and loose.
    by_name: HashMap<String, Vec<NodeId>>,
    /// What each file is called, loose, with its number.
    files: Vec<(String, u32)>,
}

/// Shorter names are in too many sentences.
const SHORTEST_NAME: usize = 2;
/// 毒薬の例に準ずる means what is written about 毒薬.
const FILLERS: [&str; 6] = ["の例", "の規定", "の取扱い", "の扱い", "の定め", "の場合"];
/// English sentences begin with more words than titles have.
const SHORTEST_BEGINNING: usize = 6;
/// Headings that have a number and no word for it.
const NUMBERED: &str = "#";

impl Titles {
    pub(crate) fn new(files: &[std::sync::Arc<ManualFile>]) -> Self {
        let mut all = Self::default();
        for (file_number, file) in (0_u32..).zip(files) {
            for (node_number, title) in (0_u32..).zip(&file.titles) {
                let id = (file_number, node_number);
                let (label, name) = read_title(title);
                if let Some(label) = label {
                    all.by_label.entry(label).or_default().push(id);
                }
                let name = loose(name);
                if name.chars().count() >= SHORTEST_NAME {
                    all.by_name.entry(name).or_default().push(id);
                }
            }
            if let Some(node) = file.title_node() {
                let name = loose(read_title(&file.titles[node]).1);
                if name.chars().count() >= SHORTEST_NAME {
                    all.files.push((name, file_number));
                }
            }
        }
        all
    }

    /// The nodes that a reference on a line of a file means.
    pub(crate) fn resolve(
        &self,
        snapshot: &Snapshot,
        file: usize,
        line: u32,
        target: &Target,
    ) -> Vec<NodeId> {
        let here = file as u32;
        let from = snapshot.files[file].node_at(line);
        let mut found = match target {
            Target::Label { label, before } => match self.file_named(snapshot, file, before) {
                Some(other) => {
                    self.labelled(label).into_iter().filter(|it| it.0 == other).collect()
                }
                None => self.nearest(snapshot, here, self.labelled(label)),
            },
            Target::Number(number) => {
                let label = Label { unit: NUMBERED.to_owned(), number: number.clone() };
                self.labelled(&label).into_iter().filter(|it| it.0 == here).collect()
            }
            Target::Neighbour { unit, steps } => {
                neighbour(&snapshot.files[file], here, from, unit, *steps)
            }
            Target::AllBefore { unit } => all_before(&snapshot.files[file], here, from, unit),
            Target::Quoted(text) => self.quoted(snapshot, here, text),
            Target::Ends(text) => self.ending(here, text),
            Target::Begins(text) => self.beginning(snapshot, here, text),
            Target::Link { path, anchor } => linked(snapshot, file, path, anchor),
        };
        found.retain(|it| *it != (here, from as u32));
        found.dedup();
        found
    }

    /// The nodes of a label wherever they are: for requests, which are in no file.
    pub(crate) fn labelled(&self, label: &Label) -> Vec<NodeId> {
        let of = |label: &Label| self.by_label.get(label).cloned().unwrap_or_default();
        let exact = of(label);
        if !exact.is_empty() {
            return exact;
        }
        if label.number.is_empty() {
            let mut all: Vec<NodeId> = self
                .by_label
                .iter()
                .filter(|(it, _)| it.unit == label.unit)
                .flat_map(|(_, it)| it.clone())
                .collect();
            all.sort_unstable();
            return all;
        }
        // `section 4.2` and 第4章 may be a heading that only has the number.
        let plain = [
            "section", "sections", "chapter", "article", "part", "clause", "§", "章", "節", "編",
            "部",
        ];
        let numbered = Label { unit: NUMBERED.to_owned(), number: label.number.clone() };
        if plain.contains(&label.unit.as_str()) { of(&numbered) } else { Vec::new() }
    }

    /// Those of the same file, or else of the same manual.
    fn nearest(&self, snapshot: &Snapshot, here: u32, all: Vec<NodeId>) -> Vec<NodeId> {
        let in_file: Vec<NodeId> = all.iter().copied().filter(|it| it.0 == here).collect();
        if !in_file.is_empty() {
            return in_file;
        }
        let manual = &snapshot.files[here as usize].manual;
        all.into_iter().filter(|it| &snapshot.files[it.0 as usize].manual == manual).collect()
    }

    /// 旅費規程第5条, 「旅費規程」第5条: another file by its title.
    fn file_named(&self, snapshot: &Snapshot, file: usize, before: &str) -> Option<u32> {
        let before = before.trim_end_matches(['」', '"', ' ', 'の', ',', '(']);
        let before = loose(before);
        let named = self
            .files
            .iter()
            .filter(|(name, it)| *it as usize != file && before.ends_with(name.as_str()));
        let manual = &snapshot.files[file].manual;
        let rank =
            |it: &&(String, u32)| (snapshot.files[it.1 as usize].manual == *manual, it.0.len());
        named.max_by_key(rank).map(|it| it.1)
    }

    /// A title in quotes.
    fn quoted(&self, snapshot: &Snapshot, here: u32, text: &str) -> Vec<NodeId> {
        let found =
            self.by_name.get(&loose(read_title(text.trim()).1)).cloned().unwrap_or_default();
        let near = self.nearest(snapshot, here, found.clone());
        if near.is_empty() { found } else { near }
    }

    /// The longest title of the same file with which a text ends.
    fn ending(&self, here: u32, text: &str) -> Vec<NodeId> {
        let name = read_title(text.trim()).1;
        let name = FILLERS.iter().find_map(|it| name.strip_suffix(it)).unwrap_or(name);
        let name = loose(name);
        let inside =
            |it: char| matches!(script(it), Script::Kanji | Script::Katakana | Script::Latin);
        for (start, first) in name.char_indices() {
            // A title that begins in the middle of a word is another word.
            let cuts = inside(first) && name[..start].ends_with(inside);
            let part = &name[start..];
            if cuts || part.chars().count() < SHORTEST_NAME {
                continue;
            }
            if let Some(found) = self.by_name.get(part) {
                return found.iter().copied().filter(|it| it.0 == here).collect();
            }
        }
        Vec::new()
    }

    /// The longest title with which a text begins.
    fn beginning(&self, snapshot: &Snapshot, here: u32, text: &str) -> Vec<NodeId> {
        let name = loose(read_title(text).1);
        let ends: Vec<usize> = name.char_indices().map(|(at, _)| at).chain([name.len()]).collect();
        for end in ends.into_iter().rev() {
            if name[..end].chars().count() < SHORTEST_BEGINNING {
                break;
            }
            if let Some(found) = self.by_name.get(&name[..end]) {
                return self.nearest(snapshot, here, found.clone());
            }
        }
        Vec::new()
    }
}

/// A title's label and its name: 第3条(目的) is article 3 and 目的.
fn read_title(title: &str) -> (Option<Label>, &str) {
    let trimmed = title.trim_start_matches(['[', '<', ' ']);
    let (label, rest) = match label_at(trimmed, 0) {
        Some((length, label)) => (Some(label), &trimmed[length..]),
        None => match dotted(trimmed) {
            Some(number) => {
                let rest = &trimmed[number.len()..];
                let counted = rest.starts_with(|it: char| it.is_alphanumeric());
                let label = Label { unit: NUMBERED.to_owned(), number: number.to_owned() };
                if counted { (None, trimmed) } else { (Some(label), rest) }
            }
            None => (None, trimmed),
        },
    };
    (label, rest.trim_matches(|it: char| !it.is_alphanumeric() && it != '「'))
}

fn loose(text: &str) -> String {
    Loose::new(text).text.chars().filter(|it| it.is_alphanumeric() || *it == 'ー').collect()
}

/// The label of this unit that a node is under.
fn neighbour(file: &ManualFile, here: u32, from: usize, unit: &str, steps: i32) -> Vec<NodeId> {
    let numbered = units(file, unit);
    let own = std::iter::once(from)
        .chain(file.above(from))
        .find_map(|it| numbered.binary_search(&it).ok());
    let Some(own) = own.and_then(|it| i32::try_from(it).ok()) else { return Vec::new() };
    let target = usize::try_from(own + steps).ok().and_then(|it| numbered.get(it));
    target.map(|it| (here, *it as u32)).into_iter().collect()
}

fn all_before(file: &ManualFile, here: u32, from: usize, unit: &str) -> Vec<NodeId> {
    let parent = file.nodes[from].parent;
    let same = |it: &&usize| **it < from && file.nodes[**it].parent == parent;
    units(file, unit).iter().filter(same).map(|it| (here, *it as u32)).collect()
}

/// The nodes whose titles are labels of a unit.
fn units(file: &ManualFile, unit: &str) -> Vec<usize> {
    let has = |title: &str| read_title(title).0.is_some_and(|it| it.unit == unit);
    (0..file.nodes.len()).filter(|it| has(&file.titles[*it])).collect()
}

/// A file of the same manual, and the heading whose anchor it is.
fn linked(snapshot: &Snapshot, file: usize, path: &str, anchor: &str) -> Vec<NodeId> {
    let from = &snapshot.files[file];
    let target = if path.is_empty() {
        Some(file)
    } else {
        let folder = from.path.rsplit_once('/').map_or("", |it| it.0);
        let mut parts: Vec<&str> = folder.split('/').filter(|it| !it.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() {
                        return Vec::new();
                    }
                }
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        // Links were normalised with the text around them; so are the names they are compared with.
        snapshot
            .files
            .iter()
            .position(|it| it.manual == from.manual && normalised(&it.path) == path)
    };
    let Some(target) = target else { return Vec::new() };
    let file = &snapshot.files[target];
    if anchor.is_empty() {
        return file.title_node().map(|it| (target as u32, it as u32)).into_iter().collect();
    }
    let wanted = slug(anchor);
    let found = file.titles.iter().position(|it| slug(it) == wanted);
    found.map(|it| (target as u32, it as u32)).into_iter().collect()
}

/// The anchor of a heading: letters, digits and hyphens.
fn slug(title: &str) -> String {
    let kept =
        title.chars().filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_' | 'ー'));
    kept.map(|it| if it == ' ' { '-' } else { it }).collect()
}
