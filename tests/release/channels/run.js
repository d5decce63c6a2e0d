"use strict";
// Starts the native program of this system. A hook never comes this way: `init` names the native program itself,
// as starting Node takes many times as long as the whole call.
const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

// Hosts read 2 as a denial: a guard that cannot start must not let a call through.
const DENIED = 2;

function fail(text) {
  process.stderr.write(`policy-hooks: ${text}\n`);
  process.exit(DENIED);
}

/** The folder with the native programs, from the package that npm chose for this system. */
function nativeFolder() {
  // Windows on ARM runs programs for x64.
  const processor = process.platform === "win32" ? "x64" : process.arch;
  const name = `@policy-hooks/cli-${process.platform}-${processor}`;
  try {
    return path.join(path.dirname(require.resolve(`${name}/package.json`)), "bin");
  } catch {
    return fail(`${name} is not installed: install without --omit=optional, or take an archive of the release`);
  }
}

/** npx empties its cache now and then: what hosts are to call is copied to where it can stay. */
function keep(folder) {
  const home =
    process.platform === "win32"
      ? process.env.LOCALAPPDATA || path.join(os.homedir(), "AppData", "Local")
      : process.env.XDG_DATA_HOME || path.join(os.homedir(), ".local", "share");
  const kept = path.join(home, "policy-hooks", "bin");
  fs.mkdirSync(kept, { recursive: true });
  for (const name of fs.readdirSync(folder)) {
    // Renamed, so that a call which is running keeps its file, and none finds half of one.
    const part = path.join(kept, `.${name}.${process.pid}`);
    fs.copyFileSync(path.join(folder, name), part);
    fs.chmodSync(part, 0o755);
    fs.renameSync(part, path.join(kept, name));
  }
  process.stderr.write(`The programs are in ${kept}: npx would delete its own copy one day.\n`);
  return kept;
}

module.exports = function run(name) {
  const words = process.argv.slice(2);
  let folder = nativeFolder();
  const writes = words[0] === "init" && !words.includes("--remove") && !words.includes("--help");
  if (writes && folder.split(path.sep).includes("_npx")) {
    try {
      folder = keep(folder);
    } catch (error) {
      fail(`the programs cannot be kept (${error.message}): npm install --global policy-hooks`);
    }
  }
  const file = path.join(folder, process.platform === "win32" ? `${name}.exe` : name);
  const result = spawnSync(file, words, { stdio: "inherit" });
  if (result.error) {
    fail(`${file} does not start: ${result.error.message}`);
  }
  if (result.signal) {
    process.kill(process.pid, result.signal);
  }
  process.exitCode = result.status ?? DENIED;
};
