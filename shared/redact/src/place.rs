//! Places that hold a secret by their form: an address's user info, a private key's block, a program's password option.

use crate::class::{self, ALNUM};
use crate::guard;
use crate::scan::Span;
use crate::token;

/// `://user:password@host`; `at` is the place of the `:`.
pub(crate) fn user_info(text: &str, at: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let start = at + 3;
    let scheme_start = at
        - bytes[..at]
            .iter()
            .rev()
            .take_while(|byte| class::is(**byte, ALNUM | class::DOT) || matches!(byte, b'+' | b'-'))
            .count();
    let stops = |byte: &u8| {
        byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'`' | b'|' | b'\\')
    };
    let whole = bytes[start..].iter().take(512).position(stops).unwrap_or((bytes.len() - start).min(512));
    let web = bytes[scheme_start..at].starts_with(b"http");
    let authority = bytes[start..start + whole]
        .iter()
        .position(|byte| matches!(byte, b'/' | b'?' | b'#'))
        .unwrap_or(whole);
    // Passwords of databases hold slashes; in web addresses an `@` behind a slash is part of the path.
    let reach = if web || !bytes[start..start + authority].contains(&b':') { authority } else { whole };
    let end = start + bytes[start..start + reach].iter().rposition(|byte| *byte == b'@')?;
    let colon = bytes[start..end].iter().position(|byte| *byte == b':');
    let (from, rule) = match colon {
        Some(colon) => (start + colon + 1, "url-password"),
        None => (start, "url-token"),
    };
    let shown = text.get(from..end)?;
    let port = shown.len() <= 5 && shown.bytes().all(|byte| byte.is_ascii_digit()) && reach > authority;
    let secret = match colon {
        Some(_) => shown.len() >= 3 && !port && !guard::is_placeholder(shown),
        // A token with a prefix of its own is found as a word.
        None => {
            token::at(shown.as_bytes()).is_none()
                && shown.len() >= 16
                && guard::is_random(shown)
                && !guard::is_placeholder(shown)
        }
    };
    secret.then_some(Span { start: from, end, rule })
}

/// `-----BEGIN … PRIVATE KEY-----` to its end, or to the end of the text; `at` is the place of the first dash.
pub(crate) fn private_key(text: &str, at: usize) -> Option<Span> {
    let rest = text.get(at..)?;
    let label = rest.strip_prefix("-----BEGIN ")?;
    let line = label.find("-----")?;
    let name = label.get(..line)?;
    if name.len() > 64 || !(name.contains("PRIVATE KEY") || name.contains("PGP PRIVATE")) {
        return None;
    }
    let body = at + "-----BEGIN ".len() + line + "-----".len();
    let end = text.get(body..)?.find("-----END ").map_or(text.len(), |end| body + end);
    let shown = text.get(body..end)?;
    let letters = shown.bytes().filter(|byte| class::is(*byte, class::ANY64)).count();
    (letters >= 16 && !guard::is_placeholder(shown.trim())).then_some(Span {
        start: body,
        end,
        rule: "private-key",
    })
}

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
}

/// The program that a word names.
pub(crate) fn program(word: &[u8]) -> Option<Program> {
    Some(match word {
        b"curl" | b"wget" | b"http" | b"https" | b"xh" | b"curlie" => Program::Web,
        b"sshpass" | b"login" | b"mongo" | b"mongosh" | b"mongodump" | b"mongorestore" | b"psexec"
        | b"PsExec" | b"mosquitto_pub" | b"sqlplus" | b"smbmap" | b"crackmapexec" | b"rabbitmqadmin"
        | b"cqlsh" => Program::SmallP,
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
        Program::Web
            if word.starts_with(b"-u")
                && word.len() > 3
                && word[2] != b'-'
                && bytes.get(end) == Some(&b':') =>
        {
            (end + 1, end + 1 + word_length(&bytes[end + 1..]))
        }
        Program::SmallP if word == b"-p" => next()?,
        Program::SmallP if word.starts_with(b"-p") && word.len() > 5 => {
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
        _ => return None,
    };
    let shown = text.get(from..to)?;
    let secret = shown.len() >= 4
        && !guard::is_placeholder(shown)
        && !shown.contains("path/to")
        && !shown.starts_with('/');
    // Ports (`-p 8080:80`, `-P 3306`) are no passwords.
    let number = shown.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') && shown.len() <= 11;
    (secret && !number && shown.as_bytes()[0] != b'-').then_some(Span {
        start: from,
        end: to,
        rule: "option-password",
    })
}

/// The next argument behind `at`, without its quotes.
fn argument(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
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
