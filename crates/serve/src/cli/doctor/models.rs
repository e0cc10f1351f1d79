//! What the report says about the active models.

use models::find_device;

use super::{Name, Report};
use crate::cli::size;
use crate::installed::{Installed, Origin, Role};
use crate::session::Session;
use crate::words::say;

pub(super) fn check(session: &Session, report: &mut Report) {
    let words = &report.words.doctor;
    match find_device(session.settings.models.device) {
        Ok(device) => report.ok(|d| &d.device, device.to_string()),
        Err(reason) => report.note(|d| &d.device, say!(words.cpu_only, reason = reason)),
    }
    let installed = Installed::of(session);
    for role in Role::ALL {
        let name: Name = match role {
            Role::Embedding => |d| &d.embedding_model,
            Role::Stance => |d| &d.stance_model,
            Role::Decider => |d| &d.decider_model,
        };
        let active = match installed.active(role) {
            Ok(active) => active,
            Err(failure) => {
                report.failure(name, &failure);
                continue;
            }
        };
        if let Some(failure) = &active.instead_of {
            report.failure(name, failure);
        }
        for id in &active.ids {
            match installed.find(id).and_then(|entry| Ok(entry.about?)) {
                Ok(about) => {
                    let origin = match active.origin {
                        Origin::BuiltIn => &report.words.common.built_in,
                        Origin::Added => &report.words.common.added,
                    };
                    let line = say!(
                        words.model_line,
                        id = about.id,
                        origin = origin.as_str(),
                        languages = about.languages.tags().join(" "),
                        size = size(about.bytes),
                    );
                    report.ok(name, line);
                }
                Err(failure) => report.failure(name, &failure),
            }
        }
    }
}
