//! `lyra domain policy`: which policy is in force, and where to write one's own.

use clap::Args;
use graph::SHIPPED_POLICY;
use serde_json::json;

use crate::cli::print_record;
use crate::failure::Failure;
use crate::session::Session;
use crate::words::say;

/// Show which domain policy is in force, and what is wrong with it if something is
///
/// Your own policy is the file domains.toml in the configuration folder. It is laid over the shipped
/// one: what it names replaces what is said there. It is read again when it changes.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lyra domain policy
  lyra domain policy --default > domains.toml

Next: `lyra domain check HOST` shows which rule gives a host its category.")]
pub(crate) struct Policy {
    /// Print the commented policy that comes with Lyra
    #[arg(long)]
    default: bool,
}

impl Policy {
    pub(crate) fn run(&self, session: &Session) -> Result<(), Failure> {
        let ui = &session.ui;
        if self.default {
            return match ui.is_json() {
                true => ui.document(&json!({ "toml": SHIPPED_POLICY })),
                false => ui.print(SHIPPED_POLICY),
            };
        }
        let (path, file) = (session.policy_path(), session.policy_file());
        let (policy, problem, exists) = (file.current(), file.problem(), path.exists());
        let counts = [policy.rules.len(), policy.denylist.len(), policy.user_overrides.len()];
        let [rules, denied, overrides] = counts;
        if ui.is_json() {
            return ui.document(&json!({
                "file": path.to_string_lossy(), "exists": exists,
                "in_force": exists && problem.is_none(), "problem": problem,
                "rules": rules, "denylist": denied, "user_overrides": overrides,
            }));
        }
        let (words, label) = (&ui.words().domain, &ui.words().label);
        let state = match (&problem, exists) {
            (Some(_), _) => &words.policy_unused,
            (None, true) => &words.policy_in_force,
            (None, false) => &words.policy_absent,
        };
        let mut fields = vec![
            (&label.file, path.to_string_lossy().into_owned()),
            (&label.state, String::from(state)),
        ];
        fields.extend(problem.iter().map(|problem| (&label.problem, problem.clone())));
        let patterns = say!(words.patterns, rules = rules, denied = denied, overrides = overrides);
        fields.push((&label.patterns, patterns));
        print_record(ui, &fields)?;
        if !exists && problem.is_none() {
            ui.note(words.write_policy.as_str());
        }
        Ok(())
    }
}
