//! The agent may finish when the work is fit to hand over, and never loops: the stop guard as a process.

mod bad_state;
mod killed;
mod loops;
mod people;
mod scene;
mod transcript;
mod work;
