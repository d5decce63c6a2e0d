//! The commands that the rules about the machine are about, as shapes.

use crate::calls::{Table, calls};

pub(super) static DISKS: Table = calls!(
    r"
    Format-Volume Clear-Disk Initialize-Disk Remove-Partition Reset-PhysicalDisk Remove-PhysicalDisk:
        ...
    Remove-VirtualDisk Remove-StoragePool Remove-StorageTier Clear-StorageBusCache Disable-BitLocker:
        ...
    Clear-BitLockerAutoUnlock Lock-BitLocker Clear-Tpm:
        ...
    cipher:
        /w
    manage-bde:
        -off|-forcerecovery|-delete
    fsutil:
        volume dismount
        usn deletejournal
        file setzerodata
    sdelete sdelete64:
        *
    mountvol:
        * /d
        * /p
    dd:
        ~PhysicalDrive
"
);

pub(super) static BACKUPS: Table = calls!(
    r"
    vssadmin:
        delete shadows|shadowstorage
        resize shadowstorage
    wmic:
        shadowcopy delete
        ~shadowcopy ~delete
    wbadmin:
        delete *
        disable *
    diskshadow:
        ~delete
    Remove-CimInstance Remove-WmiObject:
        ~shadowcopy
    Invoke-CimMethod:
        ~shadowcopy ~delete
    Disable-ComputerRestore Remove-WBBackupSet Remove-WBPolicy Remove-WBSystemStateBackup:
        ...
    Remove-ComputerRestorePoint Remove-RecoveryPoint Remove-DPMDatasource:
        ...
    reagentc:
        /disable
"
);

pub(super) static BOOT: Table = calls!(
    r"
    bcdedit:
        /delete|/deletevalue|/set|/import|/createstore|/default|/bootsequence|/displayorder|/debug
    bootrec:
        /fixmbr|/fixboot|/rebuildbcd
    bootsect:
        /nt60|/nt52
    bcdboot:
        *
    systemreset:
        -factoryreset|-cleanpc
    Set-SecureBootUEFI Reset-ComputerMachinePassword:
        ...
"
);

pub(super) static POWER: Table = calls!(
    r"
    Stop-Computer Restart-Computer logoff Suspend-Computer Rename-Computer Remove-Computer:
        ...
    shutdown:
        /s|/r|/p|/h|/g|/sg|/l|/hybrid
    psshutdown psshutdown64:
        *
    wmic:
        os ~call ~shutdown
        os ~call ~reboot
        ~os ~call ~win32shutdown
    Invoke-CimMethod Invoke-WmiMethod:
        ~win32_operatingsystem ~shutdown
        ~win32_operatingsystem ~reboot
    rundll32:
        ~powrprof
        ~LockWorkStation
        ~ExitWindowsEx
"
);

pub(super) static SERVICES: Table = calls!(
    r"
    sc:
        delete *
        * delete *
    Remove-Service:
        ...
    wmic:
        service ~delete
    nssm:
        remove *
"
);

pub(super) static ACCOUNTS: Table = calls!(
    r"
    net net1:
        user * /delete
        user * /del
        localgroup * /delete
        group * /delete
        user * /active=no
        user * /active:no
    wmic:
        useraccount ~delete
    Remove-LocalUser Disable-LocalUser Remove-LocalGroup Remove-LocalGroupMember Remove-ADUser:
        ...
    Remove-ADComputer Remove-ADGroup Remove-ADGroupMember Remove-ADObject:
        ...
    Remove-ADOrganizationalUnit Remove-ADServiceAccount Remove-ADDomainController Disable-ADAccount:
        ...
    Set-ADAccountPassword Uninstall-ADDSDomainController Remove-MgUser Remove-MgGroup:
        ...
    Remove-MgApplication Remove-MgDirectoryObject Remove-MgDevice Remove-AzADUser Remove-AzADGroup:
        ...
    Remove-AzADApplication Remove-AzADServicePrincipal Remove-AzureADUser Remove-AzureADGroup:
        ...
    Remove-AzureADApplication Remove-MsolUser Remove-Mailbox Disable-Mailbox Remove-MailUser:
        ...
    Remove-MailboxDatabase Remove-Team Remove-SPOSite Remove-SPSite Remove-PnPList:
        ...
    Remove-PnPTenantSite Remove-CMCollection:
        ...
    dsrm delprof2 delprof:
        *
"
);

pub(super) static ADMINS: Table = calls!(
    r"
    net net1:
        localgroup administrators|administratoren|administrateurs * /add
        group * /add
        user administrator|guest
        user * /add
        user * *
    Add-LocalGroupMember New-LocalUser Enable-LocalUser Set-LocalUser Add-ADGroupMember New-ADUser:
        ...
"
);

pub(super) static LOGS: Table = calls!(
    r"
    wevtutil:
        cl|clear-log *
        sl|set-log * /e=false
        sl|set-log * /e:false
    Clear-EventLog Remove-EventLog:
        ...
    auditpol:
        /clear|/remove
        /set /success:disable
        /set /failure:disable
    wmic:
        nteventlog ~cleareventlog
    Invoke-CimMethod:
        ~win32_nteventlogfile ~clear
"
);

pub(super) static MACHINES: Table = calls!(
    r"
    Remove-VM Remove-VMHardDiskDrive Remove-VMSnapshot Remove-VMCheckpoint Restore-VMSnapshot:
        ...
    Remove-VHD Remove-VMSwitch Remove-VMGroup Remove-Website Remove-WebSite Remove-IISSite:
        ...
    Remove-WebAppPool Remove-WebApplication Remove-SqlDatabase Remove-DbaDatabase:
        ...
    Remove-DbaDatabaseSafely Remove-DbaBackup Remove-Cluster Remove-ClusterGroup Remove-ClusterNode:
        ...
    Remove-ClusterSharedVolume Remove-SmbShare Remove-DfsnRoot Remove-DfsnFolder:
        ...
    Remove-DnsServerZone Remove-DhcpServerv4Scope Remove-GPO Remove-CMDevice:
        ...
    Uninstall-WindowsFeature Remove-WindowsFeature Remove-WindowsDriver Remove-AzResourceGroup:
        ...
    Remove-AzResource Remove-AzVM Remove-AzVmss Remove-AzDisk Remove-AzSnapshot:
        ...
    Remove-AzStorageAccount Remove-AzStorageContainer Remove-AzStorageShare:
        ...
    Remove-AzRmStorageContainer Remove-AzSqlDatabase Remove-AzSqlServer Remove-AzSqlInstance:
        ...
    Remove-AzMySqlFlexibleServer Remove-AzPostgreSqlFlexibleServer Remove-AzCosmosDBAccount:
        ...
    Remove-AzCosmosDBSqlDatabase Remove-AzKeyVault Remove-AzKeyVaultSecret Remove-AzKeyVaultKey:
        ...
    Remove-AzAks Remove-AzAksCluster Remove-AzContainerRegistry Remove-AzContainerGroup:
        ...
    Remove-AzWebApp Remove-AzFunctionApp Remove-AzAppServicePlan Remove-AzVirtualNetwork:
        ...
    Remove-AzDnsZone Remove-AzPublicIpAddress Remove-AzLoadBalancer Remove-AzRecoveryServicesVault:
        ...
    Remove-AzRecoveryServicesBackupItem Remove-AzManagementGroup Remove-AzSubscription:
        ...
    Remove-AzResourceLock Remove-AzRoleAssignment Remove-AzPolicyAssignment:
        ...
    Remove-AzOperationalInsightsWorkspace Remove-AzEventHub Remove-AzServiceBusNamespace:
        ...
    Remove-AzRedisCache Remove-AzureRmResourceGroup Remove-AzureRmVM Remove-AzureRmStorageAccount:
        ...
    Remove-S3Bucket Remove-EC2Instance Remove-EC2Volume Remove-EC2Snapshot Remove-EC2Vpc:
        ...
    Remove-RDSDBInstance Remove-RDSDBCluster Remove-RDSDBSnapshot Remove-DDBTable Remove-LMFunction:
        ...
    Remove-CFNStack Remove-EKSCluster Remove-ECSCluster Remove-KMSAlias Request-KMSKeyDeletion:
        ...
    Remove-SECSecret Remove-IAMUser Remove-IAMRole Remove-GcsBucket Remove-GceInstance:
        ...
    Remove-GcSqlInstance Remove-GceDisk:
        ...
    Stop-VM:
        -TurnOff|-InputObject
    wsl:
        --unregister
    appcmd:
        delete *
    vmrun:
        deleteVM
    VBoxManage:
        unregistervm --delete
    dism:
        ~/remove-package
    net net1:
        share * /delete
    Remove-S3Object:
        ~*
    Remove-Item:
        -DeleteKey
        ~Cert:\LocalMachine
    Restore-SqlDatabase:
        -ReplaceDatabase
    Restore-DbaDatabase:
        -WithReplace
    Remove-DnsServerResourceRecord Remove-DnsServerScope Remove-DhcpServerv4Reservation:
        ...
    Remove-DhcpServerv4Lease Remove-AdfsRelyingPartyTrust Remove-CertificateTemplate:
        ...
    dnscmd:
        ~/recorddelete
        ~/zonedelete
    dfsutil:
        ~remove
    ntdsutil:
        ~metadata
"
);

pub(super) static ASKED: Table = calls!(
    r"
    net net1:
        use ~* /delete
        use ~* /del
        share ~everyone,full
    schtasks:
        /delete|/create|/change
    Unregister-ScheduledTask Register-ScheduledTask Set-ScheduledTask Disable-WindowsOptionalFeature:
        ...
    Remove-AppxPackage Remove-AppxProvisionedPackage Remove-WindowsPackage Uninstall-Package:
        ...
    New-Service Remove-PSDrive diskpart Set-Partition Resize-Partition Repair-Volume Set-Disk:
        ...
    Set-ADUser Remove-Cmdlet:
        ...
    dism:
        ~/disable-feature
    wmic:
        product ~uninstall
        process ~call ~create
        process ~call ~terminate
        process ~delete
    msiexec:
        /x
    reg:
        import|restore|load|unload|copy *
        add ~HKLM\SYSTEM
        add ~HKEY_LOCAL_MACHINE\SYSTEM
        add ~HKLM\SOFTWARE\Policies
        add ~HKEY_LOCAL_MACHINE\SOFTWARE\Policies
    Set-ItemProperty New-ItemProperty:
        ~HKLM:\SYSTEM
        ~HKLM:\SOFTWARE\Policies
    regedit:
        /s
    sc:
        create *
        config *
    chkdsk:
        * /f
        * /r
        * /x
    compact:
        /c /s
    setx:
        path *
    New-SmbShare:
        ~Everyone
    iisreset:
        !/status !/start !/enable
    dism:
        ~/resetbase
    pnputil:
        /delete-driver|-delete-driver
        ~/uninstall
    msdeploy:
        ~-verb:sync
        ~-verb:delete
    net net1:
        stop ~mssql
        stop ~sql ~server
        stop ~exchange
        stop ~w3svc
        stop ~oracle
    Stop-Service Set-Service Suspend-Service:
        ~mssql
        ~sqlserver
        ~w3svc
        ~exchange
        ~oracle
        ~ntds
    taskkill:
        ~sqlservr
        ~w3wp
        ~oracle
    Stop-Process:
        ~sqlservr
        ~w3wp
        ~oracle
    robocopy:
        /MOVE|/MOV
    Install-Module Install-PSResource Install-Script:
        -SkipPublisherCheck
        -TrustRepository
    Set-PSRepository Register-PSRepository:
        ~Trusted
    Restart-Service:
        @production
    Invoke-Command:
        -ComputerName ~Restart-
        -ComputerName ~Stop-
        -ComputerName ~Remove-
        -ComputerName ~Uninstall-
    Send-MailMessage:
        ?
    appcmd:
        stop|recycle *
    Stop-Website Stop-WebSite Stop-WebAppPool Stop-IISSite:
        ...
    sc:
        stop ~mssql
        stop ~w3svc
        stop ~exchange
        stop ~oracle
    wmic:
        service ~call ~stopservice
    dnscmd:
        ~/recordadd
        ~/zoneadd
        ~/config
    dsmod dsadd dsmove:
        * *
    setspn:
        -D|-A|-S
    repadmin:
        ~/remove
        ~/options
        ~/rehost
    nltest:
        ~/dsregdns
        ~/dsderegdns
        ~/sc_reset
    dism:
        ~/enable-feature
        ~/add-capability
    pnputil:
        /add-driver /install
        /disable-device|/remove-device
    appcmd:
        set|unlock|clear|restore *
    w32tm:
        /config
    runas:
        /savecred
    bcp:
        * in
    Install-WindowsUpdate Get-WindowsUpdate:
        -AutoReboot|-Install
    Install-Package:
        ~http
    Disable-ScheduledTask New-ScheduledTask:
        ...
"
);
