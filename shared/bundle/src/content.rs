//! Whether the policies of a bundle are fine: what hooks could not read would hold back every call.

use policy::layers::{Source, today};
use policy::{Layer, cli};

use crate::archive::NamedFile;

/// A mistake in a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistaken {
    pub file: String,
    /// Place, what is wrong, and what to write instead.
    pub what: String,
}

/// The mistakes in these policies, as files of the machine.
pub fn mistakes(files: &[NamedFile]) -> Vec<Mistaken> {
    let of_file = |file: &NamedFile| {
        let source = Source::of(Layer::System, &file.name, &*file.text);
        let errors = cli::check(&source, &[], today(), -1).errors;
        errors
            .into_iter()
            .map(|error| Mistaken { file: file.name.clone(), what: error.to_string() })
            .collect::<Vec<_>>()
    };
    files.iter().flat_map(of_file).collect()
}
