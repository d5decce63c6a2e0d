//! What was kept, as it stands in the user's state and beside the objects.

use serde::{Deserialize, Serialize};

/// One thing that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub version: u32,
    pub id: String,
    /// When, in milliseconds since 1970.
    pub time: u64,
    /// The command, without secrets.
    pub command: String,
    /// What it would have lost, as a list to read.
    pub lost: String,
    /// As many bytes were saved.
    pub bytes: u64,
    /// Of all that was saved, so that the same is not saved twice.
    pub fingerprint: String,
    pub what: What,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// In a repository.
    Tree(Tree),
    /// Elsewhere.
    Files(Files),
}

/// A working tree, its index, and what its repository's references led to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tree {
    /// The working tree's root.
    pub root: String,
    /// Files that the index did not have as they were, seen from the root.
    pub files: Vec<Saved>,
    /// Files of the index that were not there.
    pub gone: Vec<String>,
    /// References that would have led elsewhere, or nowhere.
    pub references: Vec<Reference>,
    /// Stashes, the newest first.
    pub stashes: Vec<Stash>,
    /// What was checked out, if that would have changed.
    pub head: Option<Branch>,
    /// Whether there was an index.
    pub index: bool,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Saved {
    pub path: String,
    /// The bits of its rights.
    pub rights: u32,
    pub link: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reference {
    pub name: String,
    pub object: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stash {
    pub commit: String,
    /// Its number in the list.
    pub at: usize,
    pub message: String,
}

/// A branch by its full name, or none; and the commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    pub name: Option<String>,
    pub commit: Option<String>,
}

/// Files that were copied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// Folders before what is in them.
    pub items: Vec<Item>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Absolute.
    pub path: String,
    pub rights: u32,
    pub kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    Folder,
    /// A file, whose copy has this number.
    File(usize),
    /// Where it leads.
    Link(String),
}

impl Entry {
    /// Where it was, for people.
    pub fn place(&self) -> &str {
        match &self.what {
            What::Tree(tree) => &tree.root,
            What::Files(files) => files.items.first().map_or("", |item| &item.path),
        }
    }

    /// The files in it.
    pub fn paths(&self) -> Vec<&str> {
        match &self.what {
            What::Tree(tree) => tree.files.iter().map(|file| file.path.as_str()).collect(),
            What::Files(files) => {
                let files = files.items.iter().filter(|item| item.kind != Kind::Folder);
                files.map(|item| item.path.as_str()).collect()
            }
        }
    }

    /// The reference to what is kept, or the beginning of them all.
    pub(crate) fn reference(&self, last: &str) -> String {
        format!("refs/policy-hooks/kept/{}/{last}", self.id)
    }
}
