//! R's base functions, `fs`, `processx` and `sys`.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    let path = path.strip_prefix("base.").or_else(|| path.strip_prefix("utils.")).unwrap_or(path);
    Some(match path {
        "system" | "shell" | "pipe" | "shell.exec" => Deed::Shell,
        "system2" | "processx.run" | "sys.exec_wait" | "exec_wait" | "sys.exec_internal" | "callr.rcmd" => {
            Deed::Program
        }
        "unlink" => Deed::DeleteIfTold,
        "file.remove" | "fs.file_delete" => Deed::Delete(false),
        "fs.dir_delete" | "dir_delete" => Deed::Delete(true),
        "file_delete" => Deed::Delete(false),
        "file.rename" | "file.move" | "fs.file_move" => Deed::Move,
        "file.copy" | "fs.file_copy" => Deed::Copy,
        "file.symlink" | "file.link" => Deed::Link,
        "Sys.chmod" => Deed::Mode(false),
        "file.create" => Deed::Write,
        "writeLines" | "cat" | "write" | "sink" | "saveRDS" | "write.csv" | "write.table" | "dput" => {
            Deed::Print(false)
        }
        "print" | "message" => Deed::Print(true),
        "file" | "gzfile" => Deed::Open,
        "eval" | "parse" | "evalq" | "str2lang" | "str2expression" => Deed::Code,
        "source" => Deed::Include,
        "download.file" | "curl.curl_download" | "utils.download.file" => Deed::Download,
        "url" | "httr.GET" | "httr.POST" | "httr2.request" | "curl.curl" | "RCurl.getURL" | "GET"
        | "POST" => Deed::Send,
        "readLines" | "scan" | "readRDS" | "read.csv" | "readr.read_file" | "read.table" => Deed::Read,
        "DBI.dbConnect" | "dbConnect" => Deed::Database,
        "sub" | "gsub" => Deed::Substitute,
        "tolower" => Deed::Method("lower"),
        "toupper" => Deed::Method("upper"),
        "substr" | "substring" => Deed::Method("substring"),
        "strrep" => Deed::Method("repeat"),
        "as.integer" | "strtoi" | "as.numeric" => Deed::Number,
        "URLdecode" => Deed::Percent,
        "assign" => Deed::Assign,
        "Reduce" => Deed::Fold,
        "dirname" => Deed::Parent,
        "pskill" | "tools.pskill" => Deed::Kill(false),
        "dbExecute"
        | "dbSendStatement"
        | "dbGetQuery"
        | "dbSendQuery"
        | "DBI.dbExecute"
        | "DBI.dbSendStatement"
        | "DBI.dbGetQuery"
        | "DBI.dbSendQuery"
        | "sqldf"
        | "sqlQuery"
        | "RODBC.sqlQuery" => Deed::Statement,
        "paste" | "paste0" => Deed::JoinFirst,
        "sprintf" => Deed::Format,
        "file.path" | "fs.path" => Deed::Path,
        "path.expand" | "normalizePath" | "as.character" | "shQuote" | "sort" | "rev_" | "invisible"
        | "suppressWarnings" | "unlist" | "I" | "noquote" => Deed::First,
        "c" | "list" => Deed::List,
        "rev" => Deed::Reverse,
        "rawToChar" | "intToUtf8" | "as.raw" => Deed::Characters,
        "jsonlite.base64_dec" | "base64enc.base64decode" | "openssl.base64_decode" | "base64decode" => {
            Deed::Base64
        }
        "list.files" | "dir" | "fs.dir_ls" => Deed::Entries,
        "list.dirs" => Deed::Entries,
        "Sys.glob" => Deed::Pattern,
        "getwd" => Deed::Here,
        "setwd" => Deed::Folder,
        "tempfile" | "tempdir" => Deed::Temporary,
        "Sys.getenv" => Deed::Environment,
        "commandArgs" => Deed::Parameters,
        "get" | "match.fun" => Deed::Module,
        "do.call" => Deed::Apply,
        "lapply" | "sapply" | "purrr.walk" | "vapply" | "Map" | "walk" | "purrr.map" | "map"
        | "purrr.pwalk" | "Filter" => Deed::Each,
        // What stands in it was read when it was read.
        "quote" | "bquote" | "substitute" | "expression" => Deed::Plain,
        "library" | "require" | "file.exists" | "dir.exists" | "nrow" | "ncol" | "length" | "mean"
        | "sum" | "summary" | "quit" | "q" => Deed::Plain,
        _ => return None,
    })
}
