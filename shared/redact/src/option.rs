//! Programs and their password options: `curl -u bob:…`, `mysql -p…`, `sshpass -p …`, `xfreerdp /p:…`.

use crate::class::{self, LOWER, UPPER};
use crate::guard;
use crate::span::Span;

/// Programs with options of one letter that take a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Program {
    /// `-u user:password`
    Web,
    /// `-p password`
    SmallP,
    /// `-ppassword` glued, or `-p` that asks
    GluedP,
    /// `-P password`
    CapitalP,
    /// `-a password`
    Redis,
    /// `-w password`
    Ldap,
    /// `-U domain/user%password`
    Samba,
    /// `-passin pass:password`, `-k password`
    OpenSsl,
    /// `htpasswd -b file user password`
    Htpasswd,
    /// `ConvertTo-SecureString [-String] 'password'`
    SecureString,
    /// `sqlplus user/password@database`
    Oracle,
    /// `/p:password`
    RemoteDesktop,
    /// `security unlock-keychain -p password`, `security add-generic-password -w password`
    Keychain,
    /// `nmcli … password 'password'`
    Network,
    /// `aws ssm put-parameter --type SecureString --value password`
    Aws,
    /// `net use Z: \\\\server\\share password /user:bob`
    NetUse,
    /// `bw login bob@example.com password`
    Bitwarden,
}

/// The program that a word names.
pub(crate) fn program(word: &[u8]) -> Option<Program> {
    Some(match word {
        b"curl" | b"wget" | b"http" | b"https" | b"xh" | b"curlie" => Program::Web,
        b"sshpass" | b"login" | b"mongo" | b"mongosh" | b"mongodump" | b"mongorestore" | b"psexec"
        | b"PsExec" | b"mosquitto_pub" | b"smbmap" | b"crackmapexec" | b"rabbitmqadmin" | b"cqlsh" => {
            Program::SmallP
        }
        b"mysql" | b"mysqldump" | b"mysqladmin" | b"mariadb" | b"mariadb-dump" | b"mysqlimport" | b"7z"
        | b"7za" | b"7zz" | b"unrar" | b"rar" | b"mysqlsh" | b"ncmpcpp" => Program::GluedP,
        b"sqlcmd" | b"zip" | b"unzip" | b"bcp" | b"mssql-cli" | b"mosquitto_sub" => Program::CapitalP,
        b"redis-cli" => Program::Redis,
        b"ldapsearch" | b"ldapmodify" | b"ldapadd" | b"ldapdelete" | b"ldapwhoami" | b"ldappasswd" => {
            Program::Ldap
        }
        b"smbclient" | b"rpcclient" => Program::Samba,
        b"openssl" => Program::OpenSsl,
        b"htpasswd" => Program::Htpasswd,
        b"ConvertTo-SecureString" => Program::SecureString,
        b"sqlplus" | b"sqlldr" | b"expdp" | b"impdp" | b"rman" => Program::Oracle,
        b"xfreerdp" | b"xfreerdp3" | b"wlfreerdp" | b"cmdkey" => Program::RemoteDesktop,
        b"security" => Program::Keychain,
        b"nmcli" => Program::Network,
        b"aws" => Program::Aws,
        b"net" => Program::NetUse,
        b"bw" => Program::Bitwarden,
        _ => return None,
    })
}

/// The password behind the option `bytes[start..end]` of `program`.
pub(crate) fn option(text: &str, program: Program, start: usize, end: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let word = bytes.get(start..end)?;
    let next = || argument(bytes, end);
    let (from, to) = match program {
        Program::Web if matches!(word, b"-u" | b"--user" | b"-U" | b"--proxy-user" | b"-a" | b"--auth") => {
            let (from, to) = next()?;
            let colon = bytes[from..to].iter().position(|byte| *byte == b':')?;
            (from + colon + 1, to)
        }
        // `-sSu bob:password`: several options of one letter in one word.
        Program::Web
            if word.len() > 2
                && word.ends_with(b"u")
                && word[0] == b'-'
                && class::run(&word[1..], LOWER | UPPER) == word.len() - 1 =>
        {
            let (from, to) = next()?;
            let colon = bytes[from..to].iter().position(|byte| *byte == b':')?;
            (from + colon + 1, to)
        }
        Program::Web
            if word.starts_with(b"-u")
                && word.len() > 3
                && word[2] != b'-'
                && bytes.get(end) == Some(&b':') =>
        {
            (end + 1, end + 1 + word_length(&bytes[end + 1..]))
        }
        Program::SmallP if word == b"-p" => next()?,
        Program::SmallP if word.starts_with(b"-p") && word.len() > 5 && !word.starts_with(b"-pass") => {
            (start + 2, end + word_length(&bytes[end..]))
        }
        Program::GluedP if word.starts_with(b"-p") && word.len() > 2 => {
            (start + 2, end + word_length(&bytes[end..]))
        }
        Program::GluedP if word == b"-p" && matches!(bytes.get(end), Some(b'"' | b'\'')) => {
            argument(bytes, end)?
        }
        Program::GluedP
            if word == b"-p" && bytes.get(end).is_some_and(|byte| !byte.is_ascii_whitespace()) =>
        {
            (end, end + word_length(&bytes[end..]))
        }
        Program::CapitalP if word == b"-P" => next()?,
        Program::Redis if word == b"-a" => next()?,
        Program::Ldap if word == b"-w" => next()?,
        Program::Samba if matches!(word, b"-U" | b"--user") => {
            let (from, to) = next()?;
            let percent = bytes[from..to].iter().position(|byte| *byte == b'%')?;
            (from + percent + 1, to)
        }
        Program::OpenSsl if word == b"-k" => next()?,
        Program::OpenSsl if word == b"pass" && bytes.get(end) == Some(&b':') => {
            (end + 1, end + 1 + word_length(&bytes[end + 1..]))
        }
        Program::Htpasswd if word.starts_with(b"-") && !word.starts_with(b"--") && word.contains(&b'b') => {
            // The file, the user, the password.
            let (_, file) = next()?;
            let (_, user) = argument(bytes, file)?;
            argument(bytes, user)?
        }
        Program::SecureString if matches!(word, b"ConvertTo-SecureString" | b"-String") => {
            let (from, to) = next()?;
            if bytes[from] == b'-'
                || bytes[from] == b'$'
                || !matches!(bytes.get(from.wrapping_sub(1)), Some(b'"' | b'\''))
            {
                return None;
            }
            (from, to)
        }
        Program::Oracle if bytes.get(end) == Some(&b'/') && stands_alone(bytes, start) => {
            let length = word_length(&bytes[end + 1..]);
            let shown = &bytes[end + 1..end + 1 + length];
            let length = shown.iter().rposition(|byte| *byte == b'@').unwrap_or(length);
            (end + 1, end + 1 + length)
        }
        Program::RemoteDesktop
            if matches!(word, b"p" | b"pass")
                && bytes.get(end) == Some(&b':')
                && start > 0
                && bytes[start - 1] == b'/' =>
        {
            argument(bytes, end + 1)?
        }
        Program::Keychain if matches!(word, b"-p" | b"-w" | b"-P") => next()?,
        Program::Network if word == b"password" => next()?,
        Program::Aws if word == b"--value" && in_command(bytes, start, b"SecureString") => next()?,
        Program::NetUse if word == b"use" => {
            let (from, to) = argument(bytes, next()?.1)?;
            if !bytes[from..to].starts_with(b"\\\\") {
                return None;
            }
            argument(bytes, to).filter(|(from, _)| !matches!(bytes[*from], b'/' | b'*'))?
        }
        Program::Bitwarden if matches!(word, b"login" | b"unlock") => {
            let (from, to) = next()?;
            let (from, to) = if bytes[from..to].contains(&b'@') { argument(bytes, to)? } else { (from, to) };
            if bytes[from] == b'-' {
                return None;
            }
            (from, to)
        }
        _ => return None,
    };
    let shown = text.get(from..to)?;
    let secret = shown.len() >= 4
        && !guard::is_placeholder(shown)
        && !shown.contains("path/to")
        && !shown.starts_with('/');
    // Ports (`-p 8080:80`, `-P 3306`) are no passwords.
    let number = shown.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') && shown.len() <= 11;
    (secret && !number && shown.as_bytes()[0] != b'-').then(|| Span::plain(from, to, "option-password"))
}

/// Whether a word starts an argument.
fn stands_alone(bytes: &[u8], start: usize) -> bool {
    start > 0 && (bytes[start - 1].is_ascii_whitespace() || matches!(bytes[start - 1], b'"' | b'\''))
}

/// As far as this, in bytes, a command is looked through for what belongs to an option.
pub(crate) const NEAR: usize = 1024;

/// Whether the command around `at` says `word`.
fn in_command(bytes: &[u8], at: usize, word: &[u8]) -> bool {
    let (low, high) = (at.saturating_sub(NEAR), bytes.len().min(at + NEAR));
    let from = bytes[low..at].iter().rposition(|byte| ends_command(*byte)).map_or(low, |stop| low + stop + 1);
    let to = bytes[at..high].iter().position(|byte| ends_command(*byte)).map_or(high, |stop| at + stop);
    memchr::memmem::find(&bytes[from..to], word).is_some()
}

/// The next argument behind `at`, without its quotes.
pub(crate) fn argument(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut from = at;
    while bytes.get(from).is_some_and(|byte| matches!(byte, b' ' | b'\t' | b'=')) {
        from += 1;
    }
    let quote = *bytes.get(from)?;
    if matches!(quote, b'"' | b'\'') {
        let length = bytes[from + 1..].iter().position(|byte| *byte == quote)?;
        return (length > 0).then_some((from + 1, from + 1 + length));
    }
    let length = word_length(&bytes[from..]);
    (length > 0).then_some((from, from + length))
}

/// How long a shell's word is, unquoted.
fn word_length(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .position(|byte| {
            byte.is_ascii_whitespace()
                || matches!(byte, b'"' | b'\'' | b';' | b'|' | b'&' | b'<' | b'>' | b'`' | b')')
        })
        .unwrap_or(bytes.len())
}

/// Whether a program's options end here.
pub(crate) fn ends_command(byte: u8) -> bool {
    matches!(byte, b';' | b'|' | b'&' | b'\n')
}
