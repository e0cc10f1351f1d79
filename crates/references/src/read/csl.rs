//! CSL-JSON, as reference managers export it.

use serde_json::Value;
use sources::academic::Scheme;

use super::{NotReferences, add_address, add_name, year};
use crate::reference::{Format, Kind, Reference, References};

pub(super) fn read(text: &str) -> Result<References, NotReferences> {
    let value: Value =
        serde_json::from_str(text).map_err(|error| NotReferences::NoJson(error.to_string()))?;
    let items = match &value {
        Value::Array(items) => items,
        Value::Object(map) => match map.get("items").or_else(|| map.get("references")) {
            Some(Value::Array(items)) => items,
            _ => return Err(NotReferences::NoCsl),
        },
        _ => return Err(NotReferences::NoCsl),
    };
    let mut found = References::of(Format::CslJson);
    for (index, item) in items.iter().enumerate() {
        match reference(item) {
            // JSON has no lines: the place of the item says where it is.
            Some(reference) => {
                found.references.push(Reference { line: index + 1, ..reference });
            }
            None => found.problems.push(format!("item {}: it has no title and no name", index + 1)),
        }
    }
    if found.references.is_empty() {
        return Err(NotReferences::NoCsl);
    }
    Ok(found)
}

fn reference(item: &Value) -> Option<Reference> {
    let text = |name: &str| {
        let value = item.get(name)?;
        let value = if let Value::Array(list) = value { list.first()? } else { value };
        value.as_str().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned)
    };
    let mut names = Vec::new();
    for (field, scheme) in [("DOI", Scheme::Doi), ("PMID", Scheme::Pmid), ("PMCID", Scheme::Pmcid)]
    {
        let number = item.get(field).and_then(Value::as_u64).map(|it| it.to_string());
        if let Some(value) = text(field).or(number) {
            add_name(&mut names, scheme, &value);
        }
    }
    if let Some(url) = text("URL") {
        add_address(&mut names, &url);
    }
    let title = text("title");
    if title.is_none() && names.is_empty() {
        return None;
    }
    let authors = item.get("author").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let key = item.get("id").and_then(|it| match it {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    });
    Some(Reference {
        key,
        line: 0,
        kind: match text("type").as_deref() {
            Some("webpage" | "post" | "post-weblog") => Kind::Page,
            Some("book" | "chapter" | "thesis" | "report" | "legislation" | "patent") => Kind::Book,
            _ => Kind::Work,
        },
        title,
        authors: authors.iter().filter_map(author).collect(),
        year: item.get("issued").and_then(issued),
        names,
        written: None,
    })
}

fn author(author: &Value) -> Option<String> {
    let part = |name: &str| author.get(name).and_then(Value::as_str);
    let name = match (part("family"), part("given")) {
        (Some(family), Some(given)) => format!("{family}, {given}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => part("literal")?.to_owned(),
    };
    Some(name).filter(|it| !it.trim().is_empty())
}

fn issued(issued: &Value) -> Option<i32> {
    let part = issued.get("date-parts").and_then(|it| it.get(0)).and_then(|it| it.get(0));
    let number = part.and_then(Value::as_i64).and_then(|it| i32::try_from(it).ok());
    let written = || {
        let text = part.or_else(|| issued.get("raw")).or_else(|| issued.get("literal"));
        text.and_then(Value::as_str).and_then(year)
    };
    number.or_else(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_read() {
        let found = read(
            r#"[{"id":"a","type":"article-journal","title":"A title","author":[{"family":"Smith","given":"J."},{"literal":"WHO"}],
                "issued":{"date-parts":[["2020",3]]},"DOI":"10.1000/182","PMID":123456},
               {"id":7,"title":["A page"],"type":"webpage","issued":{"raw":"May 2019"}}, {"id":"empty"}]"#,
        )
        .unwrap();
        let [first, page] = &found.references[..] else { panic!("{found:?}") };
        assert_eq!(first.authors, ["Smith, J.", "WHO"]);
        assert_eq!(first.year, Some(2020));
        let names: Vec<&str> = first.names.iter().map(|it| it.value.as_str()).collect();
        assert_eq!(names, ["10.1000/182", "123456"]);
        assert_eq!(
            (page.key.as_deref(), page.kind, page.year),
            (Some("7"), Kind::Page, Some(2019))
        );
        assert_eq!(found.problems, ["item 3: it has no title and no name"]);
    }
}
