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
        ... silence add|expire|import|update
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
        run|ignition|deploy|migrate --network=mainnet*|*mainnet|main|live|polygon|arbitrum|optimism|base|bsc
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
"
);
