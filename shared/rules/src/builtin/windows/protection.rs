//! The protection of Windows: Defender, firewall, policies, and the secrets behind them.

use super::table::{holds, is_everything, listed, plain};
use crate::command::Command;
use crate::rule::{Covers, Family, Rule, Severity, When};

const DEFENDER: &str = "
    Set-MpPreference: -DisableRealtimeMonitoring=True|1
    Set-MpPreference: -DisableBehaviorMonitoring=True|1
    Set-MpPreference: -DisableIOAVProtection=True|1
    Set-MpPreference: -DisableScriptScanning=True|1
    Set-MpPreference: -DisableBlockAtFirstSeen=True|1
    Set-MpPreference: -DisableIntrusionPreventionSystem=True|1
    Set-MpPreference: -DisableArchiveScanning=True|1
    Set-MpPreference: -MAPSReporting=Disabled|0
    Set-MpPreference: -SubmitSamplesConsent=NeverSend|2
    Set-MpPreference: -EnableControlledFolderAccess=Disabled|0
    Set-MpPreference: -PUAProtection=Disabled|0
    Set-MpPreference: -ExclusionPath=*
    Set-MpPreference: -ExclusionProcess=*
    Set-MpPreference: -ExclusionExtension=*
    Add-MpPreference: -ExclusionPath=*
    Add-MpPreference: -ExclusionProcess=*
    Add-MpPreference: -ExclusionExtension=*
    Remove-MpThreat:
    Uninstall-WindowsFeature: ~defender
    mpcmdrun: -RemoveDefinitions
    mpcmdrun: -RestoreDefaults
    reg: add ~DisableAntiSpyware
    reg: add ~DisableRealtimeMonitoring
    reg: add ~DisableAntiVirus
    reg: add ~TamperProtection
    Set-ItemProperty: ~\\WinDefend
    reg: add ~\\WinDefend
    Set-ItemProperty: ~DisableAntiSpyware
    Set-ItemProperty: ~DisableRealtimeMonitoring
    New-ItemProperty: ~DisableAntiSpyware
    New-ItemProperty: ~DisableRealtimeMonitoring
    dism: ~disable-feature ~defender
    fltmc: unload *
    sysmon|sysmon64: -u
";

const FIREWALL: &str = "
    netsh: advfirewall ~state off
    netsh: advfirewall set * state off
    netsh: advfirewall reset
    netsh: advfirewall firewall delete rule name=all
    netsh: firewall set opmode disable
    netsh: firewall set opmode mode=disable
    Set-NetFirewallProfile: -Enabled=False|0
    Set-NetFirewallProfile: -DefaultInboundAction=Allow
    Disable-NetFirewallRule: -All
    Disable-NetFirewallRule: -Name=*
    Disable-NetFirewallRule: -InputObject=*
    Remove-NetFirewallRule: -All
    Remove-NetFirewallRule: -InputObject=*
    Remove-NetFirewallRule: -DisplayName=*
    Remove-NetFirewallRule: !-DisplayName !-Name !-DisplayGroup !-Group
";

const POLICIES: &str = "
    reg: add ~EnableLUA ~0
    reg: add ~ConsentPromptBehaviorAdmin ~0
    reg: add ~RunAsPPL ~0
    reg: add ~UseLogonCredential ~1
    reg: add ~LmCompatibilityLevel
    reg: add ~EnableScriptBlockLogging ~0
    reg: add ~Winlogon
    reg: add ~\\Image
    reg: add ~AppInit_DLLs
    reg: add ~\\CurrentVersion\\Run
    reg: add ~HKLM\\SYSTEM\\CurrentControlSet\\Services
    Set-ItemProperty: ~EnableLUA
    Set-ItemProperty: ~UseLogonCredential
    Set-ItemProperty: ~Winlogon
    Set-ItemProperty: ~EnableScriptBlockLogging
    Set-ItemProperty: ~\\CurrentVersion\\Run
    New-ItemProperty: ~EnableLUA
    New-ItemProperty: ~\\CurrentVersion\\Run
    New-ItemProperty: ~EnableScriptBlockLogging
    Disable-PSTrace:
    Set-AppLockerPolicy:
    Disable-WindowsErrorReporting:
    Set-ProcessMitigation: -Disable
    Disable-TlsCipherSuite:
    secedit: /configure
    gpupdate: /unlink
";

const SECRETS: &str = "
    reg: save|export ~\\SAM
    reg: save|export ~\\SECURITY
    reg: save HKLM\\SYSTEM
    reg: save HKLM\\SAM
    ntdsutil: ~ifm
    ntdsutil: ~ntds
    esentutl: ~sam
    esentutl: ~ntds
    procdump|procdump64: ~lsass
    rundll32: ~comsvcs
    mimikatz:
    sekurlsa:
    lazagne:
    netsh: wlan show profile* ~key=clear
    netsh: wlan export ~key=clear
    vaultcmd: /listcreds
    vaultcmd: /list
    cmdkey: /list
    cmdkey: /delete
    Get-LapsADPassword:
    Get-LapsAADPassword:
    [security.cryptography.protecteddata]::unprotect:
    Copy-Item: ~\\config\\SAM
    copy: ~\\config\\SAM
    Copy-Item: ~ntds.dit
    copy: ~ntds.dit
    Export-PfxCertificate:
    certutil: ~exportpfx
";

const NETWORK: &str = "
    Disable-NetAdapter:
    Remove-NetIPAddress:
    Remove-NetRoute:
    Disable-NetAdapterBinding:
    Remove-NetAdapter:
    netsh: interface set interface ~disable
    netsh: interface ip delete *
    netsh: int ip reset
    netsh: winsock reset
    route: /f
    route: delete *
    ipconfig: /release
    Enable-PSRemoting:
    winrm: quickconfig
    winrm: set *
    Set-WSManQuickConfig:
    Set-Item: ~TrustedHosts
    Set-DnsClientServerAddress:
    netsh: interface portproxy add
";

pub(in crate::builtin) static FAMILY: Family = Family {
    id: "windows-protection",
    title: "Windows: Defender, firewall, policies, secrets",
    covers: Covers::Also(catalog::family("windows-protection"), has_form_of_powershell),
    rules: &[
        Rule {
            id: "windows-protection.defender",
            severity: Severity::Catastrophic,
            when: When::Command(|command| listed(command, DEFENDER)),
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
            when: When::Command(|command| listed(command, FIREWALL) && !disables_one(command)),
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
            when: When::Command(|command| listed(command, SECRETS)),
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
            when: When::Command(|command| listed(command, POLICIES)),
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
            when: When::Command(|command| listed(command, NETWORK)),
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

/// Whether it is a cmdlet or the member of a class, by its form.
fn has_form_of_powershell(name: &str) -> bool {
    name.contains('-') && name.bytes().any(|b| b.is_ascii_uppercase())
        || name.len() > 2 && name.starts_with('[')
}

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
