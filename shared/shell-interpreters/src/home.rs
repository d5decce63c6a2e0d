//! The home folder, which code may put elsewhere for itself: `os.environ["HOME"] = tempfile.mkdtemp()`.

use std::rc::Rc;

use super::Language;
use super::follow::Follower;
use super::value::{Arguments, Value};

/// Names by which code takes a variable of the environment away again, or goes on where it was never set: then the home is
/// the user's.
const TAKES_AWAY: [&str; 18] = [
    "Clearenv",
    "Unsetenv",
    "assign",
    "catch",
    "clear",
    "del",
    "delete",
    "delete_if",
    "except",
    "merge",
    "pop",
    "popitem",
    "remove_var",
    "replace",
    "rescue",
    "suppress",
    "unsetenv",
    "update",
];

/// Where the home folder is.
#[derive(Default, Clone)]
pub(super) struct Home {
    /// The user's, whatever the environment says.
    pub(super) own: Rc<str>,
    /// Whether the code has put it elsewhere, and not only for a test.
    pub(super) is_moved: bool,
}

impl Follower<'_> {
    /// The environment names another home folder from now on.
    pub(super) fn move_home(&mut self, value: &Value) {
        // Where it may not come to that, or only later, the home is the user's.
        let is_sure =
            !self.is_in_function() && !self.is_unsure() && !TAKES_AWAY.iter().any(|name| self.names(name));
        if is_sure {
            self.scope.home = Rc::from(value.text());
            self.home.is_moved = true;
        }
    }

    /// `ENV.store("HOME", dir)`
    pub(super) fn moves_home(&mut self, path: &str, arguments: &Arguments) {
        if let ("ENV.store" | "Deno.env.set", [name, value, ..]) = (path, arguments.values.as_slice())
            && matches!(self.language, Language::JavaScript | Language::Ruby)
            && name.known().is_some_and(|name| name == "HOME")
        {
            self.move_home(value);
        }
    }

    /// What was done with the home since then has not been done.
    pub(super) fn put_home_back(&mut self, home: &Rc<str>, is_moved: bool) {
        self.scope.home = Rc::clone(home);
        self.home.is_moved = is_moved;
    }
}
