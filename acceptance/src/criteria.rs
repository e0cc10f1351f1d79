//! Numbers beside their targets.

use std::io::Write;

/// What a number must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    Exactly(f64),
}

#[derive(Debug)]
struct Criterion {
    name: &'static str,
    measured: Measured,
    target: Target,
}

#[derive(Debug, Clone, Copy)]
enum Measured {
    /// How many of how many.
    Share(usize, usize),
    /// A number of its own, with its unit.
    Number(f64, &'static str),
}

impl Measured {
    /// Nothing to count gives no number.
    fn value(self) -> Option<f64> {
        match self {
            Self::Share(reached, of) => (of > 0).then(|| reached as f64 / of as f64),
            Self::Number(value, _) => value.is_finite().then_some(value),
        }
    }
}

impl Criterion {
    /// Nothing to count is not a success.
    fn holds(&self) -> bool {
        self.measured.value().is_some_and(|value| match self.target {
            Target::AtLeast(target) => value >= target,
            Target::AtMost(target) => value <= target,
            Target::Exactly(target) => value == target,
        })
    }

    fn line(&self) -> String {
        let (sign, target) = match self.target {
            Target::AtLeast(target) => (">= ", target),
            Target::AtMost(target) => ("<= ", target),
            Target::Exactly(target) => ("", target),
        };
        let verdict = if self.holds() { "reached" } else { "MISSED" };
        let (value, number, target) = match self.measured {
            Measured::Share(reached, of) => (
                self.measured.value().map_or("-".to_owned(), |it| format!("{:.1} %", it * 100.0)),
                format!("{reached} of {of}"),
                format!("{sign}{:.0} %", target * 100.0),
            ),
            Measured::Number(value, unit) => {
                (format!("{value:.2}{unit}"), String::new(), format!("{sign}{target}{unit}"))
            }
        };
        format!("| {} | {value} | {number} | {target} | {verdict} |\n", self.name)
    }
}

#[derive(Debug, Default)]
pub(crate) struct Criteria {
    all: Vec<Criterion>,
    /// What does not fit, for the person who has to mend it.
    notes: Vec<String>,
}

impl Criteria {
    /// `reached` of `of` things are as they should be.
    pub(crate) fn share(&mut self, name: &'static str, reached: usize, of: usize, target: Target) {
        self.all.push(Criterion { name, measured: Measured::Share(reached, of), target });
    }

    /// Something measured is as large as it may be.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        value: f64,
        unit: &'static str,
        target: Target,
    ) {
        self.all.push(Criterion { name, measured: Measured::Number(value, unit), target });
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints the table; says whether every target is reached.
    pub(crate) fn print(&self) -> bool {
        let mut text = String::from(
            "| Criterion | Share | Number | Target | |\n| --- | --- | --- | --- | --- |\n",
        );
        for it in &self.all {
            text += &it.line();
        }
        for note in &self.notes {
            text += &format!("\n- {note}");
        }
        say(&text);
        self.all.iter().all(Criterion::holds)
    }
}

#[expect(clippy::print_stdout, reason = "this program's answer")]
pub(crate) fn say(text: &str) {
    println!("{text}");
    // A closed pipe has no reader.
    let _ = std::io::stdout().flush();
}
