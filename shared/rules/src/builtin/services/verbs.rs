//! What the words of a call say, where no table knows the program.

use shell::Language;

use crate::builtin::has;
use crate::calls::windows::has_form_of_powershell;
use crate::calls::{is_harmless, is_in_production};
use crate::command::Command;

/// Verbs after which nothing is left; a tool that has one means it.
const ENDS: &str = "\
    destroy destroyall terminate purge purgeall wipe nuke obliterate decommission deprovision eraseall \
    masserase teardown zap";

/// Verbs that take away what is named.
const DELETES: &str = "delete deleteall del drop dropall erase expunge truncate revoke unpublish undeploy";

/// Verbs that take something away, and which tools usually ask about.
const TAKES: &str = "reset flush flushall evict uninstall unregister cleanup down kill";

/// Verbs that tools have for small things as well: a package, an entry of a list.
const REMOVES: &str = "remove rm unset removeall detach unlink abort unjoin forget";

/// Verbs that tidy up.
const TIDIES: &str = "prune clean clear cancel close archive";

/// Verbs that change what runs.
const CHANGES: &str = "\
    deploy redeploy release promote rollout rollback apply update upgrade migrate restart stop scale \
    push sync up set put import restore replace pause suspend drain rotate grant patch ship launch provision \
    reload reboot failover switch switchover swap cutover enable disable unset downgrade revert activate \
    deactivate transfer lock unlock halt shutdown bounce cordon quarantine";

/// Words that only tell, try or name something: what follows is what they are about.
const TELLS: &str = "\
    list ls show get describe view plan preview diff status validate check lint explain help search info dry \
    dryrun simulate find completion completions inspect watch count undo undelete deleted verify print ask \
    generate scaffold create add new init can no not which why tail audit test tests run exec task \
    script compile build call";

/// What people have many of, for themselves: names, marks, settings.
const SMALL: &str = "\
    branch branches bookmark tag tags label labels alias aliases todo note notes snippet worktree stash draft preset \
    theme session sessions tab window pane context contexts profile profiles config remote remotes favorite \
    shortcut keybinding hotkey column row line word char";

/// What is made again by itself.
const FLEETING: &str = "cache caches cached tmp temp temporary scratch venv";

/// Parts of names that people give to what is tried out.
const TRIAL: &str = "\
    staging stage stg dev devel development test tests testing preview local localhost sandbox qa demo ci \
    example playground uat minikube scratch";

/// Programs whose words are text, patterns, names or files, and those that only tell something or run tests.
const OF_TEXT: &str = "\
    echo printf print say espeak figlet cowsay toilet lolcat banner logger wall notify-send zenity dialog whiptail \
    grep egrep fgrep zgrep rgrep pcregrep ag ack ugrep git-grep locate mlocate plocate find fd fdfind ls ll la \
    exa eza lsd tree cat bat batcat less more most head tail nl tac rev cut tr paste column fold fmt expand \
    sed awk jq yq gron fx xq dasel cd pushd popd test [ [[ expr let read declare local typeset export set unset \
    alias unalias goto call start if trap type which whereis whatis apropos man info tldr cheat help history hash command builtin \
    source . true false : sleep wait exit return break continue shift getopts eval exec stat file du df ps top \
    htop id who whoami groups date cal uptime uname hostname pwd env printenv basename dirname realpath readlink \
    seq yes wc sort uniq comm diff cmp join look strings od xxd hexdump base64 md5sum sha256sum pytest py.test \
    nosetests unittest jest vitest mocha ava tap karma cypress playwright rspec minitest phpunit pest ctest gtest \
    bats tox nox nextest go-test behave cucumber robot code vim nvim vi nano emacs micro hx ed open xdg-open \
    module ml spack lmod gdb lldb strace ltrace perf time watch entr shellcheck eslint prettier tsc ruff mypy black \
    molecule act pre-commit lefthook husky touch mkdir rmdir ln cp mv tee choose gum fzf sk peco dmenu rofi \
    aspell hunspell dict trans bc dc units codespell vale cspell typos gh-dash tig lazygit tmux screen zellij \
    dialogue spd-say play mpv vlc ffmpeg convert magick yt-dlp apropos whence pip-compile cppcheck cargo-nextest \
    llm chatgpt claude codex gemini aichat sgpt ollama opencode qwen aider goose copilot cursor-agent amp";

/// How much a verb takes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verb {
    Changes,
    Publishes,
    Tidies,
    Removes,
    Takes,
    Deletes,
    Ends,
}

/// Whether a tool that no table knows destroys something without a question, or something of production.
pub(super) fn destroys(command: &Command<'_>) -> bool {
    // A short call is the usual one.
    if !is_tool(command) {
        return false;
    }
    let unasked = || skips_question(command) || is_in_production(command);
    let sure = match verb(command) {
        Some(Verb::Ends) => true,
        // Of clouds, the tables know what deletes something.
        Some(Verb::Deletes) => command.known.is_none() && !is_about(command, SMALL) || unasked(),
        Some(Verb::Takes) => unasked(),
        Some(Verb::Removes) => {
            command.known.is_none() && skips_all(command) || takes_all(command) || is_in_production(command)
        }
        Some(Verb::Tidies) => takes_all(command) || is_in_production(command),
        _ => command.known.is_none() && deletes_by_option(command),
    };
    sure && !is_about(command, FLEETING) && is_serious(command)
}

/// Whether such a tool changes something of production, or publishes something.
pub(super) fn changes_production(command: &Command<'_>) -> bool {
    // Of clouds, the tables know what changes something.
    command.known.is_none()
        && is_tool(command)
        && verb(command).is_some_and(|verb| verb == Verb::Publishes || names_production(command))
        && is_serious(command)
}

/// Whether an option is a verb that destroys: `--erase-card`, `--delete-token`.
fn deletes_by_option(command: &Command<'_>) -> bool {
    let verbs = "delete destroy erase wipe purge nuke drop masserase eraseall";
    command.options().any(|arg| {
        arg.text.starts_with("--")
            && arg.text.len() < 40
            && parts(&arg.text).next().is_some_and(|part| has(verbs, part))
    })
}

/// Whether a task of the project, or one of its scripts, has a name that says that it changes production:
/// `npm run deploy:prod`, `make deploy ENV=production`, `./scripts/deploy.sh prod`.
pub(super) fn runs_for_production(command: &Command<'_>) -> bool {
    // Nearly every task is for nothing of the kind.
    let is_live = names_production(command);
    if !is_live && !publishes_by_variable(command) {
        return false;
    }
    let runner = has(RUNNERS, &command.name);
    let own = is_own_script(&command.atom.args[0].text);
    if !runner && !own {
        return false;
    }
    let mut tasks = tasks(command, runner);
    let acts = if own { task_acts(&command.name) || tasks.any(task_acts) } else { tasks.any(task_acts) };
    acts && is_serious(command) && !command.has(&["-n"])
}

/// Programs that run tasks and scripts of the project.
pub(super) const RUNNERS: &str = "\
    make gmake ninja just task go-task rake invoke inv fab envoy gradle gradlew mvn mvnw rails mage poe poethepoet ant gulp grunt jake npm pnpm yarn bun \
    thor moon meson bazel bazelisk buck buck2 pants earthly dagger concurrently npm-run-all npm-run-all2 run-s run-p \
    nps lage rush lerna wsrun phing robo pyb doit paver scons waf xmake gn dune cmake mill cake \
    deno composer bash sh zsh python python3 node tsx ruby pwsh nx turbo pdm hatch";

/// Verbs of tasks that others notice.
const OF_TASKS: &str = "\
    deploy redeploy release publish promote rollout rollback apply migrate migration restart stop scale ship upgrade \
    push sync restore seed deployment provision destroy terminate purge wipe nuke delete drop reset teardown \
    truncate cleanup undeploy failover rotate import";

/// The words of a call that may name a task: of an interpreter, only the script.
fn tasks<'c>(command: &'c Command<'_>, runner: bool) -> impl Iterator<Item = &'c str> {
    let interpreter = has("bash sh zsh python python3 node tsx ruby pwsh", &command.name);
    let words = command.args().iter().map(|arg| arg.text.as_str());
    let words = words.filter(|text| !text.starts_with('-') && !text.contains('='));
    let most = if interpreter || !runner { 1 } else { 6 };
    words.filter(move |text| !interpreter || text.contains('.')).take(most)
}

fn task_acts(task: &str) -> bool {
    let name = shell::path::file_name(task);
    // `deployProd`
    let first = name.split(|c: char| c.is_ascii_uppercase()).next().unwrap_or("");
    task.len() < 64
        && parts(name).chain([first]).any(|part| has(OF_TASKS, part))
        && !parts(name).any(|part| has(TELLS, part))
}

/// Whether a program is a script of the project: `./deploy.sh`, `scripts/deploy`.
fn is_own_script(path: &str) -> bool {
    path.contains('/') && !path.starts_with('/')
        || [".sh", ".py", ".rb", ".js", ".ts", ".ps1", ".bat", ".cmd"].iter().any(|end| path.ends_with(end))
}

/// `make release PUSH=1`
fn publishes_by_variable(command: &Command<'_>) -> bool {
    let on = |value: &str| matches!(value, "1" | "true" | "yes" | "y");
    command.is(&["make", "gmake", "just"])
        && command.args().iter().any(|arg| {
            arg.text.split_once('=').is_some_and(|(name, value)| {
                on(value) && has("PUSH PUBLISH UPLOAD DEPLOY push publish upload deploy", name)
            })
        })
}

/// Whether a word that is not too long to be a name says that this is production: a quick look first.
fn names_production(command: &Command<'_>) -> bool {
    let may =
        |text: &str| text.len() < 256 && (text.contains("pr") || text.contains("PR") || text.contains("Pr"));
    let camel = |text: &str| text.ends_with("Prod") || text.ends_with("Production");
    let named = |text: &str| may(text) && (crate::calls::names_production(text) || camel(text));
    named(&command.name)
        || command.args().iter().take(12).any(|arg| named(&arg.text))
        || command.args().len() < 12 && !command.atom.assigns.is_empty() && is_in_production(command)
}

/// Whether a program may be a tool with verbs: not one that takes text, nor a script of the project.
fn is_tool(command: &Command<'_>) -> bool {
    let path = command.atom.args.first().map_or("", |arg| arg.text.as_str());
    !command.args().is_empty()
        && (!path.contains('/') || path.starts_with('/'))
        && !has_form_of_powershell(&command.name)
        && !is_own_script(path)
        && command.name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && command.atom.shell != Language::Unknown
        && !has(OF_TEXT, &command.name)
        && !has(RUNNERS, &command.name)
}

/// Whether it would really do it, and not where something is only tried out.
fn is_serious(command: &Command<'_>) -> bool {
    !is_harmless(command)
        && !is_about(command, TRIAL)
        && !command.args().iter().any(|arg| arg.text.starts_with('-') && is_dry(&arg.text))
}

/// Whether an option keeps a program from doing it.
fn is_dry(option: &str) -> bool {
    parts(option).any(|part| has("dry dryrun plan preview simulate noop check list diff validate help", part))
}

/// Whether a part of a word is in a list. Paths are not names that people give.
fn is_about(command: &Command<'_>, list: &str) -> bool {
    let words = command.args().iter().map(|arg| arg.text.as_str());
    words.filter(|text| text.len() < 256 && !text.starts_with('/')).any(|text| {
        let Some(option) = text.strip_prefix('-') else {
            // Of `stage=prod`, the value says where.
            let text = text.split_once('=').map_or(text, |(_, value)| value);
            return parts(text).any(|part| has(list, part));
        };
        match option.split_once('=') {
            Some((_, value)) => parts(value).any(|part| has(list, part)),
            // `--skip-tests` is about something else than `--staging`, and the value of `--stage` follows.
            None => option != "-stage" && has(list, option.trim_start_matches('-')),
        }
    })
}

fn parts(word: &str) -> impl Iterator<Item = &str> {
    word.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

/// The verb among the first words of a call.
fn verb(command: &Command<'_>) -> Option<Verb> {
    // Over ssh, the name is what a server has as its first word: `ssh dokku@host apps:destroy blog`.
    if command.name.contains(':') && is_word(&command.name) {
        return verb_of(&command.name);
    }
    // `acme-publish`, `backup-delete`
    if command.known.is_none() && command.name.contains(['-', '_']) && is_word(&command.name) {
        let verb = verb_of(&command.name).filter(|verb| *verb > Verb::Changes);
        if verb.is_some() {
            return verb;
        }
    }
    let (mut words, mut after_option) = (0, false);
    for arg in command.args() {
        let text = arg.text.as_str();
        if text == "--" {
            return None;
        }
        if text.starts_with('-') {
            // What follows may be its value, and what comes later an operand.
            if words > 0 && !text.contains('=') && !skips(text) {
                return None;
            }
            after_option = !text.contains('=');
            continue;
        }
        let verb = is_word(text).then(|| verb_of(text)).flatten();
        if verb.is_some() {
            return verb;
        }
        let value = std::mem::take(&mut after_option);
        if value && words == 0 {
            continue;
        }
        if !is_word(text) || parts(text).any(|part| has(TELLS, part)) {
            return None;
        }
        words += 1;
        if words > 3 {
            return None;
        }
    }
    None
}

/// Whether a word may be a verb or a noun of a tool: `db:drop`, `delete-zone`.
fn is_word(text: &str) -> bool {
    text.len() < 40
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_' | b'.'))
}

/// What a word says: `destroy`, `zone-delete`, `sql:drop`, `deleteTopic`.
fn verb_of(word: &str) -> Option<Verb> {
    if parts(word).any(|part| has(TELLS, part)) {
        return None;
    }
    let strength = |part: &str| {
        if has(ENDS, part) {
            Some(Verb::Ends)
        } else if has(DELETES, part) {
            Some(Verb::Deletes)
        } else if has(TAKES, part) {
            Some(Verb::Takes)
        } else if has(REMOVES, part) {
            Some(Verb::Removes)
        } else if has(TIDIES, part) {
            Some(Verb::Tidies)
        } else if part == "publish" {
            Some(Verb::Publishes)
        } else if has(CHANGES, part) {
            Some(Verb::Changes)
        } else {
            None
        }
    };
    // `deleteTopic`, `DropCollection`
    let camel = word.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| &word[..at]);
    let ends = [parts(word).next(), parts(word).last()];
    let camel = camel.map(str::to_ascii_lowercase);
    ends.into_iter().flatten().chain(camel.as_deref()).filter_map(strength).max()
}

/// Whether a switch keeps the tool from asking.
fn skips_question(command: &Command<'_>) -> bool {
    command.args().iter().any(|arg| skips(&arg.text)) || takes_all(command)
}

fn skips(option: &str) -> bool {
    if matches!(option, "-y" | "-Y" | "-f" | "/y" | "/f" | "/force") {
        return true;
    }
    let Some(long) = option.strip_prefix('-').map(|rest| rest.trim_start_matches('-')) else { return false };
    let (name, value) = long.split_once('=').unwrap_or((long, ""));
    let begins = |start: &str| name.starts_with(start);
    !matches!(value, "false" | "0" | "no")
        && (has(
            "yes assume-yes assumeyes force noprompt approve approved auto-yes sure noask quiet-yes yolo",
            name,
        ) || [
            "yes-",
            "force-",
            "confirm",
            "no-confirm",
            "noconfirm",
            "skip-confirm",
            "no-prompt",
            "skip-prompt",
        ]
        .into_iter()
        .any(begins)
            || [
                "no-interact",
                "non-interact",
                "no-input",
                "auto-approve",
                "bypass",
                "i-",
                "do-not-confirm",
                "no-ask",
            ]
            .into_iter()
            .any(begins))
}

/// Whether a switch says that nothing is to be asked, and no letter that may mean a file or a package.
fn skips_all(command: &Command<'_>) -> bool {
    !is_about(command, SMALL)
        && command.args().iter().any(|arg| arg.text.starts_with("--") && skips(&arg.text))
}

fn takes_all(command: &Command<'_>) -> bool {
    let all = |name: &str| name == "--all" || name.starts_with("--all-") || name == "--everything";
    command.args().iter().any(|arg| all(arg.text.split('=').next().unwrap_or("")))
}
