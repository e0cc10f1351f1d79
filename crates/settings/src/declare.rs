//! The two macros: one section, and all of them.

/// Declares one section.
///
/// ```
/// settings::settings! {
///     /// How pages are fetched.
///     pub struct FetchSettings {
///         /// Milliseconds one request may take.
///         timeout_ms: u64 = 60_000, in 100..=3_600_000;
///         /// A proxy; "" is none.
///         proxy: String = String::new();
///     }
///     expert {
///         /// Share of requests that may fail.
///         failures: f64 = 0.3, in 0.0..=1.0;
///     }
///     removed {
///         "retries": "a request is never repeated";
///     }
/// }
/// assert_eq!(FetchSettings::default().timeout_ms, 60_000);
/// ```
///
/// The comments are those of the default file, where the range is added to the last sentence. A number
/// needs a range. An enum gives its words. `field as "name"` is for a setting whose name in the file
/// differs from its field. The blocks behind the struct are optional:
///
/// - `expert`: settings that are shown only when asked for;
/// - `parts`: sections of their own type whose settings are part of this one;
/// - `internal`: fields that code sets and people do not;
/// - `removed`: former names and why they are gone.
#[macro_export]
macro_rules! settings {
    (
        $(#[doc = $about:literal])*
        $(#[derive($($derive:ident),*)])?
        $vis:vis struct $Section:ident {
            $(
                $(#[doc = $doc:literal])*
                $field:ident $(as $key:literal)?: $type:ty = $default:expr $(, in $range:expr)?;
            )*
        }
        $(expert {
            $(
                $(#[doc = $x_doc:literal])*
                $x_field:ident $(as $x_key:literal)?: $x_type:ty = $x_default:expr $(, in $x_range:expr)?;
            )*
        })?
        $(parts {
            $($(#[doc = $part_doc:literal])* $part:ident: $Part:ty;)*
        })?
        $(internal {
            $($(#[doc = $own_doc:literal])* $own:ident: $own_type:ty = $own_default:expr;)*
        })?
        $(removed {
            $($removed:literal: $why:literal;)*
        })?
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize $($(, $derive)*)?)]
        #[serde(default)]
        $vis struct $Section {
            $($(#[doc = $doc])* $(#[serde(rename = $key)])? $vis $field: $type,)*
            $($($(#[doc = $x_doc])* $(#[serde(rename = $x_key)])? $vis $x_field: $x_type,)*)?
            $($($(#[doc = $part_doc])* #[serde(flatten)] $vis $part: $Part,)*)?
            $($($(#[doc = $own_doc])* #[serde(skip)] $vis $own: $own_type,)*)?
        }

        impl Default for $Section {
            fn default() -> Self {
                Self {
                    $($field: $default,)*
                    $($($x_field: $x_default,)*)?
                    $($($part: <$Part>::default(),)*)?
                    $($($own: $own_default,)*)?
                }
            }
        }

        impl $crate::Section for $Section {
            const ABOUT: &'static [&'static str] = &[$($about),*];

            fn fields() -> Vec<$crate::Field> {
                let defaults = $crate::values(&Self::default());
                let mut fields = vec![$($crate::field!(
                    defaults, false, [$($doc),*] $field $(as $key)?: $type $(, in $range)?
                )),*];
                $(fields.extend([$($crate::field!(
                    defaults, true, [$($x_doc),*] $x_field $(as $x_key)?: $x_type $(, in $x_range)?
                )),*]);)?
                $($(fields.extend(<$Part as $crate::Section>::fields());)*)?
                // The settings of parts keep the order: the common ones first.
                fields.sort_by_key(|field: &$crate::Field| field.expert);
                fields
            }

            fn removed() -> Vec<$crate::Removed> {
                let lists: Vec<Vec<$crate::Removed>> = vec![
                    $(vec![$($crate::Removed { name: $removed, why: $why }),*],)?
                    $($(<$Part as $crate::Section>::removed(),)*)?
                ];
                lists.concat()
            }
        }
    };
}

/// One setting of [`settings!`].
#[doc(hidden)]
#[macro_export]
macro_rules! field {
    ($defaults:ident, $expert:literal, [$($doc:literal),*] $field:ident: $($rest:tt)*) => {
        $crate::field!(@ $defaults, $expert, [$($doc),*] stringify!($field), $($rest)*)
    };
    ($defaults:ident, $expert:literal, [$($doc:literal),*] $field:ident as $key:literal: $($rest:tt)*) => {
        $crate::field!(@ $defaults, $expert, [$($doc),*] $key, $($rest)*)
    };
    (@ $defaults:ident, $expert:literal, [$($doc:literal),*] $name:expr, $type:ty) => {
        $crate::field!(@@ $defaults, $expert, [$($doc),*] $name, $type, $crate::Rule::of::<$type>())
    };
    (@ $defaults:ident, $expert:literal, [$($doc:literal),*] $name:expr, $type:ty, in $range:expr) => {
        $crate::field!(@@ $defaults, $expert, [$($doc),*] $name, $type, <$type as $crate::Number>::rule($range))
    };
    (@@ $defaults:ident, $expert:literal, [$($doc:literal),*] $name:expr, $type:ty, $rule:expr) => {
        $crate::Field {
            name: $name,
            comment: &[$($doc),*],
            default: $defaults[$name].clone(),
            rule: $rule,
            expert: $expert,
            secret: $crate::Secret::is::<$type>(),
        }
    };
}

/// Puts sections together: `name: Type` each, in the order of the default file.
#[macro_export]
macro_rules! sections {
    (
        $(#[doc = $about:literal])*
        $vis:vis struct $Settings:ident {
            $($section:ident: $Section:ty,)*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        $vis struct $Settings {
            $($vis $section: $Section,)*
        }

        impl $Settings {
            /// What there is to set.
            $vis fn sections() -> Vec<$crate::NamedSection> {
                vec![$($crate::NamedSection::of::<$Section>(stringify!($section))),*]
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use toml::{Table, Value};

    use crate::{NamedSection, OutOfRange, Removed, Secret, Section as _};

    #[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Way {
        Out,
        Back,
    }

    settings! {
        /// Where the list is cut.
        struct Cut {
            /// The least that is kept.
            least as "cut_least": usize = 3, in 0..=10;
        }
    }

    settings! {
        /// How pages are fetched,
        /// and by whom.
        struct Fetch {
            /// Pages of a task.
            pages: u32 = 1 + 1, in 1..=100;
            /// The key of the server.
            key: Secret = Secret::default();
            /// The way.
            way: Way = Way::Back;
        }
        expert {
            /// The share; 0.0 is none.
            share: f64 = 0.5, in 0.0..=1.0;
            /// A file to read.
            file: PathBuf = PathBuf::new();
            /// Endings of files.
            endings: Vec<String> = vec!["md".to_owned()];
        }
        parts {
            cut: Cut;
        }
        internal {
            /// For tests.
            started: Option<PathBuf> = None;
        }
        removed {
            "retries": "a request is never repeated";
        }
    }

    sections! {
        /// All of it.
        struct All {
            fetch: Fetch,
            cut: Cut,
        }
    }

    #[test]
    fn the_default_file_comes_from_the_declaration() {
        let common = "
# How pages are fetched,
# and by whom.
[fetch]
# Pages of a task (1 to 100).
pages = 2
# The key of the server.
key = \"\"
# The way (\"out\" or \"back\").
way = \"back\"
# The least that is kept (0 to 10).
cut_least = 3
";
        let expert = "
# For experts: bounds and measured values that rarely need a change.
# The share; 0.0 is none (0.0 to 1.0).
share = 0.5
# A file to read.
file = \"\"
# Endings of files.
endings = [\"md\"]
";
        let fetch = [NamedSection::of::<Fetch>("fetch")];
        assert_eq!(crate::document(&fetch, false, &crate::English), common);
        assert_eq!(crate::document(&fetch, true, &crate::English), format!("{common}{expert}"));
    }

    #[test]
    fn a_section_reads_what_its_default_file_says() {
        let text = crate::document(&All::sections(), true, &crate::English);
        assert_eq!(toml::from_str::<All>(&text).unwrap(), All::default());
        let written: Table = toml::from_str(&text).unwrap();
        assert_eq!(Table::try_from(All::default()).unwrap(), written);
        let read: Fetch = toml::from_str("cut_least = 7\nway = \"out\"").unwrap();
        let expected = Fetch { way: Way::Out, cut: Cut { least: 7 }, ..Fetch::default() };
        assert_eq!(read, expected);
    }

    #[test]
    fn values_are_checked_against_the_declaration() {
        assert_eq!(Fetch::default().check(), Ok(()));
        let wrong = Fetch { share: 1.5, ..Fetch::default() };
        let expected = "a number from 0.0 to 1.0".to_owned();
        let error = OutOfRange { name: "share", expected, given: "1.5".to_owned() };
        assert_eq!(wrong.check(), Err(error));
        assert_eq!(Fetch::range("pages"), 1..=100);
        let [_, key, way, ..] = &Fetch::fields()[..] else { panic!("there are seven") };
        assert!(key.secret);
        let given = |text: &str| way.admit(&Value::String(text.to_owned()), true);
        assert_eq!(given("out"), Ok(Value::String("out".to_owned())));
        assert_eq!(given("up"), Err("one of out, back".to_owned()));
    }

    #[test]
    fn former_names_say_why_they_are_gone() {
        let removed = Removed { name: "retries", why: "a request is never repeated" };
        assert_eq!(Fetch::removed(), [removed]);
    }
}
