//! bash and the POSIX shells: text to tree. Nothing is expanded here.

pub(crate) mod ast;
mod command;
mod compound;
mod cursor;
mod heredoc;
mod parameter;
mod redirect;
mod simple;
mod word;

pub(crate) use command::parse;
