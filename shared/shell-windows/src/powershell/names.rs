//! Names: aliases, cmdlets, and the parameters of the cmdlets that rules ask about.
//!
//! Lists are text, because each pointer of an array costs every start of the program a relocation.
//! Sources: `Get-Alias` and `Get-Command -Syntax` as Microsoft's documentation of Windows PowerShell 5.1 and
//! PowerShell 7.4 prints them.

/// The built-in aliases of Windows PowerShell 5.1; version 7 has fewer.
const ALIASES: &str = "
    % ForEach-Object
    ? Where-Object
    ac Add-Content
    asnp Add-PSSnapin
    cat Get-Content
    cd Set-Location
    chdir Set-Location
    clc Clear-Content
    clear Clear-Host
    clhy Clear-History
    cli Clear-Item
    clp Clear-ItemProperty
    cls Clear-Host
    clv Clear-Variable
    compare Compare-Object
    copy Copy-Item
    cp Copy-Item
    cpi Copy-Item
    cpp Copy-ItemProperty
    curl Invoke-WebRequest
    cvpa Convert-Path
    del Remove-Item
    diff Compare-Object
    dir Get-ChildItem
    echo Write-Output
    epcsv Export-Csv
    erase Remove-Item
    fl Format-List
    foreach ForEach-Object
    ft Format-Table
    fw Format-Wide
    gal Get-Alias
    gc Get-Content
    gci Get-ChildItem
    gcim Get-CimInstance
    gcm Get-Command
    gdr Get-PSDrive
    gi Get-Item
    gl Get-Location
    gm Get-Member
    gp Get-ItemProperty
    gpv Get-ItemPropertyValue
    gps Get-Process
    group Group-Object
    gsv Get-Service
    gv Get-Variable
    gwmi Get-WmiObject
    h Get-History
    history Get-History
    icim Invoke-CimMethod
    icm Invoke-Command
    iex Invoke-Expression
    ii Invoke-Item
    ipmo Import-Module
    irm Invoke-RestMethod
    iwmi Invoke-WmiMethod
    iwr Invoke-WebRequest
    kill Stop-Process
    ls Get-ChildItem
    man help
    md mkdir
    measure Measure-Object
    mi Move-Item
    mount New-PSDrive
    move Move-Item
    mp Move-ItemProperty
    mv Move-Item
    nal New-Alias
    ndr New-PSDrive
    ni New-Item
    nmo New-Module
    nv New-Variable
    ogv Out-GridView
    oh Out-Host
    popd Pop-Location
    ps Get-Process
    pushd Push-Location
    pwd Get-Location
    r Invoke-History
    rbp Remove-PSBreakpoint
    rcim Remove-CimInstance
    rd Remove-Item
    rdr Remove-PSDrive
    ren Rename-Item
    ri Remove-Item
    rm Remove-Item
    rmdir Remove-Item
    rmo Remove-Module
    rni Rename-Item
    rnp Rename-ItemProperty
    rp Remove-ItemProperty
    rv Remove-Variable
    rvpa Resolve-Path
    rwmi Remove-WmiObject
    sajb Start-Job
    sal Set-Alias
    saps Start-Process
    sasv Start-Service
    sc Set-Content
    select Select-Object
    set Set-Variable
    si Set-Item
    sl Set-Location
    sleep Start-Sleep
    sls Select-String
    sort Sort-Object
    sp Set-ItemProperty
    spps Stop-Process
    spsv Stop-Service
    start Start-Process
    sv Set-Variable
    swmi Set-WmiInstance
    tee Tee-Object
    type Get-Content
    wget Invoke-WebRequest
    where Where-Object
    write Write-Output
";

/// A cmdlet's positional parameters, then after `/` the others that take a value, then after the next `/` its
/// switches. Where abbreviations are ambiguous, the first one counts.
const CMDLETS: &str = "
    Remove-Item: Path / LiteralPath Filter Include Exclude Stream Credential / Recurse Force
    Clear-Item: Path / LiteralPath Filter Include Exclude / Force
    Clear-Content: Path / LiteralPath Filter Include Exclude Stream / Force
    Set-Content: Path Value / LiteralPath Filter Include Exclude Encoding Stream / Force PassThru NoNewline AsByteStream
    Add-Content: Path Value / LiteralPath Filter Include Exclude Encoding Stream / Force PassThru NoNewline AsByteStream
    Out-File: FilePath Encoding / LiteralPath InputObject Width / Append Force NoClobber NoNewline
    Tee-Object: FilePath / LiteralPath Variable InputObject Encoding / Append
    Export-Csv: Path / LiteralPath Delimiter InputObject Encoding / Append Force NoClobber NoTypeInformation
    Export-Clixml: Path / LiteralPath Depth InputObject Encoding / Force NoClobber
    Get-ChildItem: Path Filter / LiteralPath Include Exclude Depth Attributes / Recurse Force Name File Directory Hidden ReadOnly System FollowSymlink
    Get-Item: Path / LiteralPath Filter Include Exclude Stream / Force
    Get-Content: Path / LiteralPath Filter Include Exclude Encoding Delimiter ReadCount TotalCount Tail Stream / Raw Wait Force AsByteStream
    Move-Item: Path Destination / LiteralPath Filter Include Exclude / Force PassThru
    Copy-Item: Path Destination / LiteralPath Filter Include Exclude ToSession FromSession / Recurse Container Force PassThru
    Rename-Item: Path NewName / LiteralPath / Force PassThru
    New-Item: Path / Name ItemType Type Value Target / Force
    Set-Item: Path Value / LiteralPath Filter Include Exclude / Force PassThru
    Set-ItemProperty: Path Name Value / LiteralPath Filter Include Exclude Type InputObject / Force PassThru
    New-ItemProperty: Path Name / LiteralPath Value PropertyType Type Filter Include Exclude / Force
    Remove-ItemProperty: Path Name / LiteralPath Filter Include Exclude / Force
    Clear-ItemProperty: Path Name / LiteralPath Filter Include Exclude / Force PassThru
    Get-ItemProperty: Path Name / LiteralPath Filter Include Exclude /
    Get-ItemPropertyValue: Path Name / LiteralPath Filter Include Exclude /
    Set-Location: Path / LiteralPath StackName / PassThru
    Push-Location: Path / LiteralPath StackName / PassThru
    Pop-Location: / StackName / PassThru
    Resolve-Path: Path / LiteralPath RelativeBasePath / Relative Force
    Convert-Path: Path / LiteralPath / Force
    Join-Path: Path ChildPath AdditionalChildPath / / Resolve
    Split-Path: Path / LiteralPath / Parent Leaf LeafBase Extension Qualifier NoQualifier Resolve IsAbsolute
    Test-Path: Path / LiteralPath Filter Include Exclude PathType OlderThan NewerThan / IsValid
    Set-Variable: Name Value / Description Option Scope Visibility Include Exclude / Force PassThru
    New-Variable: Name Value / Description Option Scope Visibility / Force PassThru
    Get-Variable: Name / Scope Include Exclude / ValueOnly
    Set-Alias: Name Value / Description Option Scope / Force PassThru
    New-Alias: Name Value / Description Option Scope / Force PassThru
    Get-Command: Name / Module Verb Noun CommandType ArgumentList TotalCount / All Syntax ListImported
    Get-Alias: Name / Definition Scope Exclude /
    Invoke-Expression: Command / /
    Invoke-Command: ScriptBlock / ComputerName FilePath ArgumentList Session Credential VMName ContainerId HostName UserName KeyFilePath InputObject Port ThrottleLimit ConfigurationName JobName / AsJob NoNewScope HideComputerName UseSSL
    Invoke-Item: Path / LiteralPath Filter Include Exclude Credential /
    Invoke-WebRequest: Uri / OutFile Method Headers Body ContentType UserAgent TimeoutSec Proxy Credential WebSession SessionVariable InFile MaximumRedirection Certificate Authentication Token MaximumRetryCount RetryIntervalSec Form / UseBasicParsing UseDefaultCredentials PassThru SkipCertificateCheck DisableKeepAlive Resume SkipHttpErrorCheck
    Invoke-RestMethod: Uri / OutFile Method Headers Body ContentType UserAgent TimeoutSec Proxy Credential WebSession SessionVariable InFile MaximumRedirection Certificate Authentication Token MaximumRetryCount RetryIntervalSec Form FollowRelLink StatusCodeVariable ResponseHeadersVariable / UseBasicParsing UseDefaultCredentials PassThru SkipCertificateCheck DisableKeepAlive Resume SkipHttpErrorCheck
    Start-BitsTransfer: Source Destination / DisplayName Description Priority TransferType Credential Authentication ProxyUsage / Asynchronous Suspended
    Start-Process: FilePath ArgumentList / WorkingDirectory Verb WindowStyle RedirectStandardOutput RedirectStandardInput RedirectStandardError Credential Environment / Wait NoNewWindow PassThru LoadUserProfile UseNewEnvironment
    Stop-Process: Id / Name InputObject / Force PassThru
    Get-Process: Name / Id ComputerName Module InputObject / FileVersionInfo IncludeUserName
    Start-Job: ScriptBlock / FilePath Name ArgumentList InitializationScript InputObject Credential Authentication WorkingDirectory PSVersion / RunAs32
    Start-ThreadJob: ScriptBlock / FilePath Name ArgumentList InitializationScript InputObject ThrottleLimit StreamingHost /
    Register-ScheduledJob: Name ScriptBlock / FilePath Trigger ArgumentList Credential ScheduledJobOption / RunNow
    Register-ObjectEvent: InputObject EventName SourceIdentifier Action / MessageData MaxTriggerCount / Forward SupportEvent
    Measure-Command: Expression / InputObject /
    ForEach-Object: Process / Begin End RemainingScripts MemberName ArgumentList InputObject Parallel ThrottleLimit TimeoutSeconds / AsJob UseNewRunspace
    Where-Object: FilterScript Value / Property InputObject / EQ NE GT GE LT LE Like NotLike Match NotMatch Contains NotContains In NotIn Is IsNot Not CEQ CMatch CLike
    Select-Object: Property / First Last Skip SkipLast ExcludeProperty ExpandProperty Index InputObject / Unique Wait CaseInsensitive
    Sort-Object: Property / Culture Top Bottom InputObject / Descending Unique CaseSensitive Stable
    Select-String: Pattern Path / LiteralPath Include Exclude Encoding Context InputObject Culture / SimpleMatch CaseSensitive Quiet List NotMatch AllMatches Raw NoEmphasis
    New-Object: TypeName ArgumentList / ComObject Property / Strict
    Write-Output: InputObject / / NoEnumerate
    Write-Host: Object / Separator ForegroundColor BackgroundColor / NoNewline
    Get-Service: Name / DisplayName Include Exclude ComputerName InputObject / DependentServices RequiredServices
    Stop-Service: Name / DisplayName Include Exclude InputObject / Force NoWait PassThru
    Suspend-Service: Name / DisplayName Include Exclude InputObject / PassThru
    Restart-Service: Name / DisplayName Include Exclude InputObject / Force PassThru
    Set-Service: Name / StartupType Status DisplayName Description Credential InputObject ComputerName SecurityDescriptorSddl / Force PassThru
    Remove-Service: Name / InputObject /
    New-Service: Name BinaryPathName / DisplayName Description StartupType Credential DependsOn /
    Get-CimInstance: ClassName / Namespace Filter Query ComputerName KeyOnly Property CimSession InputObject / Shallow
    Get-WmiObject: Class / Namespace Filter Query ComputerName Property Credential / List Recurse
    Remove-CimInstance: InputObject / Query Namespace ComputerName CimSession /
    Remove-WmiObject: InputObject / Class Path Namespace ComputerName /
    Invoke-CimMethod: ClassName Arguments MethodName / InputObject Namespace Query ComputerName CimSession /
    Invoke-WmiMethod: Class Name ArgumentList / InputObject Path Namespace ComputerName /
    Stop-Computer: ComputerName Credential / DcomAuthentication WsmanAuthentication Protocol / AsJob Force
    Restart-Computer: ComputerName Credential / DcomAuthentication WsmanAuthentication Protocol For Timeout Delay / AsJob Force Wait
    Set-ExecutionPolicy: ExecutionPolicy Scope / / Force
    Set-MpPreference: / DisableRealtimeMonitoring DisableBehaviorMonitoring DisableIOAVProtection DisableScriptScanning DisableBlockAtFirstSeen DisableIntrusionPreventionSystem DisableArchiveScanning DisableEmailScanning DisablePrivacyMode MAPSReporting SubmitSamplesConsent ExclusionPath ExclusionProcess ExclusionExtension EnableControlledFolderAccess EnableNetworkProtection PUAProtection ScanScheduleDay SignatureUpdateInterval ScanParameters / Force
    Add-MpPreference: / ExclusionPath ExclusionProcess ExclusionExtension ExclusionIpAddress AttackSurfaceReductionRules_Ids AttackSurfaceReductionRules_Actions AttackSurfaceReductionOnlyExclusions ControlledFolderAccessAllowedApplications / Force
    Set-NetFirewallProfile: Name / Profile Enabled DefaultInboundAction DefaultOutboundAction AllowInboundRules LogFileName LogAllowed LogBlocked NotifyOnListen PolicyStore / All
    Disable-NetFirewallRule: Name / DisplayName DisplayGroup Group PolicyStore Direction Action / All
    Remove-NetFirewallRule: Name / DisplayName DisplayGroup Group PolicyStore Direction Action / All
    Set-NetFirewallRule: Name / DisplayName Enabled Action Direction Profile RemoteAddress LocalPort /
    New-NetFirewallRule: / Name DisplayName Description Group Enabled Action Direction Profile RemoteAddress LocalPort Protocol Program /
    Format-Volume: DriveLetter / FileSystem NewFileSystemLabel Partition Path FileSystemLabel AllocationUnitSize ObjectId InputObject / Full Force Compress
    Clear-Disk: Number / UniqueId FriendlyName Path InputObject / RemoveData RemoveOEM ZeroOutEntireDisk PassThru
    Get-ExecutionPolicy: Scope / / List
    Set-Acl: Path AclObject / LiteralPath InputObject Filter Include Exclude SecurityDescriptor CentralAccessPolicy / ClearCentralAccessPolicy PassThru
    Get-Acl: Path / LiteralPath InputObject Filter Include Exclude / Audit AllCentralAccessPolicies
    Compress-Archive: Path DestinationPath / LiteralPath CompressionLevel / Update Force PassThru
    Expand-Archive: Path DestinationPath / LiteralPath / Force PassThru
    Get-EventLog: LogName / InstanceId ComputerName Newest After Before EntryType Source Message UserName Index / List AsBaseObject
    Clear-EventLog: LogName ComputerName / /
    Remove-EventLog: LogName ComputerName / Source /
    Remove-LocalUser: Name / SID InputObject /
    Disable-LocalUser: Name / SID InputObject /
    Set-LocalUser: Name / Password Description FullName AccountExpires PasswordNeverExpires SID InputObject UserMayChangePassword /
    New-LocalUser: Name / Password Description FullName AccountExpires / NoPassword Disabled AccountNeverExpires PasswordNeverExpires UserMayNotChangePassword
    Add-LocalGroupMember: Group Member / SID Name /
    Remove-LocalGroupMember: Group Member / SID Name /
    Remove-LocalGroup: Name / SID InputObject /
    Unregister-ScheduledTask: TaskName / TaskPath InputObject CimSession /
    Disable-ScheduledTask: TaskName / TaskPath InputObject /
    Register-ScheduledTask: TaskName / TaskPath Action Trigger Settings User Password RunLevel Description InputObject Xml Principal / Force
    New-ScheduledTaskAction: Execute Argument / WorkingDirectory Id /
    Set-ScheduledTask: TaskName / TaskPath Action Trigger Settings User Password Principal InputObject /
    Add-Type: TypeDefinition / AssemblyName Path LiteralPath Language MemberDefinition Name Namespace UsingNamespace ReferencedAssemblies OutputAssembly OutputType CompilerOptions / PassThru IgnoreWarnings
    Import-Module: Name / Prefix Function Cmdlet Variable Alias Version MinimumVersion MaximumVersion RequiredVersion ModuleInfo ArgumentList Scope PSSession CimSession FullyQualifiedName / Global Force PassThru AsCustomObject NoClobber DisableNameChecking UseWindowsPowerShell
    Enable-PSRemoting: / / Force SkipNetworkProfileCheck
    Get-Credential: Credential / UserName Message Title /
    ConvertTo-SecureString: String / Key SecureKey / AsPlainText Force
    ConvertFrom-SecureString: SecureString / Key SecureKey / AsPlainText
    ConvertFrom-Json: InputObject / Depth / AsHashtable NoEnumerate
    Out-String: / InputObject Width / Stream NoNewline
    Out-Null: / InputObject /
    Start-Sleep: Seconds / Milliseconds Duration /
    Stop-Job: Id / Name InstanceId Job State Filter / PassThru
    Remove-Job: Id / Name InstanceId Job State Command Filter / Force
    Enter-PSSession: ComputerName / Session Credential HostName UserName KeyFilePath VMName ContainerId / UseSSL
    New-PSSession: ComputerName / Credential HostName UserName Name Port / UseSSL
    New-PSDrive: Name PSProvider Root / Description Scope Credential / Persist
    Remove-PSDrive: Name / LiteralName PSProvider Scope / Force
    Optimize-Volume: DriveLetter / Path ObjectId FileSystemLabel / Defrag ReTrim Analyze SlabConsolidate
    Repair-Volume: DriveLetter / Path ObjectId FileSystemLabel / Scan SpotFix OfflineScanAndFix
    Dismount-VHD: Path / DiskNumber /
    Get-Clipboard: / Format TextFormatType Delimiter / Raw
    Clear-RecycleBin: DriveLetter / / Force
    Checkpoint-Computer: Description / RestorePointType /
    Enable-ComputerRestore: Drive / /
    Disable-ComputerRestore: Drive / /
";

/// Switches and parameters of all cmdlets.
const COMMON_SWITCHES: &str = "Verbose Debug WhatIf Confirm";
const COMMON_VALUES: &str = "ErrorAction WarningAction InformationAction ProgressAction ErrorVariable WarningVariable \
    InformationVariable OutVariable OutBuffer PipelineVariable";

/// Switches of cmdlets that are not in the table.
const OTHER_SWITCHES: &str = "Force Recurse All PassThru AsJob Wait NoWait Quiet Raw List Online NoRestart Restart \
    PurgeResources AllUsers NoProfile Full AutoSize Wrap UseMaximumSize AssignDriveLetter DeleteVolume RemoveData \
    IncludeAllSubFeature IncludeManagementTools Remove Delete DeletePermanently DeleteFiles SkipPublisherCheck \
    AllowClobber AllowPrerelease AcceptLicense Recursive IncludeUserName Background Compress Descending \
    ListAvailable AsHashtable AsArray NoTypeInformation Append Test Clean Release Watch Scan Simple TurnOff Save";

/// The short names of parameters.
const PARAMETER_ALIASES: &str = "
    ea ErrorAction
    wa WarningAction
    infa InformationAction
    proga ProgressAction
    ev ErrorVariable
    wv WarningVariable
    iv InformationVariable
    ov OutVariable
    ob OutBuffer
    pv PipelineVariable
    vb Verbose
    db Debug
    wi WhatIf
    cf Confirm
    PSPath LiteralPath
    LP LiteralPath
    FullName Path
    Args ArgumentList
    Cn ComputerName
    PSN Name
    ProcessName Name
    RR Resume
    drtm DisableRealtimeMonitoring
    dbm DisableBehaviorMonitoring
    dioavp DisableIOAVProtection
    dscrptsc DisableScriptScanning
    dbaf DisableBlockAtFirstSeen
";

fn entries(list: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    list.lines().filter_map(|line| line.trim().split_once(' '))
}

/// What an alias of PowerShell's own stands for.
pub(super) fn alias(name: &str) -> Option<&'static str> {
    if name.len() > 8 {
        return None;
    }
    entries(ALIASES).find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|(_, full)| full)
}

/// A cmdlet of the table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cmdlet {
    pub(super) name: &'static str,
    positional: &'static str,
    valued: &'static str,
    switches: &'static str,
}

/// Finds a cmdlet, whatever the letters' case and whatever module is named in front of it.
pub(super) fn cmdlet(name: &str) -> Option<Cmdlet> {
    let name = name.rsplit('\\').next().unwrap_or(name);
    if !name.contains('-') {
        return None;
    }
    CMDLETS.lines().find_map(|line| {
        let (found, parameters) = line.trim().split_once(':')?;
        if !found.eq_ignore_ascii_case(name) {
            return None;
        }
        let mut parts = parameters.split('/');
        let mut part = || parts.next().unwrap_or("").trim();
        Some(Cmdlet { name: found, positional: part(), valued: part(), switches: part() })
    })
}

/// The names of all cmdlets of the table.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    CMDLETS.lines().filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name)
}

/// Whether a name has the form of a cmdlet's: `Verb-Noun`.
pub fn is_cmdlet(name: &str) -> bool {
    let Some((verb, noun)) = name.split_once('-') else { return false };
    is_verb(verb)
        && noun.len() > 1
        && noun.starts_with(|c: char| c.is_ascii_alphabetic())
        && !noun.contains(['.', '/', '\\', '-', '='])
}

fn is_verb(verb: &str) -> bool {
    const VERBS: &str = "add approve assert backup block build checkpoint clear close compare complete compress \
        confirm connect convert convertfrom convertto copy debug deny deploy disable disconnect dismount edit enable \
        enter exit expand export find format foreach get grant group hide import initialize install invoke join \
        limit lock measure merge mount move new open optimize out ping pop protect publish push read receive \
        redo register remove rename repair request reset resize resolve restart restore resume revoke save search \
        select send set show skip sort split start step stop submit suspend switch sync tee test trace unblock \
        undo uninstall unlock unprotect unpublish unregister update use wait watch where write";
    VERBS.split_ascii_whitespace().any(|known| known.eq_ignore_ascii_case(verb))
}

/// A parameter of a cmdlet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) switch: bool,
}

fn begins(full: &str, start: &str) -> bool {
    full.len() >= start.len()
        && full.is_char_boundary(start.len())
        && full[..start.len()].eq_ignore_ascii_case(start)
}

impl Cmdlet {
    /// The parameter that an abbreviation stands for.
    pub(super) fn parameter(self, short: &str) -> Option<Parameter> {
        let lists = [
            (self.switches, true),
            (self.positional, false),
            (self.valued, false),
            (COMMON_SWITCHES, true),
            (COMMON_VALUES, false),
        ];
        let found = |fits: fn(&str, &str) -> bool| {
            lists.iter().find_map(|(list, switch)| {
                let name = list.split_ascii_whitespace().find(|name| fits(name, short))?;
                Some(Parameter { name: name.to_owned(), switch: *switch })
            })
        };
        found(str::eq_ignore_ascii_case).or_else(|| self.aliased(short)).or_else(|| found(begins))
    }

    fn aliased(self, short: &str) -> Option<Parameter> {
        let (_, name) = entries(PARAMETER_ALIASES).find(|(alias, _)| alias.eq_ignore_ascii_case(short))?;
        let known = [self.positional, self.valued, self.switches, COMMON_SWITCHES, COMMON_VALUES];
        let known = known.iter().flat_map(|list| list.split_ascii_whitespace()).any(|known| known == name);
        let switch = matches!(name, "Verbose" | "Debug" | "WhatIf" | "Confirm" | "Resume");
        known.then(|| Parameter { name: name.to_owned(), switch })
    }

    /// The parameters that take what stands without a name, in order.
    pub(super) fn positional(self) -> impl Iterator<Item = &'static str> {
        self.positional.split_ascii_whitespace()
    }
}

/// The parameter of a cmdlet that is not in the table.
pub(super) fn guessed(short: &str) -> Parameter {
    if let Some((_, name)) =
        entries(PARAMETER_ALIASES).take(14).find(|(alias, _)| alias.eq_ignore_ascii_case(short))
    {
        let switch = matches!(name, "Verbose" | "Debug" | "WhatIf" | "Confirm");
        return Parameter { name: name.to_owned(), switch };
    }
    for (list, switch) in [(COMMON_SWITCHES, true), (COMMON_VALUES, false), (OTHER_SWITCHES, true)] {
        let fits = |name: &&str| {
            name.eq_ignore_ascii_case(short) || short.len() > 2 && switch && begins(name, short)
        };
        if let Some(name) = list.split_ascii_whitespace().find(fits) {
            return Parameter { name: name.to_owned(), switch };
        }
    }
    Parameter { name: short.to_owned(), switch: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_alias_of_a_cmdlet_is_spelled_as_the_cmdlet() {
        for (alias, name) in entries(ALIASES) {
            assert!(is_cmdlet(name) || matches!(name, "help" | "mkdir"), "{alias}");
            if let Some(cmdlet) = cmdlet(name) {
                assert_eq!(cmdlet.name, name);
            }
        }
        for line in CMDLETS.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let name = line.split(':').next().unwrap_or("");
            assert!(is_cmdlet(name), "{name}");
            assert_eq!(line.matches('/').count(), 2, "{name}");
        }
    }

    #[test]
    fn abbreviations_stand_for_their_parameters() {
        let remove = cmdlet("REMOVE-item").unwrap();
        for (short, name) in [
            ("r", "Recurse"),
            ("rec", "Recurse"),
            ("fo", "Force"),
            ("f", "Force"),
            ("pa", "Path"),
            ("ea", "ErrorAction"),
            ("pspath", "LiteralPath"),
            ("lit", "LiteralPath"),
            ("wh", "WhatIf"),
        ] {
            assert_eq!(remove.parameter(short).unwrap().name, name, "{short}");
        }
        assert_eq!(remove.parameter("rf"), None);
    }
}
