//! `lyra models add`, `use` and `remove`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::json;

use crate::cli::{change, print_record, size};
use crate::failure::Failure;
use crate::installed::{Installed, Role};
use crate::session::Session;
use crate::words::{Words, say};

/// Add a model from a folder in the layout of Hugging Face
///
/// The folder holds config.json, tokenizer.json and model.safetensors (or its parts), of a BERT, RoBERTa,
/// XLM-RoBERTa, MPNet or DeBERTa-v2/v3; a lyra.json beside them can say more (languages, pooling, labels,
/// thresholds). The model is loaded and tried, then copied into the data directory. It is used once
/// `lyra models use` chooses it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra models add ~/downloads/bge-m3
  lyra models add ./snapshot --id nli-deberta-v3

Next: `lyra models use NAME` makes it active.")]
pub(crate) struct Add {
    /// The folder
    dir: PathBuf,
    /// What to call it [default: the id in its lyra.json, or the name of the folder]
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
}

/// Make a model active for what it is made for
///
/// The choice is kept in models.toml in the data directory. The settings models.embedding,
/// models.stance and models.decider win over it. Vectors are stored under the model they come from, so
/// those of another model stay and are not mixed in.
///
/// A stance model can be the decider instead: the active one still reads everything, and what it gives a
/// side any chance is judged again by the decider, whose word stands. A built-in model is the decider of
/// the built-in ones; naming it goes back to it, and `none` leaves the deciding out, which is faster.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra models use bge-m3
  lyra models use nli-deberta-v3-large --as decider
  lyra models use none --as decider
  lyra --set models.embedding=bge-m3 models test

Next: `lyra models test` shows what it can do.")]
pub(crate) struct Use {
    /// The model, as `lyra models list` shows it
    name: String,
    /// What it is to be, if not what it is made for
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<OtherRole>,
}

/// What a model can be besides what it is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OtherRole {
    Decider,
}

/// Remove a model that was added; the folder it was copied from stays
///
/// If it was active, the built-in model of its kind is active again.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lyra models remove bge-m3")]
pub(crate) struct Remove {
    /// The model, as `lyra models list` shows it
    name: String,
}

impl Add {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let about =
            Installed::of(session).add(&self.dir, self.id.as_deref()).map_err(|mut failure| {
                let hint = failure.hint.take();
                failure.hint(move |w| match &hint {
                    Some(hint) => say!(w.hint.nothing_added, hint = hint.text(w)),
                    None => String::from(&w.hint.nothing_added_alone),
                })
            })?;
        if session.ui.is_json() {
            return session.ui.document(&json!({
                "id": about.id,
                "kind": about.kind.name(),
                "languages": about.languages.tags(),
                "dimension": about.dimension,
                "max_tokens": about.max_tokens,
                "bytes": about.bytes,
            }));
        }
        let words = session.ui.words();
        let label = &words.label;
        print_record(
            &session.ui,
            &[
                (&label.model, about.id.clone()),
                (&label.purpose, about.kind.name().to_owned()),
                (&label.languages, about.languages.tags().join(" ")),
                (&label.dimension, about.dimension.to_string()),
                (&label.tokens, about.max_tokens.to_string()),
                (&label.size, size(about.bytes)),
            ],
        )?;
        session.ui.note(&say!(words.models.added, id = about.id));
        Ok(())
    }
}

impl Use {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let installed = Installed::of(session);
        let chosen = installed.choose(&self.name, self.role == Some(OtherRole::Decider))?;
        let words = session.ui.words();
        if installed.is_set(chosen.role) {
            session.ui.warn(words.models.setting_decides.as_str());
        }
        let (id, before) = (named(words, &chosen.ids), named(words, &chosen.before));
        let (label, role) = match chosen.role {
            Role::Embedding => (&words.label.embedding, "embeddings"),
            Role::Stance => (&words.label.stance, "stance"),
            Role::Decider => (&words.label.decider, "decider"),
        };
        if session.ui.is_json() {
            return session.ui.document(&json!({ "id": id, "kind": role, "before": before }));
        }
        print_record(&session.ui, &[(label, change(words, &before, &id))])
    }
}

fn named(words: &Words, ids: &[String]) -> String {
    match ids {
        [] => String::from(&words.common.none),
        ids => ids.join(", "),
    }
}

impl Remove {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let removed = Installed::of(session).remove(&self.name)?;
        if session.ui.is_json() {
            return session.ui.document(&json!({
                "id": removed.id,
                "was_active": !removed.was_active.is_empty(),
            }));
        }
        let words = session.ui.words();
        print_record(&session.ui, &[(&words.label.removed, removed.id)])?;
        for role in removed.was_active {
            let note = match role {
                Role::Embedding => say!(words.models.built_in_again, kind = "embeddings"),
                Role::Stance => say!(words.models.built_in_again, kind = "stance"),
                Role::Decider => String::from(&words.models.decides_again),
            };
            session.ui.note(&note);
        }
        Ok(())
    }
}
