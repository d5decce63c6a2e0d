//! Ruby's library.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    let path = path.strip_prefix("Kernel.").or_else(|| path.strip_prefix("Process.")).unwrap_or(path);
    Some(match path {
        "system"
        | "exec"
        | "spawn"
        | "IO.popen"
        | "Open3.capture2"
        | "Open3.capture2e"
        | "Open3.capture3"
        | "Open3.popen2"
        | "Open3.popen2e"
        | "Open3.popen3"
        | "Open3.pipeline"
        | "Open3.pipeline_r"
        | "PTY.spawn"
        | "sh"
        | "IO.pipe_run"
        | "POSIX.Spawn.spawn"
        | "TTY.Command.new.run"
        | "Shellwords.run"
        | "PTY.getpty" => Deed::Either,
        "FileUtils.rm_rf"
        | "FileUtils.rm_r"
        | "FileUtils.rmtree"
        | "FileUtils.remove_dir"
        | "FileUtils.remove_entry"
        | "FileUtils.remove_entry_secure"
        | "FileUtils.rm_rf!"
        | "rm_rf"
        | "rm_r"
        | "remove_dir"
        | "remove_entry"
        | "remove_entry_secure"
        | "rmtree" => Deed::Delete(true),
        "FileUtils.rm"
        | "FileUtils.rm_f"
        | "FileUtils.remove"
        | "FileUtils.safe_unlink"
        | "FileUtils.rmdir"
        | "FileUtils.remove_file"
        | "File.delete"
        | "File.unlink"
        | "Dir.rmdir"
        | "Dir.delete"
        | "Dir.unlink"
        | "rm"
        | "rm_f"
        | "IO.unlink" => Deed::Delete(false),
        "File.truncate" => Deed::Truncate,
        "File.write" | "IO.write" | "File.binwrite" | "IO.binwrite" => Deed::Write,
        "File.open" | "File.new" | "open" | "IO.sysopen" | "Kernel.open" | "File.sysopen" => Deed::Open,
        "File.rename" | "FileUtils.mv" | "FileUtils.move" => Deed::Move,
        "FileUtils.cp" | "FileUtils.cp_r" | "FileUtils.copy" | "FileUtils.install" | "IO.copy_stream" => {
            Deed::Copy
        }
        "File.symlink" | "File.link" | "FileUtils.ln" | "FileUtils.ln_s" | "FileUtils.ln_sf" => Deed::Link,
        "File.chmod" | "FileUtils.chmod" | "FileUtils.chmod_R" => Deed::Mode(true),
        "FileUtils.chown" | "FileUtils.chown_R" | "File.chown" => Deed::Own,
        "kill" => Deed::Kill(true),
        "eval"
        | "instance_eval"
        | "class_eval"
        | "module_eval"
        | "RubyVM.InstructionSequence.compile"
        | "binding.eval"
        | "ERB.new"
        | "TOPLEVEL_BINDING.eval"
        | "Object.class_eval" => Deed::Code,
        "fork" => Deed::Fork,
        "TCPSocket.new"
        | "TCPSocket.open"
        | "Socket.tcp"
        | "UDPSocket.new"
        | "Net.Telnet.new"
        | "OpenSSL.SSL.SSLSocket.new" => Deed::Connect,
        "TCPServer.new" | "TCPServer.open" | "Socket.tcp_server_loop" => Deed::Listen,
        "Net.HTTP.get"
        | "Net.HTTP.post"
        | "Net.HTTP.post_form"
        | "URI.open"
        | "OpenURI.open_uri"
        | "HTTParty.get"
        | "HTTParty.post"
        | "RestClient.get"
        | "RestClient.post"
        | "Faraday.get"
        | "Faraday.post"
        | "Net.HTTP.get_response"
        | "HTTP.get"
        | "HTTP.post"
        | "Net.HTTP.start"
        | "Excon.get"
        | "Excon.post"
        | "Net.HTTP.Post.new"
        | "Typhoeus.post" => Deed::Send,
        "SQLite3.Database.new"
        | "PG.connect"
        | "PG.Connection.new"
        | "Mysql2.Client.new"
        | "Sequel.connect"
        | "Sequel.sqlite"
        | "ActiveRecord.Base.connection"
        | "PG.Connection.open"
        | "Mongo.Client.new" => Deed::Database,
        "puts" | "p" | "pp" | "STDOUT.puts" => Deed::Print(true),
        "$stdout.puts" | "warn" => Deed::Print(true),
        "print" | "STDOUT.write" | "STDOUT.print" => Deed::Print(false),
        "gets" | "STDIN.read" | "STDIN.gets" | "ARGF.read" | "STDIN.each_line" | "STDIN.readlines"
        | "readlines" | "ARGF.each_line" | "ARGF.each" | "STDIN.each" | "$stdin.read" => Deed::Input,
        "Base64.decode64" | "Base64.strict_decode64" | "Base64.urlsafe_decode64" => Deed::Base64,
        "Zlib.Inflate.inflate" | "Zlib.inflate" | "Zlib.gunzip" | "Marshal.load" | "Zlib.GzipReader.new" => {
            Deed::Unpack
        }
        "Regexp.new"
        | "Pathname.new"
        | "Pathname"
        | "File.expand_path"
        | "File.absolute_path"
        | "File.realpath"
        | "String.new"
        | "Shellwords.escape"
        | "Shellwords.shellescape"
        | "String"
        | "Array"
        | "URI"
        | "URI.parse"
        | "StringIO.new"
        | "Dir.new"
        | "Dir.open" => Deed::First,
        "Shellwords.split" | "Shellwords.shellsplit" | "Shellwords.shellwords" => Deed::Words,
        "CGI.unescape" | "URI.decode_www_form_component" | "URI.unescape" => Deed::Percent,
        "JSON.parse" => Deed::Data,
        "File.join" => Deed::Path,
        "File.dirname" => Deed::Parent,
        "Dir.home" => Deed::Home,
        "Dir.pwd" | "Dir.getwd" | "Pathname.pwd" => Deed::Here,
        "Dir.mktmpdir" | "Dir.tmpdir" | "Tempfile.new" | "Tempfile.create" => Deed::Temporary,
        "Dir.glob" | "Pathname.glob" => Deed::Pattern,
        "Dir.entries" | "Dir.children" | "Dir.foreach" | "Dir.each_child" => Deed::Names,
        "Find.find" => Deed::Below,
        "File.read" | "IO.read" | "File.readlines" | "IO.readlines" | "File.binread" | "File.foreach"
        | "IO.binread" => Deed::Read,
        "ENV.fetch" => Deed::Environment,
        "format" | "sprintf" => Deed::Format,
        "printf" => Deed::Print(false),
        "Dir.chdir" | "FileUtils.cd" | "FileUtils.chdir" => Deed::Folder,
        "Object.const_get" | "Kernel.const_get" | "const_get" => Deed::Module,
        "Integer" => Deed::Number,
        "require" | "require_relative" | "File.exist?" | "File.file?" | "File.directory?" | "sleep"
        | "exit" | "rand" | "File.size" | "File.stat" | "FileUtils.mkdir_p" | "FileUtils.touch" | "raise"
        | "attr_reader" | "attr_accessor" => Deed::Plain,
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, _: usize) -> Option<Deed> {
    Some(match name {
        "delete" | "unlink" | "rmdir" => Deed::Delete(false),
        "drop" | "delete_all" => Deed::Receiver,
        "rmtree" => Deed::Delete(true),
        "truncate" => Deed::Truncate,
        "binwrite" => Deed::Write,
        "rename" => Deed::Move,
        "chmod" => Deed::Mode(false),
        "read" | "to_s" | "strip" | "chomp" | "to_str" | "expand_path" | "realpath" | "cleanpath"
        | "read_all" | "force_encoding" | "dup" | "freeze" | "gets" | "readlines" | "each_line" | "lines"
        | "body" | "lazy" | "to_a" | "compact" | "flatten" | "sort" | "uniq" | "string" | "rstrip"
        | "shellescape" | "encode" | "to_sym" | "tap" | "then" | "itself" | "!" | "squeeze" | "readline"
        | "recv" | "readpartial" | "unicode_normalize" | "result" | "path" => Deed::Receiver,
        "reverse" => Deed::Reverse,
        "join" => Deed::JoinFirst,
        "chr" => Deed::Characters,
        "ord" => Deed::Codes,
        "pack" | "unpack1" | "unpack" => Deed::Pack,
        "children" | "each_child" | "entries" => Deed::Entries,
        "glob" => Deed::Pattern,
        "find" | "exist?" | "file?" | "directory?" | "nil?" | "empty?" | "include?" | "start_with?"
        | "end_with?" | "size" | "length" | "count" => Deed::Plain,
        "instance_eval" | "class_eval" => Deed::Code,
        "+" | "/" => Deed::Path,
        _ => return None,
    })
}
