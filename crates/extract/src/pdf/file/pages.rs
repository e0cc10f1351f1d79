//! The pages of a file, in the order of its tree; by number where the tree is lost.

use std::collections::HashSet;
use std::rc::Rc;

use super::super::object::Object;
use super::{File, Resolved};

/// A page before its content is read.
#[derive(Debug, Clone)]
pub(crate) struct Page {
    pub(crate) object: Rc<Object>,
    /// Its resources where it has none of its own: those of the nearest node above that has.
    pub(crate) inherited: Option<Rc<Object>>,
}

impl File<'_> {
    /// The pages in order, at most `limit`, and how many there are.
    pub(crate) fn pages(&mut self, limit: usize) -> (Vec<Page>, usize) {
        let (pages, count) = self.walk_pages(limit);
        if count > 0 {
            return (pages, count);
        }
        if !self.repaired {
            self.repair();
            let (pages, count) = self.walk_pages(limit);
            if count > 0 {
                return (pages, count);
            }
        }
        self.loose_pages(limit)
    }

    fn walk_pages(&self, limit: usize) -> (Vec<Page>, usize) {
        let mut pages = Vec::new();
        let mut count = 0;
        let mut seen = HashSet::new();
        let root = self.catalogue();
        let mut open: Vec<(Object, Option<Rc<Object>>)> = Vec::new();
        if let Some(top) = root.as_ref().and_then(|it| it.dict()).and_then(|it| it.get("Pages")) {
            open.push((top.clone(), None));
        }
        let mut steps = 0;
        while let Some((node, inherited)) = open.pop() {
            steps += 1;
            if steps > self.max_objects {
                break;
            }
            if let Object::Reference(id) = node
                && !seen.insert(id)
            {
                continue;
            }
            let object = match self.resolve(&node) {
                Resolved::Here(object) => Rc::new(object.clone()),
                Resolved::Loaded(object) => object,
            };
            let Some(dict) = object.dict() else { continue };
            let own = self.get(dict, "Resources").map(|resources| match resources {
                Resolved::Here(object) => Rc::new(object.clone()),
                Resolved::Loaded(object) => object,
            });
            let resources = own.or(inherited);
            match self.get(dict, "Kids") {
                Some(kids) => {
                    let kids = kids.array().unwrap_or_default();
                    let room = self.max_objects.saturating_sub(open.len());
                    let kids = kids.iter().take(room).map(|it| (it.clone(), resources.clone()));
                    let from = open.len();
                    open.extend(kids);
                    open[from..].reverse();
                }
                None if dict.name("Type") != Some(b"Pages") => {
                    count += 1;
                    if pages.len() < limit {
                        pages.push(Page { object: Rc::clone(&object), inherited: resources });
                    }
                }
                None => {}
            }
        }
        (pages, count)
    }

    /// Pages of a file whose tree of pages is lost, by their number.
    fn loose_pages(&self, limit: usize) -> (Vec<Page>, usize) {
        let mut pages = Vec::new();
        let mut count = 0;
        for id in self.ids() {
            let object = self.load(id);
            if object.dict().and_then(|it| it.name("Type")) == Some(b"Page") {
                count += 1;
                if pages.len() < limit {
                    pages.push(Page { object, inherited: None });
                }
            }
        }
        (pages, count)
    }
}
