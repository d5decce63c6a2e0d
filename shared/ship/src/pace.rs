//! How often a receiver that does not answer is tried again.

use std::time::Duration;

/// The pauses between tries: each twice as long as the one before, and by chance up to half shorter, so that a
/// fleet does not come back at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    pub first: Duration,
    pub longest: Duration,
    /// How long all tries for one batch may take; `None` for ever.
    pub give_up: Option<Duration>,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(500),
            longest: Duration::from_secs(30),
            give_up: Some(Duration::from_mins(1)),
        }
    }
}

impl Pace {
    /// The pause after this many tries; `chance` is from 0 to 255.
    pub(crate) fn pause(&self, tries: u32, chance: u8) -> Duration {
        let whole = self.first.saturating_mul(1 << tries.min(16)).min(self.longest);
        whole.mul_f64(1.0 - f64::from(chance) / 512.0)
    }
}

/// A random number from 0 to 255.
pub(crate) fn chance() -> u8 {
    let mut byte = [127];
    // Without random bytes, every machine waits alike.
    let _ = getrandom::fill(&mut byte);
    byte[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pace = Pace::default();
        let pauses: Vec<u128> = (0..8).map(|tries| pace.pause(tries, 0).as_millis()).collect();
        assert_eq!(pauses, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000]);
        for chance in 0..=255 {
            let pause = pace.pause(3, chance);
            assert!(pause <= Duration::from_secs(4) && pause >= Duration::from_secs(2), "{pause:?}");
        }
    }
}
