//! The stores in which device management keeps a host's policies: managed preferences on macOS, the registry on Windows.

use std::path::Path;

use host::managed::{Store, Stored};
use host::{Product, System};
use serde_json::Value;

/// All that is there for the hosts that we know.
pub(crate) fn read(root: &Path, home: &Path) -> Vec<Stored> {
    let has = |product: Product| Some((product.name, product.store?));
    let stores = Product::ALL.into_iter().filter_map(has);
    let found = |(host, store): (&'static str, Store)| match System::HERE {
        System::Linux => None,
        System::Mac => preferences(root, home, host, &store),
        System::Windows => registry(host, &store),
    };
    stores.filter_map(found).collect()
}

/// Managed preferences: those of the user come before those of the machine.
fn preferences(root: &Path, home: &Path, host: &'static str, store: &Store) -> Option<Stored> {
    let folder = root.join("Library/Managed Preferences");
    let file = format!("{}.plist", store.mac);
    let user = home.file_name().map(|user| folder.join(user).join(&file));
    let machine = folder.join(&file);
    let at = user.into_iter().chain([machine]).find(|path| path.is_file())?;
    // The host looks no further either where one cannot be read.
    let text =
        plist::from_file::<_, Value>(&at).map_or_else(|error| error.to_string(), |value| value.to_string());
    Some(Stored { host, at, text })
}

/// A key of the registry, which every process of the machine sees alike: those below `Policies` are not redirected.
#[cfg(windows)]
fn registry(host: &'static str, store: &Store) -> Option<Stored> {
    let key = windows_registry::LOCAL_MACHINE.open(store.windows).ok()?;
    let text = match store.value {
        Some(name) => key.get_string(name).ok()?,
        // [docs] VS Code, enterprise policies: a switch is a number.
        None => {
            let switch = |(name, value): (String, windows_registry::Value)| {
                Some((name, Value::Bool(u32::try_from(value).ok()? != 0)))
            };
            Value::Object(key.values().ok()?.filter_map(switch).collect()).to_string()
        }
    };
    Some(Stored { host, at: format!(r"HKLM\{}", store.windows).into(), text })
}

#[cfg(not(windows))]
fn registry(_: &'static str, _: &Store) -> Option<Stored> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_preferences_of_the_user_come_first() {
        let root = tempfile::tempdir().unwrap();
        let home = Path::new("/Users/me");
        let store = Product::CLAUDE.store.unwrap();
        let read = || preferences(root.path(), home, "claude", &store);
        assert_eq!(read(), None);
        let folder = root.path().join("Library/Managed Preferences");
        std::fs::create_dir_all(folder.join("me")).unwrap();
        let write = |path: &str, value: &Value| {
            let path = folder.join(path);
            plist::to_file_binary(&path, value).unwrap();
            path
        };
        for path in ["com.anthropic.claudecode.plist", "me/com.anthropic.claudecode.plist"] {
            let at = write(path, &serde_json::json!({"disableAllHooks": true, "at": path}));
            let stored = read().unwrap();
            let text: Value = serde_json::from_str(&stored.text).unwrap();
            assert!(stored.at == at && text["at"] == path && text["disableAllHooks"] == true, "{stored:?}");
        }
        std::fs::write(folder.join("me/com.anthropic.claudecode.plist"), "not one").unwrap();
        assert!(
            serde_json::from_str::<Value>(&read().unwrap().text).is_err(),
            "the host does not read the next"
        );
    }
}
