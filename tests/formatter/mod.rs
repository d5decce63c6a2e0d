//! The edited file, formatted, and nothing else touched: the formatter trigger as a process.

mod cases;
mod hosts;
mod late;
mod misbehaving;
mod people;
mod places;
mod real;
#[cfg(target_os = "linux")]
mod real_hosts;
mod scene;
mod stops;
mod trust;
