//! The machine under Windows: disks, backups, boot, registry, services, accounts, processes, tasks and logs.

use shell::Shell;

use super::table::{has, holds, is_everything, listed, plain};
use crate::command::Command;
use crate::rule::{Family, Rule, Severity, When};

const DISKS: &str = "
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

const BACKUPS: &str = "
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

const BOOT: &str = "
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

const POWER: &str = "
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

const SERVICES: &str = "
    sc: delete *
    sc: * delete *
    Remove-Service:
    wmic: service ~delete
    nssm: remove *
";

const ACCOUNTS: &str = "
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

const ADMINS: &str = "
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

const LOGS: &str = "
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

const MACHINES: &str = "
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

const ASKED: &str = "
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
";

pub(in crate::builtin) static FAMILY: Family = Family {
    id: "windows-machine",
    title: "Windows: disks, registry, services, accounts",
    covers,
    rules: &[
        Rule {
            id: "windows-machine.disk",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                listed(command, DISKS) || formats(command) || scripts_disks(command)
            }),
            reason: "It erases a disk or a volume, or takes the key to it away.",
            instead: "Look with `Get-Volume`, and let a person change disks.",
            matches: r"
                PS> Format-Volume -DriveLetter C -Force
                PS> Clear-Disk -Number 0 -RemoveData -Confirm:$false
                PS> Get-Disk | Clear-Disk -RemoveData
                PS> Get-Partition -DiskNumber 1 | Remove-Partition
                C:\> format c: /q /y
                C:\> echo y | format D: /fs:ntfs
                C:\> (echo select disk 0 & echo clean) | diskpart
                C:\> cipher /w:C:\
                C:\> manage-bde -off C:
            ",
            spares: r"
                PS> Get-Volume
                PS> Get-Disk
                C:\> cipher /e secret
                C:\> echo list disk | diskpart
                PS> Clear-Disk -Number 1 -WhatIf
                C:\> format /?
            ",
        },
        Rule {
            id: "windows-machine.backups",
            severity: Severity::Catastrophic,
            when: When::Command(|command| listed(command, BACKUPS)),
            reason: "It deletes the copies from which lost files could be brought back.",
            instead: "Look with `vssadmin list shadows`, and let a person clean up backups.",
            matches: r"
                C:\> vssadmin delete shadows /all /quiet
                C:\> wmic shadowcopy delete
                C:\> wbadmin delete catalog -quiet
                PS> Get-CimInstance Win32_ShadowCopy | Remove-CimInstance
                PS> (Get-WmiObject Win32_ShadowCopy).Delete()
                PS> Disable-ComputerRestore -Drive 'C:\'
            ",
            spares: r"
                C:\> vssadmin list shadows
                C:\> wbadmin get versions
                PS> Get-CimInstance Win32_ShadowCopy
            ",
        },
        Rule {
            id: "windows-machine.boot",
            severity: Severity::Catastrophic,
            when: When::Command(|command| listed(command, BOOT)),
            reason: "It changes how the machine starts; a mistake leaves it dead.",
            instead: "Look with `bcdedit /enum`, and let a person change it.",
            matches: r"
                C:\> bcdedit /delete {current}
                C:\> bcdedit /set {default} recoveryenabled no
                C:\> bootrec /fixmbr
            ",
            spares: r"
                C:\> bcdedit
                C:\> bcdedit /enum all
            ",
        },
        Rule {
            id: "windows-machine.power",
            severity: Severity::Catastrophic,
            when: When::Command(|command| {
                (command.name != "shutdown"
                    || command.args().iter().any(|arg| arg.text.starts_with('/'))
                    || command.atom.shell != Shell::Posix)
                    && listed(command, POWER)
                    && !has(command, "/a")
            }),
            reason: "It stops or restarts the machine, or ends the session.",
            instead: "Restart only the service that needs it, such as `Restart-Service Spooler`.",
            matches: r"
                PS> Stop-Computer -Force
                PS> Restart-Computer
                C:\> shutdown /s /t 0
                C:\> shutdown -r -f -t 0
                shutdown.exe /r /t 0
                PS> (Get-WmiObject Win32_OperatingSystem).Win32Shutdown(6)
            ",
            spares: r"
                C:\> shutdown /a
                C:\> shutdown /?
                PS> Get-ComputerInfo
            ",
        },
        Rule {
            id: "windows-machine.registry",
            severity: Severity::Destructive,
            when: When::Command(|command| registry(command).is_some_and(|key| is_of_machine(&key))),
            reason: "It deletes keys of the registry on which Windows and all programs depend.",
            instead: "Look with `reg query`, and let a person change the machine's registry.",
            matches: r"
                C:\> reg delete HKLM\SOFTWARE /f
                C:\> reg delete HKEY_LOCAL_MACHINE\SYSTEM\CurrentControlSet /f
                C:\> reg delete HKCU /f
                PS> Remove-Item HKLM:\SOFTWARE\Microsoft -Recurse -Force
                PS> Remove-ItemProperty -Path HKLM:\SOFTWARE\App -Name x
                PS> Set-Location HKLM:\SOFTWARE; ri App -r
            ",
            spares: r"
                C:\> reg query HKLM\SOFTWARE
                C:\> reg delete HKCU\Software\MyApp /v x /f
                PS> Get-ItemProperty HKLM:\SOFTWARE\Microsoft
                PS> Remove-Item Env:\FOO
            ",
        },
        Rule {
            id: "windows-machine.service",
            severity: Severity::Destructive,
            when: When::Command(|command| listed(command, SERVICES) || stops_vital(command)),
            reason: "It removes a service, or stops one that the machine or its protection needs.",
            instead: "Look with `Get-Service`, or restart the one service that needs it.",
            matches: r"
                PS> Stop-Service WinDefend -Force
                PS> Get-Service | Stop-Service -Force
                PS> Set-Service -Name EventLog -StartupType Disabled
                C:\> sc delete MyService
                C:\> sc config WinDefend start= disabled
                C:\> net stop mpssvc
            ",
            spares: r"
                PS> Restart-Service Spooler
                PS> Stop-Service MyApp
                PS> Get-Service
                C:\> sc query WinDefend
                C:\> net stop mysql
                C:\> net start
            ",
        },
        Rule {
            id: "windows-machine.account",
            severity: Severity::Destructive,
            when: When::Command(|command| listed(command, ACCOUNTS)),
            reason: "It removes or locks an account, a group or a mailbox.",
            instead: "Look with `Get-LocalUser`, and let a person change accounts.",
            matches: r"
                C:\> net user alice /delete
                PS> Remove-LocalUser -Name alice
                PS> Get-ADUser -Filter * | Remove-ADUser -Confirm:$false
            ",
            spares: r"
                C:\> net user
                C:\> net user alice
                PS> Get-LocalUser
                PS> Remove-ADUser alice -WhatIf
            ",
        },
        Rule {
            id: "windows-machine.processes",
            severity: Severity::Destructive,
            when: When::Command(ends_everything),
            reason: "It ends every process, or one without which Windows stops.",
            instead: "End one process by its number, such as `Stop-Process -Id 4242`.",
            matches: r"
                PS> Stop-Process -Name * -Force
                PS> Get-Process | Stop-Process -Force
                PS> Get-Process | ForEach-Object { $_.Kill() }
                PS> Stop-Process -Name lsass -Force
                C:\> taskkill /f /im *
                C:\> taskkill /F /IM svchost.exe
            ",
            spares: r"
                PS> Stop-Process -Name node -Force
                PS> Get-Process node | Stop-Process
                PS> Stop-Process -Id 4242
                C:\> taskkill /f /im node.exe
                C:\> taskkill /pid 4242 /t
            ",
        },
        Rule {
            id: "windows-machine.logs",
            severity: Severity::Destructive,
            when: When::Command(|command| listed(command, LOGS)),
            reason: "It deletes what Windows has recorded, or stops the recording.",
            instead: "Look with `Get-WinEvent`, and leave the logs alone.",
            matches: r"
                C:\> wevtutil cl System
                C:\> for /f %x in ('wevtutil el') do wevtutil cl %x
                PS> Clear-EventLog -LogName Application, System
                C:\> auditpol /clear /y
            ",
            spares: r"
                C:\> wevtutil qe System /c:5
                PS> Get-EventLog -LogName System -Newest 5
            ",
        },
        Rule {
            id: "windows-machine.remove",
            severity: Severity::Destructive,
            when: When::Command(|command| listed(command, MACHINES)),
            reason: "It deletes a virtual machine, a site, a database or a cloud resource, or switches a feature off.",
            instead: "Look with the cmdlet that begins with `Get-`, or add `-WhatIf`.",
            matches: r"
                PS> Remove-VM -Name x -Force
                PS> Get-VM | Remove-VM -Force
                PS> Remove-AzResourceGroup -Name rg -Force
                PS> Remove-S3Bucket -BucketName x -DeleteBucketContent
                C:\> wsl --unregister Ubuntu
            ",
            spares: r"
                PS> Get-VM
                PS> Remove-VM x -WhatIf
                PS> Get-AzResourceGroup
                C:\> wsl --list
            ",
        },
        Rule {
            id: "windows-machine.new-admin",
            severity: Severity::Risky,
            when: When::Command(|command| listed(command, ADMINS)),
            reason: "It makes an account, changes a password, or gives rights to somebody.",
            instead: "Let a person change accounts.",
            matches: r"
                C:\> net localgroup administrators mallory /add
                C:\> net user mallory P@ss /add
                PS> Add-LocalGroupMember -Group Administrators -Member mallory
            ",
            spares: r"
                C:\> net localgroup administrators
                C:\> net user mallory
            ",
        },
        Rule {
            id: "windows-machine.own-registry",
            severity: Severity::Risky,
            when: When::Command(|command| registry(command).is_some()),
            reason: "It deletes settings from the registry.",
            instead: "Look with `reg query`, and export the key first with `reg export`.",
            matches: r"
                C:\> reg delete HKCU\Software\MyApp /f
                PS> Remove-Item HKCU:\Software\MyApp -Recurse
            ",
            spares: r"
                C:\> reg query HKCU\Software\MyApp
            ",
        },
        Rule {
            id: "windows-machine.change",
            severity: Severity::Risky,
            when: When::Command(|command| listed(command, ASKED) && !only_lists(command)),
            reason: "It changes tasks, services, packages or volumes of the machine.",
            instead: "Look first, such as with `schtasks /query`, and let a person change it.",
            matches: r"
                C:\> schtasks /delete /tn x /f
                C:\> schtasks /create /tn x /tr calc.exe /sc onlogon
                PS> Unregister-ScheduledTask -TaskName x -Confirm:$false
                C:\> reg import x.reg
                C:\> diskpart /s script.txt
                C:\> net use * /delete /y
            ",
            spares: r"
                C:\> schtasks /query
                PS> Get-ScheduledTask
                C:\> chkdsk
                C:\> echo list disk | diskpart
                C:\> net use Z: /delete
            ",
        },
    ],
};

fn covers(name: &str) -> bool {
    let lower = name.bytes().all(|b| !b.is_ascii_uppercase());
    if !lower && name.contains('-') {
        return true;
    }
    matches!(
        name,
        "format"
            | "diskpart"
            | "cipher"
            | "manage-bde"
            | "fsutil"
            | "sdelete"
            | "sdelete64"
            | "mountvol"
            | "dd"
            | "vssadmin"
            | "wmic"
            | "wbadmin"
            | "diskshadow"
            | "reagentc"
            | "bcdedit"
            | "bootrec"
            | "bootsect"
            | "bcdboot"
            | "systemreset"
            | "shutdown"
            | "logoff"
            | "psshutdown"
            | "psshutdown64"
            | "rundll32"
            | "sc"
            | "nssm"
            | "net"
            | "net1"
            | "dsrm"
            | "delprof"
            | "delprof2"
            | "wevtutil"
            | "auditpol"
            | "wsl"
            | "appcmd"
            | "vmrun"
            | "VBoxManage"
            | "dism"
            | "schtasks"
            | "msiexec"
            | "reg"
            | "regedit"
            | "chkdsk"
            | "compact"
            | "taskkill"
            | "pskill"
            | "tskill"
    )
}

/// `format C: /q`: a drive among the arguments of a program of that name.
fn formats(command: &Command<'_>) -> bool {
    let is_drive = |text: &str| {
        let bytes = text.trim_end_matches('\\').as_bytes();
        bytes.len() == 2 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':'
            || text.starts_with("\\\\?\\Volume")
    };
    command.is(&["format"]) && !command.only_shows() && plain(command).any(is_drive)
}

/// Whether diskpart gets a script that destroys.
fn scripts_disks(command: &Command<'_>) -> bool {
    command.is(&["diskpart"])
        && command.atom.stdin.as_deref().is_some_and(|script| {
            ["clean", "format", "delete", "convert", "remove", "select disk"]
                .iter()
                .any(|word| holds(script, word))
        })
}

/// Whether diskpart is only told to look.
fn only_lists(command: &Command<'_>) -> bool {
    command.is(&["diskpart"])
        && !command.args().iter().any(|arg| arg.text.eq_ignore_ascii_case("/s"))
        && command.atom.stdin.as_deref().is_some_and(|script| {
            script.lines().all(|line| {
                let word = line.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
                matches!(word.as_str(), "" | "list" | "detail" | "exit" | "rescan" | "help" | "select")
            })
        })
}

/// The key of the registry that a command deletes from.
fn registry(command: &Command<'_>) -> Option<String> {
    if command.only_shows() {
        return None;
    }
    let key = match &*command.name {
        "reg" => {
            let mut words = plain(command);
            if !words.next()?.eq_ignore_ascii_case("delete") {
                return None;
            }
            words.next()?.to_owned()
        }
        "Remove-Item" | "Remove-ItemProperty" | "Clear-Item" | "Clear-ItemProperty" => {
            let named = command.parameter("Path").chain(command.parameter("LiteralPath")).next()?;
            let path = named.text.clone();
            let relative = !path.contains(':')
                && command.atom.cwd.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("HK"));
            if relative { format!("{}/{path}", command.atom.cwd) } else { path }
        }
        _ => return None,
    };
    let key = key.to_ascii_lowercase().replace('/', "\\");
    let key = key.rsplit("registry::").next().unwrap_or(&key).replace(":\\", "\\").replace(':', "");
    let key = key.trim_matches('\\').to_owned();
    let hive = key.split('\\').next().unwrap_or("");
    (hive.starts_with("hk")).then_some(key)
}

/// Whether a key is the machine's, or so high up that everything hangs on it.
fn is_of_machine(key: &str) -> bool {
    let mut parts = key.split('\\');
    let hive = parts.next().unwrap_or("");
    let own = matches!(hive, "hkcu" | "hkey_current_user");
    let below: Vec<&str> = parts.filter(|part| !part.is_empty() && *part != "*").collect();
    !own || below.len() < 2 || below.len() < 3 && matches!(below[1], "microsoft" | "classes" | "policies")
}

/// Services without which Windows or its protection does not work.
const VITAL: &str = "\
    windefend wdnissvc sense mpssvc bfe eventlog wscsvc securityhealthservice vss rpcss rpceptmapper samss schedule \
    cryptsvc dnscache dhcp lanmanserver lanmanworkstation winmgmt termservice winrm sshd wuauserv bits trustedinstaller \
    plugplay power profsvc lsm dcomlaunch netlogon ntds kdc w32time gpsvc swprv wbengine sysmon sysmon64";

fn is_vital_service(name: &str) -> bool {
    is_everything(name)
        || VITAL.split_ascii_whitespace().any(|vital| vital.eq_ignore_ascii_case(name))
        || matches!(
            name.to_ascii_lowercase().as_str(),
            "windows defender*" | "windows firewall" | "windows defender firewall"
        )
}

fn stops_vital(command: &Command<'_>) -> bool {
    if command.only_shows() {
        return false;
    }
    let named =
        || ["Name", "DisplayName", "InputObject"].into_iter().flat_map(|name| command.parameter(name));
    match &*command.name {
        "Stop-Service" | "Suspend-Service" => named().any(|arg| is_vital_service(&arg.text)),
        "Set-Service" => {
            let off = command.parameter("StartupType").any(|arg| arg.text.eq_ignore_ascii_case("disabled"))
                || command.parameter("Status").any(|arg| arg.text.eq_ignore_ascii_case("stopped"));
            off && named().any(|arg| is_vital_service(&arg.text))
        }
        "net" | "net1" => {
            let mut words = plain(command);
            words.next().is_some_and(|word| word.eq_ignore_ascii_case("stop"))
                && words.next().is_some_and(is_vital_service)
        }
        "sc" => {
            let words: Vec<&str> = plain(command).filter(|word| !word.starts_with("\\\\")).collect();
            match words.as_slice() {
                [verb, name, ..] if verb.eq_ignore_ascii_case("stop") => is_vital_service(name),
                [verb, name, rest @ ..] if verb.eq_ignore_ascii_case("config") => {
                    is_vital_service(name) && rest.iter().any(|word| holds(word, "disabled"))
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Processes without which Windows stops at once.
const CRITICAL: &str = "\
    csrss lsass lsaiso smss wininit winlogon services svchost system dwm fontdrvhost msmpeng registry";

fn is_critical(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = name.strip_suffix(".exe").unwrap_or(&name);
    is_everything(bare) || CRITICAL.split_ascii_whitespace().any(|critical| critical == bare)
}

fn ends_everything(command: &Command<'_>) -> bool {
    if command.only_shows() {
        return false;
    }
    match &*command.name {
        "Stop-Process" => {
            let named = ["Name", "Id", "InputObject"].into_iter().flat_map(|name| command.parameter(name));
            named.into_iter().any(|arg| is_critical(&arg.text))
        }
        "taskkill" => {
            let args = command.args();
            let after = |switch: &str| {
                let at = args.iter().position(|arg| arg.text.eq_ignore_ascii_case(switch))?;
                args.get(at + 1).map(|arg| arg.text.as_str())
            };
            let filter = after("/fi").unwrap_or("").to_ascii_lowercase();
            after("/im").is_some_and(is_critical)
                || after("/im").is_none()
                    && (filter.contains("pid gt")
                        || filter.contains("pid ne")
                        || filter.contains("status eq running")
                        || filter.contains("username eq")
                        || filter.contains("session"))
        }
        "pskill" | "tskill" => plain(command).next().is_some_and(is_critical),
        "wmic" => {
            let mut words = plain(command);
            let process = words.next().is_some_and(|word| word.eq_ignore_ascii_case("process"));
            process
                && !command.args().iter().any(|arg| holds(&arg.text, "where"))
                && command
                    .args()
                    .iter()
                    .any(|arg| holds(&arg.text, "delete") || holds(&arg.text, "terminate"))
        }
        _ => false,
    }
}
