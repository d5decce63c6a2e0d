# Installs policy-hooks %{version}% for this user. What it fetches has to have the checksum that is written below.
$ErrorActionPreference = 'Stop'
$url = '%{url win32-x64}%'
$sum = '%{sha256 win32-x64}%'
$bin = if ($env:POLICY_HOOKS_BIN) { $env:POLICY_HOOKS_BIN } else { Join-Path $env:LOCALAPPDATA 'policy-hooks\bin' }

$scratch = Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName())
New-Item -ItemType Directory $scratch | Out-Null
try {
    $zip = Join-Path $scratch 'policy-hooks.zip'
    Invoke-WebRequest -UseBasicParsing -Uri $url -OutFile $zip
    $found = (Get-FileHash -Algorithm SHA256 $zip).Hash.ToLowerInvariant()
    if ($found -ne $sum) { throw "The archive has the checksum $found, not ${sum}: nothing was installed." }
    Expand-Archive $zip $scratch
    New-Item -ItemType Directory -Force $bin | Out-Null
    Copy-Item -Force (Join-Path $scratch '%{folder win32-x64}%\bin\*') $bin
} finally {
    Remove-Item -Recurse -Force $scratch
}
Write-Output "policy-hooks %{version}% is in $bin"
Write-Output "Next: & '$bin\hook-runner.exe' init"
