//! The commands that the rules about the machine are about, as shapes.

pub(super) const DISKS: &str = "
    Format-Volume:
    Clear-Disk:
    Initialize-Disk:
    Remove-Partition:
    Reset-PhysicalDisk:
    Remove-PhysicalDisk:
    Remove-VirtualDisk:
    Remove-StoragePool:
    Remove-StorageTier:
    Clear-StorageBusCache:
    Disable-BitLocker:
    Clear-BitLockerAutoUnlock:
    Lock-BitLocker:
    Clear-Tpm:
    cipher: /w
    manage-bde: -off
    manage-bde: -forcerecovery
    manage-bde: -delete
    fsutil: volume dismount
    fsutil: usn deletejournal
    fsutil: file setzerodata
    sdelete|sdelete64: *
    mountvol: * /d
    mountvol: * /p
    dd: ~PhysicalDrive
";

pub(super) const BACKUPS: &str = "
    vssadmin: delete shadows|shadowstorage
    vssadmin: resize shadowstorage
    wmic: shadowcopy delete
    wmic: ~shadowcopy ~delete
    wbadmin: delete *
    wbadmin: disable *
    diskshadow: ~delete
    Remove-CimInstance: ~shadowcopy
    Remove-WmiObject: ~shadowcopy
    Invoke-CimMethod: ~shadowcopy ~delete
    Disable-ComputerRestore:
    Remove-WBBackupSet:
    Remove-WBPolicy:
    Remove-WBSystemStateBackup:
    Remove-ComputerRestorePoint:
    reagentc: /disable
    Remove-RecoveryPoint:
    Remove-DPMDatasource:
";

pub(super) const BOOT: &str = "
    bcdedit: /delete
    bcdedit: /deletevalue
    bcdedit: /set
    bcdedit: /import
    bcdedit: /createstore
    bcdedit: /default
    bcdedit: /bootsequence
    bcdedit: /displayorder
    bcdedit: /debug
    bootrec: /fixmbr
    bootrec: /fixboot
    bootrec: /rebuildbcd
    bootsect: /nt60
    bootsect: /nt52
    bcdboot: *
    systemreset: -factoryreset
    systemreset: -cleanpc
    Set-SecureBootUEFI:
    Reset-ComputerMachinePassword:
";

pub(super) const POWER: &str = "
    Stop-Computer:
    Restart-Computer:
    shutdown: /s
    shutdown: /r
    shutdown: /p
    shutdown: /h
    shutdown: /g
    shutdown: /sg
    shutdown: /l
    shutdown: /hybrid
    logoff:
    psshutdown|psshutdown64: *
    wmic: os ~call ~shutdown
    wmic: os ~call ~reboot
    wmic: ~os ~call ~win32shutdown
    Invoke-CimMethod: ~win32_operatingsystem ~shutdown
    Invoke-CimMethod: ~win32_operatingsystem ~reboot
    Invoke-WmiMethod: ~win32_operatingsystem ~shutdown
    Invoke-WmiMethod: ~win32_operatingsystem ~reboot
    rundll32: ~powrprof
    rundll32: ~LockWorkStation
    rundll32: ~ExitWindowsEx
    Suspend-Computer:
    Rename-Computer:
    Remove-Computer:
";

pub(super) const SERVICES: &str = "
    sc: delete *
    sc: * delete *
    Remove-Service:
    wmic: service ~delete
    nssm: remove *
";

pub(super) const ACCOUNTS: &str = "
    net|net1: user * /delete
    net|net1: user * /del
    net|net1: localgroup * /delete
    net|net1: group * /delete
    net|net1: user * /active=no
    net|net1: user * /active:no
    wmic: useraccount ~delete
    Remove-LocalUser:
    Disable-LocalUser:
    Remove-LocalGroup:
    Remove-LocalGroupMember:
    Remove-ADUser:
    Remove-ADComputer:
    Remove-ADGroup:
    Remove-ADGroupMember:
    Remove-ADObject:
    Remove-ADOrganizationalUnit:
    Remove-ADServiceAccount:
    Remove-ADDomainController:
    Disable-ADAccount:
    Set-ADAccountPassword:
    Uninstall-ADDSDomainController:
    dsrm: *
    Remove-MgUser:
    Remove-MgGroup:
    Remove-MgApplication:
    Remove-MgDirectoryObject:
    Remove-MgDevice:
    Remove-AzADUser:
    Remove-AzADGroup:
    Remove-AzADApplication:
    Remove-AzADServicePrincipal:
    Remove-AzureADUser:
    Remove-AzureADGroup:
    Remove-AzureADApplication:
    Remove-MsolUser:
    Remove-Mailbox:
    Disable-Mailbox:
    Remove-MailUser:
    Remove-MailboxDatabase:
    Remove-Team:
    Remove-SPOSite:
    Remove-SPSite:
    Remove-PnPList:
    Remove-PnPTenantSite:
    Remove-CMCollection:
    delprof2|delprof: *
";

pub(super) const ADMINS: &str = "
    net|net1: localgroup administrators|administratoren|administrateurs * /add
    net|net1: group * /add
    net|net1: user administrator|guest
    net|net1: user * /add
    net|net1: user * *
    Add-LocalGroupMember:
    New-LocalUser:
    Enable-LocalUser:
    Set-LocalUser:
    Add-ADGroupMember:
    New-ADUser:
";

pub(super) const LOGS: &str = "
    wevtutil: cl|clear-log *
    wevtutil: sl|set-log * /e=false
    wevtutil: sl|set-log * /e:false
    Clear-EventLog:
    Remove-EventLog:
    auditpol: /clear
    auditpol: /remove
    auditpol: /set /success:disable
    auditpol: /set /failure:disable
    wmic: nteventlog ~cleareventlog
    Invoke-CimMethod: ~win32_nteventlogfile ~clear
";

pub(super) const MACHINES: &str = "
    Remove-VM:
    Remove-VMHardDiskDrive:
    Remove-VMSnapshot:
    Remove-VMCheckpoint:
    Restore-VMSnapshot:
    Remove-VHD:
    Remove-VMSwitch:
    Stop-VM: -TurnOff
    Stop-VM: -InputObject=*
    Remove-VMGroup:
    wsl: --unregister
    Remove-Website:
    Remove-WebSite:
    Remove-IISSite:
    Remove-WebAppPool:
    Remove-WebApplication:
    appcmd: delete *
    Remove-SqlDatabase:
    Remove-DbaDatabase:
    Remove-DbaDatabaseSafely:
    Remove-DbaBackup:
    Remove-Cluster:
    Remove-ClusterGroup:
    Remove-ClusterNode:
    Remove-ClusterSharedVolume:
    Remove-SmbShare:
    Remove-DfsnRoot:
    Remove-DfsnFolder:
    Remove-DnsServerZone:
    Remove-DhcpServerv4Scope:
    Remove-GPO:
    Remove-CMDevice:
    vmrun: deleteVM
    VBoxManage: unregistervm --delete
    Uninstall-WindowsFeature:
    Remove-WindowsFeature:
    Remove-WindowsDriver:
    dism: ~/remove-package
    net|net1: share * /delete
    Remove-AzResourceGroup:
    Remove-AzResource:
    Remove-AzVM:
    Remove-AzVmss:
    Remove-AzDisk:
    Remove-AzSnapshot:
    Remove-AzStorageAccount:
    Remove-AzStorageContainer:
    Remove-AzStorageShare:
    Remove-AzRmStorageContainer:
    Remove-AzSqlDatabase:
    Remove-AzSqlServer:
    Remove-AzSqlInstance:
    Remove-AzMySqlFlexibleServer:
    Remove-AzPostgreSqlFlexibleServer:
    Remove-AzCosmosDBAccount:
    Remove-AzCosmosDBSqlDatabase:
    Remove-AzKeyVault:
    Remove-AzKeyVaultSecret:
    Remove-AzKeyVaultKey:
    Remove-AzAks:
    Remove-AzAksCluster:
    Remove-AzContainerRegistry:
    Remove-AzContainerGroup:
    Remove-AzWebApp:
    Remove-AzFunctionApp:
    Remove-AzAppServicePlan:
    Remove-AzVirtualNetwork:
    Remove-AzDnsZone:
    Remove-AzPublicIpAddress:
    Remove-AzLoadBalancer:
    Remove-AzRecoveryServicesVault:
    Remove-AzRecoveryServicesBackupItem:
    Remove-AzManagementGroup:
    Remove-AzSubscription:
    Remove-AzResourceLock:
    Remove-AzRoleAssignment:
    Remove-AzPolicyAssignment:
    Remove-AzOperationalInsightsWorkspace:
    Remove-AzEventHub:
    Remove-AzServiceBusNamespace:
    Remove-AzRedisCache:
    Remove-AzureRmResourceGroup:
    Remove-AzureRmVM:
    Remove-AzureRmStorageAccount:
    Remove-S3Bucket:
    Remove-S3Object: ~*
    Remove-EC2Instance:
    Remove-EC2Volume:
    Remove-EC2Snapshot:
    Remove-EC2Vpc:
    Remove-RDSDBInstance:
    Remove-RDSDBCluster:
    Remove-RDSDBSnapshot:
    Remove-DDBTable:
    Remove-LMFunction:
    Remove-CFNStack:
    Remove-EKSCluster:
    Remove-ECSCluster:
    Remove-KMSAlias:
    Request-KMSKeyDeletion:
    Remove-SECSecret:
    Remove-IAMUser:
    Remove-IAMRole:
    Remove-GcsBucket:
    Remove-GceInstance:
    Remove-GcSqlInstance:
    Remove-GceDisk:
";

pub(super) const ASKED: &str = "
    net|net1: use ~* /delete
    net|net1: use ~* /del
    schtasks: /delete
    schtasks: /create
    schtasks: /change
    Unregister-ScheduledTask:
    Register-ScheduledTask:
    Set-ScheduledTask:
    Disable-WindowsOptionalFeature:
    dism: ~/disable-feature
    Remove-AppxPackage:
    Remove-AppxProvisionedPackage:
    Remove-WindowsPackage:
    Uninstall-Package:
    wmic: product ~uninstall
    msiexec: /x
    reg: import|restore|load|unload|copy *
    regedit: /s
    sc: create *
    sc: config *
    New-Service:
    Remove-PSDrive:
    diskpart:
    Set-Partition:
    Resize-Partition:
    Repair-Volume:
    chkdsk: * /f
    chkdsk: * /r
    chkdsk: * /x
    compact: /c /s
    Set-Disk:
    Set-ADUser:
    Remove-Cmdlet:
    wmic: process ~call ~create
    wmic: process ~call ~terminate
    wmic: process ~delete
    setx: path *
    New-SmbShare: ~Everyone
    net|net1: share ~everyone,full
";
