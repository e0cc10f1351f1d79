//! Where a path leads: links are followed here, one name at a time, and never out of the root.
//!
//! What a path resolves to is judged again like a path a client named, so a link into `.system/` or to a
//! daily note allows no more than its target does.

use std::collections::VecDeque;
use std::io;
use std::path::{Component, Path};

use super::atomic::Target;
use super::folder::{Entry, Folder};
use crate::paths::{SafePath, fold};
use crate::{LibraryError, Refusal, Result};

/// A longer chain of links is taken for a circle; the kernel's number.
const LINKS: usize = 40;

/// A root that was opened for one call.
#[derive(Debug)]
pub(crate) struct Root<'a> {
    pub(crate) folder: Folder,
    /// Where it really is: an absolute link may lead back into it.
    pub(crate) path: &'a Path,
}

/// Where a path leads: an open folder and a name in it, with folders between that are still to be made.
#[derive(Debug)]
pub(crate) struct ResolvedFile {
    /// The deepest folder that is there.
    pub(crate) folder: Folder,
    /// Folders below it that are not.
    pub(crate) missing: Vec<String>,
    pub(crate) name: String,
    /// Where the path leads once links are followed.
    pub(crate) path: SafePath,
    pub(crate) exists: bool,
}

impl Root<'_> {
    /// Follows the path of a file.
    pub(crate) fn resolve(&self, asked: &SafePath) -> Result<ResolvedFile> {
        let walk = Walk::to(self, asked)?;
        let mut names = walk.names();
        let (exists, mut missing) = match walk.end {
            End::File(name) => (true, vec![name]),
            End::Missing(missing) => (false, missing),
            End::Folder => {
                return Err(refused(asked, "it is a folder, not a file"));
            }
        };
        names.extend(missing.iter().cloned());
        let path = SafePath::file(&names.join("/"))?;
        let name = missing.pop().expect("the file itself was put there last");
        Ok(ResolvedFile { folder: last(walk.folders), missing, name, path, exists })
    }

    /// Finds a folder; `None` where nothing has its name.
    pub(crate) fn folder(&self, asked: &SafePath) -> Result<Option<(Folder, SafePath)>> {
        let walk = Walk::to(self, asked)?;
        let path = SafePath::folder(&walk.names().join("/"))?;
        match walk.end {
            End::Folder => Ok(Some((last(walk.folders), path))),
            End::Missing(_) => Ok(None),
            End::File(_) => Err(refused(asked, "it is a file, not a folder")),
        }
    }
}

impl ResolvedFile {
    pub(crate) fn target(&self) -> Target<'_> {
        Target { folder: &self.folder, name: &self.name, path: self.path.as_str() }
    }

    /// Refuses a new name that some systems could not keep apart from one that is there.
    pub(crate) fn check_twins(&self) -> Result<()> {
        let new = self.missing.first().unwrap_or(&self.name);
        let names =
            self.folder.names().map_err(|it| failed("list the folder of", &self.path, it))?;
        match names.into_iter().find(|it| it != new && fold(it) == fold(new)) {
            None => Ok(()),
            Some(twin) => Err(Refusal::Conflict.because(format!(
                "{}: some systems cannot tell {new} from {twin}, which is there",
                self.path
            ))),
        }
    }

    /// Makes the folders that are missing and moves into them.
    pub(crate) fn make_folders(&mut self) -> Result<()> {
        for name in std::mem::take(&mut self.missing) {
            let next = self
                .folder
                .make_folder(&name)
                .and_then(|()| self.folder.sync())
                .and_then(|()| self.folder.folder(&name));
            self.folder = next.map_err(|it| failed("make a folder for", &self.path, it))?;
        }
        Ok(())
    }
}

pub(crate) fn failed(doing: &'static str, path: &SafePath, source: io::Error) -> LibraryError {
    LibraryError::Io { doing, path: path.to_string(), source }
}

fn refused(path: &SafePath, problem: &str) -> LibraryError {
    Refusal::InvalidPath.because(format!("{path}: {problem}"))
}

fn last(mut folders: Vec<(String, Folder)>) -> Folder {
    folders.pop().expect("the root is never taken off").1
}

/// A path on its way through the folders.
struct Walk<'a> {
    asked: &'a SafePath,
    root: &'a Root<'a>,
    /// Names still to go, each with whether a link brought it.
    ahead: VecDeque<(String, bool)>,
    /// The open folders from the root, which has no name, to here.
    folders: Vec<(String, Folder)>,
    end: End,
    links: usize,
}

enum End {
    Folder,
    File(String),
    Missing(Vec<String>),
}

impl<'a> Walk<'a> {
    fn to(root: &'a Root<'a>, asked: &'a SafePath) -> Result<Self> {
        let start = root.folder.again().map_err(|it| failed("open the folder of", asked, it))?;
        let mut walk = Self {
            asked,
            root,
            ahead: asked.names().map(|it| (it.to_owned(), false)).collect(),
            folders: vec![(String::new(), start)],
            end: End::Folder,
            links: 0,
        };
        while let Some((name, linked)) = walk.ahead.pop_front() {
            walk.step(name, linked)?;
        }
        Ok(walk)
    }

    fn names(&self) -> Vec<String> {
        self.folders.iter().skip(1).map(|(name, _)| name.clone()).collect()
    }

    fn step(&mut self, name: String, linked: bool) -> Result<()> {
        match (&mut self.end, &*name) {
            (End::Folder, "..") => match self.folders.len() {
                1 => return Err(self.leaves()),
                _ => drop(self.folders.pop()),
            },
            (End::Folder, _) => self.enter(name, linked)?,
            (End::File(_), _) => {
                return Err(refused(self.asked, "a part of it is a file, not a folder"));
            }
            (End::Missing(_), "..") => return Err(self.leads_nowhere()),
            (End::Missing(missing), _) => missing.push(name),
        }
        Ok(())
    }

    fn enter(&mut self, name: String, linked: bool) -> Result<()> {
        let here = &self.folders.last().expect("the root is never taken off").1;
        let entry = here.entry(&name).map_err(|it| failed("look at", self.asked, it))?;
        match entry {
            Entry::File => self.end = End::File(name),
            Entry::Folder => {
                let next = here.folder(&name).map_err(|it| failed("open", self.asked, it))?;
                self.folders.push((name, next));
            }
            Entry::Missing if linked => return Err(self.leads_nowhere()),
            Entry::Missing => self.end = End::Missing(vec![name]),
            Entry::Link(target) => self.follow(target.as_deref())?,
            Entry::Other => return Err(refused(self.asked, "it is neither a file nor a folder")),
        }
        Ok(())
    }

    fn follow(&mut self, target: Option<&str>) -> Result<()> {
        self.links += 1;
        let target = match target {
            Some(target) if self.links <= LINKS => Path::new(target),
            _ => return Err(self.leads_nowhere()),
        };
        let target = match target.has_root() || target.is_absolute() {
            false => target,
            true => {
                let inside = target.strip_prefix(self.root.path).map_err(|_| self.leaves())?;
                self.folders.truncate(1);
                inside
            }
        };
        for part in target.components().rev() {
            let name = match part {
                Component::Normal(name) => name.to_str().ok_or_else(|| self.leads_nowhere())?,
                Component::ParentDir => "..",
                Component::CurDir => continue,
                Component::Prefix(_) | Component::RootDir => return Err(self.leaves()),
            };
            self.ahead.push_front((name.to_owned(), true));
        }
        Ok(())
    }

    fn leaves(&self) -> LibraryError {
        refused(self.asked, "a link in it leaves the folder")
    }

    fn leads_nowhere(&self) -> LibraryError {
        refused(self.asked, "a link in it leads nowhere")
    }
}
