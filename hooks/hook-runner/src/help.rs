//! `completions`, `man` and `schema`: what other programs want to know about this one and about hook files.

use std::fs;
use std::path::Path;

use crate::Done;
use crate::command_line::{self, CompletionOptions, ManOptions, SchemaOptions};
use crate::fault::{Exit, Fault};

/// `hook-runner completions`.
pub(crate) fn completions(options: &CompletionOptions) -> Done {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command_line::command(), "hook-runner", &mut text);
    screen::data(&String::from_utf8_lossy(&text))?;
    Ok(Exit::Fine)
}

/// `hook-runner man`.
pub(crate) fn man(options: &ManOptions) -> Done {
    let mut command = command_line::command();
    command.build();
    let Some(folder) = &options.folder else {
        screen::data(&page(&command)?)?;
        return Ok(Exit::Fine);
    };
    fs::create_dir_all(folder).map_err(|error| Fault::unwritable(folder, error))?;
    write(folder, "hook-runner", &command)?;
    for task in command.get_subcommands().filter(|task| task.get_name() != "help") {
        write(folder, &format!("hook-runner-{}", task.get_name()), task)?;
    }
    Ok(Exit::Fine)
}

fn page(command: &clap::Command) -> Result<String, Fault> {
    let mut text = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn write(folder: &Path, name: &str, command: &clap::Command) -> Result<(), Fault> {
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?).map_err(|error| Fault::unwritable(&path, error))
}

/// `hook-runner schema`.
pub(crate) fn schema(options: &SchemaOptions) -> Done {
    screen::data(&format!("{:#}\n", options.dialect.schema()))?;
    Ok(Exit::Fine)
}
