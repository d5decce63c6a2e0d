//! What the words of a call say, where no table knows the program.

use shell::{How, Language};

use crate::builtin::has;
use crate::calls::windows::has_form_of_powershell;
use crate::calls::{Table, calls, is_harmless, is_in_production};
use crate::command::Command;
use crate::places::TRIAL;

/// What the words of tools say about them. A table, because every word of every unknown program is looked up.
static VERBS: Table = calls!(
    "
    # Nothing is left; a tool that has one means it.
    destroy destroyall terminate purge purgeall wipe nuke obliterate decommission deprovision eraseall:
        ends
    masserase teardown zap:
        ends
    # They take away what is named.
    delete deleteall del drop dropall erase expunge truncate revoke unpublish undeploy:
        deletes
    # They take something away, and tools usually ask.
    reset flush flushall evict uninstall unregister cleanup down kill:
        takes
    # Tools have them for small things as well: a package, an entry of a list.
    remove rm unset removeall detach unlink abort unjoin forget:
        removes
    # They tidy up.
    prune clean clear cancel close archive:
        tidies
    # Something leaves for good: a version, a payment.
    publish pay payto payinvoice refund payout payouts withdraw sendmany sendtoaddress sendpayment sendcoins:
        publishes
    sendrawtransaction fullrelease:
        publishes
    # They change what runs.
    deploy redeploy release promote rollout rollback apply update upgrade migrate restart stop scale push:
        changes
    sync up set put import restore replace pause suspend drain rotate grant patch ship launch provision:
        changes
    stopall reload reboot failover switch switchover swap cutover enable disable downgrade revert activate deactivate:
        changes
    transfer lock unlock halt shutdown bounce cordon quarantine:
        changes
    # They only tell, try or name something: what follows is what they are about.
    list ls show get describe view plan preview diff status validate check lint explain help search info dry:
        tells
    dryrun simulate find completion completions inspect watch count undo undelete deleted verify print ask:
        tells
    generate scaffold create add new init can no not which why tail audit test tests run exec task script:
        tells
    compile build call:
        tells
"
);

/// What is known about a program by its name alone.
static PROGRAMS: Table = calls!(
    "
    # Their words are text, patterns, names or files, or they only tell something or run tests.
    echo printf print say espeak figlet cowsay toilet lolcat banner logger wall notify-send zenity dialog:
        text
    whiptail grep egrep fgrep zgrep rgrep pcregrep ag ack ugrep git-grep locate mlocate plocate find fd:
        text
    fdfind ls ll la exa eza lsd tree cat bat batcat less more most head tail nl tac rev cut tr paste column:
        text
    fold fmt expand sed awk jq yq gron fx xq dasel cd pushd popd test [ [[ expr let read declare local:
        text
    typeset export set unset alias unalias goto call start if trap type which whereis whatis apropos man info:
        text
    tldr cheat help history hash command builtin source . true false sleep wait exit return break continue:
        text
    shift getopts eval exec stat file du df ps top htop id who whoami groups date cal uptime uname hostname:
        text
    pwd env printenv basename dirname realpath readlink seq yes wc sort uniq comm diff cmp join look strings:
        text
    od xxd hexdump base64 md5sum sha256sum pytest py.test nosetests unittest jest vitest mocha ava tap karma:
        text
    cypress playwright rspec minitest phpunit pest ctest gtest bats tox nox nextest go-test behave cucumber:
        text
    robot code vim nvim vi nano emacs micro hx ed open xdg-open module ml spack lmod gdb lldb strace ltrace:
        text
    perf time watch entr shellcheck eslint prettier tsc ruff mypy black molecule act pre-commit lefthook:
        text
    husky touch mkdir rmdir ln cp mv tee choose gum fzf sk peco dmenu rofi aspell hunspell dict trans bc dc:
        text
    units codespell vale cspell typos gh-dash tig lazygit tmux screen zellij dialogue spd-say play mpv vlc:
        text
    ffmpeg convert magick yt-dlp whence pip-compile cppcheck cargo-nextest llm chatgpt claude codex gemini:
        text
    aichat sgpt ollama opencode qwen aider goose copilot cursor-agent openclaw amp:
        text
    # They run tasks and scripts of the project.
    make gmake ninja just task go-task rake invoke inv fab envoy gradle gradlew mvn mvnw rails mage poe:
        tasks
    poethepoet ant gulp grunt jake npm pnpm yarn bun thor moon meson bazel bazelisk buck buck2 pants earthly:
        tasks
    dagger concurrently npm-run-all npm-run-all2 run-s run-p nps lage rush lerna wsrun phing robo pyb doit:
        tasks
    paver scons waf xmake gn dune cmake mill cake deno composer bash sh zsh python python3 node tsx ruby pwsh:
        tasks
    turbo pdm hatch php:
        tasks
"
);

/// What is sent to people.
const MESSAGES: &str = "mail email mails emails message messages sms chat campaign campaigns newsletter broadcast discord \
    slack telegram whatsapp teams signal matrix zulip";

/// What people have many of, for themselves: names, marks, settings.
const SMALL: &str = "\
    branch branches bookmark tag tags label labels alias aliases todo note notes snippet worktree stash draft preset \
    theme session sessions tab window pane context contexts profile profiles config remote remotes favorite \
    shortcut keybinding hotkey column row line word char items entries todos notes comment reaction memo";

/// What is made again by itself.
const FLEETING: &str = "cache caches cached tmp temp temporary scratch venv";

/// Switches that keep a tool from asking, without their dashes.
const SKIPS: &str = "yes assume-yes assumeyes force noprompt approve approved auto-yes sure noask yolo";

/// How others of them begin.
const SKIPS_BY_START: &str = "\
    yes- force- confirm no-confirm noconfirm skip-confirm no-prompt skip-prompt no-interact non-interact no-input \
    auto-approve bypass i- do-not-confirm no-ask";

/// What a word of a tool says, the least first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Verb {
    Tells,
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
        Some(Verb::Deletes) if is_about(command, SMALL) => takes_all(command) || is_in_production(command),
        Some(Verb::Deletes) => is_open(command) || unasked(),
        Some(Verb::Takes) => unasked(),
        Some(Verb::Removes) => {
            is_open(command) && skips_all(command) || takes_all(command) || is_in_production(command)
        }
        Some(Verb::Tidies) => takes_all(command) || is_in_production(command),
        Some(Verb::Changes) => command.known.is_none() && stops_all(command),
        _ => command.known.is_none() && deletes_by_option(command),
    };
    let is_fleeting = || {
        let short = command.args().iter().map(|arg| arg.text.as_str()).filter(|text| text.len() < 256);
        short.filter(|text| !text.starts_with('/')).flat_map(parts).any(|part| has(FLEETING, part))
    };
    sure && !is_fleeting() && is_serious(command)
}

/// Whether such a tool changes something of production, or publishes something.
pub(super) fn changes_production(command: &Command<'_>) -> bool {
    deploys(command) && names_production(command) && is_tool(command) && is_serious(command)
        || is_open(command)
            && is_tool(command)
            && (verb(command).is_some_and(|verb| {
                verb == Verb::Publishes && command.known.is_none() || names_production(command)
            }) || command.known.is_none() && sends_message(command))
            && is_serious(command)
}

/// Whether a tool of a cloud or of infrastructure deploys something: the word is the same in all of them.
fn deploys(command: &Command<'_>) -> bool {
    let words = || command.args().iter().map(|arg| arg.text.as_str()).filter(|text| is_word(text)).take(6);
    command.known.is_some_and(|known| known.families.meet(OF_CLOUDS))
        && words().any(|word| has("deploy redeploy promote rollback rollout", word))
        && !words().any(tells)
}

const OF_CLOUDS: catalog::Tags = catalog::family("cloud").or(catalog::family("infrastructure"));

/// Whether tables know little of a program, as opposed to a cloud's: of that, they know what deletes or changes something.
fn is_open(command: &Command<'_>) -> bool {
    command.known.is_none_or(|known| known.families == catalog::family("services"))
}

/// Whether a message goes to people: `acme sms send --to +1…`.
fn sends_message(command: &Command<'_>) -> bool {
    let words =
        || command.args().iter().take(4).map(|arg| arg.text.as_str()).take_while(|text| is_word(text));
    let sends = |text: &str| matches!(text, "send" | "send-message" | "send-email");
    let to = || {
        let people = ["--to", "-to", "--recipient", "--recipients", "--channel", "--phone"];
        command.args().iter().any(|arg| people.contains(&arg.text.split('=').next().unwrap_or("")))
    };
    words().any(sends)
        && (to() || words().chain([&*command.name]).flat_map(parts).any(|part| has(MESSAGES, part)))
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
    if !is_live && !publishes_by_variable(command) && !names_hosts(command) {
        return false;
    }
    let runner = is_program(command, "tasks");
    let own = is_own_script(&command.atom.args[0].text);
    if !runner && !own {
        return false;
    }
    let mut tasks = tasks(command, runner);
    let task_acts = |task: &str| task_acts(command, task);
    let acts = own && task_acts(&command.name) || tasks.any(task_acts);
    acts && is_serious(command) && !command.has(&["-n"]) && !asks_script(command, own)
}

/// Whether the first word that a script of the project gets only asks: `python deploy.py plan --target production`.
fn asks_script(command: &Command<'_>, own: bool) -> bool {
    let is_script = |word: &&str| is_own_script(word);
    let mut words = command.args().iter().map(|arg| arg.text.as_str());
    let found = own || words.by_ref().find(is_script).is_some();
    found && words.find(|word| !word.starts_with('-')).is_some_and(tells)
}

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

/// The verbs of those that destroy. Where the script itself is read, its commands say that, and not its name.
const DESTROY: &str =
    "destroy terminate purge wipe nuke delete drop reset teardown truncate cleanup undeploy";

fn task_acts(command: &Command<'_>, task: &str) -> bool {
    let name = shell::path::file_name(task);
    let is_read = || command.analysis.files.iter().any(|file| shell::path::file_name(&file.path) == name);
    let acts = |part: &str| has(OF_TASKS, part) && !(has(DESTROY, part) && is_read());
    // `deployProd`
    let first = name.split(|c: char| c.is_ascii_uppercase()).next().unwrap_or("");
    task.len() < 64 && parts(name).chain([first]).any(acts) && !tells(name)
}

/// Whether a program is a script of the project: `./deploy.sh`, `scripts/deploy`.
fn is_own_script(path: &str) -> bool {
    path.contains('/') && !path.starts_with('/')
        || [".sh", ".py", ".rb", ".js", ".ts", ".ps1", ".bat", ".cmd"].iter().any(|end| path.ends_with(end))
}

/// `fab -H web1,web2 deploy`
fn names_hosts(command: &Command<'_>) -> bool {
    let is_trial =
        |host: &str| parts(host).any(|part| has(TRIAL, part.trim_end_matches(|c: char| c.is_ascii_digit())));
    command.name == "fab" && command.value(&["-H", "--hosts"]).is_some_and(|hosts| !is_trial(hosts))
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
    // Two letters of `prod` or of `live`.
    let begins = |pair: &[u8]| matches!(pair, b"pr" | b"PR" | b"Pr" | b"iv");
    let may = |text: &str| text.len() < 256 && text.as_bytes().windows(2).any(begins);
    let camel = |text: &str| text.ends_with("Prod") || text.ends_with("Production");
    // A chain on which everything has its price.
    let chain =
        |text: &str| text.len() < 64 && text.contains("mainnet") && parts(text).any(|part| part == "mainnet");
    let named = |text: &str| {
        may(text) && (crate::calls::names_production(text) || camel(text)) || chain(text) || text == "--live"
    };
    named(&command.name)
        || command.args().iter().take(12).any(|arg| named(&arg.text))
        || command.args().len() < 12 && !command.atom.assigns.is_empty() && is_in_production(command)
}

/// Whether a program may be a tool with verbs: not one that takes text, nor a script of the project.
fn is_tool(command: &Command<'_>) -> bool {
    let path = command.atom.args.first().map_or("", |arg| arg.text.as_str());
    !command.args().is_empty()
        && PROGRAMS.of(&command.name).next().is_none()
        && command.name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && !is_own_script(path)
        && !has_form_of_powershell(&command.name)
        && command.atom.shell != Language::Unknown
        // A statement of SQL is not a program, whatever its first word.
        && command.atom.via.is_none_or(|via| via.how != How::Statement)
}

fn is_program(command: &Command<'_>, kind: &str) -> bool {
    PROGRAMS.of(&command.name).next() == Some(kind)
}

/// Whether it would really do it, and not where something is only tried out.
fn is_serious(command: &Command<'_>) -> bool {
    !is_harmless(command)
        && !is_about(command, TRIAL)
        && !simulates(command)
        && !command.args().iter().any(|arg| arg.text.starts_with('-') && is_dry(&arg.text))
}

/// `apt-get -s purge`
fn simulates(command: &Command<'_>) -> bool {
    command.name.starts_with("apt") && command.has(&["-s"])
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
    verb_of_words(command).or_else(|| {
        // `acme-publish`, `backup-delete`
        let speaks = command.known.is_none() && command.name.contains(['-', '_']) && is_word(&command.name);
        speaks.then(|| verb_of(&command.name)).flatten()
    })
}

fn verb_of_words(command: &Command<'_>) -> Option<Verb> {
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
        // What has a dot is a file or a host.
        let verb = (is_word(text) && !text.contains('.')).then(|| verb_of(text)).flatten();
        if verb.is_some() {
            return verb;
        }
        let value = std::mem::take(&mut after_option);
        if value && words == 0 {
            continue;
        }
        if !is_word(text) || tells(text) {
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
    if tells(word) {
        return None;
    }
    // `deleteTopic`, `DropCollection`
    let camel = word.char_indices().skip(1).find(|(_, c)| c.is_ascii_uppercase()).map(|(at, _)| &word[..at]);
    let ends = [parts(word).next(), parts(word).last()];
    let camel = camel.map(str::to_ascii_lowercase);
    ends.into_iter().flatten().chain(camel.as_deref()).filter_map(meaning).max()
}

fn tells(word: &str) -> bool {
    parts(word).any(|part| meaning(part) == Some(Verb::Tells))
}

fn meaning(part: &str) -> Option<Verb> {
    Some(match VERBS.of(part).next()? {
        "ends" => Verb::Ends,
        "deletes" => Verb::Deletes,
        "takes" => Verb::Takes,
        "removes" => Verb::Removes,
        "tidies" => Verb::Tidies,
        "publishes" => Verb::Publishes,
        "changes" => Verb::Changes,
        _ => Verb::Tells,
    })
}

/// Whether it stops everything that a tool runs: `acmectl stop all`, `acmectl halt --all`.
fn stops_all(command: &Command<'_>) -> bool {
    let mut words = command.args().iter().map(|arg| arg.text.as_str());
    words.clone().any(|word| has("stop stopall shutdown halt suspend", word))
        && (takes_all(command) || words.any(|word| matches!(word, "all" | "stopall")))
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
    !matches!(value, "false" | "0" | "no")
        && (has(SKIPS, name) || SKIPS_BY_START.split_ascii_whitespace().any(|start| name.starts_with(start)))
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
