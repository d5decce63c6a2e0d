//! Where the settings files of the machine and of the user lie, and reading them.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The largest file that is read, in bytes.
const LARGEST: u64 = 256 * 1024;

/// Where the machine's file `name` lies.
pub fn system(name: &str) -> PathBuf {
    let folder = if cfg!(windows) {
        r"C:\ProgramData\policy-hooks"
    } else if cfg!(target_os = "macos") {
        "/Library/Application Support/policy-hooks"
    } else {
        "/etc/policy-hooks"
    };
    joined(&[Path::new(folder), Path::new(name)])
}

/// Where the file `name` of the user with this home lies.
pub fn user(home: &Path, name: &str) -> PathBuf {
    joined(&[home, Path::new(".config/policy-hooks"), Path::new(name)])
}

/// The parts as one path, with room for all of them from the start.
fn joined(parts: &[&Path]) -> PathBuf {
    let mut path = PathBuf::with_capacity(parts.iter().map(|part| part.as_os_str().len() + 1).sum());
    path.extend(parts);
    path
}

/// The bytes of a file; `None` when there is none.
///
/// # Errors
///
/// What is wrong with it, in one sentence for people.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let refused = |error: io::Error| format!("{} cannot be read: {error}", path.display());
    match std::fs::metadata(path) {
        Ok(facts) if facts.is_file() => {}
        Ok(_) => return Err(format!("{} is not a file", path.display())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(None),
        Err(error) => return Err(refused(error)),
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(refused)?;
    if bytes.len() as u64 > LARGEST {
        return Err(format!("{} is larger than {} KiB", path.display(), LARGEST / 1024));
    }
    Ok(Some(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.toml");
        assert_eq!(read(&file), Ok(None));
        assert_eq!(read(&file.join("below")), Ok(None));
        std::fs::write(&file, "x").unwrap();
        assert_eq!(read(&file), Ok(Some(b"x".to_vec())));
        assert_eq!(read(&file.join("below")), Ok(None));
        std::fs::write(&file, vec![b'#'; 300 * 1024]).unwrap();
        assert!(read(&file).unwrap_err().contains("larger than 256 KiB"));
        assert!(read(folder.path()).unwrap_err().contains("not a file"));
    }
}
