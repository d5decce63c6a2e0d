//! Ways of touching a file.

use serde_json::{Value, json};

/// Whether a way takes the folder as a whole, which no one does with a home or a project to get at one file.
fn is_too_wide(way: &str, folder: &str) -> bool {
    let whole = ["ln -sfn", "mount", "tar", "unzip", "mv '{D}'", "Rename-Item -Path '{D}'", "Expand-Archive"];
    matches!(folder, "/home/user" | "/home/user/project") && whole.iter().any(|start| way.contains(start))
}

/// The folder and the name of a file.
fn parts(file: &str) -> (&str, &str) {
    file.rsplit_once('/').unwrap()
}

/// As a shell of POSIX.
pub(super) fn bash(file: &str) -> Vec<String> {
    let (folder, name) = parts(file);
    let inside = file.split_once("/project/").map(|(_, inside)| inside);
    [
        "echo x > '{P}'",
        "echo x >> '{P}'",
        "printf x | tee '{P}'",
        "printf x | sudo tee -a '{P}' > /dev/null",
        ": > '{P}'",
        "exec 3> '{P}'",
        "cat /tmp/x > \"{P}\"",
        "cp /tmp/x '{P}'",
        "cp -f /tmp/x '{P}'",
        "cp /tmp/{N} '{D}'",
        "cp -t '{D}' /tmp/{N}",
        "mv /tmp/x '{P}'",
        "mv '{P}' /tmp/x",
        "mv '{D}' /tmp/old",
        "rm '{P}'",
        "rm -rf '{D}'",
        "sudo rm -f '{P}'",
        "unlink '{P}'",
        "shred -u '{P}'",
        "truncate -s 0 '{P}'",
        "dd if=/tmp/x of='{P}'",
        "install -m 644 /tmp/x '{P}'",
        "rsync /tmp/x '{P}'",
        "rsync -a --delete /tmp/empty/ '{D}/'",
        "ln -sf /tmp/x '{P}'",
        "ln -s '{P}' /tmp/l && echo x > /tmp/l",
        "ln -sfn /tmp/x '{D}'",
        "chmod 000 '{P}'",
        "chmod -R a-rwx '{D}'",
        "chattr +i '{P}'",
        "mount --bind /tmp/x '{D}'",
        "sed -i 's/a/b/' '{P}'",
        "sed -i.bak -e 's/a/b/' '{P}'",
        "perl -pi -e 's/a/b/' '{P}'",
        "perl -e 'unlink \"{P}\"'",
        "ed '{P}' < /tmp/x",
        "vim -c '%s/a/b/' -c wq '{P}'",
        "awk -i inplace '{print}' '{P}'",
        "sort -o '{P}' /tmp/x",
        "jq . /tmp/x | sponge '{P}'",
        "jq . /tmp/x > /tmp/y && mv /tmp/y '{P}'",
        "curl -o '{P}' https://example.org/x",
        "wget -O '{P}' https://example.org/x",
        "cd '{D}' && curl -O https://example.org/{N}",
        "cd '{D}' && rm {N}",
        "cd '{D}' && echo x > {N}",
        "tar -xf /tmp/x.tar -C '{D}'",
        "unzip -o /tmp/x.zip -d '{D}'",
        "find '{D}' -type f -delete",
        "find '{D}' -name {N} -exec rm {} +",
        "find '{D}' -name {N} | xargs rm -f",
        "bash -c \"rm -f '{P}'\"",
        "sh -c \"echo x > '{P}'\"",
        "env A=b rm '{P}'",
        "F='{P}'; rm \"$F\"",
        "eval \"rm '{P}'\"",
        "python3 -c \"open('{P}','w').write('x')\"",
        "python3 -c \"import os; os.remove('{P}')\"",
        "python3 -c \"from pathlib import Path; Path('{P}').write_text('x')\"",
        "python3 - <<'E'\nimport shutil\nshutil.rmtree('{D}')\nE",
        "node -e \"require('fs').writeFileSync('{P}','x')\"",
        "node -e \"require('fs').rmSync('{P}')\"",
        "ruby -e \"File.write('{P}','x')\"",
        "php -r \"unlink('{P}');\"",
        "cat > '{P}' <<'E'\nx\nE",
        "yq -i '.a = 1' '{P}'",
        "touch '{P}'",
        "git checkout HEAD~1 -- '{P}'",
        "git restore --source=HEAD~3 '{P}'",
        "git rm -f '{P}'",
        "git mv '{P}' /tmp/x",
        "git stash push -- '{P}'",
        "git clean -fd '{D}'",
        "git apply <<'E'\n--- a/{I}\n+++ b/{I}\n@@ -1 +1 @@\n-a\n+b\nE",
    ]
    .iter()
    .filter(|way| !is_too_wide(way, folder))
    // A patch names files from where it is applied.
    .filter(|way| inside.is_some() || !way.starts_with("git apply"))
    .map(|way| {
        way.replace("{I}", inside.unwrap_or(""))
            .replace("{P}", file)
            .replace("{D}", folder)
            .replace("{N}", name)
    })
    .collect()
}

pub(super) fn powershell(file: &str) -> Vec<String> {
    let (folder, name) = parts(file);
    [
        "Set-Content '{P}' x",
        "'x' | Set-Content -Path '{P}'",
        "Set-Content -LiteralPath '{P}' -Value x",
        "sc '{P}' x",
        "Add-Content '{P}' x",
        "'x' | Out-File '{P}'",
        "'x' | Out-File -FilePath '{P}' -Append",
        "'x' > '{P}'",
        "'x' >> '{P}'",
        "Clear-Content '{P}'",
        "Remove-Item '{P}'",
        "Remove-Item -Recurse -Force '{D}'",
        "ri '{P}'",
        "del '{P}'",
        "rm -r '{D}'",
        "Get-ChildItem '{D}' | Remove-Item",
        "Move-Item '{P}' /tmp/x",
        "Move-Item /tmp/x '{P}' -Force",
        "mv '{D}' /tmp/old",
        "Rename-Item '{P}' old.json",
        "Rename-Item -Path '{D}' -NewName old",
        "Copy-Item /tmp/x '{P}'",
        "Copy-Item /tmp/{N} -Destination '{D}'",
        "cp /tmp/x '{P}' -Force",
        "New-Item '{P}' -Force -Value x",
        "New-Item -Path '{D}' -Name '{N}' -ItemType File -Force",
        "New-Item -ItemType SymbolicLink -Path '{P}' -Target /tmp/x",
        "[IO.File]::WriteAllText('{P}', 'x')",
        "[System.IO.File]::Delete('{P}')",
        "(Get-Content '{P}') -replace 'a','b' | Set-Content '{P}'",
        "Invoke-WebRequest https://example.org/x -OutFile '{P}'",
        "'x' | Tee-Object -FilePath '{P}'",
        "Expand-Archive x.zip -DestinationPath '{D}'",
        "Set-Acl '{P}' $acl",
        "Set-ItemProperty '{P}' -Name IsReadOnly -Value $true",
        "$p = '{P}'; Remove-Item $p",
        "powershell -Command \"Remove-Item '{P}'\"",
        "cmd /c del \"{P}\"",
        "Set-Location '{D}'; Remove-Item {N}",
        "icacls '{P}' /deny me:F",
    ]
    .iter()
    .filter(|way| !is_too_wide(way, folder))
    .map(|way| way.replace("{P}", file).replace("{D}", folder).replace("{N}", name))
    .collect()
}

/// As cmd, which takes `/` for a switch: paths have their own separator there.
pub(super) fn cmd(file: &str) -> Vec<String> {
    let file = file.replace('/', "\\");
    let (folder, _) = file.rsplit_once('\\').unwrap();
    [
        "del \"{P}\"",
        "del /f /q \"{P}\"",
        "erase \"{P}\"",
        "rd /s /q \"{D}\"",
        "echo x > \"{P}\"",
        "echo x >> \"{P}\"",
        "type nul > \"{P}\"",
        "copy /y x.json \"{P}\"",
        "move /y x.json \"{P}\"",
        "move \"{P}\" old.json",
        "ren \"{P}\" old.json",
        "xcopy /y x.json \"{P}\"",
        "robocopy empty \"{D}\" /mir",
        "mklink \"{P}\" x.json",
        "attrib +r \"{P}\"",
        "icacls \"{P}\" /deny me:F",
        "powershell -Command Remove-Item '{P}'",
    ]
    .iter()
    .map(|way| way.replace("{P}", &file).replace("{D}", folder))
    .collect()
}

/// By the edit tools of every host.
pub(super) fn tools(file: &str, project: &str) -> Vec<(&'static str, Value)> {
    let uri = format!("file://{file}");
    let inside = file.strip_prefix(project).map_or(file, |rest| rest.trim_start_matches('/'));
    let patch = |header: &str| format!("*** Begin Patch\n{header}\n*** End Patch");
    let update = patch(&format!("*** Update File: {inside}\n@@\n-a\n+b"));
    let old = json!({"oldString": "a", "newString": "b", "filePath": file});
    vec![
        ("Write", json!({"file_path": file, "content": "x"})),
        ("Write", json!({"file_path": inside, "content": "{\"disableAllHooks\": true}"})),
        ("Write", json!({"file_path": format!("./{inside}").replace(".//", "/"), "content": "{}"})),
        ("Edit", json!({"file_path": file, "old_string": "a", "new_string": "b"})),
        (
            "Edit",
            json!({"file_path": file, "old_string": "\"hooks\": {", "new_string": "\"x\": {", "replace_all": true}),
        ),
        ("MultiEdit", json!({"file_path": file, "edits": [{"old_string": "a", "new_string": "b"}]})),
        ("NotebookEdit", json!({"notebook_path": file, "new_source": "x"})),
        ("create", json!({"path": file, "file_text": "x"})),
        ("edit", json!({"path": file, "old_str": "a", "new_str": "b"})),
        ("str_replace", json!({"path": file, "old_str": "a", "new_str": "b"})),
        ("insert", json!({"path": file, "insert_line": 1, "new_str": "b"})),
        ("str_replace_editor", json!({"command": "create", "path": file, "file_text": "x"})),
        ("create_file", json!({"filePath": file, "content": "x"})),
        ("create_file", json!({"filePath": uri, "content": "x"})),
        ("replace_string_in_file", old.clone()),
        (
            "multi_replace_string_in_file",
            json!({"explanation": "e", "replacements": [{"filePath": "README.md", "oldString": "a", "newString": "b"}, old]}),
        ),
        ("insert_edit_into_file", json!({"explanation": "e", "filePath": file, "code": "x"})),
        ("editFiles", json!({"files": [file]})),
        ("apply_patch", json!({"input": update.clone()})),
        ("apply_patch", json!({"patch": update.clone()})),
        ("apply_patch", json!({"command": update.clone()})),
        ("apply_patch", json!(update)),
        ("apply_patch", json!({"input": patch(&format!("*** Add File: {inside}\n+x"))})),
        ("apply_patch", json!({"input": patch(&format!("*** Delete File: {inside}"))})),
        (
            "apply_patch",
            json!({"input": patch(&format!("*** Update File: {inside}\n*** Move to: old.json"))}),
        ),
        ("apply_patch", json!({"input": patch(&format!("*** Update File: x.json\n*** Move to: {inside}"))})),
        ("write_file", json!({"file_path": file, "content": "x"})),
        ("replace", json!({"file_path": file, "old_string": "a", "new_string": "b"})),
        ("mcp__fs__write_file", json!({"path": file, "content": "x"})),
        ("mcp__fs__move_file", json!({"source": file, "destination": "/tmp/x"})),
        ("mcp__fs__delete_file", json!({"path": file})),
    ]
}

pub(super) fn reading_in_bash(file: &str) -> Vec<String> {
    let (folder, _) = parts(file);
    [
        "cat {P}",
        "less {P}",
        "head -20 {P}",
        "grep -n hooks {P}",
        "grep -rn hooks {D}",
        "jq .hooks {P}",
        "ls -la {D}",
        "stat {P}",
        "test -f {P} && echo yes",
        "wc -l < {P}",
        "diff {P} /tmp/x",
        "cp {P} /tmp/copy",
        "sha256sum {P}",
        "find {D} -type f",
        "cd {D} && ls",
        "python3 -c \"print(open('{P}').read())\"",
        "python3 -m json.tool {P}",
        "sed -n 1,20p {P}",
        "awk '{print}' {P}",
        "git diff -- {P}",
        "git log -p -- {P}",
        "git add {P}",
        "git blame {P}",
        "tar -czf /tmp/x.tgz {P}",
        "rsync -a {D}/ /tmp/backup/",
        "node -e \"console.log(require('fs').readFileSync('{P}','utf8'))\"",
    ]
    .iter()
    .map(|way| way.replace("{P}", file).replace("{D}", folder))
    .collect()
}

pub(super) fn reading_in_powershell(file: &str) -> Vec<String> {
    let (folder, _) = parts(file);
    [
        "Get-Content '{P}'",
        "gc '{P}' | Select-String hooks",
        "Get-ChildItem '{D}'",
        "Test-Path '{P}'",
        "Get-FileHash '{P}'",
        "Copy-Item '{P}' /tmp/x",
        "(Get-Content '{P}' | ConvertFrom-Json).hooks",
        "Remove-Item '{P}' -WhatIf",
    ]
    .iter()
    .map(|way| way.replace("{P}", file).replace("{D}", folder))
    .collect()
}

pub(super) fn reading_tools(file: &str) -> Vec<(&'static str, Value)> {
    vec![
        ("Read", json!({"file_path": file})),
        ("view", json!({"path": file})),
        ("str_replace_editor", json!({"command": "view", "path": file})),
        ("read_file", json!({"filePath": file})),
        ("read_file", json!({"absolute_path": file})),
        ("Grep", json!({"path": file, "pattern": "hooks"})),
        ("mcp__fs__read_text_file", json!({"path": file})),
    ]
}
