//! The manuals and the vault of a session, for the command line and for assistants alike.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use jiff::Timestamp;
use library::{
    FindAnswer, FindRequest, LibrarySettings, ManualOptions, Manuals, Moment, Place, Result,
    Section, Vault,
};
use models::Embedder;

use crate::session::Session;

/// The manuals and the vault.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) manuals: Manuals,
    pub(crate) vault: Vault,
    /// The folder of the manuals, from which the vault copies.
    pub(crate) manuals_root: PathBuf,
    /// What sections mean, by their beginnings: computed once.
    vectors: Mutex<HashMap<String, Vec<f32>>>,
    semantic_sections: usize,
    semantic_chars: usize,
}

impl Session {
    /// The manuals and the vault: as given, else as the settings say.
    pub(crate) fn library(&self, manuals: Option<&Path>, vault: Option<&Path>) -> Library {
        let settings: &LibrarySettings = &self.settings.library;
        let data_dir = &self.places.data_dir;
        let manuals_root = manuals.map_or_else(|| settings.manuals_in(data_dir), Path::to_path_buf);
        let vault = vault.map_or_else(|| settings.vault_in(data_dir), Path::to_path_buf);
        Library {
            manuals: Manuals::new(ManualOptions {
                root: manuals_root.clone(),
                state: self.places.library_state(),
                dictionaries: Some(self.places.dictionaries()),
                settings: settings.manual_settings(),
            }),
            vault: Vault::new(&vault, settings.vault_options()),
            manuals_root,
            vectors: Mutex::default(),
            semantic_sections: settings.semantic_sections,
            semantic_chars: settings.semantic_chars,
        }
    }
}

impl Library {
    /// Does something that needs to know the time.
    pub(crate) fn at<T>(&self, now: Timestamp, work: impl FnOnce(&Moment<'_>) -> T) -> T {
        let started = Instant::now();
        work(&Moment { now_ms: now.as_millisecond(), elapsed: &|| started.elapsed() })
    }

    /// `manual_find`; with a model, what is near in meaning comes after everything else.
    pub(crate) fn find(
        &self,
        request: &FindRequest,
        moment: &Moment<'_>,
        embedder: Option<&dyn Embedder>,
    ) -> Result<FindAnswer> {
        let Some(embedder) = embedder else { return self.manuals.find(request, moment) };
        let sections = self.manuals.sections()?;
        let wanted =
            |it: &&Section| request.manual_id.as_ref().is_none_or(|id| it.place.manual == *id);
        let sections: Vec<&Section> = sections.iter().filter(wanted).collect();
        let near = |query: &str| self.near(&sections, query, embedder);
        self.manuals.find_with(request, moment, Some(&near))
    }

    /// Sections by how near they are to a request, the nearest first. Nothing where the model cannot read the request.
    fn near(
        &self,
        sections: &[&Section],
        query: &str,
        embedder: &dyn Embedder,
    ) -> Vec<(Place, f64)> {
        if !embedder.languages().admit(&text::language::detect(query)) {
            return Vec::new();
        }
        let heads: Vec<(&Section, String)> = sections
            .iter()
            .take(self.semantic_sections)
            .map(|it| (*it, self.head(it)))
            .filter(|(_, head)| embedder.languages().admit(&text::language::detect(head)))
            .collect();
        let mut vectors = self.vectors.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh: Vec<&str> = heads
            .iter()
            .map(|(_, head)| head.as_str())
            .filter(|it| !vectors.contains_key(*it))
            .collect();
        // A model that fails adds no candidates; the fixed ones are there.
        let Ok(embedded) = embedder.embed(&fresh) else { return Vec::new() };
        let embedded: Vec<(String, Vec<f32>)> =
            fresh.into_iter().map(str::to_owned).zip(embedded).collect();
        vectors.extend(embedded);
        let Some(own) = embedder.embed(&[query]).ok().and_then(|mut it| it.pop()) else {
            return Vec::new();
        };
        let mut near: Vec<(Place, f64)> = heads
            .iter()
            .filter_map(|(section, head)| {
                let likeness = judge::cosine(&own, vectors.get(head)?)?;
                Some((section.place.clone(), likeness))
            })
            .collect();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near
    }

    /// What a section is about: its headings and how it begins.
    fn head(&self, section: &Section) -> String {
        let text: String = section.text.chars().take(self.semantic_chars).collect();
        format!("{}\n{text}", section.path.join(" "))
    }
}
