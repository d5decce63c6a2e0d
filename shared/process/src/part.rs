//! What is kept of a program's output: a flood does not fill the memory.

/// Which part is kept, in bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    Beginning(usize),
    End(usize),
}

/// What was kept so far.
#[derive(Debug)]
pub(crate) struct Kept {
    part: Part,
    bytes: Vec<u8>,
    flooded: bool,
}

impl Kept {
    pub(crate) fn new(part: Part) -> Self {
        Self { part, bytes: Vec::new(), flooded: false }
    }

    /// Adds what came.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        match self.part {
            Part::Beginning(most) => {
                let room = bytes.len().min(most.saturating_sub(self.bytes.len()));
                // The rest is counted and thrown away: the program must be able to go on writing.
                self.bytes.extend_from_slice(bytes.get(..room).unwrap_or_default());
                self.flooded |= room < bytes.len();
            }
            Part::End(most) => {
                self.bytes.extend_from_slice(bytes);
                self.flooded |= self.bytes.len() > most;
                // Not at once: moving the rest each time would cost more than the room.
                if self.bytes.len() > 2 * most {
                    self.cut(most);
                }
            }
        }
    }

    /// Whether there was more than is kept.
    pub(crate) fn is_flooded(&self) -> bool {
        self.flooded
    }

    /// What is kept; nothing is, afterwards.
    pub(crate) fn take(&mut self) -> Vec<u8> {
        if let Part::End(most) = self.part {
            self.cut(most);
        }
        std::mem::take(&mut self.bytes)
    }

    fn cut(&mut self, most: usize) {
        let surplus = self.bytes.len().saturating_sub(most);
        self.bytes.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_that_was_asked_for_is_kept() {
        for (part, expected, flooded) in [
            (Part::Beginning(4), &b"0123"[..], true),
            (Part::Beginning(20), b"0123456789", false),
            (Part::End(4), b"6789", true),
            (Part::End(10), b"0123456789", false),
        ] {
            let mut kept = Kept::new(part);
            for bytes in [&b"012"[..], b"", b"345678", b"9"] {
                kept.add(bytes);
            }
            assert_eq!((kept.is_flooded(), kept.take().as_slice()), (flooded, expected), "{part:?}");
        }
    }
}
