//! Infrastructure as code, orchestration, virtual machines.

mod ansible;

use crate::calls::{Table, calls};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

/// What takes down what runs, or forgets what is known about it.
static DESTROYS: Table = calls!(
    "
    terraform tofu terragrunt:
        destroy|destroy-all
        run-all|run destroy
        stack run destroy
        apply -destroy|--destroy !-help
        apply-all|run-all|run apply -destroy|--destroy
        state rm|push
        workspace delete
        force-unlock
        apply -auto-approve|--auto-approve -replace|--replace
    pulumi:
        destroy|down|dn
        stack rm
        state delete
        env rm
        up|update --replace
    cdk:
        destroy
        gc --action=delete-tagged|full
    cdktf:
        destroy
    sam zappa chalice ampx:
        ... delete|undeploy
    amplify:
        delete
    copilot:
        app|svc|env|job|pipeline|task delete
    serverless sls:
        remove
        rollback
    sst:
        remove
    arc claudia waypoint garden nitric encore winglang:
        destroy
        app destroy
        env delete
        delete environment|env
    up:
        stack delete
    azd:
        down
    crossplane:
        ... delete|uninstall
    vagrant:
        destroy
        snapshot delete
        cloud box|version delete
    nomad:
        job stop -purge|--purge
        stop -purge|--purge
        namespace|volume|quota delete
        var purge
        acl policy|token|role delete
        operator raft remove-peer
        server force-leave
    consul:
        kv delete
        acl token|policy|role delete
        config delete
        snapshot restore
        operator raft remove-peer
        leave
        namespace|partition|peering delete
    vault bao:
        delete
        kv delete|destroy
        kv metadata delete
        secrets|auth|audit disable
        policy|namespace delete
        lease revoke -prefix|--prefix
        lease revoke -force|--force
        operator seal|rekey|generate-root|migrate
        operator raft remove-peer
        operator raft snapshot restore
    salt-key:
        -d|-D|--delete|--delete-all
    salt salt-call salt-ssh:
        ... file.remove|system.shutdown|system.poweroff|system.reboot|disk.wipe|user.delete|mysql.db_remove
    puppet:
        node purge|clean|deactivate
        cert clean|destroy
    puppetserver:
        ca clean|revoke
    knife:
        ... delete
        ... purge
    juju:
        destroy-model|destroy-controller|kill-controller|remove-application|remove-storage|remove-machine
    bosh:
        delete-deployment|deld|delete-vm|delete-disk|clean-up|delete-env
    openstack nova cinder neutron:
        ... delete|purge
    vmrun:
        ... deleteVM|deleteSnapshot
    prlctl:
        delete|snapshot-delete
    lxc-destroy:
        *
        -n|--name
    machinectl:
        remove|clean|poweroff|terminate
    wsl wslconfig:
        --unregister
        /u
    xl:
        destroy
    werf:
        dismiss|cleanup|purge
    k3s-uninstall.sh k3s-agent-uninstall.sh k3s-killall.sh rke2-uninstall.sh rke2-killall.sh:
        !--help
    virsh:
        destroy|undefine|vol-delete|vol-wipe|pool-delete|pool-destroy|snapshot-delete|net-destroy|net-undefine
    VBoxManage vboxmanage:
        unregistervm --delete|-delete
        closemedium --delete|-delete
        snapshot * delete
    qm pct:
        destroy
        delsnapshot
    govc:
        vm.destroy|datastore.rm|snapshot.remove|object.destroy|folder.destroy|pool.destroy|host.remove
    xe:
        vm-destroy|vm-uninstall|vdi-destroy|sr-destroy|sr-forget|snapshot-destroy
    boundary:
        ... delete
    temporal:
        operator namespace delete
        workflow delete|terminate
    ceph:
        osd purge|destroy|rm|lost
        osd pool delete|rm
        fs rm
        auth del|rm
    rbd:
        rm|remove
        trash purge|rm|remove
        snap purge|rm|remove
        pool|group|namespace remove|rm
    rados:
        rmpool|purge
    gluster:
        volume delete|reset
        snapshot delete
    esxcli:
        ... kill|delete|remove
    porter:
        uninstall
    maas:
        ... delete
    atmos:
        terraform destroy|clean
    kitchen:
        destroy
    dokku:
        apps:destroy
        *:destroy
        domains:clear
    kamal:
        remove
        app|accessory remove
    pvesm:
        free|remove *
    pvecm:
        delnode *
    pveum:
        user|group|role|acl|pool delete
    ha-manager:
        remove *
    pvesh:
        delete *
    vim-cmd:
        vmsvc/destroy|vmsvc/unregister|vmsvc/snapshot.removeall *
    qemu-img:
        snapshot -a|-d
        resize --shrink
    nomad-pack:
        destroy
    zappa up:
        undeploy *
"
);

/// What changes live things without a question, and can be changed back.
static CHANGES: Table = calls!(
    "
    terraform tofu terragrunt:
        apply -auto-approve|--auto-approve
        apply *
        apply-all
        run-all|run apply
        state mv|replace-provider
        taint
        init -force-copy
        stack run apply
    sst serverless sls:
        deploy --stage=production|prod|live
        deploy -s=production|prod|live
    pulumi:
        up|update -y|--yes|-f|--skip-preview
        cancel
        stack import
        refresh -y|--yes|-f|--skip-preview
        import -y|--yes
        state unprotect|rename|move|repair
        config rm-all
        config refresh -f|--force
        stack rename|change-secrets-provider
        up|update @production
    cdk:
        deploy --require-approval=never
        gc
        bootstrap --force|-f
        deploy --hotswap|--hotswap-fallback
    cdktf:
        deploy --auto-approve
    amplify:
        remove
        push|publish -y|--yes
    vagrant:
        snapshot restore
        box remove
    nomad:
        job stop
        stop
        system gc
        node drain
        node eligibility -disable
        job revert|scale|promote
        alloc stop
        deployment fail
        job run @production
        run @production
    consul:
        force-leave
        services deregister
        maint -enable
    vault bao:
        lease|token revoke
        write auth/*|sys/*
        token create
        operator step-down
        kv rollback
        kv put|patch @production
        write @production
    juju:
        remove-unit|remove-relation
        upgrade-controller|remove-user
    virsh:
        shutdown|reboot|reset|snapshot-revert
        suspend|managedsave
    VBoxManage vboxmanage:
        snapshot * restore
        controlvm * poweroff|reset
    kamal:
        rollback
        app|accessory|proxy stop|reboot|maintenance
        deploy|redeploy|setup -d=production|prod
        deploy|redeploy|setup --destination=production|prod
        lock release
        deploy|redeploy|setup @production
        app boot|start|stop|exec @production
        deploy|redeploy|setup !-d !--destination
    packer:
        build -force|--force
    sst:
        unlock
        secret remove
        secret set --stage=production|prod|live
        state edit|remove|repair
        refresh|upgrade --stage=production|prod|live
    serverless sls:
        deploy function --stage=production|prod|live
    sam:
        deploy --no-confirm-changeset
    azd:
        up|provision|deploy --no-prompt
        deploy|provision|up @production
    copilot:
        deploy --env=prod|production
        svc pause
        deploy @production
        svc|env|job deploy @production
    ansible-playbook:
        -i=prod|production|inventories/production|inventory/production|inventories/prod|hosts/production|production.ini|production.yml|prod.ini|prod.yml !-C !--check !--syntax-check !--list-hosts
        -l=prod|production|all !-C !--check
        * @production !-C !--check !--syntax-check !--list-hosts !--list-tasks
    dokku:
        ps:stop|ps:restart|proxy:disable|apps:rename|config:unset|storage:unmount|domains:remove
        *:unlink|*:stop|certs:remove
    cap mina:
        production|prod deploy|deploy:rollback|deploy:setup
        production|prod *
    atmos:
        terraform apply|deploy -auto-approve
    werf:
        converge --env=production|prod
    encore:
        secret set --type=prod
    waypoint garden:
        deploy --env=prod|production
    qm pct:
        stop|shutdown|reset|rollback
    govc:
        vm.power -off|-reset
    xe:
        vm-shutdown|vm-reboot
    openstack nova:
        server|stack stop|reboot|rebuild|suspend|pause|shelve
    bosh:
        stop|restart|recreate
    salt salt-call salt-ssh:
        ... cmd.run|cmd.shell|service.stop|state.apply|state.highstate
    knife:
        ssh
    ansible:
        @production -m=shell|command|raw|copy|file|service|systemd|apt|yum !-C !--check
    cdk cdktf:
        deploy @production
    sam serverless sls sst zappa chalice:
        deploy @production
    werf atmos helmfile garden waypoint:
        ... apply|sync|deploy|converge|up @production
    zappa:
        update|deploy|rollback @production
    up:
        deploy|rollback production|prod|live
    openstack:
        security group rule create --remote-ip=0.0.0.0/0|::/0
        ... set|unset @production
    vault bao:
        policy write
        auth|secrets enable|tune @production
        operator unseal|init
    vim-cmd:
        vmsvc/power.off|vmsvc/power.reset|vmsvc/snapshot.revert *
    pvecm:
        expected|add *
    qm pct pvesh:
        shutdown|reboot|rollback|migrate|resize|set @production
        create|set *
    nixos-anywhere:
        *
    cap mina:
        ... deploy|deploy:*|setup|rollback @production
    vault bao:
        write */revoke|*/rotate*|*/tidy|*/config*
    werf:
        bundle publish|apply|copy
    consul:
        acl policy|role|token|binding-rule|auth-method create|update
        config write
        intention create|delete
    nomad:
        acl policy|role apply
        namespace|quota apply @production
    boundary:
        ... add-grants|set-grants|add-principals|set-principals
    juju:
        deploy|upgrade-charm|refresh|config @production
    cap mina:
        production|prod|live *
    crossplane up:
        xpkg push
    openstack:
        server resize|rebuild
    vmrun:
        stop
    knife:
        supermarket share
    vagrant:
        cloud publish
    consul:
        kv put @production
    porter:
        apply|up|install|upgrade @production
    nomad:
        deployment promote
    ampx:
        pipeline-deploy
    knife:
        cookbook upload *
    dokku:
        git:sync|git:from-*|tags:deploy|ps:rebuild *
    ceph:
        osd out|down|set|reweight
    gluster:
        volume stop
"
);

/// Whether it is not a task of Capistrano's that the project's own file says and that was followed: for production or
/// not, it does what it does.
fn is_not_followed(command: &Command<'_>) -> bool {
    let is_own = |task: &str| !["deploy", "setup", "rollback"].iter().any(|own| task.starts_with(own));
    let task = || command.operands().get(1).map(|task| task.text.as_str());
    let is_read = |path: &str| path.ends_with("/Capfile") || path.ends_with("/config/deploy.rb");
    command.name != "cap"
        || !task().is_some_and(is_own)
        || !command.analysis.files.iter().any(|file| is_read(&file.path))
}

/// Resources of a plan that are nothing but what they run on this machine, which is followed.
const RUNS_ONLY: [&str; 4] = ["terraform_data", "null_resource", "random_", "time_"];

/// Whether a plan of terraform's that was read holds nothing that lives anywhere else.
fn is_only_run(command: &Command<'_>) -> bool {
    let plans = command.analysis.files.iter().filter(|file| file.path.ends_with(".tf"));
    let (mut in_module, mut elsewhere) = (false, false);
    for line in plans.clone().flat_map(|file| file.text.lines()) {
        let inner = line.trim_start();
        in_module = inner.starts_with("module ") || in_module && !line.starts_with('}');
        let kind = inner.strip_prefix("resource ").map(|rest| rest.split('"').nth(1).unwrap_or(""));
        elsewhere |= kind.is_some_and(|kind| RUNS_ONLY.iter().all(|own| !kind.starts_with(own)));
        // A module from elsewhere was not read.
        elsewhere |=
            in_module && inner.starts_with("source") && !inner.contains("\"./") && !inner.contains("\"../");
    }
    command.is(&["terraform", "tofu"])
        && command.operands().iter().all(|word| word.text == "apply")
        && plans.clone().any(|file| file.text.contains("resource "))
        && !elsewhere
}

/// Whether options that take everything down come from the environment: `TF_CLI_ARGS_apply=-destroy`.
fn destroys_by_variable(command: &Command<'_>) -> bool {
    command.is(&["terraform", "tofu", "terragrunt"])
        && command
            .variables()
            .any(|(name, value)| name.starts_with("TF_CLI_ARGS") && value.contains("-destroy"))
}

pub(super) static FAMILY: Family = Family {
    id: "infrastructure",
    title: "Infrastructure as code and orchestration",
    covers: Covers::Listed(catalog::family("infrastructure")),
    rules: &[
        Rule {
            id: "infrastructure.destroy",
            severity: Severity::Destructive,
            when: When::calls(&DESTROYS).also(destroys_by_variable),
            reason: "It takes down infrastructure, or deletes what the tool knows about it.",
            instead: "Show what would change with `terraform plan -destroy`, and let a person decide.",
            matches: "
                terraform destroy
                terraform -chdir=prod destroy -target=aws_instance.web -auto-approve
                tofu apply -auto-approve -destroy
                terragrunt run-all destroy
                terraform state rm aws_instance.web
                pulumi -s prod destroy -y
                cdk destroy --all
                vagrant destroy -f
                nomad job stop -purge web
                vault secrets disable secret/
                consul kv delete -recurse app/
                virsh undefine vm1 --remove-all-storage
            ",
            spares: "
                terraform plan -destroy
                terraform init
                terraform state list
                terraform destroy -help
                pulumi preview
                cdk diff
                vagrant halt
                nomad job status web
                vault kv get secret/x
                consul kv get app/x
            ",
        },
        ansible::ABSENT,
        Rule {
            id: "infrastructure.change",
            severity: Severity::Risky,
            when: When::calls(&CHANGES)
                .also(ansible::disturbs)
                .only(|command| is_not_followed(command) && !is_only_run(command)),
            reason: "It changes live infrastructure without asking.",
            instead: "Show the change with `terraform plan` or `pulumi preview`, and let a person apply it.",
            matches: "
                terraform apply -auto-approve
                terraform apply plan.out
                pulumi up --yes
                sst deploy --stage production
                nomad job stop web
                ansible all -m reboot
                ansible-playbook teardown.yml
            ",
            spares: "
                terraform apply
                terraform plan -out plan.out
                pulumi up
                cdk deploy
                sst deploy --stage dev
                ansible-playbook site.yml --check
                ansible-playbook site.yml -i hosts
            ",
        },
    ],
};
