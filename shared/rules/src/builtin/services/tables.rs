//! Rarer programs: identities, names, mail, queues of jobs, chains, monitoring, devices.

use crate::calls::{Table, calls};

/// What deletes what a service keeps for others.
pub(super) static DELETES: Table = calls!(
    "
    # Directories of people and rights.
    ldapdelete ldbdel:
        !-n
    dsidm dsconf:
        ... delete|delete-all
    ipa:
        *-del|*-remove-* !--help
    kadmin kadmin.local:
        delprinc|delete_principal|delpol|delete_policy *
    kdb5_util:
        destroy
    kcadm.sh kcadm:
        delete *
    samba-tool:
        ... delete|remove|demote|removemembers|undelete !-n
        user|group|computer|ou|contact|dns delete
    smbpasswd:
        -x
    pdbedit:
        -x|--delete
    netdom:
        remove *
    realm:
        leave
    # Names in the network.
    pdnsutil:
        delete-*|clear-zone|remove-*|unset-*
        zone delete|clear
    rndc:
        delzone *
    knotc:
        zone-purge|zone-unset|conf-unset
    cli53:
        delete|rrdelete|rrpurge|dlist
    flarectl cfcli:
        ... delete|rm|remove
    # Mail.
    postsuper:
        -d
    exim exim4:
        -Mrm|-Mg
    doveadm:
        expunge|deduplicate
        mailbox delete
        acl delete
        ... expunge
    qmHandle:
        -D
        ~-d
    # Queues of jobs, and rented machines.
    scancel:
        -u|--user|-A|--account|-p|--partition|-t|--state|-n|--name|--me
        ?
    sacctmgr:
        ... delete|remove|archive
    scontrol:
        shutdown
        delete *
    bkill:
        0
        -u|-q|-m
    qdel:
        all
        ?
        -u
        -W=force
    condor_rm:
        -all|-a|-constraint
        ?
    pcluster:
        delete-cluster*|delete-*
    ray:
        down *
    sky:
        down|stop -a|--all|-y|--yes
        storage delete
        serve down
        jobs cancel -a|--all
    runpodctl:
        remove *
    vastai:
        destroy *
    gcluster paperspace gradient:
        ... destroy|terminate|delete
    # Platforms.
    avn:
        ... terminate|delete|terminate-*
    terminus:
        *:delete|*:wipe|env:clone-content|backup:restore|import:*|*:remove
        ... *:delete|*:wipe
    acli:
        ... *:delete|*:drop|sql:drop|sql-drop
    cpanel whmapi1 whmapi uapi plesk virtualmin:
        ... remove*|delete*|kill*|terminate*|--remove|--delete
    bench:
        drop-site *
        --site reinstall|restore
        ... reinstall|drop-site
    occ:
        user:delete|group:delete|files:cleanup|trashbin:cleanup|versions:cleanup|app:remove|user:remove*
        db:*|files_external:delete|encryption:decrypt-all
    magento:
        setup:uninstall|setup:rollback|module:uninstall|admin:user:delete
    drupal:
        ... database:drop|site:install
    # Backups and stores.
    ipfs:
        pin rm|remove
        repo gc
        files rm -r|--recursive
        key rm
    duplicati-cli:
        delete|purge|purge-broken-files|delete-filesets|repair
    sctool:
        backup delete
        cluster delete
        ... delete
    barman-cloud-backup-delete:
        !--help
    elasticsearch-node:
        unsafe-bootstrap|detach-cluster|repurpose|override-version|remove-customs|remove-settings
    elasticsearch-keystore kibana-keystore:
        remove *
    ksql ksqldb hbck hbck2:
        ... drop|bypass|setTableState
    # Watching.
    sentry:
        cleanup
        ... delete
    splunk:
        clean *
        remove *
    mimirtool cortextool lokitool:
        ... delete|sync
    promtool thanos:
        ... delete|mark|cleanup|rewrite
    # Builds of others.
    fj:
        ... delete|rm
    drone woodpecker-cli woodpecker:
        ... rm|delete|purge
    gitlab-runner:
        unregister --all-runners
        unregister
    tf tfs:
        destroy *
        delete|undelete * /noprompt|-noprompt
        workspace /delete|-delete
        vc delete|destroy *
    # Certificates.
    certbot certbot-auto:
        delete
    acme.sh:
        --remove|--revoke|--uninstall|--deactivate
    chezmoi:
        destroy|purge
    tart anka:
        delete|prune
    profiles:
        remove|-D|-R
    tccutil:
        reset *
    bleachbit:
        -c|--clean|-s|--shred
    fdupes jdupes rdfind:
        -d|--delete -N|--noprompt
        -deleteduplicates=true
    solana:
        program close
        close-*
    argo:
        delete|archive|cron|template|cluster-template --all|--older|--completed
        delete -A|--all-namespaces
        ... delete --all
    tctl:
        rm *
        users|nodes|tokens|bots|apps|db rm
    adtool:
        userdelete|groupdelete|oudelete|delete *
    # Operators of databases.
    redis-trib:
        del-node|reset|fix
    clickhouse-keeper-client zookeepercli:
        ~rmr
        ~deleteall
        -c=delete|rm|rmr|deleter
    pg_probackup:
        delete|merge
    repmgr:
        standby clone|promote -F|--force
        primary|standby|witness unregister
        node rejoin -F|--force|--force-rewind
    stolonctl:
        init
    xtrabackup mariabackup innobackupex:
        --copy-back|--move-back
    gh-ost:
        --execute|-execute
    pt-archiver:
        --purge !--dry-run
    pt-table-sync pt-slave-restart:
        --execute
    elasticdump multielasticdump:
        --overwrite
    solr:
        delete *
    cbbackupmgr cbrestore:
        remove|--force-updates
    yb-admin:
        delete_*|change_config *
    # Clusters of servers, and what they share.
    pcs:
        cluster destroy|node remove
        resource|stonith|constraint|property delete|remove|disable|unmanage
        stonith fence|disable
    crm:
        configure erase|delete
        resource stop|delete|unmanage
        node delete|fence
    crm_resource crm_node cibadmin:
        -D|--delete|-R|--remove|-E|--erase
    drbdadm drbdsetup drbdmeta:
        wipe-md|create-md|invalidate|invalidate-remote|detach|down|del-*
        primary -f|--force
    mmdelfs mmdelnode mmdeldisk mmdelnsd mmdelfileset mmdelsnapshot mmdelcallback mmshutdown:
        *
        -a
    beegfs-ctl:
        --removenode|--removetarget|--removemirrorgroup|--deletequota
    lfs lctl:
        hsm_remove|del_ost|pool_destroy|pool_remove|abort_recovery *
        set_param -P -d
    iscsiadm:
        --logout|-u
        -o=delete
        --op=delete
    targetcli:
        clearconfig
        ... delete|clearconfig
    vdo:
        remove
    multipathd:
        del|remove|flush *
    stratis:
        ... destroy
    # Mail servers.
    zmprov:
        da|deleteAccount|dd|deleteDomain|ddl|deleteDistributionList|dcos|deleteServer *
    zmmailbox:
        ... emptyFolder|ef|deleteFolder|df|emptyDumpster|ed
    mailman:
        remove|delete-list *
    rmlist:
        *
    imapsync:
        --delete1|--delete2|--delete2folders|--expunge1|--expunge2
    cyradm:
        ~deletemailbox
        ~dm
    cyr_expire ipurge unexpunge:
        -X|-D|-d|-f
    # Vaults of people.
    lpass:
        rm *
    keepassxc-cli:
        rm|rmdir|merge *
    chamber:
        delete *
    gopass:
        rm|delete|recipients|unclip -f|--force|-r|--recursive
    rbw:
        rm|remove|purge
    # Copies.
    rustic:
        forget --prune
        repair|prune
    bup:
        rm|prune-older|gc --unsafe
    btrbk:
        clean|prune
    vzdump:
        --remove
    rsnapshot:
        -D
    bconsole:
        ~purge
        ~delete
    # Disks under a controller, and routers.
    sas2ircu sas3ircu arcconf tw_cli mvcli:
        ... delete|DELETE|del
    sysupgrade:
        -n|-F|-f
    firstboot jffs2reset:
        !--help
    uci:
        delete|del|revert|import
    # Other version control.
    cleartool ct:
        rmelem|rmver|rmbranch|rmview|rmname|rmtype|rmvob|rmhlink|unreserve
    cm:
        undo --all|-a
        ... delete|unchange
    accurev:
        purge|defunct|rmws
    # What looks for copies and deletes them.
    rmlint:
        sh:handler=remove
        -d
    czkawka_cli czkawka:
        -D|--delete-method
    rmlint.sh:
        -d|-x
    wandb:
        ... cleanup
    clearml-task neptune:
        ... delete|clear
    xbps-remove:
        -R|-o|-O|-F
    swupd:
        bundle-remove --recursive
        clean --all
    spack:
        uninstall -a|--all|--dependents
        gc -y|--yes-to-all
    akeyless:
        delete-item|delete-items|delete-role|delete-auth-method|delete-*
    berglas:
        delete|revoke *
    teller:
        delete
    conjur:
        policy load|replace|update
        user rotate-api-key
    jira:
        issue delete *
    lnms:
        device:remove *
    meilisearch:
        --force-reset
    emqx_ctl emqx:
        ... retainer clean
        ... delete
    pijul:
        reset
        unrecord --reset
    tf:
        undo *
    cm:
        undo -r|--recursive
    oxen:
        branch -D|--force
        rm -r
"
);

/// What erases or rewrites a device, or a key in it, for good.
pub(super) static DEVICES: Table = calls!(
    "
    adb:
        shell recovery *
        shell pm uninstall --user|-k
        shell wipe *
        shell --wipe_data
        disable-verity|sideload|restore
        ... shell recovery|wipe
    fastboot:
        flashing unlock|lock|unlock_critical|lock_critical
        --disable-verity|--disable-verification
        delete-logical-partition *
        flashall|update
    espefuse.py espefuse:
        ... burn*|write*|read-protect*|set*
    avrdude:
        -e
        ~fuse:w
        ~lock:w
        ~eeprom:w
    st-flash:
        ... erase
    st-util stm32flash:
        -o|-u|-j|-k
    STM32_Programmer_CLI:
        -e|--erase|-rdu|-ob|--optionbytes
    nrfjprog:
        --recover|--eraseall|-e|--eraseuicr|--rbp|--erasepage
    nrfutil:
        ... recover|erase
    pyocd:
        ... erase
    probe-rs:
        erase
    picotool:
        erase
    west:
        flash --erase|--recover
    JLinkExe:
        ~erase
    rkdeveloptool:
        ef|ul|db|wl|gpt
    heimdall:
        flash *
    uuu qdl edl:
        ... e|erase|ws|w|wl
    tpm2_clear tpm_clear:
        ...
    tpm2_evictcontrol tpm2_nvundefine tpm2_changeauth tpm2_dictionarylockout:
        *
        -c|-C
    ykman:
        ... reset|delete|delete-certificate|delete-key
        config mode|nfc|usb|set-lock-code
    ykpersonalize:
        -1|-2|-z
    nitropy solo solo2 onlykey-cli trezorctl:
        ... reset|wipe|format|wipe-device|factory-reset
    idevicerestore:
        -e|--erase
        --latest|-l
    cfgutil irecovery:
        erase|restore|revive
    ideviceprovision:
        remove *
    racadm:
        racresetcfg|systemerase|storage|raid
        serveraction powerdown|powercycle|hardreset
    mtkclient mtk:
        e|erase|wf|w|da
    sedutil-cli:
        ~yesIreallywanttoERASEALL
        --revertTPer|--revertNoErase|--yesIREALLYWANTTOERASEALLMYDATAUSINGTHEPSID|--PSIDrevert|--PSIDrevertAdminSP
        --revertLockingSP|--initialSetup|--setLockingRange
    dfu-util:
        ~mass-erase
        ~unprotect
    mspdebug:
        ~erase
    bossac bossash:
        -e|--erase
    minipro:
        -E|--erase
    lpc21isp:
        -wipe
    teensy_loader_cli:
        -w
    sunxi-fel:
        spiflash-write|write|uboot
    imx_usb:
        *
    commander:
        ... masserase|erase|recover|lock|pageerase
    fastboot:
        oem unlock-go|unlock-critical|wipe
    adb:
        shell cmd package uninstall
        ~MASTER_CLEAR
        ~FACTORY_RESET
        shell svc power reboot
        shell dpm set-device-owner|remove-active-admin
    ideviceprovision:
        remove-all
    pymobiledevice3:
        restore update|restore --erase
        profile|provision remove|clear
    pkcs11-tool:
        -b|--delete-object|--init-token|--init-pin|--change-pin
    pkcs15-init:
        -E|--erase-card|-C|--create-pkcs15|--delete-objects
    sc-hsm-tool:
        -X|--initialize
    softhsm2-util:
        --delete-token|--init-token
    gpg-card:
        ... factory-reset
    piv-tool yubico-piv-tool:
        -areset|--reset
        -a=reset|delete-certificate|set-mgm-key|set-ccc
        --action=reset|delete-certificate
    nvflash tegrarcm:
        *
    idracadm7 ilorest:
        racresetcfg|systemerase
        factorydefaults|deletecomp|reboot|biosdefaults
"
);

/// What changes live things, rights or trust, and can be set back.
pub(super) static CHANGES: Table = calls!(
    "
    ldapmodify ldapadd ldappasswd ldapmodrdn ldbmodify ldbadd ldbrename:
        !-n
    ipa:
        *-mod|*-add|*-add-*|*-disable|*-enable|*-lock|passwd|*-unlock
    kadmin kadmin.local:
        addprinc|add_principal|cpw|change_password|modprinc|modify_principal|ktadd|ktremove *
    kcadm.sh kcadm:
        add-roles|remove-roles|set-password|update|create *
    samba-tool:
        domain passwordsettings|provision|demote|join|level|trust
        user create|add|setpassword|disable|enable|setexpiry|password
        group addmembers
        gpo|fsmo|acl|ntacl set|seize|transfer|create|del
        ... passwordsettings set
    smbpasswd:
        -a|-d|-n
    realm adcli:
        join|permit|deny
    pdnsutil:
        replace-rrset|add-record|increase-serial|edit-zone|set-kind|rectify-zone|disable-dnssec|load-zone|create-*
        disable-*
    octodns-sync:
        --doit
    dnscontrol:
        push
    flarectl:
        ... create-or-update|update
    rndc:
        stop|halt|flush|freeze
    # Clusters of jobs.
    scontrol:
        update|reboot|reconfigure|takeover|suspend|requeue|hold|cancel_reboot
    sacctmgr:
        ... add|modify|create
    qmgr qconf:
        -c
        -dattr|-dq|-de|-dh|-dm|-dprj|-dconf|-mq
    qmod bkill badmin:
        -d|-e|-r
        qclose|hclose|mbdrestart|reconfig
    ray:
        stop -f|--force
        up|submit @production
    sky:
        stop|autostop|exec
    runpodctl vastai:
        stop|reboot *
    # Builds and deployments.
    argo:
        stop|terminate|suspend|retry|resubmit
    circleci:
        context store-secret|create
        orb publish|unlist
        runner resource-class|token create
    drone woodpecker-cli woodpecker:
        build|pipeline|deploy promote|rollback|stop|approve|decline
        secret|orgsecret|cron|repo add|update|disable|enable|chown
        deploy *
        promote *
    spin:
        pipeline execute|save|delete
    gitlab-runner:
        register --docker-privileged|--non-interactive|-n
    sentry-cli:
        releases finalize|deploys|new @production
        deploys new
    deployctl:
        deploy --prod
    func:
        azure functionapp publish --force|--overwrite-settings|-f|--publish-local-settings
        azure functionapp publish @production
    surge:
        * *.*
    balena mender-cli:
        ... push|deploy|release
    terminus:
        env:deploy|env:commit|*:merge*|env:rebuild|upstream:updates:apply|connection:set|lock:*|domain:add|https:set
    avn:
        ... update|power-off|reset|upgrade|failover
    acli:
        ... push:*|pull:*|api:environments:*|app:task-wait
    skaffold:
        run|deploy|apply @production
    fj:
        release create|edit
        repo edit|migrate
        pr merge
    render:
        ... restart
    # Servers of the web.
    nginx openresty tengine angie:
        -s=stop|quit
    apachectl apache2ctl httpd:
        stop|graceful-stop
        -k=stop|graceful-stop
    a2dissite a2dismod a2disconf:
        *
    caddy:
        stop
    varnishadm:
        ... ban|stop|vcl.use|vcl.discard|param.set
        ban*|stop*|vcl.use*
    fastly:
        purge
        ... publish|deploy|activate|delete|deactivate|rollback
    akamai:
        ... invalidate|delete|activate|purge
    # Watching.
    amtool:
        silence add|expire|import|update
    grafana-cli grafana:
        admin *
        ... reset-admin-password
        cli admin *
        plugins|plugin install|remove|uninstall
    splunk:
        stop|restart|offline|edit|set
    influxd-ctl:
        remove-*|truncate-shards
    newrelic opsgenie:
        ... delete|mute|silence
    fail2ban-client:
        unban|stop|set|unload|flushlogs
    crowdsec cscli:
        decisions|bouncers|machines delete
    # Certificates and trust.
    certbot certbot-auto:
        revoke|unregister|rollback
    step step-ca:
        ca revoke|rekey|renew|admin|provisioner
        certificate install|uninstall
    mkcert:
        -install|-uninstall
    trust:
        anchor
    update-ca-certificates update-ca-trust:
        ...
    modutil:
        -force
    sops:
        rotate|-r|--rotate
        updatekeys -y|--yes
        --rm-age|--rm-pgp|--rm-kms
    chezmoi:
        apply|update|init --force|--apply
    security:
        add-trusted-cert|remove-trusted-cert|trust-settings-import|set-key-partition-list
        authorizationdb write|remove
        delete-certificate|delete-identity|import
    at batch:
        * !-l !-c !-d !-r
    # Fleets of machines.
    pdsh clush pssh parallel-ssh prun dsh cssh csshx mussh:
        ~restart
        ~stop
        ~upgrade
        ~install
        ~reboot
        ~kill
        ~reload
        ~remove
        ~rm
    colmena morph:
        apply|apply-local|deploy|push|build-and-switch
    puppet:
        agent -t|--test @production
        apply @production
    pyinfra:
        @production !--dry
    # Systems that take an image, or all updates at once.
    nixos-rebuild:
        switch|boot|test --target-host
        switch|boot @production
    apt apt-get aptitude:
        dist-upgrade|full-upgrade -y|--yes|--assume-yes
    freebsd-update:
        install|rollback|upgrade
    softwareupdate:
        -i|--install|-R|--restart|-ia|-iaR|-a|--all
    installer:
        -allowUntrusted
    rpm-ostree:
        rebase|rollback|reset|deploy|cleanup|kargs|initramfs
        override remove|replace
        upgrade|update -r|--reboot
    bootc:
        switch|rollback|install
        upgrade --apply
    transactional-update:
        reboot|rollback|dup
    ostree:
        admin undeploy|upgrade|switch
    fwupdmgr fwupdtool:
        update|upgrade|install|downgrade|reinstall|switch-branch|activate|install-blob
    systemsetup:
        -setremotelogin|-setremoteappleevents|-settimezone|-setusingnetworktime|-setnetworktimeserver|-setcomputersleep
    kickstart:
        -activate|-configure|-deactivate
    hdiutil:
        compact *
        eject|detach -force
    fdesetup:
        add|remove|changerecovery|authrestart
    scutil:
        --set
    systemd-firstboot systemd-machine-id-setup:
        --force|--reset|--root-password
    grub-set-default grub-reboot grub2-set-default:
        *
    unison:
        -force|-prefer
    yunohost:
        app remove|upgrade
        user delete
        backup restore|delete
        ... remove|delete|restore
    pihole:
        -w|-b|disable|restartdns|-r|uninstall
    unbound-control:
        stop|flush_zone|local_zone_remove
    elasticsearch-reset-password:
        ...
    elasticsearch-users:
        userdel|passwd|roles
    wpa_cli:
        ... disconnect|remove_network|reassociate
    mosquitto_ctrl:
        dynsec ... delete*|set*|remove*
    sqlpackage:
        ~BlockOnPossibleDataLoss=false
        ~DropObjectsNotInSource=true
        ~Action:Publish @production
        ~Action:Import @production
    gam gam7 gamadv-xtd3:
        ... delete|wipe|suspend|deprovision|transfer|update|add
    m365 mgc pac:
        ... remove|delete|set|disable|reset|import
    asadmin jboss-cli.sh wsadmin.sh:
        ... undeploy|delete-*|stop-domain|stop-*|restart-*
    kong deck:
        ... reset|sync
        gateway sync|reset
        sync|reset
    tctl:
        users add|reset|update
        auth rotate|sign
        create|edit -f|--force
        requests approve
    tsh:
        request approve
    lexicon cli4:
        ... create|update
    redis-trib:
        add-node|reshard|rebalance
    repmgr:
        standby switchover|promote|follow
        cluster cleanup
    pg_autoctl:
        perform failover|switchover
        drop|disable|enable *
    mysqlsh:
        cluster|rs|dba|clusterset set-primary-instance|force-*|remove-instance|dissolve|reboot-cluster-*|drop-*
        ... force-primary-cluster|set-primary-cluster
    orchestrator-client orchestrator:
        -c=graceful-master-takeover*|force-master-*|recover|begin-maintenance|relocate*|stop-replica*|reset-*|forget*
    pt-online-schema-change pt-kill:
        --execute|--kill|--kill-query
    maxctrl maxadmin proxysql-admin:
        destroy|stop|call|clear|set|alter
        --disable|--reset
    pcs:
        resource move|ban|restart|cleanup
        node standby|maintenance
        cluster stop|standby|kill
    crm:
        node standby|maintenance
        resource migrate|move|restart
        cluster stop|restart
    pbsnodes:
        -o|-r
    qterm qstop qdisable:
        ...
    haproxyctl:
        disable|shutdown|set *
    lighttpd-disable-mod lighty-disable-mod:
        *
    csf:
        -x|--disable|-f|--stop
    shorewall shorewall6 ferm awall:
        clear|stop|reset
    openssl:
        ca -revoke
    easyrsa:
        ... revoke*|renew*
    chef-client chef-apply:
        @production
        -o|--override-runlist
    bolt:
        command run ~restart
        command run ~stop
        command run ~rm
        plan|task|script|apply @production
        plan|task run *deploy*|*release*|*restart*
    mco:
        service ... stop|restart
        puppet runall|disable
        shell|package *
    darwin-rebuild:
        switch --rollback
    guix:
        system|deploy reconfigure|deploy|roll-back|switch-generation
        deploy *
    mas:
        uninstall|reset
    sysupgrade:
        *
    opkg:
        remove --force-depends|--force-removal-of-dependent-packages|--autoremove
        upgrade *
    uci:
        commit
    keytool:
        -importcert -cacerts
        -delete -cacerts
        -delete|-importcert|-importkeystore -noprompt
    icingacli:
        director ... deploy
        module disable
    datadog-ci:
        deployment *
    pm2:
        deploy @production
    fly flyctl:
        ... trigger-job|tj|pause-pipeline|expose-pipeline
    jenkins-cli:
        build|enable-job|disable-job|quiet-down|*-node|safe-restart|restart|shutdown *
        safe-restart|restart|shutdown|quiet-down|safe-shutdown
    teamcity:
        run start *deploy*|*release*|*prod*
    earthly:
        --push
    promtool:
        push *
    net:
        ads join|leave|changetrustpw
        rpc user|group|service|shutdown|rights
    grr:
        apply|push
    tk:
        apply|delete|prune --auto-approve|--dangerous-auto-approve
    checkly:
        deploy -f|--force
    dnsimple nsone:
        records|record create|edit|update
    replicated:
        release promote|demote
    statuspage:
        incident create|update
    faas-cli:
        remove|rm|delete *
    # What runs on a server, under a supervisor.
    supervisorctl:
        shutdown
        stop|remove all|*:*
    pm2:
        kill
        stop|delete all
    monit:
        stop|unmonitor all
    god circusctl:
        stop|quit|terminate
    zkServer.sh catalina.sh elasticsearch-service:
        stop
    php:
        *artisan down
        *magento maintenance:enable
        *occ maintenance:mode --on
    occ:
        maintenance:mode --on
        user:add|user:resetpassword|group:adduser
    magento:
        admin:user:create
    # Names, networks and machines under a controller.
    nsupdate:
        !-V
    cfcli cloudflare-cli:
        add|edit|always-https
    fence_ipmilan fence_apc fence_vmware_rest fence_aws:
        -o=off|reboot|cycle
        --action=off|reboot|cycle
    redfishtool:
        ... reset
    vtysh:
        ~conf
    snmpset:
        *
    ovs-vsctl:
        del-br|del-port|emer-reset|del-controller
    # Who may do what.
    tctl:
        tokens add
    gitea forgejo:
        admin user create|change-password
    gitlab-rake:
        ... gitlab:password:reset*
    htpasswd:
        -b|-D * !-n
    # Deployments that are named by what they are for.
    bk:
        build create @production
    jenkins-cli:
        build @production
    harness:
        ... run|execute @production
    circleci:
        run|pipeline @production
    caprover:
        deploy -b|--branch=main|master|production
    fern:
        generate @production
    sqlmesh:
        plan --auto-apply @production
    dagster prefect:
        ... execute|run|launch @production
    mqtt:
        pub @production
    mosquitto_pub:
        @production
    func:
        azure functionapp publish *
    argo:
        submit|resubmit|retry @production
    # It rewrites every file below a folder.
    exiftool:
        ~-all= -r|-recurse
    teamcity:
        run start ~deploy
        run start ~prod
    puppet:
        job run @production
    chef-run:
        @production
    dagster-cloud:
        deploy
        serverless|workspace deploy|sync
    elasticdump:
        --output=*prod*
    jenkins-cli:
        create-user|create-job|update-job *
    gam gam7 gamadv-xtd3:
        create *
"
);

/// What lets others reach this machine, or what runs on it.
pub(super) static OPENS: Table = calls!(
    "
    # Tunnels to the world. Whoever has the address is in.
    ngrok:
        http|tcp|tls|start *0|*1|*2|*3|*4|*5|*6|*7|*8|*9|--all
        http|tcp|tls --domain|--url|--hostname|--subdomain|--remote-addr
        tcp|tls *
        service install
    cloudflared:
        tunnel --url=*0|*1|*2|*3|*4|*5|*6|*7|*8|*9|ssh:*|tcp:*|rdp:*|smb:*
        access tcp|ssh|rdp
    localtunnel:
        --port|-p
    bore:
        local *
    zrok:
        share *
    pagekite pagekite.py:
        *0|*1|*2|*3|*4|*5|*6|*7|*8|*9 *
    tmate upterm teleconsole:
        -F|-S|new-session|host
        host
        !-V !--help !kill-session !-h !attach
    sshx wetty shellinaboxd ttyd:
        !--help !--version
    code code-insiders cursor code-server:
        tunnel !status !kill !unregister !prune !restart !rename !help !log
        --auth=none
        serve-web --without-connection-token
    devtunnel:
        host *
        host
        port create
        create --allow-anonymous|-a
    jupyter jupyter-lab jupyter-notebook:
        --ip=0.0.0.0|* --ServerApp.token=
        --ip=0.0.0.0|* --NotebookApp.token=
        --ip=0.0.0.0|* --IdentityProvider.token=
    adb:
        tcpip *
    x11vnc:
        -nopw
        !-localhost
    vncserver Xvnc wayvnc:
        -SecurityTypes=None
        --I-KNOW-THIS-IS-INSECURE
        -localhost=no
        0.0.0.0
    rustdesk anydesk teamviewer:
        --password|--set-password|--set-unattended-password
        setup|passwd|password *
    miniupnpc upnpc:
        -a|-r|-e
    tailscale:
        funnel !status !off !reset
        up|set --ssh|--advertise-exit-node|--reset|--advertise-routes
    zerotier-cli:
        join *
    netbird headscale nebula:
        ... up|create
    ssh autossh:
        -R
    ssh-copy-id:
        @production
        -f
    gost:
        -L
    untun tunnelmole tmole:
        tunnel|*0|*1|*2|*3|*4|*5|*6|*7|*8|*9
    xhost:
        +
    frpc:
        tcp|udp|http|https|stcp|xtcp --remote_port|--remote-port|--custom_domain|--sd
    tailscale:
        serve !status !off !reset
    localxpose loclx:
        tunnel *
    packetriot:
        http|tcp|start
    playit:
        !--help !--version
    holesail:
        --live
    inlets-pro inlets:
        http|tcp|client|uplink client
    telebit pinggy:
        !--help !--version
    rathole:
        client.toml
        --client|-c
    ssh autossh:
        -R=*:*
    redis-server valkey-server:
        --protected-mode=no
    mongod mongos:
        --bind_ip_all
        --bind_ip=*0.0.0.0*
    dockerd:
        -H|--host=tcp://*
    filebrowser:
        --noauth
    mysqld mysqld_safe mariadbd:
        --skip-grant-tables
        --bind-address=0.0.0.0|*
    postgres:
        ~listen_addresses=
    exportfs:
        ~no_root_squash
    vscode-server openvscode-server:
        --without-connection-token
"
);

/// What is sent to others, or paid, and cannot be called back.
pub(super) static SENDS: Table = calls!(
    "
    cast:
        send|publish|mktx *
        wallet sign-tx
    forge:
        script|create --broadcast
        create --private-key|--interactive|--ledger|--trezor|--account
    solana:
        transfer|program|deploy|stake-* *mainnet*
        transfer *
        -u=mainnet-beta|m|mainnet
        --url=mainnet-beta|m|mainnet
        program deploy|close|set-upgrade-authority|write-buffer
        withdraw-*
    spl-token:
        transfer|burn|mint|close|authorize|revoke *
    anchor:
        deploy|upgrade|migrate --provider.cluster=mainnet*
    bitcoin-cli litecoin-cli dogecoin-cli:
        sendtoaddress * *0|*1|*2|*3|*4|*5|*6|*7|*8|*9
        ... sendmany|sendall|send|sendrawtransaction|abandontransaction|importprivkey|dumpprivkey|bumpfee
    lncli:
        sendpayment|payinvoice|sendcoins|sendmany|closechannel|closeallchannels|openchannel|abandonchannel
    lightning-cli:
        pay|withdraw|close|fundchannel|txsend|xpay|keysend
    electrum:
        payto|paytomany|broadcast
    monero-wallet-cli monero-wallet-rpc:
        ~transfer
        ~sweep_all
    near:
        send|deploy|delete|delete-account|transfer|tokens
        ... send-near|transfer|deploy sign-with-*
    hardhat truffle brownie ape:
        run|ignition|deploy|migrate --network=*mainnet*|main|live|polygon|arbitrum|optimism|base|bsc
        ignition deploy --network
    starkli sncast:
        invoke|deploy|declare
    sui aptos stellar soroban:
        client publish|call|upgrade|pay*|transfer*
        move publish|run
        contract deploy|invoke --network=mainnet|public
        account transfer
        tx send
    cleos:
        push|transfer|set *
    flow:
        transactions send
        project|accounts deploy|add-contract --network=mainnet
    cardano-cli:
        ... submit
    gaiad osmosisd junod wasmd terrad evmosd celestia-appd simd:
        tx *
    geth:
        attach --exec
    # Messages to people.
    swaks:
        -t|--to
    slack:
        chat send
    slackcat:
        -c|--channel
    telegram-send zulip-send:
        *
    signal-cli:
        ... send
    matrix-commander:
        -m|--message
    twilio:
        ... *:messages:create|*:calls:create|*:create-message|*:calls|*:broadcast
        email:send *
        email:send
    toot bsky:
        post *
    # Stores of apps and packages.
    web-ext:
        sign --channel=listed
        sign
        submit
    chrome-webstore-upload chrome-webstore-upload-cli publish-extension wext-shipit:
        ...
    steamcmd:
        ... +run_app_build|+app_build*|+workshop_build_item
    butler:
        push *
    msstore:
        publish
        submission publish
    xcrun:
        altool --upload-app|--upload-package
        iTMSTransporter -m=upload
    iTMSTransporter altool:
        --upload-app|--upload-package
        -m=upload
    cosign:
        sign|attest|attach -y|--yes
        clean
        upload
    notation:
        sign
    cloudsmith:
        push *
    fury:
        push|yank *
    packagecloud package_cloud:
        push|yank|promote
    aptly reprepro:
        publish drop|switch|update|snapshot|repo
        remove|removefilter|clearvanished
    elm:
        publish
    spago pulp:
        publish
    raco:
        pkg ... remove-version
    nimble wapm wasmer:
        publish
    flat-manager-client:
        push|publish
    expo expo-cli:
        publish|upload:*|submit
    code-push appcenter:
        ... release|release-react|promote|rollback|distribute
    osf:
        upload
    huggingface-cli hf:
        upload|upload-large-folder|upload_large_folder
        repo create|settings|move
        ... upload
    tezos-client octez-client:
        transfer *
    polkadot-js-api:
        tx.*
    sendemail sendEmail mailsend mailsend-go:
        -t|-to|--to
    msmtp sendmail:
        -t|--read-recipients
    pd pagerduty-cli pagerduty:
        incident create|trigger|resolve|ack|merge
        incident:create|incident:resolve|incident:ack|incident:merge
    ntfy:
        pub|publish|send *
    stripe:
        payouts|payment_intents|transfers|topups|charges create --live
    cpan-upload mojo-cpan-upload:
        *
    dub shards zef crystal:
        upload|publish
    charmcraft rockcraft:
        upload|release|promote|upload-resource|close
    ko:
        publish|apply
    auto:
        shipit|release|publish|latest
    release-please release-plz:
        ... release-pr|github-release|release|manifest-release
    replicate cog:
        push
        models push
    osc:
        commit|ci|submitrequest|sr|copypac|rdelete|release
        request accept
    dput dput-ng:
        *
    fedpkg rhpkg:
        push|build|update|request-repo
    koji:
        build|block-pkg|untag-build|tag-build|delete-*|remove-*
    copr-cli:
        delete|delete-package *
    bodhi:
        updates new|edit
    deb-s3 rpm-s3:
        upload|delete|copy *
    paket:
        push
    choco:
        push
    wingetcreate:
        update|new -s|--submit
        submit *
    aurpublish:
        *
    jreleaser:
        full-release|release|deploy|upload|publish|announce !--dry-run
    melos:
        publish --no-dry-run
    shorebird:
        release|patch *
    tuist:
        cache upload
    pilot:
        upload|distribute
    firebase:
        appdistribution:distribute *
    fastlane:
        run upload_to_*|deliver|pilot|supply|upload_symbols*
        pilot|deliver upload|--force
    rojo tarmac mantle:
        upload|sync|deploy *
    standard-version commit-and-tag-version:
        --publish
    dfx:
        deploy|canister --network=ic
    goal algokit:
        ... clerk|asset|app send|create|destroy|transfer
    zcash-cli bcli:
        z_sendmany|sendmany|sendtoaddress|withdraw|fundchannel *
    safe-cli:
        ... send_ether|send_erc20|send_custom
    trezorctl:
        ... sign-tx --publish
    hedera xrpl-cli:
        transfer|pay|token *
    mailgun sendgrid mailchimp:
        ... send
    twurl:
        -X=POST|DELETE|PUT
        -r|-d
    m365:
        outlook mail send
        teams message send
    curl:
        --mail-rcpt
    # What others can then fetch.
    croc:
        send --yes
        --yes send
    wormhole magic-wormhole:
        send *
    transfer:
        *
    pastebinit wgetpaste dpaste:
        *
    sprunge:
        ...
    gdrive:
        share *
    # To a list, by a task of the project.
    python python3:
        *manage.py *newsletter*|send_mass*|send_bulk*|send_campaign*|sendtestemail
        send_newsletter.py|newsletter.py|*/send_newsletter.py|*/newsletter.py
    php:
        *artisan *newsletter*|*broadcast*|*campaign*
    rails:
        runner ~each ~deliver_
    rake:
        ... *newsletter*
    listmonk:
        campaigns start
    apprise:
        -b|--body|mailto*
    pushover gotify:
        push|send *
    # Registries, galleries and the homes of models.
    buf:
        push
        plugin|module push
    modelscope ollama replicate cog:
        push|upload *
    bentoml:
        push|deploy *
    dandi:
        upload
    datalad:
        push --to
    rsconnect:
        deploy *
    gh-pages:
        -d|--dist
    ghp-import:
        -p|--push
    redocly stoplight:
        push
    readme:
        openapi upload|push
    spin wash:
        registry push
        push *
    cachix attic:
        push *
    mill:
        *publishAll*|*.publish|*publishSigned*
    pdk:
        release publish
    rush:
        publish -p|--publish|--apply
    gplaycli bundletool:
        upload|publish
    hexo:
        deploy
    firebase:
        messaging:send
    ko:
        build --push
    reprepro:
        include|includedeb|includedsc *
    wingetcreate:
        submit
    kaggle:
        datasets version
    mike:
        deploy --push|-p
    ipfs:
        name publish *
    jib:
        build !--target
    listmonk:
        campaign start
    firebase:
        messaging send
"
);
