//! What a shell is offered for a word that is being typed: commands, options, and the ids of what there is.
//!
//! The script that `lyra completions` prints calls the program with the name of the shell in [`VARIABLE`], and the graph
//! is only looked at: nothing is created, and what cannot be read is not offered.

mod bash;

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;

use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Elvish, Fish, Powershell, Shells, Zsh};
use evidence::{ClaimId, EdgeId, TaskId};
use graph::{Graph, Lookup};

use super::help;
use super::ids::{LATEST, glance, newest_claims, place, short};
use crate::config::{Environment, Places, Platform};
use crate::ui::{clean, locale_language};

/// Says which shell asks.
const VARIABLE: &str = "_LYRA_COMPLETE";
const PROGRAM: &str = "lyra";
const SHELLS: Shells<'static> = Shells(&[&bash::Bash, &Elvish, &Fish, &Powershell, &Zsh]);
/// zsh reads a file of its function path when it first completes the command, and wants an answer at once.
const ZSH_FROM_A_FOLDER: &str = "
if [[ ${funcstack[1]} == _lyra ]]; then
    _clap_dynamic_completer_lyra
fi
";
/// More are no help to choose from.
const OFFERED: u32 = 50;
/// Tasks and claims that are offered by their place in the list as well.
const PLACES: usize = 9;

/// Answers the shell, if it is the shell that asks.
pub(super) fn answer_shell(
    arguments: &[OsString],
    environment: &Environment,
) -> Result<bool, clap::Error> {
    let language = locale_language(environment);
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(|| help::command(language))
        .var(VARIABLE)
        .shells(SHELLS)
        .completer(PROGRAM)
        .try_complete(arguments.to_vec(), here.as_deref())
}

/// The script that teaches a shell to ask.
pub(super) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(shell) = SHELLS.completer(shell) {
        shell.write_registration(VARIABLE, PROGRAM, PROGRAM, PROGRAM, &mut script)?;
        if shell.is("zsh") {
            script.extend_from_slice(ZSH_FROM_A_FOLDER.as_bytes());
        }
    }
    Ok(script)
}

pub(super) fn tasks() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut offered = candidates::<TaskId>(typed);
        let places = newest::<TaskId>().into_iter().take(PLACES).enumerate();
        offered.extend(places.map(|(index, (_, about))| (place::<TaskId>(index), about)));
        beginning(typed, offered)
    })
}

pub(super) fn claims() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut offered = candidates::<ClaimId>(typed);
        let listed = in_graph(|graph| graph.read(newest_claims)).unwrap_or_default();
        let places = listed.into_iter().take(PLACES).enumerate();
        offered
            .extend(places.map(|(index, it)| {
                (place::<ClaimId>(index), clean(&glance(&it.claim.claim_text)))
            }));
        beginning(typed, offered)
    })
}

pub(super) fn edges() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| beginning(typed, candidates::<EdgeId>(typed)))
}

/// The newest of a kind, and the ends of their ids; whole ids where one is being typed.
fn candidates<T: Lookup>(typed: &OsStr) -> Vec<(String, String)> {
    let newest = newest::<T>();
    let is_whole = typed.to_str().is_some_and(|it| it.starts_with(&format!("{}_", T::PREFIX)));
    if is_whole {
        return newest.into_iter().map(|(id, about)| (id.to_string(), about)).collect();
    }
    let latest = newest.first().map(|(_, about)| (LATEST.to_owned(), about.clone()));
    let others = newest.iter().map(|(id, about)| (short(id), about.clone()));
    latest.into_iter().chain(others).collect()
}

/// Those that begin with what was typed, in their order.
fn beginning(typed: &OsStr, offered: Vec<(String, String)>) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else { return Vec::new() };
    let begins = |(value, _): &(String, String)| {
        value.get(..typed.len()).is_some_and(|it| it.eq_ignore_ascii_case(typed))
    };
    let offered = offered.into_iter().filter(begins).enumerate();
    let candidate = |(order, (value, about)): (usize, (String, String))| {
        CompletionCandidate::new(value).help(Some(about.into())).display_order(Some(order))
    };
    offered.map(candidate).collect()
}

/// The newest of a kind with what they are about, as far as the graph can be read.
fn newest<T: Lookup>() -> Vec<(T, String)> {
    let found = in_graph(|graph| graph.read(|r| r.newest::<T>(0, OFFERED))).unwrap_or_default();
    found.into_iter().map(|it| (it.id, clean(&glance(&it.about)))).collect()
}

/// Asks the graph that the line being typed is about, if there is one that can be read.
fn in_graph<T>(question: impl FnOnce(&Graph) -> graph::Result<T>) -> Option<T> {
    let arguments = bash::typed().unwrap_or_else(|| std::env::args_os().collect());
    let environment = Environment::of_process();
    let data_dir = named(&arguments, "--data-dir");
    let config = named(&arguments, "--config");
    let places = Places::find(
        config.as_deref().map(Path::new),
        data_dir.as_deref().map(Path::new),
        &environment,
        Platform::CURRENT,
    );
    let graph = Graph::peek(&places.ok()?.database()).ok().flatten()?;
    question(&graph).ok()
}

/// The value of a global option on the line that is being typed.
fn named(arguments: &[OsString], option: &str) -> Option<OsString> {
    let mut arguments = arguments.iter();
    let mut value = None;
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy();
        if text == option {
            value = arguments.next().cloned();
        } else if let Some(given) = text.strip_prefix(&format!("{option}=")) {
            value = Some(given.into());
        }
    }
    value
}
