/// A set of bytes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(super) const ALL: Self = Self([u64::MAX; 4]);

    pub(super) fn insert(&mut self, byte: u8) {
        if let Some(word) = self.0.get_mut(usize::from(byte >> 6)) {
            *word |= 1 << (byte & 63);
        }
    }

    pub(super) fn holds(self, byte: u8) -> bool {
        self.0
            .get(usize::from(byte >> 6))
            .is_some_and(|word| word & (1 << (byte & 63)) != 0)
    }
}
