//! Containers, and what runs them.

mod deletion;
mod kubernetes;
mod mounts;

pub(super) use mounts::{is_in_new_container, mounts};

use super::given::is_given;
use super::has;
use crate::calls::{Table, calls};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

/// What deletes data, or containers and images by the dozen.
static DELETES: Table = calls!(
    "
    docker podman nerdctl finch:
        volume rm|remove|prune
        system prune -a|--all
        system prune --volumes
        system reset
        image prune -a|--all
        stack|service|secret|config rm|remove|down
        swarm leave -f|--force
        node rm|remove
        trust revoke
        machine rm|reset
        desktop reset
        rm|rmi -a|--all
        image|container|pod rm -a|--all
        rm|rmi -f|--force ?
        image|container rm -f|--force ?
        compose down|rm -v|--volumes @production
    buildah:
        rm|rmi -a|--all
    crictl:
        rm|rmp|rmi -a|--all
        rmi --prune
    ctr:
        ... delete|rm|remove|del ?
    colima limactl multipass:
        delete
        prune
        purge
    lxc incus:
        delete|rm
        storage|volume|project|network|profile|image|snapshot delete
        storage volume delete
    orb orbctl:
        delete|reset
    rdctl:
        factory-reset|reset
"
);

/// What is set up again with some work.
static RISKS: Table = calls!(
    "
    docker podman nerdctl finch:
        system prune
        rm|rmi|kill|stop|restart ?
        image|container rm|kill|stop|restart ?
        service scale *=0
        pod rm -f|--force
        plugin rm|remove
        container|network prune
        compose down|rm -v|--volumes
        compose down --rmi=all
        service rollback
        plugin install --grant-all-permissions
        update ?
        swarm leave
        node update --availability=drain|pause
        system reset
        buildx rm --all-inactive
    xcrun:
        simctl erase|delete all
    docker-compose podman-compose:
        down|rm -v|--volumes
        down --rmi=all
    incus lxc:
        stop|restart|pause --all
        stop|restart -f|--force
        restore
    distrobox:
        rm -f|--force|-a|--all
    colima limactl multipass orb orbctl:
        factory-reset
    crictl:
        stopp|stop|rm ?
    ctr:
        task|tasks|t kill -a|--all
        images|image|i|containers|c rm|delete|del
    ctr:
        run|container|containers|c --privileged
    lxc incus:
        config ... set security.privileged true
        config set * security.privileged true
        config set * security.privileged=true
        config device add source=/
        config device add * * disk source=/
    tilt:
        down --delete-namespaces
    docker podman nerdctl:
        stack deploy @production
        compose|stack|service|container up|deploy|update|restart|stop|rm|pull|run|create|scale|rollback|down --context=*prod*|*live
        run|stop|rm|restart|kill|update|create --context=*prod*|*live
        compose|stack|service|container up|deploy|update|restart|stop|rm|pull|run|create|scale|rollback|down -H=*prod*|*live*
        run|stop|rm|restart|kill|update|create -H=*prod*|*live*
        compose|stack|service|container up|deploy|update|restart|stop|rm|pull|run|create|scale|rollback|down --host=*prod*|*live*
        run|stop|rm|restart|kill|update|create --host=*prod*|*live*
    podman:
        stop -a|--all
        pod stop -a|--all
    multipass:
        stop --all
"
);

pub(super) static FAMILY: Family = Family {
    id: "containers",
    title: "Containers and clusters",
    covers: Covers::Listed(catalog::family("containers")),
    rules: &[
        mounts::MOUNTED,
        Rule {
            id: "containers.delete",
            severity: Severity::Destructive,
            when: When::calls(&DELETES).also(mounts::empties_volume).only(|command| !lists_by_name(command)),
            reason: "It deletes volumes, services, or many containers and images at once, with the data in them.",
            instead: "List them first, and remove one container by its name: `docker rm web`.",
            matches: "
                docker volume rm pgdata
                docker --context prod volume prune -f
                docker system prune -af
                docker desktop reset --factory
                docker rm -f $(docker ps -aq)
                docker rm -f $(docker compose ps -q --format json)
                docker ps -aq | xargs docker rm -f
                docker stack rm prod
                DOCKER_HOST=ssh://root@prod-01 docker compose down -v
                podman system reset --force
                docker run --rm -v pgdata:/data alpine rm -rf /data
                docker run --rm -v latest-data:/app/template alpine rm -rf /app/template
                docker run --rm --mount source=pgdata,target=/data alpine sh -c 'rm -rf /data/*'
            ",
            spares: "
                docker rm -f web
                docker run --rm -v pgdata:/data alpine rm -rf /data/lost+found
                docker run --rm -v yarn-cache:/cache node rm -rf /cache
                docker rm -f $(docker ps -aqf name=app-test)
                id=$(docker run -d nginx); docker rm -f $id
                docker restart $(docker compose ps -q api)
                docker rmi app:old
                docker compose down
                docker compose down -v --dry-run
                docker volume ls
                docker builder prune -af
                docker image prune
                docker run --rm -v data:/data app
                docker rm \"$CONTAINER\"
            ",
        },
        kubernetes::DELETE,
        kubernetes::CLUSTER,
        kubernetes::API,
        Rule {
            id: "containers.remove-many",
            severity: Severity::Risky,
            when: When::calls(&RISKS).only(|command| !is_for_tests(command) && !lists_by_name(command)),
            reason: "It removes or stops whatever a list names, or the volumes of a development stack.",
            instead: "List them first, and name the container: `docker rm web`.",
            matches: "
                docker rm $(docker ps -aq -f status=exited)
                docker kill $(docker ps -q)
                docker stop $(docker ps -q)
                docker compose -f dev.yml down -v
                docker compose down --remove-orphans --volumes
                docker network prune -f
                docker system prune -f
            ",
            spares: "
                docker rm web
                docker kill web
                docker system df
                docker compose -f docker-compose.test.yml down -v
                docker compose -p test down --volumes
            ",
        },
        kubernetes::RISK,
        mounts::HOST,
    ],
};

/// Whether what goes is a list of containers that were chosen by their names or labels, or one that the text has started.
fn lists_by_name(command: &Command<'_>) -> bool {
    if !command.sub(&["rm|kill|stop|restart"]) && !command.sub(&["container", "rm|kill|stop|restart"]) {
        return false;
    }
    let says = |atom: &shell::Atom, words: &str| {
        *atom.program() == *command.name && atom.args.iter().skip(1).take(2).any(|arg| has(words, &arg.text))
    };
    let lists = |atom: &&shell::Atom| {
        says(atom, "ps ls") || says(atom, "run create") && is_given(command, command.atom, atom)
    };
    let chooses = |atom: &shell::Atom| {
        // `$(docker run -d nginx)`, `$(docker compose ps -q api)`
        let mut listed =
            atom.args.iter().map(|arg| arg.text.as_str()).skip_while(|word| *word != "ps").skip(1);
        let mut names_service =
            || listed.next() == Some("-q") && listed.next().is_some_and(|word| !word.starts_with('-'));
        if !says(atom, "ps ls") || says(atom, "compose") && names_service() {
            return true;
        }
        let filters = atom.args.iter().map(|arg| arg.text.trim_start_matches("--filter="));
        filters.into_iter().any(|text| ["name=", "label=", "ancestor="].iter().any(|by| text.starts_with(by)))
    };
    let mut lists = command.analysis.atoms.iter().filter(lists).peekable();
    lists.peek().is_some() && lists.all(chooses)
}

/// Whether a stack that is taken down with its volumes is one that tests put up, by the name of its file or project.
fn is_for_tests(command: &Command<'_>) -> bool {
    let named = ["-f", "--file", "-p", "--project-name"].iter().filter_map(|option| command.value(&[option]));
    command.has_word("down") && named.flat_map(|name| name.split(['.', '-', '_', '/'])).any(is_test_name)
}

/// Whether a part of a name says that what bears it is made for tests.
fn is_test_name(part: &str) -> bool {
    matches!(part, "test" | "tests" | "testing" | "e2e" | "ci")
}
