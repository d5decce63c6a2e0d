//! The protection of Windows: Defender, firewall, policies, and the secrets behind them.

use crate::calls::windows::{has_form_of_powershell, holds, is_everything, plain};
use crate::calls::{Table, calls};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

static DEFENDER: Table = calls!(
    r"
    Set-MpPreference:
        -DisableRealtimeMonitoring=True|1
        -DisableBehaviorMonitoring=True|1
        -DisableIOAVProtection=True|1
        -DisableScriptScanning=True|1
        -DisableBlockAtFirstSeen=True|1
        -DisableIntrusionPreventionSystem=True|1
        -DisableArchiveScanning=True|1
        -MAPSReporting=Disabled|0
        -SubmitSamplesConsent=NeverSend|2
        -EnableControlledFolderAccess=Disabled|0
        -PUAProtection=Disabled|0
        -ExclusionPath|-ExclusionProcess|-ExclusionExtension
    Add-MpPreference:
        -ExclusionPath|-ExclusionProcess|-ExclusionExtension
    Remove-MpThreat:
        ...
    Uninstall-WindowsFeature:
        ~defender
    mpcmdrun:
        -RemoveDefinitions|-RestoreDefaults
    reg:
        add ~DisableAntiSpyware
        add ~DisableRealtimeMonitoring
        add ~DisableAntiVirus
        add ~TamperProtection
        add ~\WinDefend
    Set-ItemProperty:
        ~\WinDefend
        ~DisableAntiSpyware
        ~DisableRealtimeMonitoring
    New-ItemProperty:
        ~DisableAntiSpyware
        ~DisableRealtimeMonitoring
    dism:
        ~disable-feature ~defender
    fltmc:
        unload *
    sysmon sysmon64:
        -u
"
);

static FIREWALL: Table = calls!(
    r"
    netsh:
        advfirewall ~state off
        advfirewall set * state off
        advfirewall reset
        advfirewall firewall delete rule name=all
        firewall set opmode disable
        firewall set opmode mode=disable
    Set-NetFirewallProfile:
        -Enabled=False|0
        -DefaultInboundAction=Allow
    Disable-NetFirewallRule:
        -All|-Name|-InputObject
    Remove-NetFirewallRule:
        -All|-InputObject|-DisplayName
        !-DisplayName !-Name !-DisplayGroup !-Group
"
);

static POLICIES: Table = calls!(
    r"
    reg:
        add ~EnableLUA ~0
        add ~ConsentPromptBehaviorAdmin ~0
        add ~RunAsPPL ~0
        add ~UseLogonCredential ~1
        add ~LmCompatibilityLevel
        add ~EnableScriptBlockLogging ~0
        add ~Winlogon
        add ~\Image
        add ~AppInit_DLLs
        add ~\CurrentVersion\Run
        add ~HKLM\SYSTEM\CurrentControlSet\Services
    Set-ItemProperty:
        ~EnableLUA
        ~UseLogonCredential
        ~Winlogon
        ~EnableScriptBlockLogging
        ~\CurrentVersion\Run
    New-ItemProperty:
        ~EnableLUA
        ~\CurrentVersion\Run
        ~EnableScriptBlockLogging
    Disable-PSTrace Set-AppLockerPolicy Disable-WindowsErrorReporting Disable-TlsCipherSuite:
        ...
    Set-ProcessMitigation:
        -Disable
    secedit:
        /configure
    gpupdate:
        /unlink
"
);

static SECRETS: Table = calls!(
    r"
    reg:
        save|export ~\SAM
        save|export ~\SECURITY
        save HKLM\SYSTEM
        save HKLM\SAM
    ntdsutil:
        ~ifm
        ~ntds
    esentutl:
        ~sam
        ~ntds
    procdump procdump64:
        ~lsass
    rundll32:
        ~comsvcs
    mimikatz sekurlsa lazagne Get-LapsADPassword Get-LapsAADPassword:
        ...
    Export-PfxCertificate:
        ...
    netsh:
        wlan show profile* ~key=clear
        wlan export ~key=clear
    vaultcmd:
        /listcreds|/list
    cmdkey:
        /list|/delete
    Copy-Item copy:
        ~\config\SAM
        ~ntds.dit
    certutil:
        ~exportpfx
    Get-Secret Get-AzKeyVaultSecret Get-SECSecretValue:
        -AsPlainText
    Get-BitLockerVolume:
        ~RecoveryPassword
"
);

static NETWORK: Table = calls!(
    r"
    Disable-NetAdapter Remove-NetIPAddress Remove-NetRoute Disable-NetAdapterBinding:
        ...
    Remove-NetAdapter Enable-PSRemoting Set-WSManQuickConfig Set-DnsClientServerAddress:
        ...
    netsh:
        interface set interface ~disable
        interface ip delete *
        int ip reset
        winsock reset
        interface portproxy add
    route:
        /f
        delete *
    ipconfig:
        /release
    winrm:
        quickconfig
        set *
    Set-Item:
        ~TrustedHosts
    New-NetFirewallRule Set-NetFirewallRule:
        -Action=Allow -Direction=Inbound
        -Action=Allow -Protocol=Any
    Enable-WindowsOptionalFeature Install-WindowsFeature Add-WindowsCapability:
        ~SMB1
        ~Telnet
        ~OpenSSH.Server
    Import-Certificate Import-PfxCertificate:
        ~\Root
        ~\AuthRoot
        ~\CA
    certutil:
        -addstore ~root
        -user -addstore
    cmdkey:
        ~/add
        ~/generic
    reg:
        add ~fDenyTSConnections
        add ~UserAuthentication ~0
        add ~SMB1
    Enable-RemoteDesktop New-SmbMapping:
        ...
"
);

pub(in crate::builtin) static FAMILY: Family = Family {
    id: "windows-protection",
    title: "Windows: Defender, firewall, policies, secrets",
    covers: Covers::Also(catalog::family("windows-protection"), has_form_of_powershell),
    rules: &[
        Rule {
            id: "windows-protection.defender",
            severity: Severity::Catastrophic,
            when: When::calls(&DEFENDER),
            reason: "It disables or weakens the protection against malware.",
            instead: "Check with `Get-MpPreference`, and let a person change it.",
            matches: r"
                PS> Set-MpPreference -DisableRealtimeMonitoring $true
                PS> Set-MpPreference -DisableRealtimeMonitoring:$true
                PS> Add-MpPreference -ExclusionPath C:\
                C:\> reg add HKLM\SOFTWARE\Policies\Microsoft\Windows Defender /v DisableAntiSpyware /t REG_DWORD /d 1 /f
            ",
            spares: r"
                PS> Get-MpPreference
                PS> Set-MpPreference -DisableRealtimeMonitoring $false
                PS> Update-MpSignature
            ",
        },
        Rule {
            id: "windows-protection.firewall",
            severity: Severity::Catastrophic,
            when: When::calls(&FIREWALL).only(|command| !disables_one(command)),
            reason: "It switches the firewall off or empties its rules.",
            instead: "Change one rule by name, such as `Set-NetFirewallRule -Name web -Enabled True`.",
            matches: r"
                C:\> netsh advfirewall set allprofiles state off
                PS> Set-NetFirewallProfile -Profile Domain,Public,Private -Enabled False
                PS> Get-NetFirewallRule | Remove-NetFirewallRule
                C:\> netsh advfirewall firewall delete rule name=all
            ",
            spares: r"
                C:\> netsh advfirewall show allprofiles
                PS> Get-NetFirewallProfile
                PS> Disable-NetFirewallRule -Name web
                PS> Set-NetFirewallProfile -All -Enabled True
            ",
        },
        Rule {
            id: "windows-protection.secrets",
            severity: Severity::Destructive,
            when: When::calls(&SECRETS)
                .also(|command| command.name == "[security.cryptography.protecteddata]::unprotect"),
            reason: "It reads passwords and keys that Windows keeps for itself.",
            instead: "Ask a person for the one credential that is needed.",
            matches: r"
                C:\> reg save HKLM\SAM sam.hiv
                C:\> rundll32 C:\Windows\System32\comsvcs.dll, MiniDump 624 lsass.dmp full
                C:\> netsh wlan show profile name=home key=clear
                C:\> cmdkey /list
            ",
            spares: r"
                C:\> reg query HKLM\SAM
                C:\> netsh wlan show profiles
                C:\> certutil -hashfile x.zip SHA256
            ",
        },
        Rule {
            id: "windows-protection.policy",
            severity: Severity::Destructive,
            when: When::calls(&POLICIES),
            reason: "It weakens a policy of Windows, or makes a program start by itself.",
            instead: "Let a person change policies.",
            matches: r"
                C:\> reg add HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Policies\System /v EnableLUA /t REG_DWORD /d 0 /f
                C:\> reg add HKCU\Software\Microsoft\Windows\CurrentVersion\Run /v x /d C:\x.exe
            ",
            spares: r"
                C:\> reg add HKCU\Software\MyApp /v x /d 1
                C:\> reg query HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Run
            ",
        },
        Rule {
            id: "windows-protection.network",
            severity: Severity::Risky,
            when: When::calls(&NETWORK),
            reason: "It changes how the machine reaches others, or how others reach it.",
            instead: "Check with `Get-NetIPConfiguration`, and let a person change it.",
            matches: r"
                PS> Disable-NetAdapter -Name Ethernet -Confirm:$false
                C:\> route delete 0.0.0.0
                PS> Enable-PSRemoting -Force
                C:\> ipconfig /release
            ",
            spares: r"
                PS> Get-NetAdapter
                C:\> route print
                C:\> ipconfig /all
                C:\> ipconfig /flushdns
            ",
        },
        Rule {
            id: "windows-protection.execution-policy",
            severity: Severity::Risky,
            when: When::Command(loosens_scripts),
            reason: "From then on, PowerShell runs scripts from anywhere.",
            instead: "Allow it for this session only: `Set-ExecutionPolicy -Scope Process RemoteSigned`.",
            matches: r"
                PS> Set-ExecutionPolicy Unrestricted -Force
                PS> Set-ExecutionPolicy -ExecutionPolicy Bypass -Scope LocalMachine
            ",
            spares: r"
                PS> Set-ExecutionPolicy Bypass -Scope Process -Force
                PS> Set-ExecutionPolicy RemoteSigned -Scope CurrentUser
                PS> Get-ExecutionPolicy
            ",
        },
    ],
};

/// Whether a cmdlet names single rules of the firewall.
fn disables_one(command: &Command<'_>) -> bool {
    matches!(&*command.name, "Disable-NetFirewallRule" | "Remove-NetFirewallRule")
        && !command.has_word("-All")
        && ["Name", "DisplayName", "InputObject", "DisplayGroup", "Group"]
            .into_iter()
            .flat_map(|name| command.parameter(name))
            .all(|arg| !is_everything(&arg.text))
        && ["Name", "DisplayName", "InputObject", "DisplayGroup", "Group"]
            .into_iter()
            .flat_map(|name| command.parameter(name))
            .next()
            .is_some()
}

fn loosens_scripts(command: &Command<'_>) -> bool {
    if command.name != "Set-ExecutionPolicy" || command.only_shows() {
        return false;
    }
    let policy = command.parameter("ExecutionPolicy").next().map_or("", |arg| arg.text.as_str());
    let scope = command.parameter("Scope").next().map_or("", |arg| arg.text.as_str());
    let loose = ["bypass", "unrestricted"].iter().any(|name| policy.eq_ignore_ascii_case(name));
    loose && !scope.eq_ignore_ascii_case("process") && !holds(scope, "process") && plain(command).count() > 0
}
