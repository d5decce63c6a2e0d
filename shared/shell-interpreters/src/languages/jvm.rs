//! Java, Groovy, Kotlin and Scala.

use super::Effect;

/// What a function or constructor does, by the end of its path.
pub(crate) fn function(path: &str) -> Option<Effect> {
    let mut parts = path.rsplitn(3, '.');
    let name = parts.next().unwrap_or("");
    let class = parts.next().unwrap_or("");
    Some(match (class, name) {
        ("" | "lang", "ProcessBuilder") => Effect::Program,
        ("process" | "", "Process") | ("os", "proc") => Effect::Split,
        ("Runtime" | "getRuntime" | "rt" | "runtime" | "r", "exec") => Effect::Split,
        ("", "exec") => Effect::Split,
        ("Files", "delete" | "deleteIfExists") => Effect::Delete(false),
        (
            "FileUtils" | "MoreFiles",
            "deleteDirectory" | "forceDelete" | "deleteQuietly" | "deleteRecursively" | "cleanDirectory",
        )
        | ("FileSystemUtils", "deleteRecursively")
        // sbt's.
        | ("IO", "delete")
        | ("all" | "remove", "all") => Effect::Delete(true),
        ("ant" | "AntBuilder" | "", "delete") => Effect::Delete(true),
        ("ProcessBuilder", "command") => Effect::Program,
        ("Files", "write" | "writeString" | "newBufferedWriter" | "newOutputStream")
        | ("", "FileWriter" | "FileOutputStream" | "PrintWriter" | "RandomAccessFile")
        | ("io", "FileWriter" | "FileOutputStream" | "PrintWriter") => Effect::Write,
        // Gradle's own words.
        ("project", "delete") => Effect::Delete(true),
        ("" | "project", "file") => Effect::Path,
        ("", "commandLine") => Effect::Program,
        ("Files", "move") => Effect::Move,
        ("Files", "copy") => Effect::Copy,
        ("Files", "createSymbolicLink") => Effect::Link,
        ("Files", "walk" | "find" | "walkFileTree") => Effect::Below,
        ("Files", "list" | "newDirectoryStream") => Effect::Entries,
        ("Files", "readString" | "readAllBytes" | "readAllLines" | "lines") | ("Source", "fromFile") => {
            Effect::Read
        }
        ("", "FileReader" | "FileInputStream" | "Scanner") => Effect::Read,
        ("Eval", "me") | ("", "evaluate") | ("GroovyShell", "evaluate" | "run" | "parse") => Effect::Code,
        ("" | "net", "Socket") => Effect::Connect,
        ("" | "net", "ServerSocket") => Effect::Listen,
        ("" | "net", "URL" | "URI") | ("URI", "create") => Effect::First,
        ("HttpClient", "send") | ("", "openStream") => Effect::Send,
        ("Sql", "newInstance") | ("DriverManager", "getConnection") => Effect::Database,
        ("" | "out", "println") => Effect::Print(true),
        ("" | "out", "print" | "printf") => Effect::Print(false),
        ("", "File" | "Path" | "get") | ("io", "File") | ("Path", "of") | ("Paths", "get") => Effect::Path,
        ("String", "valueOf") | ("", "String") => Effect::First,
        ("Arrays" | "List" | "Set" | "Stream" | "Collections", "asList" | "of" | "singletonList")
        | ("", "listOf" | "arrayOf" | "Seq" | "List") => Effect::List,
        ("", "StringBuilder" | "StringBuffer") => Effect::Builder,
        (
            "",
            "ArrayList" | "LinkedList" | "HashSet" | "ArrayDeque" | "Vector" | "Stack" | "TreeSet"
            | "mutableListOf" | "setOf" | "ArrayBuffer" | "Pair" | "Triple",
        )
        | ("Collections", "emptyList") => Effect::List,
        (
            "",
            "Properties" | "HashMap" | "TreeMap" | "LinkedHashMap" | "ConcurrentHashMap" | "mutableMapOf"
            | "mapOf" | "Map",
        ) => Effect::Mapping,
        ("Map", "of") => Effect::Pairs,
        ("Optional", "of" | "ofNullable") | ("Objects", "requireNonNull") => Effect::First,
        ("getenv", "getOrDefault" | "get") | ("env", "getOrElse" | "get") => Effect::Environment,
        ("JsonSlurper", "parseText") => Effect::Data,
        ("String", "join") => Effect::JoinFirst,
        ("String", "format") => Effect::Format,
        ("System", "getenv") => Effect::Environment,
        ("System", "getProperty") => Effect::Environment,
        ("Decoder" | "getDecoder" | "decoder" | "mimeDecoder" | "urlDecoder", "decode") => Effect::Base64,
        ("home", "os") => Effect::Home,
        ("System", "exit") | ("Thread", "sleep") | ("Math" | "Integer", _) => Effect::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(crate) fn method(name: &str, arguments: usize) -> Option<Effect> {
    Some(match name {
        // `"rm x".execute()` and Scala's `"rm x".!`
        "execute" if arguments < 2 => Effect::Split,
        "!" | "!!" | "lineStream" | "lazyLines" => Effect::Split,
        "deleteDir" | "deleteRecursively" => Effect::Delete(true),
        "delete" | "deleteOnExit" | "deleteIfExists" => Effect::Delete(false),
        "write" | "setText" | "writeText" | "withWriter" | "newWriter" | "setBytes" | "writeBytes"
        | "newOutputStream" | "withOutputStream" => Effect::Write,
        "renameTo" => Effect::Move,
        "getText" | "readText" | "readLines" | "readBytes" | "text" | "bytes" => Effect::Read,
        "eachFile" | "listFiles" | "list" | "eachDir" => Effect::Entries,
        "eachFileRecurse" | "traverse" | "walk" | "walkTopDown" | "walkBottomUp" => Effect::Below,
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
        | "canonicalPath" => Effect::Receiver,
        "iterator" | "listIterator" | "parallelStream" | "distinct" | "boxed" => Effect::Receiver,
        "entrySet" => Effect::Items,
        "values" if arguments == 0 => Effect::Values,
        "hasNext" | "isEmpty" => Effect::Plain,
        "reverse" => Effect::Reverse,
        "join" => Effect::JoinFirst,
        "resolve" => Effect::Path,
        "decodeBase64" => Effect::Base64,
        "exists" | "isFile" | "isDirectory" | "mkdirs" | "length" | "size" => Effect::Plain,
        _ => return None,
    })
}
