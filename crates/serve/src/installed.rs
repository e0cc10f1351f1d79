//! The models there are: those the binary carries and those the user added, and which are active.
//!
//! An added model is a folder below `models` in the data directory, named like its id. Which one is
//! active is in `models.toml` beside it; a setting wins over that. When an added model does not
//! work any more, what is built in does its work and the user is told.

mod later;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use models::{
    About, Cascade, Embedder, Kind, Listener, Model, ModelError, ModelFiles, ModelSettings,
    Options, StanceModel, StanceRouter, builtin, describe, load, load_embedder, load_stance,
};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Kind as FailureKind};
use crate::session::Session;
use crate::ui::Ui;
use crate::words::say;

/// Prefix of folders that are being filled; no model may have such a name.
const UNFINISHED: &str = ".adding-";
/// What stands for no decider at all; no model may have this name.
const NO_DECIDER: &str = "none";
/// Longest id of a model, in bytes: it is the name of a folder.
const MAX_ID: usize = 64;

/// What a model is active for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Embedding,
    Stance,
    /// Decides what the stance model gives a side any chance.
    Decider,
}

impl Role {
    /// All of them, in the order they are listed.
    pub(crate) const ALL: [Self; 3] = [Self::Embedding, Self::Stance, Self::Decider];

    /// What a model must be made for to be active in this role.
    fn kind(self) -> Kind {
        match self {
            Self::Embedding => Kind::Embedding,
            Self::Stance | Self::Decider => Kind::Stance,
        }
    }

    /// The role a model of a kind has unless another is asked for.
    fn of(kind: Kind) -> Self {
        match kind {
            Kind::Embedding => Self::Embedding,
            Kind::Stance => Self::Stance,
        }
    }

    /// The setting that decides which model it is.
    fn setting(self, settings: &ModelSettings) -> (&'static str, &str) {
        match self {
            Self::Embedding => ("models.embedding", &settings.embedding),
            Self::Stance => ("models.stance", &settings.stance),
            Self::Decider => ("models.decider", &settings.decider),
        }
    }
}

/// The models of one data directory.
#[derive(Debug)]
pub(crate) struct Installed {
    folder: PathBuf,
    choice: PathBuf,
    settings: ModelSettings,
    listener: Listener,
}

/// One model, as far as it can be told without loading it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) origin: Origin,
    /// What it is, or why it cannot be used.
    pub(crate) about: Result<About, ModelError>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    BuiltIn,
    Added,
}

/// Which models do the work of a role: one that was added, or those that are built in together.
#[derive(Debug)]
pub(crate) struct Active {
    pub(crate) ids: Vec<String>,
    pub(crate) origin: Origin,
    /// Why they are not the one that was chosen.
    pub(crate) instead_of: Option<Failure>,
}

impl Active {
    fn built_in(role: Role, instead_of: Option<Failure>) -> Self {
        let ids = carried(role).into_iter().map(|it| it.id).collect();
        Self { ids, origin: Origin::BuiltIn, instead_of }
    }

    /// Nothing does it: only what decides can be left out.
    fn none() -> Self {
        Self { ids: Vec::new(), origin: Origin::BuiltIn, instead_of: None }
    }

    /// Naming a built-in model means all that are built in for the role: they share the languages out.
    fn of(role: Role, entry: Entry) -> Self {
        match entry.origin {
            Origin::BuiltIn => Self::built_in(role, None),
            Origin::Added => Self { ids: vec![entry.id], origin: Origin::Added, instead_of: None },
        }
    }
}

type Files = Box<dyn Fn() -> models::Result<ModelFiles> + Send + Sync>;

/// The contents of `models.toml`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Choice {
    #[serde(skip_serializing_if = "Option::is_none")]
    embedding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stance: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decider: Option<String>,
}

impl Choice {
    fn of(&mut self, role: Role) -> &mut Option<String> {
        match role {
            Role::Embedding => &mut self.embedding,
            Role::Stance => &mut self.stance,
            Role::Decider => &mut self.decider,
        }
    }
}

impl Installed {
    pub(crate) fn of(session: &Session) -> Self {
        Self {
            folder: session.places.models(),
            choice: session.places.model_choice(),
            settings: session.settings.models.clone(),
            listener: listener(&session.ui),
        }
    }

    /// All models: the built-in ones first, then the added ones by name.
    pub(crate) fn entries(&self) -> Result<Vec<Entry>, Failure> {
        let mut entries: Vec<Entry> = Role::ALL.into_iter().flat_map(carried).collect();
        let found = match fs::read_dir(&self.folder) {
            Ok(found) => found,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(entries),
            Err(error) => return Err(unusable(&self.folder, error)),
        };
        let mut names = Vec::new();
        for file in found {
            let file = file.map_err(|error| unusable(&self.folder, error))?;
            // What was left by a process that ended early, and files of other programs.
            let name = file.file_name().to_string_lossy().into_owned();
            if check_id(&name).is_ok() && file.path().is_dir() {
                names.push(name);
            }
        }
        names.sort();
        entries.extend(names.into_iter().map(|id| Entry {
            about: files_of(&self.folder.join(&id)).and_then(describe),
            origin: Origin::Added,
            id,
        }));
        Ok(entries)
    }

    /// The model of this id, whatever the case of its letters.
    pub(crate) fn find(&self, id: &str) -> Result<Entry, Failure> {
        let same = |it: &Entry| it.id.eq_ignore_ascii_case(id);
        self.entries()?.into_iter().find(same).ok_or_else(|| {
            Failure::new(FailureKind::NotFound, format!("there is no model `{id}`"))
                .hint(|w| &w.hint.model_list)
        })
    }

    /// The model that does the work of a role. A setting that names none of them is refused; a
    /// choice made earlier that cannot be used any more gives way to what is built in.
    pub(crate) fn active(&self, role: Role) -> Result<Active, Failure> {
        let (key, set) = role.setting(&self.settings);
        let is_none = |id: &str| role == Role::Decider && id.eq_ignore_ascii_case(NO_DECIDER);
        if is_none(set) {
            return Ok(Active::none());
        }
        if !set.is_empty() {
            let of_setting = |mut failure: Failure| {
                failure.kind = FailureKind::Config;
                failure.hint(move |w| say!(w.hint.model_setting, key = key))
            };
            let entry = self.usable(set, role.kind()).map_err(of_setting)?;
            return Ok(Active::of(role, entry));
        }
        let chosen = self.choice().map(|mut choice| choice.of(role).take());
        if let Ok(Some(id)) = &chosen
            && is_none(id)
        {
            return Ok(Active::none());
        }
        let entry = chosen.and_then(|id| id.map(|id| self.usable(&id, role.kind())).transpose());
        // What is built in decides for what is built in; it has no word over a model that the user brought.
        let has_word = || {
            role != Role::Decider
                || self.active(Role::Stance).is_ok_and(|it| it.origin == Origin::BuiltIn)
        };
        let instead = |failure| match has_word() {
            true => Active::built_in(role, failure),
            false => Active { instead_of: failure, ..Active::none() },
        };
        Ok(match entry {
            Ok(Some(entry)) => Active::of(role, entry),
            Ok(None) => instead(None),
            Err(failure) => instead(Some(failure)),
        })
    }

    /// How models are loaded.
    fn options(&self) -> Options {
        Options { listener: self.listener.clone(), ..self.settings.options() }
    }

    /// Loads the active model for embeddings; says so when it is not the chosen one.
    pub(crate) fn embedder(&self, session: &Session) -> Result<Arc<dyn Embedder>, Failure> {
        let options = self.options();
        let added =
            self.chosen(session, Role::Embedding, |files| load_embedder(files, &options))?;
        match added {
            Some(model) => Ok(model),
            None => Ok(load_embedder(builtin::embedder_files(), &options)?),
        }
    }

    /// Loads the active stance model; says so when it is not the chosen one.
    pub(crate) fn stance(&self, session: &Session) -> Result<Arc<dyn StanceModel>, Failure> {
        let options = self.options();
        let load = |files| load_stance(files, &options);
        let first = match self.chosen(session, Role::Stance, load)? {
            Some(model) => model,
            None => built_in_stance(&options)?,
        };
        self.decided(first, self.chosen(session, Role::Decider, load)?)
    }

    /// A stance model with a decider behind it, if there is to be one: that which was added, or the built-in one.
    fn decided(
        &self,
        first: Arc<dyn StanceModel>,
        added: Option<Arc<dyn StanceModel>>,
    ) -> Result<Arc<dyn StanceModel>, Failure> {
        let decider = match added {
            Some(decider) => decider,
            None if self.active(Role::Decider)?.ids.is_empty() => return Ok(first),
            None => stance_when_asked(Box::new(|| Ok(builtin::decider_files())), &self.options())?,
        };
        let ask_from = self.settings.ask_decider_from as f32;
        Ok(Arc::new(Cascade::new(first, decider, ask_from)))
    }

    /// The active model for embeddings, which reads its weights when it is first asked something.
    pub(crate) fn embedder_later(&self, session: &Session) -> Result<Arc<dyn Embedder>, Failure> {
        let options = self.options();
        let added = self.unread(session, Role::Embedding)?;
        let files = added.unwrap_or_else(|| Box::new(|| Ok(builtin::embedder_files())));
        let about = describe(files()?)?;
        let load = move || load_embedder(files()?, &options);
        Ok(Arc::new(later::Later::new(about, Box::new(load))))
    }

    /// The active stance models, each of which reads its weights when it is first asked something.
    pub(crate) fn stance_later(&self, session: &Session) -> Result<Arc<dyn StanceModel>, Failure> {
        let options = self.options();
        let first = match self.unread(session, Role::Stance)? {
            Some(added) => stance_when_asked(added, &options)?,
            None => built_in_stance(&options)?,
        };
        let decider = self.unread(session, Role::Decider)?;
        let decider = decider.map(|added| stance_when_asked(added, &options)).transpose()?;
        self.decided(first, decider)
    }

    /// How to get the files of the added model that is active; nothing where the built-in ones are to be used.
    fn unread(&self, session: &Session, role: Role) -> Result<Option<Files>, Failure> {
        let active = self.active(role)?;
        if let Some(failure) = &active.instead_of {
            let instead = &session.ui.words().common.built_in_instead;
            session.ui.warn(&say!(instead, problem = failure.error));
        }
        Ok(self
            .added_folder(&active)
            .map(|folder| -> Files { Box::new(move || files_of(&folder)) }))
    }

    /// Where the active model lies, if it was added.
    fn added_folder(&self, active: &Active) -> Option<PathBuf> {
        match (active.origin, &active.ids[..]) {
            (Origin::Added, [id]) => Some(self.folder.join(id)),
            _ => None,
        }
    }

    /// The added model that is active, loaded; nothing where the built-in one is to be used.
    fn chosen<T>(
        &self,
        session: &Session,
        role: Role,
        load: impl FnOnce(ModelFiles) -> models::Result<T>,
    ) -> Result<Option<T>, Failure> {
        let active = self.active(role)?;
        let failure = match (self.added_folder(&active), active.instead_of) {
            (None, None) => return Ok(None),
            (None, Some(failure)) => failure,
            (Some(folder), _) => match files_of(&folder).and_then(load) {
                Ok(model) => return Ok(Some(model)),
                Err(error) => Failure::from(error),
            },
        };
        let problem = [vec![failure.error.to_string()], failure.causes()].concat().join(": ");
        let instead = &session.ui.words().common.built_in_instead;
        session.ui.warn(&say!(instead, problem = problem));
        Ok(None)
    }

    /// Loads a folder, tries it on a text, and copies it here; returns what it is.
    pub(crate) fn add(&self, source: &Path, id: Option<&str>) -> Result<About, Failure> {
        let files = ModelFiles::from_folder(source)?;
        let digest = models::first_reading_elsewhere(source)?;
        let mut about = describe(files)?;
        if let Some(id) = id {
            about.id = id.to_owned();
        }
        check_id(&about.id).map_err(|problem| {
            Failure::bad_input(format!("the id `{}` {problem}", about.id))
                .hint(|w| &w.hint.model_id)
        })?;
        if self.entries()?.iter().any(|it| it.id.eq_ignore_ascii_case(&about.id)) {
            let id = about.id;
            return Err(Failure::bad_input(format!("there is a model `{id}` already"))
                .hint(move |w| say!(w.hint.model_taken, id = id)));
        }
        try_out(load(ModelFiles::from_folder(source)?, &self.options())?)?;
        let names = ModelFiles::names(source)?;
        let changed = || {
            Failure::bad_input(format!("{} changed while it was copied", source.display()))
                .hint(|w| &w.hint.model_folder)
        };
        let is_same = |copy: &Path| models::digest(copy).is_ok_and(|it| it == digest);
        match self.copy(source, &names, &about.id, is_same) {
            Ok(true) => Ok(about),
            Ok(false) => Err(changed()),
            Err(error) => Err(unusable(&self.folder, error)),
        }
    }

    /// Copies into a folder nobody looks at, then gives it its name: a model is there whole or not
    /// at all.
    /// Says whether the copy is what was read before.
    fn copy(
        &self,
        source: &Path,
        names: &[String],
        id: &str,
        is_same: impl FnOnce(&Path) -> bool,
    ) -> io::Result<bool> {
        files::make_private_folder(&self.folder)?;
        let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(&self.folder)?;
        for name in names {
            let from = source.join(name);
            let to = unfinished.path().join(name);
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            let mut copied = File::create_new(&to)?;
            io::copy(&mut files::open(&from)?, &mut copied)?;
            copied.sync_all()?;
        }
        if !is_same(unfinished.path()) {
            return Ok(false);
        }
        name_model(&unfinished.path().join("lyra.json"), id)?;
        models::note_first_reading(unfinished.path()).map_err(io::Error::other)?;
        fs::rename(unfinished.path(), self.folder.join(id))?;
        // The folder has its name now; there is nothing left to clean up.
        let _ = unfinished.keep();
        Ok(true)
    }

    /// Removes an added model. One that is active gives its work back to what is built in.
    pub(crate) fn remove(&self, id: &str) -> Result<Removed, Failure> {
        let entry = self.find(id)?;
        if entry.origin == Origin::BuiltIn {
            return Err(Failure::bad_input(format!("{} is built in and stays", entry.id))
                .hint(|w| &w.hint.model_use));
        }
        let mut choice = self.choice()?;
        let mut was_active = Vec::new();
        for role in Role::ALL {
            let chosen = choice.of(role);
            if chosen.as_deref().is_some_and(|it| it.eq_ignore_ascii_case(&entry.id)) {
                *chosen = None;
                was_active.push(role);
            }
        }
        if !was_active.is_empty() {
            self.write_choice(&choice)?;
        }
        let path = self.folder.join(&entry.id);
        // First out of sight, so that a half-removed model is never listed.
        let doomed = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempdir_in(&self.folder)
            .map_err(|error| unusable(&self.folder, error))?;
        fs::rename(&path, doomed.path().join("model")).map_err(|error| unusable(&path, error))?;
        doomed.close().map_err(|error| unusable(&self.folder, error))?;
        Ok(Removed { id: entry.id, was_active })
    }

    /// Makes a model active for its kind or as the decider, and says which one was before.
    pub(crate) fn choose(&self, id: &str, decider: bool) -> Result<Chosen, Failure> {
        let mut choice = self.choice()?;
        if decider && id.eq_ignore_ascii_case(NO_DECIDER) {
            let before = self.active(Role::Decider)?.ids;
            choice.decider = Some(NO_DECIDER.to_owned());
            self.write_choice(&choice)?;
            return Ok(Chosen { ids: Vec::new(), role: Role::Decider, before });
        }
        let Entry { id, origin, about } = self.find(id)?;
        let role = if decider { Role::Decider } else { Role::of(about?.kind) };
        self.usable(&id, role.kind())?;
        let before = match choice.of(role).clone() {
            Some(id) if role == Role::Decider && id == NO_DECIDER => Vec::new(),
            Some(id) => vec![id],
            None => self.active(role).map_or_else(|_| Vec::new(), |it| it.ids),
        };
        // Whatever is built in, now and in later versions.
        *choice.of(role) = (origin == Origin::Added).then(|| id.clone());
        self.write_choice(&choice)?;
        let built_in = Active::built_in(role, None).ids;
        let ids = if origin == Origin::BuiltIn { built_in } else { vec![id] };
        Ok(Chosen { ids, role, before })
    }

    /// Whether a setting decides which model is active in a role, whatever was chosen.
    pub(crate) fn is_set(&self, role: Role) -> bool {
        !role.setting(&self.settings).1.is_empty()
    }

    fn usable(&self, id: &str, kind: Kind) -> Result<Entry, Failure> {
        let mut entry = self.find(id)?;
        match entry.about {
            Ok(about) if about.kind == kind => {
                entry.about = Ok(about);
                Ok(entry)
            }
            Ok(about) => Err(ModelError::WrongKind {
                model: entry.id,
                found: about.kind.name(),
                wanted: kind.name(),
            }
            .into()),
            Err(error) => Err(error.into()),
        }
    }

    fn choice(&self) -> Result<Choice, Failure> {
        let text = match files::read_text(&self.choice, MAX_CHOICE_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Choice::default()),
            Err(error) => return Err(unusable(&self.choice, error)),
        };
        toml::from_str(&text).map_err(|error| {
            let path = self.choice.display();
            let message = error.message().lines().collect::<Vec<_>>().join("; ");
            Failure::new(FailureKind::Data, format!("{path} cannot be understood: {message}"))
                .hint(|w| &w.hint.model_choice)
        })
    }

    fn write_choice(&self, choice: &Choice) -> Result<(), Failure> {
        let write = || -> io::Result<()> {
            let folder = self.choice.parent().unwrap_or(&self.choice);
            files::make_private_folder(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            let values = toml::to_string(choice).map_err(io::Error::other)?;
            write!(file, "# The active models, written by `lyra models use`.\n{values}")?;
            file.as_file().sync_all()?;
            file.persist(&self.choice)?;
            Ok(())
        };
        write().map_err(|error| unusable(&self.choice, error))
    }
}

/// What `lyra models use` did.
#[derive(Debug)]
pub(crate) struct Chosen {
    pub(crate) ids: Vec<String>,
    pub(crate) role: Role,
    pub(crate) before: Vec<String>,
}

/// What `lyra models remove` did.
#[derive(Debug)]
pub(crate) struct Removed {
    pub(crate) id: String,
    /// What it did until now.
    pub(crate) was_active: Vec<Role>,
}

/// Passes on what a model says while it goes on; what two of them have to say, once.
fn listener(ui: &Ui) -> Listener {
    let (ui, said) = (ui.clone(), Mutex::new(HashSet::new()));
    Listener::new(move |message| {
        if said.lock().unwrap_or_else(|it| it.into_inner()).insert(message.to_owned()) {
            tracing::warn!(message, "message of a model");
            ui.warn(message);
        }
    })
}

/// The built-in stance models. Each is loaded when a pair in its languages comes: many a task needs one of them only.
fn built_in_stance(options: &Options) -> Result<Arc<dyn StanceModel>, Failure> {
    let mut members = Vec::new();
    for files in builtin::STANCE {
        members.push(stance_when_asked(Box::new(move || Ok(files())), options)?);
    }
    Ok(Arc::new(StanceRouter::new(members)))
}

fn stance_when_asked(files: Files, options: &Options) -> Result<Arc<dyn StanceModel>, Failure> {
    let (about, options) = (describe(files()?)?, options.clone());
    let load = move || load_stance(files()?, &options);
    Ok(Arc::new(later::Later::new(about, Box::new(load))))
}

/// The built-in models of a role.
fn carried(role: Role) -> Vec<Entry> {
    let files = match role {
        Role::Embedding => vec![builtin::embedder_files()],
        Role::Stance => builtin::STANCE.map(|files| files()).into(),
        Role::Decider => vec![builtin::decider_files()],
    };
    let entry = |files| {
        let about = describe(files).expect("the files in the binary are those the tests load");
        Entry { id: about.id.clone(), origin: Origin::BuiltIn, about: Ok(about) }
    };
    files.into_iter().map(entry).collect()
}

/// The files of an added model. Those that no child has read yet, or that are others since, are read by one first.
fn files_of(folder: &Path) -> models::Result<ModelFiles> {
    let files = ModelFiles::from_folder(folder)?;
    models::first_reading(folder)?;
    Ok(files)
}

/// An id is the name of a folder on any system, and no path.
fn check_id(id: &str) -> Result<(), &'static str> {
    let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    if id.is_empty() || id.len() > MAX_ID {
        Err("must have 1 to 64 characters")
    } else if !id.chars().all(fits) || id.starts_with('.') || id.ends_with('.') {
        Err("may have letters, digits, `-`, `_` and `.` inside")
    } else if id.eq_ignore_ascii_case(NO_DECIDER) {
        Err("stands for no model")
    } else {
        Ok(())
    }
}

/// Runs a model once: weights of the right form can still be broken.
fn try_out(model: Model) -> Result<(), ModelError> {
    match model {
        Model::Embedder(model) => model.embed(&["Water boils at 100 degrees."]).map(drop),
        Model::Stance(model) => {
            let text = "Water boils at 100 degrees.";
            model.judge(&[models::Pair { passage: text, claim: text }]).map(drop)
        }
    }
}

/// What a file of ours with a few values in it never reaches.
const MAX_CHOICE_BYTES: u64 = 1 << 20;

/// Writes the id into the settings of a copied model, so that it does not hang on a folder's name.
fn name_model(settings: &Path, id: &str) -> io::Result<()> {
    let mut values: serde_json::Map<String, serde_json::Value> =
        match files::read(settings, MAX_CHOICE_BYTES) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(error) if error.kind() == ErrorKind::NotFound => serde_json::Map::new(),
            Err(error) => return Err(error),
        };
    values.insert("id".to_owned(), id.into());
    let mut file = File::create(settings)?;
    serde_json::to_writer_pretty(&mut file, &values)?;
    file.sync_all()
}

#[derive(Debug, thiserror::Error)]
#[error("cannot use {}", path.display())]
struct Unusable {
    path: PathBuf,
    source: io::Error,
}

fn unusable(path: &Path, source: io::Error) -> Failure {
    Failure::new(FailureKind::Data, Unusable { path: path.to_owned(), source })
        .hint(|w| &w.hint.owner_and_room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_the_name_of_a_folder_and_no_path() {
        for id in ["bge-m3", "nli_deberta-v3", "e5.small", "A1", &"x".repeat(64)] {
            assert_eq!(check_id(id), Ok(()), "{id}");
        }
        for id in ["none", "", ".", "..", ".adding-x", "BAAI/bge-m3", "a b", "c:", "日本", "end."]
        {
            assert!(check_id(id).is_err(), "{id}");
        }
        assert!(check_id(&"x".repeat(65)).is_err());
    }
}
