//! Agreement with what bash said, where the rows tell.

use crate::Row;
use crate::matching::missing;
use crate::worker::{Answer, Ending};
use std::fmt;

/// The tallies of all parsers, in the order in which they were met.
#[derive(Debug, Default)]
pub(crate) struct Table(Vec<(&'static str, Tally)>);

#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    valid: usize,
    valid_accepted: usize,
    invalid: usize,
    invalid_refused: usize,
    argvs: usize,
    argvs_missing: usize,
    rows_missing: usize,
    panics: usize,
    timeouts: usize,
}

impl Table {
    /// Counts one answer.
    pub(crate) fn add(&mut self, name: &'static str, row: &Row, answer: &Answer) {
        let tally = self.tally(name);
        let accepted = answer.status == Ending::Ok;
        match row.bash_n {
            Some(true) => {
                tally.valid += 1;
                tally.valid_accepted += usize::from(accepted);
            }
            Some(false) => {
                tally.invalid += 1;
                tally.invalid_refused += usize::from(!accepted);
            }
            None => {}
        }
        tally.panics += usize::from(answer.status == Ending::Panic);
        tally.timeouts += usize::from(answer.status == Ending::Timeout);
        if let Some(ran) = &row.argvs {
            tally.argvs += ran.len();
            // A parser that refuses is not silent.
            if accepted {
                let count = missing(ran, &answer.argvs);
                tally.argvs_missing += count;
                tally.rows_missing += usize::from(count > 0);
            }
        }
    }

    fn tally(&mut self, name: &'static str) -> &mut Tally {
        let found = self.0.iter().position(|(other, _)| *other == name);
        let at = found.unwrap_or_else(|| {
            self.0.push((name, Tally::default()));
            self.0.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "it was found or pushed just now")]
        &mut self.0[at].1
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| parser | agreement | valid accepted | invalid refused | argvs silently missing | rows with such | panics | timeouts |"
        )?;
        writeln!(f, "|---|---|---|---|---|---|---|---|")?;
        for (name, it) in &self.0 {
            writeln!(
                f,
                "| {name} | {} | {} | {} | {} | {} | {} | {} |",
                share(
                    it.valid_accepted + it.invalid_refused,
                    it.valid + it.invalid
                ),
                share(it.valid_accepted, it.valid),
                share(it.invalid_refused, it.invalid),
                share(it.argvs_missing, it.argvs),
                it.rows_missing,
                it.panics,
                it.timeouts
            )?;
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share for a person")]
fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    let percent = 100.0 * part as f64 / whole as f64;
    format!("{percent:.3} % ({part}/{whole})")
}
