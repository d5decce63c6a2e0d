//! Python's library.

use super::Deed;

/// What a function does.
pub(in crate::languages::script) fn function(path: &str) -> Option<Deed> {
    Some(match path {
        "os.system"
        | "os.popen"
        | "subprocess.getoutput"
        | "subprocess.getstatusoutput"
        | "commands.getoutput"
        | "commands.getstatusoutput"
        | "popen2.popen2"
        | "popen2.popen3"
        | "os.popen2"
        | "os.popen3"
        | "os.popen4"
        | "platform.popen"
        | "asyncio.create_subprocess_shell"
        | "asyncio.subprocess.create_subprocess_shell"
        | "os.startfile"
        | "invoke.run"
        | "c.run"
        | "ctx.run"
        | "fabric.local"
        | "delegator.run"
        | "IPython.get_ipython.system"
        | "_posixsubprocess.system"
        | "posix.system"
        | "nt.system"
        | "libc.system"
        | "CDLL.system"
        | "LoadLibrary.system"
        | "Connection.run"
        | "Connection.sudo"
        | "Connection.local"
        | "timeit.os.system" => Deed::Shell,
        "subprocess.run"
        | "subprocess.call"
        | "subprocess.check_call"
        | "subprocess.check_output"
        | "subprocess.Popen"
        | "pexpect.run"
        | "pexpect.spawn"
        | "pexpect.runu"
        | "ptyprocess.PtyProcess.spawn"
        | "sh.Command"
        | "plumbum.local"
        | "psutil.Popen"
        | "pty.spawn"
        | "asyncio.subprocess.run" => Deed::Split,
        "asyncio.create_subprocess_exec" | "asyncio.subprocess.create_subprocess_exec" => Deed::Program,
        "os.execv"
        | "os.execve"
        | "os.execvp"
        | "os.execvpe"
        | "os.execl"
        | "os.execle"
        | "os.execlp"
        | "os.execlpe"
        | "os.spawnl"
        | "os.spawnle"
        | "os.spawnlp"
        | "os.spawnlpe"
        | "os.spawnv"
        | "os.spawnve"
        | "os.spawnvp"
        | "os.spawnvpe"
        | "os.posix_spawn"
        | "os.posix_spawnp"
        | "_posixsubprocess.fork_exec" => Deed::Replace,
        "shutil.rmtree"
        | "distutils.dir_util.remove_tree"
        | "send2trash.rmtree"
        | "setuptools.dir_util.remove_tree"
        | "fs.rmtree"
        | "tree.rmtree" => Deed::Delete(true),
        "os.removedirs" => Deed::Delete(false),
        "os.remove" | "os.unlink" | "os.rmdir" | "posix.unlink" | "posix.remove" | "posix.rmdir"
        | "pathlib.os.remove" => Deed::Delete(false),
        "os.truncate" | "os.ftruncate" => Deed::Truncate,
        "open" | "io.open" | "codecs.open" | "os.open" | "builtins.open" | "gzip.open" | "bz2.open"
        | "lzma.open" | "aiofiles.open" => Deed::Open,
        "io.FileIO" => Deed::Open,
        "os.rename" | "os.replace" | "shutil.move" | "os.renames" => Deed::Move,
        "shutil.copy" | "shutil.copyfile" | "shutil.copy2" => Deed::Copy,
        "shutil.copytree" | "distutils.dir_util.copy_tree" => Deed::CopyTree,
        "shutil.unpack_archive" => Deed::Extract(1),
        "os.symlink" | "os.link" => Deed::Link,
        "os.chmod" | "os.lchmod" => Deed::Mode(false),
        "os.chown" | "os.lchown" | "shutil.chown" => Deed::Own,
        "os.kill" | "os.killpg" => Deed::Kill(false),
        "exec"
        | "eval"
        | "builtins.exec"
        | "builtins.eval"
        | "code.interact"
        | "runpy.run_path_text"
        | "timeit.timeit"
        | "timeit.repeat"
        | "cProfile.run"
        | "profile.run" => Deed::Code,
        "os.fork" | "os.forkpty" | "pty.fork" => Deed::Fork,
        "socket.create_connection" | "telnetlib.Telnet" | "asyncio.open_connection" => Deed::Connect,
        "socket.socket" => Deed::Connect,
        "urllib.request.urlopen"
        | "urllib2.urlopen"
        | "urllib.urlopen"
        | "requests.get"
        | "requests.post"
        | "requests.put"
        | "requests.patch"
        | "requests.request"
        | "requests.delete"
        | "requests.head"
        | "httpx.get"
        | "httpx.post"
        | "httpx.put"
        | "httpx.request"
        | "httpx.stream"
        | "aiohttp.request"
        | "urllib3.request"
        | "HTTPSConnection.request"
        | "HTTPConnection.request"
        | "PoolManager.request"
        | "Session.post"
        | "Session.put"
        | "Session.get"
        | "session.post"
        | "session.put"
        | "Client.post"
        | "AsyncClient.post"
        | "ClientSession.post"
        | "urllib.request.Request"
        | "requests.Session.post"
        | "requests.Session.get"
        | "requests.session.get"
        | "requests.session.post"
        | "wget.download"
        | "paramiko.SSHClient" => Deed::Send,
        "urllib.request.urlretrieve" | "urllib.urlretrieve" => Deed::Download,
        "sqlite3.connect"
        | "psycopg2.connect"
        | "psycopg.connect"
        | "pymysql.connect"
        | "MySQLdb.connect"
        | "mysql.connector.connect"
        | "duckdb.connect"
        | "pyodbc.connect"
        | "asyncpg.connect"
        | "cx_Oracle.connect"
        | "oracledb.connect"
        | "sqlalchemy.create_engine"
        | "pymssql.connect"
        | "snowflake.connector.connect"
        | "sqlalchemy.text"
        | "sqlite3.Connection"
        | "aiosqlite.connect"
        | "apsw.Connection"
        | "duckdb.sql"
        | "duckdb.execute"
        | "django.db.connection"
        | "clickhouse_driver.Client"
        | "MySQLdb.Connect" => Deed::Database,
        "print" => Deed::Print(true),
        "sys.stdout.write" | "sys.stdout.buffer.write" => Deed::Print(false),
        "input"
        | "raw_input"
        | "sys.stdin.read"
        | "sys.stdin.readline"
        | "sys.stdin.readlines"
        | "sys.stdin.buffer.read"
        | "fileinput.input" => Deed::Input,
        "base64.b64decode"
        | "base64.standard_b64decode"
        | "base64.urlsafe_b64decode"
        | "base64.decodebytes"
        | "base64.decodestring"
        | "binascii.a2b_base64" => Deed::Base64,
        "bytes.fromhex" | "bytearray.fromhex" | "binascii.unhexlify" | "binascii.a2b_hex"
        | "base64.b16decode" => Deed::Hex,
        "codecs.decode" | "codecs.encode" => Deed::Decode,
        "zlib.decompress" | "gzip.decompress" | "bz2.decompress" | "lzma.decompress" | "marshal.loads"
        | "pickle.loads" | "base64.b32decode" | "base64.b85decode" | "base64.a85decode" | "dill.loads"
        | "cloudpickle.loads" => Deed::Unpack,
        "chr" | "unichr" | "bytes" | "bytearray" => Deed::Characters,
        "ord" => Deed::Codes,
        "os.path.join"
        | "posixpath.join"
        | "path.join"
        | "pathlib.Path"
        | "pathlib.PurePath"
        | "pathlib.PosixPath"
        | "pathlib.PurePosixPath"
        | "Path"
        | "py.path.local"
        | "ntpath.join" => Deed::Path,
        "os.path.expanduser" | "os.path.abspath" | "os.path.realpath" | "os.path.normpath" | "str"
        | "repr" | "os.fspath" | "os.path.expandvars" | "shlex.quote" | "pipes.quote" | "compile"
        | "list" | "tuple" | "iter" | "set" | "sorted" | "os.fsencode" | "os.fsdecode"
        | "textwrap.dedent" | "memoryview" | "next" | "iglob" | "tqdm" | "tqdm.tqdm" | "os.fdopen"
        | "string.Template" | "builtins.compile" | "builtins.str" | "contextlib.closing"
        | "itertools.chain" | "types.CodeType" | "asyncio.run" | "os.fsync" | "filter" => Deed::First,
        "dict" | "collections.OrderedDict" | "types.MappingProxyType" => Deed::Mapping,
        "shlex.split" => Deed::Words,
        "functools.reduce" | "reduce" => Deed::Fold,
        "int" => Deed::Number,
        "json.loads" | "ast.literal_eval" | "yaml.safe_load" => Deed::Data,
        "urllib.parse.unquote" | "urllib.parse.unquote_plus" | "urllib.unquote" => Deed::Percent,
        "str.lower" => Deed::Method("lower"),
        "str.replace" => Deed::Method("replace"),
        "str.format" => Deed::Method("format"),
        "vars" => Deed::First,
        "str.join" => Deed::Join,
        "reversed" => Deed::Reverse,
        "os.path.dirname" => Deed::Parent,
        "map" => Deed::Each,
        "pathlib.Path.home" | "Path.home" => Deed::Home,
        "os.getcwd" | "os.getcwdb" | "pathlib.Path.cwd" | "Path.cwd" => Deed::Here,
        "tempfile.mkdtemp"
        | "tempfile.mkstemp"
        | "tempfile.gettempdir"
        | "tempfile.mktemp"
        | "tempfile.TemporaryDirectory"
        | "tempfile.NamedTemporaryFile"
        | "tempfile.TemporaryFile" => Deed::Temporary,
        "glob.glob" | "glob.iglob" | "glob" => Deed::Pattern,
        "os.listdir" => Deed::Names,
        "os.scandir" => Deed::Entries,
        "os.walk" | "os.fwalk" => Deed::Walk,
        "os.getenv" | "os.environ.get" | "os.environ.setdefault" | "os.getenvb" => Deed::Environment,
        "__import__" | "importlib.import_module" | "builtins.__import__" => Deed::Module,
        "getattr" | "builtins.getattr" => Deed::Attribute,
        "os.chdir" | "os.fchdir" => Deed::Folder,
        "len" | "sum" | "max" | "min" | "hash" | "type" | "id" | "isinstance" | "os.path.exists"
        | "os.path.isfile" | "os.path.isdir" | "os.path.getsize" | "os.path.getmtime" | "range"
        | "time.sleep" | "os.makedirs" | "os.mkdir" | "time.time" | "os.getpid" | "sys.exit" | "exit" => {
            Deed::Plain
        }
        _ => return None,
    })
}

/// What a method does to the value that it belongs to.
pub(in crate::languages::script) fn method(name: &str, arguments: usize) -> Option<Deed> {
    Some(match name {
        "unlink" | "rmdir" => Deed::Delete(false),
        "rmtree" | "rmtree_p" | "remove_p" => Deed::Delete(true),
        "write_text" | "write_bytes" => Deed::Write,
        "open" => Deed::Open,
        "rename" => Deed::Move,
        "replace" if arguments == 1 => Deed::Move,
        "symlink_to" | "hardlink_to" => Deed::Link,
        "extractall" => Deed::Extract(0),
        "chmod" => Deed::Mode(false),
        "read_text" | "read_bytes" => Deed::Read,
        "glob" => Deed::Pattern,
        "rglob" => Deed::Below,
        "iterdir" => Deed::Entries,
        "walk" => Deed::Walk,
        "joinpath" => Deed::Path,
        "decode" | "encode" | "strip" | "rstrip" | "lstrip" | "expanduser" | "resolve" | "absolute"
        | "as_posix" | "__str__" | "casefold" | "read" | "readlines" | "readline" | "splitlines" | "copy"
        | "keys" | "text" | "json_text" | "communicate" | "getvalue" | "tobytes" | "__enter__" | "as_uri"
        | "stdout" | "expandvars" | "fileno" | "makefile" | "strip_ansi" => Deed::Receiver,
        "values" => Deed::Values,
        "items" => Deed::Items,
        "join" => Deed::Join,
        "__getattribute__" | "__getattr__" => Deed::Attribute,
        "exists" | "is_file" | "is_dir" | "mkdir" | "touch" | "startswith" | "endswith" | "close"
        | "flush" | "stat" | "count" | "index" | "find" | "isdigit" => Deed::Plain,
        _ => return None,
    })
}

/// Names under which modules are imported so often that they need no import.
pub(in crate::languages::script) fn usual(name: &str) -> Option<&'static str> {
    Some(match name {
        "sp" => "subprocess",
        "Popen" => "subprocess.Popen",
        "check_output" => "subprocess.check_output",
        "check_call" => "subprocess.check_call",
        "rmtree" => "shutil.rmtree",
        "urlopen" => "urllib.request.urlopen",
        "b64decode" => "base64.b64decode",
        "popen" => "os.popen",
        _ => return None,
    })
}
