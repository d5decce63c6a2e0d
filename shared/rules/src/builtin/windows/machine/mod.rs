//! The machine under Windows: disks, backups, boot, registry, services, accounts, processes, tasks and logs.

mod checks;
mod cmdlets;
mod shapes;

use shell::Language;

use crate::calls::windows::{has, has_form_of_powershell};
use crate::rule::{Covers, Family, Rule, Severity, When};
use checks::{ends_everything, formats, is_of_machine, only_lists, registry, scripts_disks, stops_vital};
use cmdlets::{changes_tenant, takes_unasked};
use shapes::{ACCOUNTS, ADMINS, ASKED, BACKUPS, BOOT, DISKS, LOGS, MACHINES, POWER, SERVICES};

pub(in crate::builtin) static FAMILY: Family = Family {
    id: "windows-machine",
    title: "Windows: disks, registry, services, accounts",
    covers: Covers::Also(catalog::family("windows-machine"), has_form_of_powershell),
    rules: &[
        Rule {
            id: "windows-machine.disk",
            severity: Severity::Catastrophic,
            when: When::calls(&DISKS).also(|command| formats(command) || scripts_disks(command)),
            reason: "It erases a disk or a volume, or removes the key to it.",
            instead: "Check with `Get-Volume`, and let a person change disks.",
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
            when: When::calls(&BACKUPS),
            reason: "It deletes the copies from which lost files could be restored.",
            instead: "Check with `vssadmin list shadows`, and let a person clean up backups.",
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
            when: When::calls(&BOOT),
            reason: "It changes how the machine starts; a mistake makes it unbootable.",
            instead: "Check with `bcdedit /enum`, and let a person change it.",
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
            when: When::calls(&POWER).only(|command| {
                let is_of_windows = command.atom.shell != Language::Posix
                    || command.args().iter().any(|arg| arg.text.starts_with('/'));
                (command.name != "shutdown" || is_of_windows) && !has(command, "/a")
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
            instead: "Check with `reg query`, and let a person change the machine's registry.",
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
            when: When::calls(&SERVICES).also(stops_vital),
            reason: "It removes a service, or stops one that the machine or its protection needs.",
            instead: "Check with `Get-Service`, or restart the one service that needs it.",
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
            when: When::calls(&ACCOUNTS),
            reason: "It removes or locks an account, a group or a mailbox.",
            instead: "Check with `Get-LocalUser`, and let a person change accounts.",
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
            reason: "It kills every process, or one that Windows cannot run without.",
            instead: "End one process by its PID, such as `Stop-Process -Id 4242`.",
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
            when: When::calls(&LOGS),
            reason: "It deletes what Windows has recorded, or stops the recording.",
            instead: "Check with `Get-WinEvent`, and leave the logs alone.",
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
            when: When::calls(&MACHINES),
            reason: "It deletes a virtual machine, a site, a database or a cloud resource, or switches a feature off.",
            instead: "Check with the cmdlet that begins with `Get-`, or add `-WhatIf`.",
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
            when: When::calls(&ADMINS),
            reason: "It creates an account, changes a password, or gives rights to someone.",
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
            instead: "Check with `reg query`, and export the key first with `reg export`.",
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
            when: When::calls(&ASKED).only(|command| !only_lists(command)),
            reason: "It changes tasks, services, packages or volumes of the machine.",
            instead: "Check first, for example with `schtasks /query`, and let a person change it.",
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
        Rule {
            id: "windows-machine.tenant",
            severity: Severity::Risky,
            when: When::Command(changes_tenant),
            reason: "It changes the directory, the mail or the cloud of an organisation.",
            instead: "Check with the cmdlet that begins with `Get-`, or add `-WhatIf`.",
            matches: r"
                PS> Set-Mailbox ceo -ForwardingSmtpAddress x@outside.example
                PS> Get-TransportRule | Disable-TransportRule -Confirm:$false
                PS> Update-MgIdentityConditionalAccessPolicy -ConditionalAccessPolicyId $p -State disabled
                PS> Remove-PnPListItem -List Documents -Identity 1 -Force
                PS> New-AzRoleAssignment -SignInName a@acme.com -RoleDefinitionName Owner
                PS> Set-DnsServerResourceRecord -ZoneName acme.com -NewInputObject $n -OldInputObject $o
            ",
            spares: r"
                PS> Get-Mailbox ceo
                PS> Connect-MgGraph -Scopes User.Read
                PS> Set-AzContext -Subscription dev
                PS> New-AzResourceGroup -Name rg -Location westeurope
                PS> Import-Csv users.csv
                PS> Set-Mailbox ceo -ForwardingSmtpAddress x@outside.example -WhatIf
            ",
        },
        Rule {
            id: "windows-machine.cmdlet",
            severity: Severity::Risky,
            when: When::Command(takes_unasked),
            reason: "By its name it takes something away without asking, or changes production.",
            instead: "Add `-WhatIf` to see what it would do, and let a person run it.",
            matches: r"
                PS> Remove-AcmeSite -Name www -Force
                PS> Clear-AcmeQueue orders -Confirm:$false
                PS> Publish-AcmeApp -Environment Production
            ",
            spares: r"
                PS> Remove-AcmeSite -Name www -Force -WhatIf
                PS> Get-AcmeSite
                PS> Remove-Module Acme -Force
                PS> Remove-Job * -Force
                PS> Publish-AcmeApp -Environment Staging
            ",
        },
    ],
};
