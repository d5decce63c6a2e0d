//! A small generator of numbers, the same on every run.

pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// `SplitMix64`.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap_or_default()
    }

    pub(crate) fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.below(letters.len())]).collect()
    }

    pub(crate) fn alnum(&mut self, length: usize) -> String {
        self.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length)
    }

    pub(crate) fn word(&mut self, length: usize) -> String {
        self.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", length)
    }

    pub(crate) fn hex(&mut self, length: usize) -> String {
        self.text("0123456789abcdef", length)
    }

    pub(crate) fn caps(&mut self, length: usize) -> String {
        self.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", length)
    }

    pub(crate) fn base64(&mut self, length: usize) -> String {
        self.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", length)
    }

    pub(crate) fn digits(&mut self, length: usize) -> String {
        self.text("0123456789", length)
    }

    pub(crate) fn uuid(&mut self) -> String {
        format!("{}-{}-4{}-8{}-{}", self.hex(8), self.hex(4), self.hex(3), self.hex(3), self.hex(12))
    }

    pub(crate) fn password(&mut self) -> String {
        let word =
            self.pick(&["correct", "horse", "battery", "staple", "winter", "Summer", "dragon", "monkey"]);
        let sign = self.pick(&["!", "_", "-", "."]);
        format!("{word}{sign}{}{}", self.digits(3), self.alnum(3))
    }
}
