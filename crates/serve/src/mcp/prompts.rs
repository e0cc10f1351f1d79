//! Prompts: how an assistant and Lyra share the work, for four kinds of it.

use rmcp::ErrorData;
use rmcp::model::{
    GetPromptRequestParams, GetPromptResult, Prompt, PromptArgument, PromptMessage, Role,
};
use serde_json::Value;

use super::schema::{closest, shown};

/// Characters an argument may have.
const MAX_ARGUMENT_CHARS: usize = 4_000;

struct Written {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, what it is, whether it must be given.
    arguments: &'static [(&'static str, &'static str, bool)],
    text: &'static str,
}

const PROMPTS: &[Written] = &[
    Written {
        name: "deep_research",
        title: "Research a question in depth",
        description: "Plan queries, search for and against, read the contradictions, answer with citations",
        arguments: &[
            ("question", "What is to be found out", true),
            ("hypothesis", "What you expect the answer to be", false),
        ],
        text: include_str!("prompts/deep_research.md"),
    },
    Written {
        name: "fact_check",
        title: "Check a statement",
        description: "Find what supports and what refutes one statement, and who says so",
        arguments: &[("statement", "The statement, in one sentence", true)],
        text: include_str!("prompts/fact_check.md"),
    },
    Written {
        name: "literature_review",
        title: "Review the literature",
        description: "Gather the scholarly work on a topic, and where it agrees, differs and ages",
        arguments: &[
            ("topic", "What the works are about", true),
            ("since", "The earliest year that matters", false),
        ],
        text: include_str!("prompts/literature_review.md"),
    },
    Written {
        name: "find_in_manuals",
        title: "Find everything about something in your manuals",
        description: "Search the manuals so that nothing is missed, read rules with their exceptions, name the places",
        arguments: &[
            ("subject", "What is wanted, in your own words", true),
            ("manual", "The manual to look in first", false),
        ],
        text: include_str!("prompts/find_in_manuals.md"),
    },
];

pub(crate) fn list() -> Vec<Prompt> {
    let listed = |it: &Written| {
        let arguments = it.arguments.iter().map(|(name, description, required)| {
            PromptArgument::new(*name).with_description(*description).with_required(*required)
        });
        Prompt::new(it.name, Some(it.description), Some(arguments.collect())).with_title(it.title)
    };
    PROMPTS.iter().map(listed).collect()
}

pub(crate) fn get(request: &GetPromptRequestParams) -> Result<GetPromptResult, ErrorData> {
    let names: Vec<&str> = PROMPTS.iter().map(|it| it.name).collect();
    let found = PROMPTS.iter().find(|it| it.name == request.name).ok_or_else(|| {
        let wanted = shown(&request.name);
        let meant = closest(&wanted, &names).unwrap_or(names[0]);
        ErrorData::invalid_params(
            format!("there is no prompt `{wanted}`; did you mean `{meant}`?"),
            None,
        )
    })?;
    let given = request.arguments.clone().unwrap_or_default();
    if let Some(stranger) = given.keys().find(|key| found.arguments.iter().all(|it| it.0 != *key)) {
        let message = format!("{} takes no argument `{}`", found.name, shown(stranger));
        return Err(ErrorData::invalid_params(message, None));
    }
    let mut text = found.text.to_owned();
    for (name, _, required) in found.arguments {
        let value = match given.get(*name) {
            Some(Value::String(value)) => value.trim(),
            Some(_) => {
                return Err(ErrorData::invalid_params(format!("`{name}` must be a text"), None));
            }
            None => "",
        };
        if *required && value.is_empty() {
            return Err(ErrorData::invalid_params(format!("`{name}` is missing"), None));
        }
        if value.chars().count() > MAX_ARGUMENT_CHARS {
            let message = format!("`{name}` has more than {MAX_ARGUMENT_CHARS} characters");
            return Err(ErrorData::invalid_params(message, None));
        }
        let value = if value.is_empty() { "(not given)" } else { value };
        text = text.replace(&format!("{{{name}}}"), value);
    }
    let message = PromptMessage::new_text(Role::User, text);
    Ok(GetPromptResult::new(vec![message]).with_description(found.description))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_has_its_place_in_the_text() {
        for prompt in PROMPTS {
            for (name, ..) in prompt.arguments {
                let place = format!("{{{name}}}");
                assert!(prompt.text.contains(&place), "{} misses {place}", prompt.name);
            }
        }
    }
}
