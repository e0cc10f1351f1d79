//! What the report says about the active models.

use models::{Kind, find_device};

use super::Report;
use crate::cli::size;
use crate::installed::{Installed, KINDS, Origin};
use crate::session::Session;

pub(super) fn check(session: &Session, report: &mut Report) {
    match find_device(session.settings.models.device) {
        Ok(device) => report.ok("device", device.to_string()),
        Err(reason) => report.note("device", format!("CPU; the GPU cannot be used: {reason}")),
    }
    let installed = Installed::of(session);
    for kind in KINDS {
        let name = match kind {
            Kind::Embedding => "embedding model",
            Kind::Stance => "stance model",
        };
        let active = match installed.active(kind) {
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
            match installed.find(id).and_then(|it| Ok(it.about?)) {
                Ok(about) => {
                    let origin = match active.origin {
                        Origin::BuiltIn => "built in",
                        Origin::Added => "added",
                    };
                    let languages = about.languages.tags().join(" ");
                    let bytes = size(about.bytes);
                    report.ok(name, format!("{}, {origin}, reads {languages}, {bytes}", about.id));
                }
                Err(failure) => report.failure(name, &failure),
            }
        }
    }
}
