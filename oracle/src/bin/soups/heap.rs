//! How much memory lexing takes at most, beside the size of the source.

use crate::{HEAP, Inputs, hostile, show};
use countersign_lexer::{Options, lex};
use peakmem_alloc::PeakMemAllocTrait;

/// The promise: so many bytes for each byte of source …
const PER_BYTE: usize = 16;

/// … and these for any source.
const FIXED: usize = 64 << 10;

/// How many of the random inputs are measured.
const SAMPLE: u64 = 20_000;

const SIZES: [usize; 4] = [1 << 10, 1 << 14, 1 << 17, 1 << 20];

#[derive(Debug, Clone, Copy, Default)]
struct Peak {
    source: usize,
    bytes: usize,
}

impl Peak {
    /// Lexes, and tells how much was allocated meanwhile at most.
    fn of(source: &[u8]) -> Self {
        HEAP.reset_peak_memory();
        let script = lex(source, &Options::default());
        let bytes = HEAP.get_peak_memory();
        drop(script);
        Self {
            source: source.len(),
            bytes,
        }
    }

    fn bound(self) -> usize {
        PER_BYTE * self.source + FIXED
    }

    fn keeps(self) -> bool {
        self.bytes <= self.bound()
    }

    /// How much of the bound is used.
    #[expect(clippy::cast_precision_loss, reason = "a number for people")]
    fn share(self) -> f64 {
        self.bytes as f64 / self.bound() as f64
    }

    /// Bytes for each byte of source, without what any source may take.
    #[expect(clippy::cast_precision_loss, reason = "a number for people")]
    fn ratio(self) -> f64 {
        self.bytes.saturating_sub(FIXED) as f64 / self.source.max(1) as f64
    }
}

/// Measures some of the random inputs.
pub(crate) fn random(inputs: Inputs) -> Result<(), String> {
    let mut worst = Peak::default();
    let mut text = Vec::new();
    let sample = inputs.count.min(SAMPLE);
    for seed in inputs.first..inputs.first + sample {
        let input = inputs.make(seed);
        let peak = Peak::of(&input);
        if peak.share() > worst.share() || text.is_empty() {
            worst = peak;
            text = input;
        }
    }
    println!(
        "memory of {sample} random inputs: at worst {} bytes for {}: {}",
        worst.bytes,
        worst.source,
        show(&text)
    );
    if worst.keeps() {
        Ok(())
    } else {
        Err(format!(
            "a random input takes more than {} bytes",
            worst.bound()
        ))
    }
}

/// Measures every hostile text in every size, and prints the worst of each.
pub(crate) fn hostile() -> Result<(), String> {
    let mut rows: Vec<(&str, Peak)> = hostile::REPEATED
        .iter()
        .map(|&text| {
            let peaks = SIZES.map(|size| Peak::of(&hostile::repeated(text, size)));
            let worst = peaks
                .into_iter()
                .max_by(|a, b| a.share().total_cmp(&b.share()));
            (text, worst.unwrap_or_default())
        })
        .collect();
    rows.sort_by(|(_, a), (_, b)| b.share().total_cmp(&a.share()));
    println!(
        "memory of hostile inputs; allowed are {PER_BYTE} bytes for each byte, and {} KiB",
        FIXED >> 10
    );
    println!(
        "{:>7}  {:>9}  {:>10}  {:>6}  text",
        "a byte", "source", "peak", "share"
    );
    for (text, peak) in &rows {
        println!(
            "{:7.1}  {:9}  {:10}  {:5.0}%  {}×n",
            peak.ratio(),
            peak.source,
            peak.bytes,
            peak.share() * 100.0,
            text.escape_debug()
        );
    }
    let over = rows.iter().filter(|(_, peak)| !peak.keeps()).count();
    if over == 0 {
        Ok(())
    } else {
        Err(format!(
            "{over} of {} hostile texts take more memory than allowed",
            rows.len()
        ))
    }
}
