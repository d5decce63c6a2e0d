//! Text to tree. Nothing is expanded here.

mod command;
mod compound;
mod cursor;
mod heredoc;
mod parameter;
mod redirect;
mod simple;
mod word;

use super::ast;

pub(super) use command::parse;
