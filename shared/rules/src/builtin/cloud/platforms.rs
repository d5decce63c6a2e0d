//! Hosting platforms, smaller clouds, and services with programs of their own.

use crate::calls::{Table, calls};
use crate::command::Command;
use crate::rule::{Rule, Severity, When};

pub(super) static DELETES: Table = calls!(
    "
    doctl:
        ... delete|rm|destroy|delete-selective|uninstall !auth
        * * d
        d|databases|k8s|kubernetes d
    heroku:
        apps:destroy|apps:delete|destroy|pg:reset|pg:copy|pg:backups:restore|pg:backups:delete|pg:promote
        addons:destroy|addons:remove|domains:remove|domains:clear|pipelines:destroy|certs:remove|certs:chain
        spaces:destroy|repo:reset|access:remove|members:remove|teams:destroy|buildpacks:clear|webhooks:remove
        *:destroy|*:delete|authorizations:revoke|sessions:destroy
        keys:clear|pg:credentials:destroy|drains:remove|container:rm|data:*:destroy
    fly flyctl:
        ... destroy|delete|rm|remove|detach|revoke
        secrets unset
        scale count 0
    vercel now:
        remove|rm
        project|projects|env|domain|domains|dns|alias|secrets|certs|blob|integration|cache rm|remove|del
        blob store remove
    netlify ntl:
        *:delete
        sites:delete
        env:unset
        blobs:delete
        unlink --delete
        api delete*|remove*|cancel*
    wrangler:
        ... delete|bulk-delete|destroy
        delete
        kv:namespace|kv:key|kv:bulk delete
        rollback
    firebase:
        firestore:delete|database:remove|hosting:disable|functions:delete|apps:delete|projects:delete|auth:delete|firestore:databases:delete|hosting:sites:delete|hosting:channel:delete|remoteconfig:rollback|apphosting:*:delete|ext:uninstall
    linode-cli:
        ... delete|rm|*-delete|rebuild|disk-delete|rmbucket|rb|cancel
        obj rb|rm|del
    ibmcloud:
        ... *-delete|delete|rm|*-rm|remove|purge|*-purge|*-remove
        ks cluster rm
        cos *-delete
    oci:
        ... delete|terminate|purge|bulk-delete|bulk-delete-resources|schedule-deletion|schedule-key-deletion|schedule-secret-deletion
    hcloud:
        ... delete|rebuild|reset
    scw:
        ... delete|terminate|flush|rebuild
        ... action=terminate
    yc exo ionosctl vultr-cli civo upctl vultr cloudscale gridscale kamatera equinix metal contabo:
        ... delete|destroy|rm|remove|terminate|reinstall
    aliyun:
        ... Delete*|Release*|Terminate*
        oss rm -r|--recursive
        oss rb
    eb:
        terminate
    cf:
        delete|delete-*|d|ds|unbind-*|purge-*
    supabase:
        projects|branches|functions|domains|vanity-subdomains|storage delete|rm
        secrets unset
        db reset --linked|--db-url
        storage rm -r|--recursive
        migration repair
    railway:
        down|delete|remove
        volume|environment|service|project delete|remove|rm
    render:
        ... delete|destroy
    koyeb northflank platform upsun porter qovery clever scalingo scalingo-cli zeabur sevalla:
        ... delete|destroy|*:delete|*:destroy|purge|*-destroy
    neonctl neon:
        ... delete|reset|restore
    turso:
        ... destroy|delete|unarchive
    pscale:
        ... delete|revert
    atlas:
        ... delete|terminate|purge
    confluent ccloud:
        ... delete
    databricks:
        ... delete|permanent-delete|delete-*|permanent-delete-*|destroy
        bundle destroy
        fs rm -r|--recursive
    stripe:
        ... delete|cancel|void_invoice|void|close
        refunds create --live
    auth0:
        ... delete|rm
    twilio:
        ... *:remove|*:delete|remove|delete
        ... *:update --status=closed|suspended
        *:remove
        phone-numbers:release
    cloudflared:
        tunnel delete|cleanup
    sentry-cli:
        releases delete
        sourcemaps|files delete
        ... delete
    eas:
        ... *:delete
        *:delete
    sanity:
        dataset delete
        ... delete
    contentful:
        space delete
        ... delete
    modal:
        volume|secret|dict|queue|environment delete|rm
        app stop
    convex:
        ... delete
        data clear
        import --replace|--replace-all
        env remove|unset|rm --prod
    shopify:
        theme delete
        app delete
    slack:
        delete|uninstall
        app delete|uninstall
    nhost:
        down -v|--volumes
    huggingface-cli hf:
        repo delete
        repo-files delete
        ... delete
    ovhai ovhcloud:
        ... delete|rm
    snow:
        ... drop
    elastic ecctl:
        ... delete|shutdown
    op:
        item|vault|user|group|document|service-account delete
    bw:
        delete
    doppler:
        secrets|projects|configs|environments delete
    infisical:
        secrets delete
    coolify e2b daytona devpod coder gitpod:
        ... delete|rm|remove|kill
    tsuru:
        *-remove|*-delete
        app|service|env remove|delete
    vc:
        remove|rm
        project|projects|env|domain|domains|dns|alias|secrets|certs|blob|integration|cache rm|remove|del
    fly flyctl:
        destroy-*|prune-worker|abort-build
    scalingo scalingo-cli:
        ... addons-remove|domains-remove|collaborators-remove|destroy
    doctl:
        registry garbage-collection start
"
);

pub(super) static CHANGES: Table = calls!(
    "
    doppler infisical:
        secrets set|upload @production
    heroku:
        config:unset|releases:rollback|rollback|maintenance:on|ps:stop|pg:push|pg:killall|keys:remove
        apps:leave|leave|apps:transfer|addons:detach|pg:maintenance:run|labs:disable|features:disable
        ps:scale *=0
        config:set
        pipelines:promote|domains:update|certs:update
        pg:upgrade|pg:unfollow
        ps:stop|ps:kill|dyno:stop|dyno:kill
        access:update|members:set|teams:*
        maintenance:on
        container:release|deploy:jar|builds:create|run|run:detached @production
        pg:credentials:rotate
        features:disable|labs:disable
    fly flyctl:
        ... stop|suspend
        machine|machines|m stop|kill|suspend|cordon|update
        ips release|release-v4|release-v6
        secrets set|import
        postgres|pg failover|restart
        mpg restore
        deploy --strategy=immediate
        apps move|transfer
        volumes|volume|vol update|restore
        certs remove
        deploy|launch @production
    vercel now:
        rollback|promote
        deploy --prod|--production|--target=production
        --prod|--production !build !pull !ls !list !env !dev !inspect !logs
        alias set
        domains|domain move|transfer-in
        redeploy
        env update
        rolling-release start|approve|complete|abort
        promote|rollback
        firewall|waf disable|bypass
        project pause
    cf:
        stop|restage|rename|logout
        scale -i=0
        push @production
    eb:
        abort|swap|restore
        deploy @production
    supabase:
        db reset
        stop --no-backup
        db push --include-all
        db push !--local
        secrets set
        config push
        network-restrictions update
        ssl-enforcement update --disable-db-ssl-enforcement
        postgres-config update
        functions deploy --no-verify-jwt
        backups restore
        encryption update-root-key
        domains activate
        vanity-subdomains activate
        branches update|pause|unpause
        sso remove|update
        storage rm
    doctl:
        compute droplet-action power-off|shutdown|rebuild|restore|power-cycle|resize|password-reset
        kubernetes cluster node-pool update --count
        databases resize
        apps create-deployment|update @production
    hcloud:
        server poweroff|shutdown|stop|reset|rebuild|change-type|reset-password
        firewall add-rule --source-ips=0.0.0.0/0
    stripe:
        refunds create
        ... update --live
    wrangler:
        secret delete
        deployments rollback
        versions deploy
        queues purge
        deploy|publish --env=production|prod|live
        deploy|publish -e=production|prod|live
        secret put|bulk
        d1 migrations apply --remote
        d1 time-travel restore
        d1 execute --remote --file
        d1 import --remote
        pages deploy --branch=main|master|production
        pages secret put|bulk
        r2 object put --remote
        triggers deploy
        secrets-store ... create|update --remote
        deploy|publish @production
        d1|kv|r2|queues ... create|put|execute|insert|update @production !--local
    railway:
        redeploy|restart
        up --environment=production|prod
        up -e=production|prod
        variables|variable --set --environment=production|prod
        variables|variable --set -e=production|prod
        variables|variable set|delete
        scale
        domain delete
        up|deploy @production
    turso:
        db tokens invalidate
        group tokens invalidate
        org members rm|remove
        db config delete-protection disable
        group config delete-protection disable
        group transfer|unarchive
        auth api-tokens revoke
    netlify ntl:
        ... rollback
        deploy --prod|--prod-if-unlocked|-p
        env:import --replace-existing|-r
        env:set --context=production
        api update*|rollback*|lock*|unlock*|restore*
        sites:update
        deploy --alias=production|prod
    pscale:
        deploy-request deploy
        branch promote|demote|safe-migrations
        branch safe-migrations disable
        deploy-request deploy|apply|skip-revert
        keyspace resize
        backup restore
        database restore-dump
        password renew
    shopify:
        theme push --live|-l|--allow-live
        theme publish
        app deploy --force|-f
    doctl linode-cli scw oci yc exo ionosctl vultr-cli vultr civo upctl hcloud ibmcloud cloudscale equinix metal contabo ovhcloud:
        ... stop|shutdown|poweroff|power-off|power_off|suspend|pause|server-stop|soft-stop
    oci:
        ... action --action=STOP|SOFTSTOP|RESET|SOFTRESET|stop|softstop|reset|softreset
    aliyun:
        ... Stop*|Reboot*
    tccli:
        ... Stop*|Reboot*
    neonctl neon:
        branches|branch set-default
        roles|role|databases|database|projects|project update
        ip-allow remove|reset
        operations cancel
    firebase:
        functions:secrets:destroy|functions:secrets:prune
        deploy -f|--force
        hosting:clone
        database:set|database:update -f|--force|-y
        database:set -y|--confirm
        auth:import
        firestore:databases:update
        functions:config:unset
        apphosting:rollouts:create
        remoteconfig:publish
        deploy @production
    convex:
        env remove|unset|rm
        deploy -y|--yes
        env set --prod
        import --prod
        run --prod
        deploy @production
    render:
        ... suspend
        services update
        deploys create
    clever:
        stop
        env rm
    scalingo scalingo-cli:
        stop|scale
        ... env-unset
        deploy|env-set|run @production
        ... stop
    koyeb northflank platform upsun porter qovery zeabur sevalla:
        ... pause|stop|suspend|environment:pause|backup:restore|rollback
    eas:
        update:rollback|update:republish|update:roll-back-to-embedded
        env:update|env:push
        metadata:push
        update|deploy @production
    confluent ccloud:
        ... pause|update --force
    databricks:
        bundle deploy --target=prod|production
        bundle deploy -t=prod|production
        clusters restart|resize
        bundle deploy|run @production
    sentry-cli:
        releases archive
    cloudflared:
        tunnel route --overwrite-dns
    auth0:
        tenants use
        ... rotate-secret|rotate
    modal:
        deploy --env=prod|production|main
    ibmcloud:
        ... *-stop|*-reboot|stop|reboot
    ldcli launchdarkly:
        ... toggle-on|toggle-off|archive @production
        flags toggle-off|archive
    ngrok:
        api ... stop
    vc:
        rollback|promote|redeploy
        --prod|--production !build !pull !ls !list !env !dev !inspect !logs
    doctl:
        ... update|update-*|delete-node|replace-node @production
        kubernetes cluster node-pool delete-node|replace-node
        compute firewall add-rules
    linode-cli:
        ... rules-update
        ... update|*-update @production
    ibmcloud:
        iam api-key-create|*-policy-create
    platform upsun:
        environment:activate|environment:merge|environment:redeploy|environment:synchronize|redeploy|merge|sync -y|--yes
        ... variable:* @production
    atlas:
        accessLists create 0.0.0.0/0|--currentIp
        accessList|accessLists create 0.0.0.0/0
        dbusers|customDbRoles create --role=atlasAdmin@admin|atlasAdmin
        clusters update|pause|failover
    confluent ccloud:
        api-key create
        iam rbac role-binding create
    render:
        restart
        services restart
    circleci:
        context store-secret
    mc mcli:
        admin user|group|policy|service|config add|attach|set|stop|restart|disable|enable|detach|import|unfreeze
        admin accesskey|accesskeys|idp create|add|edit
    fly flyctl:
        set-pipeline|sp -n|--non-interactive
    koyeb northflank qovery clever porter:
        ... redeploy|restart @production
    slack:
        deploy|run @production
    heroku:
        ps:restart|restart|dyno:restart @production
    fly flyctl:
        deploy -a|--app
        orgs invite|remove
    heroku:
        container:release *
        access:add|members:add
        run|run:detached @production
        run|run:detached ~migrate
    koyeb northflank qovery porter:
        ... deploy|redeploy @production
    platform upsun:
        push|deploy @production
        push -e|--environment=main|master
    railway:
        up --environment|-e=main|live
    vercel vc now:
        alias * *.*
        teams invite
    firebase:
        use @production
    modal:
        deploy -e|--env
    hcloud:
        ... remove-*|replace-*|reset-*|change-*|detach*|disable-*|set-rdns|resize
        firewall apply-to-resource|add-rule|delete-rule|set-rules
    doctl:
        compute domain records create|update
        compute load-balancer remove-*|update
        databases firewalls append|replace
        databases resize|migrate
        kubernetes cluster upgrade
        compute firewall ... remove-*|add-*
    linode-cli:
        linodes resize|migrate
    scw:
        instance security-group ... create-rule|update|set-rules
        dns record set|add|delete|clear
        k8s pool update
    exo:
        compute security-group rule add
    vultr-cli vultr:
        firewall rule create
        dns record create|update
    upctl:
        server modify
    oci:
        network security-list|nsg ... update|add -f|--force
    auth0:
        ... apps|clients|apis update --callbacks|--origins
    ovhcloud:
        domain-zone record
    supabase:
        migration up --linked
    wrangler:
        kv key put --remote
        kv bulk put --remote
    # Of these, what is deployed is what customers see: trying out has another word.
    convex zeabur sevalla clever scalingo:
        deploy
        ... deploy
    modal:
        deploy *
    koyeb northflank qovery:
        ... redeploy
    ldcli launchdarkly:
        ... update @production
    sanity:
        dataset import @production
    doctl:
        compute firewall update
"
);

pub(super) const DELETE: Rule = Rule {
    id: "cloud.platform-delete",
    severity: Severity::Destructive,
    when: When::calls(&DELETES).also(drops_by_text),
    reason: "It deletes something at a hosting platform or service, usually with its data.",
    instead: "Check with the matching `list` or `info` command, and let a person delete it.",
    matches: "
        doctl compute droplet delete 1 -f
        heroku pg:reset DATABASE --confirm app
        heroku apps:destroy -a app --confirm app
        fly apps destroy app -y
        vercel rm project --yes
        netlify sites:delete --force
        wrangler kv namespace delete --namespace-id x
        wrangler d1 execute db --remote --command 'DROP TABLE users'
        firebase firestore:delete --all-collections -f
        linode-cli linodes delete 1
        ibmcloud resource service-instance-delete x -f
        oci compute instance terminate --instance-id x
        cf delete app -f
        stripe customers delete cus_1
    ",
    spares: "
        doctl compute droplet list
        heroku logs -t
        fly status
        vercel ls
        netlify deploy --prod
        wrangler deploy
        wrangler d1 execute db --local --command 'DROP TABLE users'
        firebase deploy
        linode-cli linodes view 1
        ibmcloud target -r eu-de
        stripe customers list
        doctl auth remove --context old
    ",
};

pub(super) const CHANGE: Rule = Rule {
    id: "cloud.platform-change",
    severity: Severity::Risky,
    when: When::calls(&CHANGES),
    reason: "It takes something out of service, or replaces what runs in production.",
    instead: "Deploy a preview, such as `vercel deploy`, and let a person change production.",
    matches: "
        heroku config:unset KEY
        heroku ps:scale web=0
        vercel rollback
        supabase db reset
        heroku apps:leave
        vercel deploy --prod
        vercel --prod --yes
        netlify deploy --prod --dir dist
        wrangler deploy --env production
    ",
    spares: "
        heroku config
        heroku ps:scale web=2
        vercel deploy
        vercel build --prod
        netlify deploy
        wrangler deploy
        supabase start
    ",
};

/// `wrangler d1 execute` and the like with a string that drops tables.
fn drops_by_text(command: &Command<'_>) -> bool {
    if !command.sub(&["d1", "execute"]) || command.has_word("--local") {
        return false;
    }
    let text = command.value(&["--command"]).unwrap_or("").to_ascii_lowercase();
    let mut words = text.split_ascii_whitespace();
    words.next().is_some_and(|first| matches!(first, "drop" | "truncate")) || text.contains("; drop ")
}
