//! Units of systemd: what they start, with the variables and specifiers that they see.

/// Specifiers of a unit of a user's, and what they stand for below its home folder.
const FOLDERS: [(char, &str, &str); 5] = [
    ('h', "", ""),
    ('C', "/.cache", "/var/cache"),
    ('E', "/.config", "/etc"),
    ('L', "/.local/state/log", "/var/log"),
    ('S', "/.local/state", "/var/lib"),
];

/// A unit with its name and the home folder of whom it runs for.
pub struct Unit<'t> {
    text: &'t str,
    name: &'t str,
    home: &'t str,
}

impl<'t> Unit<'t> {
    /// The unit that stands in a text.
    pub fn new(text: &'t str, (name, home): (&'t str, &'t str)) -> Self {
        Self { text, name, home }
    }

    /// The values of a key, in the order of their lines.
    fn values(&self, key: &str) -> impl Iterator<Item = &'t str> {
        let lines = self.text.lines().filter_map(|line| line.split_once('='));
        lines.filter(move |(own, _)| own.trim() == key).map(|(_, value)| value.trim())
    }

    /// A value with what its specifiers stand for: `%h` is the home folder.
    fn filled(&self, value: &str) -> String {
        let prefix = self.name.rsplit_once('.').map_or(self.name, |(prefix, _)| prefix);
        let (before, instance) = prefix.split_once('@').unwrap_or((prefix, ""));
        let is_system = self.home == "/root";
        let mut filled = String::new();
        let mut letters = value.chars();
        while let Some(c) = letters.next() {
            if c != '%' {
                filled.push(c);
                continue;
            }
            let Some(sign) = letters.next() else { break };
            let folder = FOLDERS.iter().find(|(own, ..)| *own == sign);
            match (sign, folder) {
                (_, Some((own, _, system))) if is_system && *own != 'h' => filled.push_str(system),
                (_, Some((_, below, _))) => filled.extend([self.home, below]),
                ('%', _) => filled.push('%'),
                ('i' | 'I', _) => filled.push_str(instance),
                ('n', _) => filled.push_str(self.name),
                ('N', _) => filled.push_str(prefix),
                ('p' | 'P', _) => filled.push_str(before),
                ('T', _) => filled.push_str("/tmp"),
                ('V', _) => filled.push_str("/var/tmp"),
                ('t', _) if is_system => filled.push_str("/run"),
                // Of the user's own name, the home folder tells.
                ('u', _) => filled.push_str(self.home.rsplit('/').next().unwrap_or("")),
                _ => filled.push(crate::mark::TOKEN),
            }
        }
        filled
    }

    /// The lines that it starts, each with where it stands in the text.
    pub fn started(&self) -> impl Iterator<Item = (usize, String)> {
        self.text.lines().filter_map(|line| {
            let (key, value) = line.split_once('=')?;
            let value = value.trim().trim_start_matches(['-', '@', ':', '+', '!']);
            let is_started = (key.starts_with("Exec") || key == "TryExec") && !value.is_empty();
            let at = (value.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
            is_started.then(|| (at, self.filled(value)))
        })
    }

    /// The variables that it sets: `Environment=A=b "C=d e"`.
    pub fn environment(&self) -> Vec<(String, String)> {
        let mut set = Vec::new();
        for line in self.values("Environment") {
            let mut rest = line;
            while !rest.is_empty() {
                let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''));
                let (word, after) = match quote {
                    Some(quote) => rest[1..].split_once(quote).unwrap_or((&rest[1..], "")),
                    None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
                };
                if let Some((name, value)) = word.split_once('=') {
                    set.push((name.to_owned(), self.filled(value.trim_matches(['"', '\'']))));
                }
                rest = after.trim_start();
            }
        }
        set
    }

    /// The files from which it takes more of them.
    pub fn environment_files(&self) -> Vec<String> {
        self.values("EnvironmentFile").map(|file| self.filled(file.trim_start_matches('-'))).collect()
    }

    /// The folder in which it starts them.
    pub fn folder(&self) -> Option<String> {
        let folder = self.values("WorkingDirectory").last()?.trim_start_matches('-');
        Some(if folder == "~" { self.home.to_owned() } else { self.filled(folder) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifiers_stand_for_folders_and_names() {
        let text = "[Service]\nEnvironment=A=%h \"B=x y\"\nExecStart=-/bin/rm %S/%i %%\nWorkingDirectory=~\n";
        let unit = Unit::new(text, ("demo@one.service", "/home/u"));
        let set = [("A", "/home/u"), ("B", "x y")].map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(unit.environment(), set);
        let started: Vec<String> = unit.started().map(|(_, line)| line).collect();
        assert_eq!(started, ["/bin/rm /home/u/.local/state/one %"]);
        assert_eq!(unit.folder().as_deref(), Some("/home/u"));
    }
}
