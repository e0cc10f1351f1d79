//! Ids: a short prefix that says what the thing is, then a ULID that sorts by time of birth.
//!
//! Each kind is a type of its own, so that a claim cannot be handed where a page is expected, and
//! a person who pastes the wrong id is told which kind it was.

use std::fmt;
use std::str::FromStr;

use ulid::Ulid;

/// Text that is not an id of the expected kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{given}` is not a {kind} id; it should look like {prefix}_01ARZ3NDEKTSV4RRFFQ69G5FAV")]
pub struct BadId {
    pub kind: &'static str,
    pub prefix: &'static str,
    pub given: String,
}

/// What all ids share: how they are made and how they are written.
pub trait Id: Copy + Ord + fmt::Display + FromStr<Err = BadId> {
    const PREFIX: &'static str;
    const KIND: &'static str;

    /// Makes an id from milliseconds since 1970 and 80 random bits.
    fn from_parts(millis: u64, random: u128) -> Self;
}

macro_rules! ids {
    ($( $(#[$meta:meta])* $name:ident = $prefix:literal, $kind:literal; )+) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(Ulid);

        impl Id for $name {
            const PREFIX: &'static str = $prefix;
            const KIND: &'static str = $kind;

            fn from_parts(millis: u64, random: u128) -> Self {
                Self(Ulid::from_parts(millis, random))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut buffer = [0; ulid::ULID_LEN];
                write!(f, "{}_{}", $prefix, self.0.array_to_str(&mut buffer))
            }
        }

        impl FromStr for $name {
            type Err = BadId;

            fn from_str(given: &str) -> Result<Self, BadId> {
                parse($prefix, given).map(Self).ok_or_else(|| BadId {
                    kind: $kind,
                    prefix: $prefix,
                    given: shown(given),
                })
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )+ };
}

ids! {
    TaskId = "task", "task";
    /// One `search` of a task: a row of `queries`.
    SearchId = "s", "search";
    SerpItemId = "si", "search result";
    PageId = "p", "page";
    FragmentId = "f", "fragment";
    ClaimId = "c", "claim";
    EdgeId = "e", "edge";
    EmbeddingId = "emb", "embedding";
    WorkId = "w", "work";
    /// One entry of the causal log; rows name it as their `cause_id`.
    EventId = "ev", "event";
    ClaimEventId = "ce", "claim event";
    OverrideRuleId = "dor", "domain override rule";
    OverrideEventId = "doe", "domain override event";
    CorrectionId = "nc", "correction";
    CalibrationVersionId = "cv", "calibration version";
    EvaluationId = "eval", "calibration evaluation";
    EntityId = "en", "entity";
    JobId = "job", "job";
    DraftId = "rd", "report draft";
    AuthId = "auth", "auth queue entry";
}

/// Accepts exactly what `Display` writes: ULIDs in upper case, no more than 128 bits.
fn parse(prefix: &str, given: &str) -> Option<Ulid> {
    let encoded = given.strip_prefix(prefix)?.strip_prefix('_')?;
    let ulid = Ulid::from_string(encoded).ok()?;
    (ulid.array_to_str(&mut [0; ulid::ULID_LEN]) == encoded).then_some(ulid)
}

/// Outside text in an error message: short, on one line.
pub(crate) fn shown(given: &str) -> String {
    let mut text: String = given.chars().filter(|c| !c.is_control()).take(60).collect();
    if text.len() < given.len() {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_written_with_its_prefix_and_read_back() {
        let id = ClaimId::from_parts(1_700_000_000_000, 42);
        assert_eq!(id.to_string(), "c_01HF7YAT00000000000000001A");
        assert_eq!("c_01HF7YAT00000000000000001A".parse(), Ok(id));
    }

    #[test]
    fn ids_sort_by_time_as_values_and_as_text() {
        let (early, late) = (PageId::from_parts(1, u128::MAX), PageId::from_parts(2, 0));
        assert!(early < late);
        assert!(early.to_string() < late.to_string());
    }

    #[test]
    fn another_kind_of_id_is_refused_by_name() {
        let page = PageId::from_parts(1, 1).to_string();
        let error = page.parse::<ClaimId>().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`{page}` is not a claim id; it should look like c_01ARZ3NDEKTSV4RRFFQ69G5FAV")
        );
    }

    #[test]
    fn sloppy_spellings_are_refused() {
        let lower = "c_01hf7yat00000000000000001a";
        let overflow = "c_8ZZZZZZZZZZZZZZZZZZZZZZZZZ";
        for given in ["", "c_", "01HF7YAT00000000000000001A", lower, overflow, "c_' OR 1=1 --"] {
            assert_eq!(given.parse::<ClaimId>().unwrap_err().given, given, "{given}");
        }
    }

    #[test]
    fn long_or_unprintable_input_is_shortened_in_the_message() {
        let error = "x\u{1b}[31m".repeat(100).parse::<TaskId>().unwrap_err();
        assert_eq!(error.given.chars().count(), 61);
        assert!(!error.given.contains('\u{1b}'));
    }
}
