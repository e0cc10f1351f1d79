//! Numbers beside their targets.

use std::io::Write;

/// What a number must be.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    AtLeast(f64),
    Exactly(f64),
}

#[derive(Debug)]
struct Criterion {
    name: &'static str,
    share: (usize, usize),
    target: Target,
}

impl Criterion {
    fn value(&self) -> f64 {
        self.share.0 as f64 / self.share.1 as f64
    }

    /// Nothing to count is not a success.
    fn holds(&self) -> bool {
        self.share.1 > 0
            && match self.target {
                Target::AtLeast(target) => self.value() >= target,
                Target::Exactly(target) => self.value() == target,
            }
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
        self.all.push(Criterion { name, share: (reached, of), target });
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
            let target = match it.target {
                Target::AtLeast(share) => format!(">= {:.0} %", share * 100.0),
                Target::Exactly(share) => format!("{:.0} %", share * 100.0),
            };
            let verdict = if it.holds() { "reached" } else { "MISSED" };
            let (reached, of) = it.share;
            let percent =
                if of == 0 { "-".to_owned() } else { format!("{:.1} %", it.value() * 100.0) };
            text += &format!(
                "| {} | {percent} | {reached} of {of} | {target} | {verdict} |\n",
                it.name
            );
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
    // A closed pipe leaves nobody to tell.
    let _ = std::io::stdout().flush();
}
