//! Values with their places.

use std::borrow::Cow;

/// A day, as TOML's local date writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day of the month, from 1.
    pub day: u8,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value<'t> {
    Text(Cow<'t, str>),
    Integer(i64),
    Bool(bool),
    Date(Date),
    Array(Vec<Item<'t>>),
    Table(Table<'t>),
}

/// A value and the byte at which it begins.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Item<'t> {
    pub(crate) value: Value<'t>,
    pub(crate) at: u32,
}

/// A key with its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry<'t> {
    pub(crate) key: Cow<'t, str>,
    pub(crate) at: u32,
    pub(crate) item: Item<'t>,
}

/// Entries in the order of the text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Table<'t> {
    pub(crate) entries: Vec<Entry<'t>>,
    pub(crate) made: Made,
    /// Whether something in it could not be read.
    pub(crate) damaged: bool,
}

/// How a table came to be, which decides who may add to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Made {
    /// By the header of another table below it.
    #[default]
    Implied,
    /// By its own header.
    Header,
    /// By a dotted key.
    Dotted,
    /// `{ … }`: complete.
    Inline,
}

impl Table<'_> {
    pub(crate) fn position(&self, key: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.key == key)
    }
}

impl Value<'_> {
    /// The type, in words that a person reads.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Text(_) => "a string",
            Self::Integer(_) => "a number",
            Self::Bool(_) => "true or false",
            Self::Date(_) => "a date",
            Self::Array(_) => "a list",
            Self::Table(_) => "a table",
        }
    }
}

impl Date {
    /// Days since 1970-01-01 (negative before), by the civil calendar.
    pub fn days(self) -> i64 {
        // Howard Hinnant's days_from_civil, with years that begin in March.
        let (year, month, day) = (i64::from(self.year), i64::from(self.month), i64::from(self.day));
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let of_era = year - era * 400;
        let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
    }

    /// The day that is so many days after 1970-01-01.
    pub fn of(days: i64) -> Self {
        // Howard Hinnant's civil_from_days.
        let days = days + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let of_cycle = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * of_cycle + of_cycle / 4 - of_cycle / 100);
        let month = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = of_cycle + era * 400 + i64::from(month <= 2);
        Self {
            year: u16::try_from(year).unwrap_or_default(),
            month: u8::try_from(month).unwrap_or_default(),
            day: u8::try_from(day).unwrap_or_default(),
        }
    }

    /// Whether the calendar has this day.
    pub(crate) fn exists(self) -> bool {
        let leap =
            self.year.is_multiple_of(4) && (!self.year.is_multiple_of(100) || self.year.is_multiple_of(400));
        let days = match self.month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return false,
        };
        (1..=days).contains(&self.day)
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}
