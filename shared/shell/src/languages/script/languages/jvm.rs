//! Java, Groovy, Kotlin and Scala.

use super::Deed;

/// What a function or constructor does, by the end of its path.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    let mut parts = path.rsplitn(3, '.');
    let name = parts.next().unwrap_or("");
    let class = parts.next().unwrap_or("");
    Some(match (class, name) {
        ("" | "lang", "ProcessBuilder") => Deed::Program,
        ("process" | "", "Process") | ("os", "proc") => Deed::Split,
        ("Runtime" | "getRuntime" | "rt" | "runtime" | "r", "exec") => Deed::Split,
        ("", "exec") => Deed::Split,
        ("Files", "delete" | "deleteIfExists") => Deed::Delete(false),
        (
            "FileUtils" | "MoreFiles",
            "deleteDirectory" | "forceDelete" | "deleteQuietly" | "deleteRecursively" | "cleanDirectory",
        )
        | ("FileSystemUtils", "deleteRecursively")
        | ("all" | "remove", "all") => Deed::Delete(true),
        ("ant" | "AntBuilder" | "", "delete") => Deed::Delete(true),
        ("ProcessBuilder", "command") => Deed::Program,
        ("Files", "write" | "writeString" | "newBufferedWriter" | "newOutputStream")
        | ("", "FileWriter" | "FileOutputStream" | "PrintWriter" | "RandomAccessFile")
        | ("io", "FileWriter" | "FileOutputStream" | "PrintWriter") => Deed::Write,
        ("Files", "move") => Deed::Move,
        ("Files", "copy") => Deed::Copy,
        ("Files", "createSymbolicLink") => Deed::Link,
        ("Files", "walk" | "find" | "walkFileTree") => Deed::Below,
        ("Files", "list" | "newDirectoryStream") => Deed::Entries,
        ("Files", "readString" | "readAllBytes" | "readAllLines" | "lines") | ("Source", "fromFile") => {
            Deed::Read
        }
        ("", "FileReader" | "FileInputStream" | "Scanner") => Deed::Read,
        ("Eval", "me") | ("", "evaluate") | ("GroovyShell", "evaluate" | "run" | "parse") => Deed::Code,
        ("" | "net", "Socket") => Deed::Connect,
        ("" | "net", "ServerSocket") => Deed::Listen,
        ("" | "net", "URL" | "URI") | ("URI", "create") => Deed::First,
        ("HttpClient", "send") | ("", "openStream") => Deed::Send,
        ("Sql", "newInstance") | ("DriverManager", "getConnection") => Deed::Database,
        ("" | "out", "println") => Deed::Print(true),
        ("" | "out", "print" | "printf") => Deed::Print(false),
        ("", "File" | "Path" | "get") | ("io", "File") | ("Path", "of") | ("Paths", "get") => Deed::Path,
        ("String", "valueOf") | ("", "String") => Deed::First,
        ("Arrays" | "List" | "Set" | "Stream" | "Collections", "asList" | "of" | "singletonList")
        | ("", "listOf" | "arrayOf" | "Seq" | "List") => Deed::List,
        ("String", "join") => Deed::JoinFirst,
        ("String", "format") => Deed::Format,
        ("System", "getenv") => Deed::Environment,
        ("System", "getProperty") => Deed::Environment,
        ("Decoder" | "getDecoder" | "decoder" | "mimeDecoder" | "urlDecoder", "decode") => Deed::Base64,
        ("home", "os") => Deed::Home,
        ("System", "exit") | ("Thread", "sleep") | ("Math" | "Integer", _) => Deed::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, arguments: usize) -> Option<Deed> {
    Some(match name {
        // `"rm x".execute()` and Scala's `"rm x".!`
        "execute" if arguments < 2 => Deed::Split,
        "!" | "!!" | "lineStream" | "lazyLines" => Deed::Split,
        "deleteDir" | "deleteRecursively" => Deed::Delete(true),
        "delete" | "deleteOnExit" | "deleteIfExists" => Deed::Delete(false),
        "write" | "setText" | "writeText" | "withWriter" | "newWriter" | "setBytes" | "writeBytes"
        | "newOutputStream" | "withOutputStream" => Deed::Write,
        "renameTo" => Deed::Move,
        "getText" | "readText" | "readLines" | "readBytes" | "text" | "bytes" => Deed::Read,
        "eachFile" | "listFiles" | "list" | "eachDir" => Deed::Entries,
        "eachFileRecurse" | "traverse" | "walk" | "walkTopDown" | "walkBottomUp" => Deed::Below,
        "toString"
        | "trim"
        | "toFile"
        | "toPath"
        | "start"
        | "waitFor"
        | "getBytes"
        | "toAbsolutePath"
        | "stream"
        | "collect"
        | "toURL"
        | "openStream"
        | "toURI"
        | "sorted"
        | "toArray"
        | "strip"
        | "toList"
        | "inheritIO"
        | "redirectErrorStream"
        | "getInputStream"
        | "with"
        | "let"
        | "also"
        | "run"
        | "apply"
        | "tap"
        | "toCharArray"
        | "toUri"
        | "absolutePath"
        | "path"
        | "canonicalPath" => Deed::Receiver,
        "reverse" => Deed::Reverse,
        "join" => Deed::JoinFirst,
        "resolve" => Deed::Path,
        "decodeBase64" => Deed::Base64,
        "exists" | "isFile" | "isDirectory" | "mkdirs" | "length" | "size" => Deed::Plain,
        _ => return None,
    })
}
