//! Facts for the model, from a repository that may be hostile: the context injector as a process.

mod answers;
mod bad_input;
mod hostile;
mod names;
mod people;
mod scene;
