//! Publishing packages, and taking them back.

use crate::calls::{Table, calls};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

/// What breaks the builds of others, or lets someone else publish.
static WITHDRAWS: Table = calls!(
    "
    npm pnpm yarn bun:
        unp|unpu|unpub|unpubl|unpubli|unpublis|unpublish
        npm unpublish
        owner|author rm|remove
        access revoke|rm-collaborators|2fa-not-required
        profile disable-2fa
        hook rm
        team destroy|rm
        org rm|remove
        npm owner rm|remove
    cargo:
        yank !--undo
        owner -r|--remove
    gem:
        yank
        owner -r|--remove
    dotnet:
        nuget delete
    nuget:
        delete
    pod:
        trunk delete|remove-owner
    vsce ovsx:
        unpublish|delete-publisher
    mix:
        hex.publish --revert
        hex.owner remove
        hex.organization ... remove
    rebar3:
        hex publish --revert
        hex owner remove
    skopeo:
        delete
    crane:
        delete
    regctl:
        tag|image|manifest|blob|repo delete|rm|del
    oras:
        manifest|blob delete
    anaconda:
        remove
    jfrog jf:
        rt del|delete|delete-props|repo-delete|repl-delete|permission-target-delete|users-delete|group-delete
        ... delete|del
    apm:
        unpublish
    snapcraft:
        close|revoke
"
);

/// What the world gets to see, and cannot be taken back.
static PUBLISHES: Table = calls!(
    "
    npm pnpm yarn bun:
        publish|publis|publi|publ|pub
        npm publish
        deprecate|depr|depre|undeprecate
        dist-tag rm|remove
        owner|author add
        access public
        access set status=public
        token revoke|delete
        lerna publish
        changeset publish
        -r publish
        ... publish -r|--recursive|--filter
        workspaces foreach ... publish
        dist-tag|dist-tags add|set
        npm tag add
        token create !--read-only
        access grant read-write
        trust github|gitlab
        nx release publish
        nx release !-d
    lerna changeset deno jsr vsce ovsx:
        ... publish
    semantic-release release-it:
        !--ci=false
    cargo:
        publish !-n
        owner -a|--add
        release -x|--execute
        workspaces|ws publish
        smart-release --execute|-e
        dist host --steps=upload|release|announce
    cargo-release:
        -x|--execute
    twine:
        upload
    poetry uv flit hatch pdm rye:
        publish
    maturin:
        publish|upload
    gem:
        push
        owner -a|--add
    rake:
        ... release|gem:release|release:rubygem_push
    mvn mvnw:
        ... deploy|deploy:deploy|deploy:deploy-file|release:perform|nexus-staging:release|jib:build|*:deploy
    gradle gradlew:
        ... publish|publishPlugin|publishPlugins|uploadArchives|publishAllPublications*|publishToSonatype|closeAndRelease*|publishToMavenCentral|publishAndRelease*|bintrayUpload|jib|*:jib|*:publish
    sbt:
        ... publish|publishSigned|release|sonatypeBundleRelease|ci-release
    lein:
        ... deploy|release
    dotnet:
        nuget push
    nuget:
        push
    mix:
        hex.publish
        hex.retire
        hex.owner add
    dart flutter:
        pub publish|lish !-n
    pod:
        trunk push|deprecate|add-owner
    cabal:
        upload --publish
    stack:
        upload
    luarocks:
        upload
    conan:
        upload
    helm:
        push|cm-push
    goreleaser:
        release !--snapshot
    snapcraft:
        upload|push|release
    eas fastlane:
        submit
        deliver|release|supply|upload_to_*
    ansible-galaxy:
        collection publish
        role import|delete
    anaconda:
        upload
    rebar3:
        hex publish
    opam:
        publish
    python python3:
        *setup.py ... upload
        twine upload
    nx:
        release publish
        release !-d
    docker podman nerdctl buildah:
        plugin push
        trust sign
    Publish-Module Publish-PSResource Publish-Script:
        !-WhatIf
    eas:
        update --branch=production|prod|main|live
        update --channel=production|prod|live
        channel edit|rollout
        build --auto-submit
    fastlane:
        ios|android|mac release|deploy|production|submit*|publish|appstore|deliver|supply
    np:
        !--preview
    jfrog jf:
        rt upload|u|copy|cp|move|mv|set-props|build-promote|docker-push|docker-promote
        docker push
    oras:
        push|attach *:*
    npm pnpm yarn bun:
        team add
    clojure clj:
        deploy|publish|release
        ~:deploy
        ~:publish
    python python3:
        flit|hatch|pdm|build publish
    pod:
        repo push
    swift:
        package-registry publish
    pack:
        build --publish
    regctl:
        image copy|mod
    skopeo:
        sync --dest=docker
    docker podman:
        buildx bake --push
        compose build --push
    fastlane:
        deploy|release|production|publish|appstore
"
);

pub(super) static FAMILY: Family = Family {
    id: "packages",
    title: "Publishing packages",
    covers: Covers::Listed(catalog::family("packages")),
    rules: &[
        Rule {
            id: "packages.withdraw",
            severity: Severity::Destructive,
            when: When::calls(&WITHDRAWS),
            reason: "It removes a published version or an owner, which breaks other people's builds.",
            instead: "Publish a fixed version, and let a person withdraw the old one.",
            matches: "
                npm unpublish pkg@1.0.0 --force
                npm owner rm alice pkg
                cargo yank --version 1.0.0 pkg
                gem yank pkg -v 1.0.0
                dotnet nuget delete pkg 1.0.0 --non-interactive
                skopeo delete docker://registry/app:1
            ",
            spares: "
                npm uninstall pkg
                npm un pkg
                npm owner ls pkg
                cargo yank --undo --version 1.0.0 pkg
                cargo uninstall tool
                gem uninstall pkg
            ",
        },
        Rule {
            id: "packages.publish",
            severity: Severity::Risky,
            when: When::calls(&PUBLISHES).also(pushes_moving_tag).only(|command| !takes_mark_away(command)),
            reason: "It publishes to the world, and a published version cannot be withdrawn.",
            instead: "Check what would be published with `--dry-run`, and let a person publish it.",
            matches: "
                npm publish
                npm publish ./dist --access public
                pnpm -r publish --no-git-checks
                yarn npm publish
                cargo publish -p core
                twine upload dist/*
                gem push pkg-1.0.0.gem
                mvn -B deploy
                ./gradlew :core:publish
                docker push registry/app:latest
                npm deprecate pkg 'use other'
            ",
            spares: "
                npm publish --dry-run
                npm deprecate pkg@1 ''
                npm pack
                npm run publish:docs
                cargo publish --dry-run
                cargo package
                twine check dist/*
                mvn -B verify
                ./gradlew publishToMavenLocal
                docker push registry/app:1.4.2
                dotnet publish -c Release
            ",
        },
    ],
};

/// Whether a version is no longer deprecated from then on: an empty message.
fn takes_mark_away(command: &Command<'_>) -> bool {
    command.args().last().is_some_and(|message| message.text.is_empty())
        && command.args().first().is_some_and(|verb| verb.text.starts_with("depr"))
}

/// `docker push` of a tag that others follow, as opposed to one version.
fn pushes_moving_tag(command: &Command<'_>) -> bool {
    if !command.is(&["docker", "podman", "nerdctl", "buildah", "crane", "skopeo"]) || command.only_asks() {
        return false;
    }
    let operands = command.operands();
    let image = match operands {
        [verb, .., to] if command.name == "crane" && matches!(&*verb.text, "push" | "copy" | "cp") => {
            let file = shell::path::file_name(&to.text);
            return file.contains(':') && is_moving(tag_of(file));
        }
        // It names an image that is there already.
        [tag, _, name] if command.name == "crane" => return tag.text == "tag" && is_moving(&name.text),
        _ if command.name == "crane" => None,
        // Only where it goes to a registry.
        [copy, .., to] if command.name == "skopeo" => {
            let image = to.text.strip_prefix("docker://");
            return copy.text == "copy" && image.is_some_and(|image| is_moving(tag_of(image)));
        }
        _ if command.name == "skopeo" => None,
        // `docker buildx build --push -t IMAGE .`
        [build, ..] | [_, build, ..] if build.text == "build" && command.has_word("--push") => {
            let tags = command.args().windows(2).filter(|pair| matches!(&*pair[0].text, "-t" | "--tag"));
            return tags.map(|pair| pair[1].text.as_str()).any(|image| is_moving(tag_of(image)));
        }
        // `docker push` and `docker image push`.
        [push, rest @ ..] | [_, push, rest @ ..] if push.text == "push" => rest.last(),
        _ => None,
    };
    let Some(image) = image.map(|image| image.text.as_str()) else { return false };
    // One of them is likely to be one that others follow.
    if command.has_word("-a") || command.has_word("--all-tags") {
        return true;
    }
    // With a digest, it is one image and no other.
    !image.contains('@') && is_moving(tag_of(image))
}

/// The tag of an image. Only after the last slash: a registry's port has a colon, too.
fn tag_of(image: &str) -> &str {
    shell::path::file_name(image).split_once(':').map_or("latest", |(_, tag)| tag)
}

/// Whether others follow a tag.
fn is_moving(tag: &str) -> bool {
    matches!(
        tag,
        "latest" | "stable" | "prod" | "production" | "main" | "master" | "release" | "live" | "current"
    )
}
