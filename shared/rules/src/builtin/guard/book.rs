//! What programs do to the files that their arguments name, as data.
//!
//! A line is `PROGRAM WORD CONDITION: DEED WHERE WHERE; DEED WHERE`, and every line that fits counts.
//!
//! | part | |
//! |---|---|
//! | `PROGRAM` | names, separated by `\|`; `python*` is a beginning |
//! | `WORD` | the next operand is one of these: a sub-command |
//! | `+-m\|--move` | one of these options is given |
//! | `!-k\|--keep` | none of them is |
//! | `=-m:zipfile\|tarfile` | the option has one of these values |
//! | `DEED` | `write`, `fill`, `pour`, `away` as [`Touch`] has them; `copy` and `move` to the last operand; `member -d`: what is named comes out in the folder that the option names; `takes`: options with values that are not files |
//! | `WHERE` | `-o` or `--output`: that option's value; `of=`, `OPEN:`: arguments that begin so; `first`, `second`, `last`, `tail` (all but the first), `all`: operands; `.`: where nothing else named a place |
//!
//! What a program only reads need not be here, and an operand too many does no harm: only protected files count.

use std::cell::Cell;

use super::touch::{Touch, texts, within};
use crate::command::{Command, is_option};

const BOOK: &str = "
unzip|bsdunzip !-l|-t|-p|-Z|-v: pour -d .; member -d
7z|7za|7zz|7zr|7zzs x|e: pour -o .
7z|7za|7zz|7zr|7zzs a +-sdel: away tail
unrar|rar x|e: pour last
rar m|mf: away tail
unar: pour -o --output-directory -output-directory .
dpkg-deb|dpkg +-x|-X|--extract|--vextract|-R|--raw-extract|-e|--control: pour last
unsquashfs: pour -d -dest
cpio +-i|--extract|-p|--pass-through: pour -D --directory .
jar xf|xvf|xfv|xvfM|x|xv: pour -C --dir .
jar +-x|--extract: pour --dir -C .
ar x|xo|xv|xov: pour --output .
pax +-r: pour .
ouch decompress|d: pour -d --dir .
atool|aunpack|apack|acat|unp|dtrx: pour -X --extract-to .
python*|pypy* =-m:zipfile|tarfile +-e|--extract: pour last
python*|pypy* =-m:venv|virtualenv: pour last
python*|pypy* =-m:json.tool: write second
python*|pypy* =-m:fileinput: write all
zip +-m|--move: away tail
rsync +--remove-source-files: away all
rsync: write --log-file --write-batch --only-write-batch; pour --backup-dir --partial-dir --temp-dir -T
gzip|pigz|bzip2|pbzip2|lbzip2|xz|pixz|lzma|lzip|plzip|lrzip|compress|gunzip|bunzip2|unxz|uncompress \
!-k|--keep|-c|--stdout|--to-stdout|-l|--list|-t|--test: away all
zstd|lz4|brotli|zopfli|pzstd|unzstd +--rm: away all
brotli +-j: away all
zstd|lz4|brotli|pzstd: write -o --output
ccrypt|ccencrypt|ccdecrypt|aescrypt|bcrypt !-c|--cat: away all
curl: write -o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --etag-save --hsts --alt-svc \
--libcurl; pour --output-dir
wget|wget2: write -o --output-file -a --append-output -O --output-document --save-cookies --hsts-file \
--rejected-log --warc-file; pour -P --directory-prefix
aria2c: pour -d --dir; write -o --out -l --log --save-session --save-cookies
xh|xhs|http|https|axel|httrack: write -o --output -O
script: write all -O --log-out -B --log-io -I --log-in -T --log-timing -t --timing
aws s3 cp: copy
aws s3 mv: move
aws s3 sync: pour last; write last
aws s3api get-object|get-object-torrent: write last
gsutil cp|rsync|mv: copy; pour last
gcloud storage cp|rsync|mv: copy; pour last
az storage blob|file|fs|directory download|download-batch: write -f --file -p --path; pour -d --destination --dest
azcopy copy|cp|sync: copy; pour last
rclone copy|copyto|sync|move|moveto|bisync|copyurl: pour last; write last
rclone move|moveto|delete|purge|deletefile|rmdir: away first
mc|mcli cp|mirror|mv|get: copy; pour last
s3cmd get|sync: copy; pour last
s5cmd|s4cmd cp|sync|mv|get: copy; pour last
b2 download-file|file|sync|download-file-by-name|download-file-by-id: write last; pour last
oras|crane|skopeo|regctl pull|export|copy: pour -o --output
docker|podman|nerdctl|finch cp: copy
docker|podman|nerdctl|finch container cp: copy
docker|podman|nerdctl|finch save|export: write -o --output
docker|podman|nerdctl|finch image|container save|export: write -o --output
docker|podman|nerdctl|finch run|create: write --cidfile --pidfile --conmon-pidfile
docker|podman|nerdctl|finch build|buildx|image: write --iidfile --metadata-file -o --output; pour -o --output
lxc|incus file pull: copy
kubectl|oc|k cp: copy
oc rsync: pour last
kubectl|oc|k cluster-info dump: pour --output-directory
gh release download: pour -D --dir .; write -O --output
gh run download: pour -D --dir .
gh repo|gist clone: pour second
gh codespace cp: copy
glab release download: pour -D --dir .
glab repo clone: pour second
degit|tiged|giget: pour second
svn export|checkout|co: pour second
hg|sl clone: pour second
pip*|pipx install|download|wheel: pour -t --target -d --dest -w --wheel-dir --prefix --root --src; write --report --log
uv pip install|sync|compile: pour -t --target --prefix; write -o --output-file
uv venv|init|export: pour first; write -o --output-file
virtualenv: pour last
conda|mamba|micromamba create|install|env: pour -p --prefix
npm|pnpm|yarn install|i|add|ci|pack|update|up|create|init|link|rebuild: pour --prefix -C --dir --cwd \
--modules-folder --pack-destination
gem|bundle install|unpack|fetch: pour -i --install-dir --target --path; write -o --output
composer install|require|create-project|update: pour -d --working-dir
cargo install|vendor|init|new: pour --root --path first
cargo build|rustc: pour --target-dir --artifact-dir --out-dir
go build|test|tool: write -o -coverprofile -cpuprofile -memprofile -trace
cmake =-E:touch|touch_nocreate|rm|remove|compare_files: write all
cmake =-E:copy_directory|copy_directory_if_different|copy_directory_if_newer|copy_if_newer: pour last; write last
cmake =-E:create_symlink|create_hardlink: away last
cmake =-E:tar: pour .
openssl: write -out -keyout -CAserial -writerand -crl -certout
gpg|gpg2|age|sops|minisign|signify: write -o --output -m -x
ssh-keygen: write -f
convert|magick|ffmpeg|sox|montage|composite|gs|pdftk|qpdf|pdftotext|inkscape|rsvg-convert|cwebp|gifsicle|optipng: write last
mogrify: write all
exiftool: write -o -w
split: write second
csplit: write -f --prefix
dasel put|delete: write -f --file -o --out
json|jsonfile +-I: write -f
toml set|unset|delete: write first
toml|tq|taplo|augtool set: write first
jo: write -o
crudini +--set|--del|--merge: write first second
pg_dump|pg_dumpall: write -f --file
pg_basebackup: pour -D --pgdata
mysqldump|mariadb-dump: write -r --result-file; pour -T --tab
psql: write -o --output -L --log-file
mongodump|mongoexport|mongofiles: pour -o --out; write -o --out
redis-cli|valkey-cli: write --rdb --functions-rdb
influx|influxd backup: pour last
terraform|tofu|terragrunt plan|apply|destroy|show|state: write -out -state-out -backup
helm template|pull|fetch|package: pour --output-dir -d --destination --untardir
kustomize|kubectl|ytt|jsonnet|cue|kompose: pour --output-files -m --multi; write -o --output-file --out
sftp: write last
lftp|ftp: write -o
socat: write OPEN: CREATE: CREAT: FILE: GOPEN: open: create: creat: file: gopen:
fallocate|wipe|scrub|srm|nwipe: away all
gio|gvfs trash|remove: away all
gio move|rename: move
gio copy: copy
gio save|set: write tail
kioclient* move|remove|del: away all
kioclient* copy: copy
del-cli|del|trash-cli|empty-trash-cli|rimraf|rm-cli|rmrf: away all
shx|shelljs rm|mv: away all
shx|shelljs cp: copy
cpy-cli|cpy|cpx|cpx2|copyfiles|ncp|copyup|cpr|cp-cli: copy; pour last
move-cli|move-file-cli|mv-cli: move
replace|replace-in-file|replace-in-files-cli|rexreplace: write all
rpl|sd|ambr|amber|fastmod|codemod !-p|--preview: write all
ast-grep|sg +-U|--update-all: write all; fill all
comby +-i|-in-place|--in-place: write all; fill all
jscodeshift|jssg|semgrep +--autofix|-t|--transform: write all
emacs +--batch|-batch: write all
tsc: write --outFile; pour --outDir --declarationDir --rootDir
esbuild|rollup|webpack|vite|parcel|swc|babel: write --outfile -o; pour --outdir --outDir --dist-dir -d
fusermount|fusermount3: away all
logrotate: write -s --state
locale|localedef|msgfmt|xgettext|msgmerge: write -o --output-file --output
doxygen|sphinx-build|mkdocs|jsdoc|typedoc|cargo-doc: pour -d --site-dir --out last
git archive|bundle: write -o --output
git bundle create: write first
git format-patch: pour -o --output-directory
git diff|log|show|diff-tree|whatchanged|stash|range-diff|shortlog: write --output
git init: pour first --separate-git-dir
git merge-file: write first
git fast-export: write --export-marks
hook-runner|approval-gate|audit-logger: write --record --junit --to -o --out --output
";

/// What the book says about a command.
pub(super) fn each(command: &Command<'_>, add: &mut dyn FnMut(&str, Touch)) {
    let name = &*command.name;
    // `python3.13`, `pip3`
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    for line in of(name).chain(of(&format!("{stem}*"))) {
        if let Some((head, effects)) = line.split_once(": ") {
            apply(command, head.split(' ').skip(1), effects, add);
        }
    }
}

/// The lines of a program.
fn of(name: &str) -> impl Iterator<Item = &'static str> {
    let width = name.len();
    memchr::memmem::find_iter(BOOK.as_bytes(), name).filter_map(move |at| {
        // A search in the whole text costs less than going through its lines: most programs are not in it.
        let start = BOOK[..at].rfind('\n').map_or(0, |end| end + 1);
        // Names stand at the beginning of a line or after a bar, and no blank before them.
        let whole = (at == start || BOOK[..at].ends_with('|'))
            && !BOOK[at + width..].starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '*');
        (width > 0 && whole && !BOOK[start..at].contains(' ')).then(|| BOOK[start..].lines().next()).flatten()
    })
}

fn apply<'h>(
    command: &Command<'_>,
    head: impl Iterator<Item = &'h str>,
    effects: &'static str,
    add: &mut dyn FnMut(&str, Touch),
) {
    let operands = texts(command);
    // Words of the row use operands up, so that the places after them count from there.
    let mut operands = operands.as_slice();
    for word in head {
        let (kind, rest) = word.split_at(1);
        let given = || command.has(&rest.split('|').collect::<Vec<_>>());
        let fits = match kind {
            // `+-x` wants an option, `!-x` wants it missing, `=-x:a|b` wants one of its values.
            "+" => given(),
            "!" => !given(),
            "=" => rest.split_once(':').is_some_and(|(option, values)| {
                let fits = |value: &str| values.split('|').any(|known| known == value);
                values_of(command, option).any(fits)
            }),
            _ => operands.split_first().is_some_and(|(first, rest)| {
                operands = rest;
                word.split('|').any(|known| known == *first)
            }),
        };
        if !fits {
            return;
        }
    }
    for effect in effects.split("; ") {
        let mut parts = effect.split(' ');
        act(command, operands, parts.next().unwrap_or(""), parts, add);
    }
}

/// What one effect does.
fn act(
    command: &Command<'_>,
    operands: &[&str],
    effect: &str,
    places: std::str::Split<'static, char>,
    add: &mut dyn FnMut(&str, Touch),
) {
    // Files of other machines are not ours to guard.
    let mut add = |text: &str, touch: Touch| {
        if !is_elsewhere(command, text) {
            add(text, touch);
        }
    };
    let touch = match effect {
        "write" => Touch::Write,
        "fill" => Touch::Fill,
        "pour" => Touch::Pour,
        "away" => Touch::Away,
        "copy" | "move" => {
            let Some((to, from)) = operands.split_last().filter(|(_, from)| !from.is_empty()) else { return };
            // The target may be the file itself or the folder around it: both are noted.
            add(to, Touch::Write);
            // A folder brings files whose names no one says.
            if command.has(&["-r", "-R", "-a", "--recursive", "--archive"]) {
                add(to, Touch::Pour);
            }
            for from in from {
                add(&within(to, from), Touch::Write);
                if effect == "move" {
                    add(from, Touch::Away);
                }
            }
            return;
        }
        "member" => {
            // An archive's members are unpacked below the folder that an option names.
            let folder = places.clone().find_map(|option| values_of(command, option).next()).unwrap_or(".");
            for member in operands.iter().skip(1) {
                // `unzip a.zip '.github/*'`
                match member.find(['*', '?', '[']) {
                    Some(at) => add(&format!("{folder}/{}", &member[..at]), Touch::Pour),
                    None => add(&format!("{folder}/{member}"), Touch::Write),
                }
            }
            return;
        }
        _ => return,
    };
    let named = Cell::new(false);
    for place in places {
        let mut found = |text: &str| {
            named.set(true);
            // `docker build -o type=local,dest=FOLDER`
            let text = text.split_once("dest=").map_or(text, |(_, to)| to.split(',').next().unwrap_or(to));
            add(text, touch);
        };
        match place {
            // The current folder only counts where no place before has named another.
            "." if !named.get() => found("."),
            "." => {}
            "first" => operands.first().into_iter().for_each(|text| found(text)),
            "second" => operands.get(1).into_iter().for_each(|text| found(text)),
            "last" => operands.last().into_iter().for_each(|text| found(text)),
            "tail" => operands.iter().skip(1).for_each(|text| found(text)),
            "all" => operands.iter().for_each(|text| found(text)),
            // An operand of the form `of=FILE`, as dd has it.
            start if !start.starts_with('-') => {
                let values = command.args().iter().filter_map(|arg| arg.text.strip_prefix(start));
                values.for_each(|value| found(value.split(',').next().unwrap_or(value)));
            }
            option => values_of(command, option).for_each(found),
        }
    }
}

/// Whether a string names something on another machine: `s3://bucket/x`, `pod:/x`.
fn is_elsewhere(command: &Command<'_>, text: &str) -> bool {
    // On Windows `C:` is a drive, elsewhere it may be a host with that name.
    let here = command.facts.cwd.is_some_and(shell::windows::has_drive) && shell::windows::has_drive(text);
    text.contains("://")
        || text.find(':').is_some_and(|colon| colon > 0 && !text[..colon].contains(['/', '\\', '.'])) && !here
}

/// Every value of an option, also after other letters and glued to them: `-qO FILE`, `-od.github`, `-out FILE`.
pub(super) fn values_of<'c>(command: &Command<'c>, option: &str) -> impl Iterator<Item = &'c str> {
    let args = command.args();
    args.iter().enumerate().take_while(|(_, arg)| arg.text != "--").filter_map(move |(at, arg)| {
        let text = arg.text.as_str();
        let next = || args.get(at + 1).map(|arg| arg.text.as_str());
        if !text.starts_with('-') || text.len() < 2 {
            return None;
        }
        if text == option {
            return next();
        }
        // Long options, also those with one dash, take `=VALUE` or the next argument.
        if option.len() > 2 {
            let (name, value) =
                text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
            let same = name == option || option.starts_with("--") && is_option(name, option);
            return if same { value.or_else(next) } else { None };
        }
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'))?;
        let letter = option.strip_prefix('-')?;
        let found = letters.find(letter)?;
        // What precedes is a value already, not a bundle of letters.
        if !letters[..found].bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let value = &letters[found + 1..];
        if value.is_empty() { next() } else { Some(value.strip_prefix('=').unwrap_or(value)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_understood() {
        const EFFECTS: &[&str] = &["write", "fill", "pour", "away", "copy", "move", "member"];
        const PLACES: &[&str] = &[".", "first", "second", "last", "tail", "all"];
        for line in BOOK.lines().filter(|line| !line.is_empty()) {
            let (head, effects) = line.split_once(": ").unwrap_or_else(|| panic!("no effects: {line}"));
            assert!(!head.split(' ').any(str::is_empty), "{line}");
            for effect in effects.split("; ") {
                let mut parts = effect.split(' ');
                let effect = parts.next().unwrap_or("");
                assert!(EFFECTS.contains(&effect), "{effect:?} in {line}");
                for place in parts {
                    let known = PLACES.contains(&place) || place.len() > 1 && place.starts_with('-');
                    assert!(known || place.ends_with([':', '=']), "{place:?} in {line}");
                }
            }
        }
    }
}
