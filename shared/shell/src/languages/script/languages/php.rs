//! PHP's functions.

use super::Deed;

/// What a function does. Names of functions and classes have no case in PHP; they come in small letters.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "exec" | "system" | "shell_exec" | "passthru" | "popen" | "proc_open" | "expect_popen" => Deed::Shell,
        "pcntl_exec" => Deed::Program,
        "unlink" | "rmdir" => Deed::Delete(false),
        "file_put_contents" => Deed::Write,
        "fopen" | "gzopen" | "splfileobject" => Deed::Open,
        "fwrite" | "fputs" => Deed::Put,
        "db.statement" | "db.unprepared" | "db.delete" | "db.update" | "facades.db.statement" => {
            Deed::Statement
        }
        "ftruncate" => Deed::Truncate,
        "str_replace" | "str_ireplace" | "preg_replace" => Deed::Substitute,
        "strtr" => Deed::Method("tr"),
        "strtolower" => Deed::Method("lower"),
        "strtoupper" => Deed::Method("upper"),
        "str_repeat" => Deed::Method("repeat"),
        "substr" => Deed::Method("substr"),
        "array_merge" => Deed::Method("concat"),
        "intval" => Deed::Number,
        "define" => Deed::Assign,
        "urldecode" | "rawurldecode" => Deed::Percent,
        "array_reduce" => Deed::Fold,
        "mysqli_query" | "mysqli_multi_query" | "mysqli_real_query" | "pg_query" | "pg_send_query"
        | "sqlsrv_query" | "oci_parse" | "odbc_exec" | "mysql_query" | "db2_exec" => Deed::Statement,
        "rename" => Deed::Move,
        "copy" => Deed::Copy,
        "symlink" | "link" => Deed::Link,
        "chmod" => Deed::Mode(false),
        "chown" | "chgrp" => Deed::Own,
        "posix_kill" => Deed::Kill(false),
        "eval" | "assert" | "create_function" => Deed::Code,
        "include" | "include_once" | "require" | "require_once" => Deed::Include,
        "call_user_func"
        | "call_user_func_array"
        | "forward_static_call"
        | "forward_static_call_array"
        | "register_shutdown_function" => Deed::Apply,
        "pcntl_fork" => Deed::Fork,
        "fsockopen" | "pfsockopen" | "stream_socket_client" | "socket_connect" => Deed::Connect,
        "stream_socket_server" | "socket_listen" => Deed::Listen,
        "curl_exec" | "curl_setopt" | "curl_setopt_array" | "curl_init" | "mail" => Deed::Send,
        "pdo" | "mysqli" | "sqlite3" | "mysqli_connect" | "pg_connect" | "new_pdo" => Deed::Database,
        "echo" | "print" | "print_r" | "var_dump" | "fputs_stdout" => Deed::Print(false),
        "printf" => Deed::Print(false),
        "base64_decode" => Deed::Base64,
        "hex2bin" => Deed::Hex,
        "str_rot13" => Deed::Rotate,
        "gzinflate" | "gzuncompress" | "gzdecode" | "convert_uudecode" | "unserialize" => Deed::Unpack,
        "chr" => Deed::Characters,
        "ord" => Deed::Codes,
        "pack" => Deed::Pack,
        "implode" | "join" => Deed::JoinFirst,
        "strrev" | "array_reverse" => Deed::Reverse,
        "sprintf" | "vsprintf" => Deed::Format,
        "getcwd" => Deed::Here,
        "sys_get_temp_dir" | "tempnam" | "tmpfile" => Deed::Temporary,
        "glob" => Deed::Pattern,
        "scandir" | "readdir" => Deed::Names,
        "directoryiterator" | "filesystemiterator" => Deed::Entries,
        "recursivedirectoryiterator" => Deed::Below,
        "file_get_contents" | "file" | "readfile" | "fgets_file" | "highlight_file" | "show_source" => {
            Deed::Read
        }
        "getenv" => Deed::Environment,
        "fgets" | "fread" | "stream_get_contents" | "readline" | "fgetc" => Deed::First,
        "escapeshellarg"
        | "escapeshellcmd"
        | "trim"
        | "rtrim"
        | "ltrim"
        | "realpath"
        | "strval"
        | "array_values"
        | "recursiveiteratoriterator"
        | "iterator_to_array"
        | "addslashes"
        | "opendir"
        | "stripslashes"
        | "stripcslashes"
        | "splfileinfo"
        | "sort" => Deed::First,
        "dirname" => Deed::Parent,
        "array_map" | "array_walk" | "array_filter" => Deed::Each,
        "chdir" => Deed::Folder,
        "is_file" | "is_dir" | "file_exists" | "strlen" | "count" | "mkdir" | "is_link" | "in_array"
        | "var_export" | "usleep" | "sleep" => Deed::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, _: usize) -> Option<Deed> {
    Some(match name {
        "getpathname" | "getrealpath" | "getpath" | "__tostring" | "getcontents" => Deed::Receiver,
        _ => return None,
    })
}
