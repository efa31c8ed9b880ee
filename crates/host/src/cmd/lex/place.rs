//! Where something stands in the source, as people and editors count.

/// The lines of a source.
#[derive(Debug)]
pub(super) struct Lines<'s> {
    source: &'s [u8],
    /// Where each line begins.
    starts: Vec<usize>,
}

/// A place in the source; both numbers count from one, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s [u8]) -> Self {
        let after = |(at, byte): (usize, &u8)| (*byte == b'\n').then_some(at.saturating_add(1));
        let starts = std::iter::once(0)
            .chain(source.iter().enumerate().filter_map(after))
            .collect();
        Self { source, starts }
    }

    /// How many lines hold something.
    pub(super) fn count(&self) -> usize {
        let ends_open = self.starts.last() == Some(&self.source.len());
        self.starts.len().saturating_sub(usize::from(ends_open))
    }

    pub(super) fn place(&self, at: usize) -> Place {
        let line = self.number(at);
        let before = self.source.get(self.start(line)..at).unwrap_or_default();
        Place {
            line,
            column: String::from_utf8_lossy(before)
                .chars()
                .count()
                .saturating_add(1),
        }
    }

    /// The number of the line that holds a byte.
    pub(super) fn number(&self, at: usize) -> usize {
        self.starts.partition_point(|start| *start <= at)
    }

    /// Where a line begins and ends, without its newline.
    pub(super) fn bounds(&self, line: usize) -> (usize, usize) {
        let next = self.starts.get(line);
        let end = next.map_or(self.source.len(), |next| next.saturating_sub(1));
        (self.start(line), end)
    }

    fn start(&self, line: usize) -> usize {
        let before = self.starts.get(line.saturating_sub(1));
        before.copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let lines = Lines::new("a\nä b\n".as_bytes());
        let place = |at| {
            let place = lines.place(at);
            (place.line, place.column)
        };
        assert_eq!(
            [0, 1, 2, 4, 5, 6, 7].map(place),
            [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1)]
        );
        assert_eq!((lines.count(), lines.bounds(2)), (2, (2, 6)));
    }
}
