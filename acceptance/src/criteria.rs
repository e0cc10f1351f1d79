//! Numbers beside their targets.

use std::io::Write;

/// What a number must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    AtMost(f64),
    Exactly(f64),
}

/// When a target is due. Most belong to neither phase.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Phase {
    /// The first release.
    Mvp,
    /// Later: it needs people's corrections, or depends much on the topic.
    Second,
}

/// A target, and the phase in which it is due.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Goal {
    target: Target,
    phase: Option<Phase>,
}

impl From<Target> for Goal {
    fn from(target: Target) -> Self {
        Self { target, phase: None }
    }
}

impl Target {
    pub(crate) fn due_in(self, phase: Phase) -> Goal {
        Goal { target: self, phase: Some(phase) }
    }
}

#[derive(Debug)]
struct Criterion {
    name: &'static str,
    measured: Measured,
    goal: Goal,
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
        self.measured.value().is_some_and(|value| match self.goal.target {
            Target::AtLeast(target) => value >= target,
            Target::AtMost(target) => value <= target,
            Target::Exactly(target) => value == target,
        })
    }

    fn line(&self) -> String {
        let (sign, target) = match self.goal.target {
            Target::AtLeast(target) => (">= ", target),
            Target::AtMost(target) => ("<= ", target),
            Target::Exactly(target) => ("", target),
        };
        let phase = match self.goal.phase {
            Some(Phase::Mvp) => "MVP",
            Some(Phase::Second) => "phase 2",
            None => "",
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
        format!("| {} | {phase} | {value} | {number} | {target} | {verdict} |\n", self.name)
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
    pub(crate) fn share(
        &mut self,
        name: &'static str,
        reached: usize,
        of: usize,
        goal: impl Into<Goal>,
    ) {
        let measured = Measured::Share(reached, of);
        self.all.push(Criterion { name, measured, goal: goal.into() });
    }

    /// Something measured is as large as it may be.
    pub(crate) fn number(
        &mut self,
        name: &'static str,
        value: f64,
        unit: &'static str,
        goal: impl Into<Goal>,
    ) {
        let measured = Measured::Number(value, unit);
        self.all.push(Criterion { name, measured, goal: goal.into() });
    }

    pub(crate) fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Prints the table; says whether every target is reached.
    pub(crate) fn print(&self) -> bool {
        let mut text = String::from(
            "| Criterion | Due | Share | Number | Target | |\n| --- | --- | --- | --- | --- | --- |\n",
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(criteria: &Criteria) -> Vec<String> {
        criteria.all.iter().map(|it| it.line().trim_end().to_owned()).collect()
    }

    #[test]
    fn a_line_says_in_which_phase_its_target_is_due_and_whether_it_is_reached() {
        let mut criteria = Criteria::default();
        criteria.share("pages read", 96, 100, Target::AtLeast(0.95).due_in(Phase::Mvp));
        criteria.number("improvement", 12.5, " %", Target::AtLeast(20.0).due_in(Phase::Second));
        criteria.share("nothing to count", 0, 0, Target::Exactly(1.0));
        assert_eq!(
            lines(&criteria),
            [
                "| pages read | MVP | 96.0 % | 96 of 100 | >= 95 % | reached |",
                "| improvement | phase 2 | 12.50 % |  | >= 20 % | MISSED |",
                "| nothing to count |  | - | 0 of 0 | 100 % | MISSED |",
            ]
        );
    }
}
