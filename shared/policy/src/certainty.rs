//! How surely something matches, and in which direction a doubt goes.

/// Whether something matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    No,
    /// Only run time tells.
    Maybe,
    Yes,
}

/// In which direction a doubt goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lean {
    /// For what restricts: every spelling that may mean it counts.
    Wide,
    /// For what loosens: only what surely means it counts.
    Narrow,
    /// For what loosens although some of its operands are only known at run time.
    Open,
}

impl Lean {
    /// For conditions that must not hold.
    pub(crate) fn turned(self) -> Self {
        match self {
            Self::Wide => Self::Narrow,
            Self::Narrow | Self::Open => Self::Wide,
        }
    }

    /// Whether it is for what loosens.
    pub(crate) fn loosens(self) -> bool {
        self != Self::Wide
    }
}

impl Match {
    pub(crate) fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    /// That it does not hold.
    pub(crate) fn not(self) -> Self {
        match self {
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
            Self::Yes => Self::No,
        }
    }
}
