// The real VS Code in a headless browser: node drive.mjs '{…}'. A line on stdin is a session, a folder and a prompt, as JSON; a line
// on stdout what was shown of it, once VS Code takes the answer for finished.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const { installed, chromium, home } = JSON.parse(process.argv[2]);
const playwright = createRequire(path.join(installed, 'package.json'))('playwright-core');
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
// A busy machine is slow, not broken: whoever started this sets the limit.
const patient = { timeout: 0 };

/** Starts the server; its address, as it prints it. */
function serve() {
  const server = spawn(process.execPath, [
    path.join(installed, 'node_modules/code-server/out/node/entry.js'), '--auth', 'none', '--bind-addr', '127.0.0.1:0',
    '--disable-telemetry', '--disable-update-check', '--disable-workspace-trust',
    '--user-data-dir', path.join(home, 'vscode'), '--extensions-dir', path.join(home, 'extensions'),
  ], { stdio: ['ignore', 'pipe', 'ignore'] });
  return new Promise((done, fail) => {
    let said = '';
    server.stdout.on('data', (data) => {
      const address = (said += data).match(/listening on (http:\S+[^/\s])/);
      if (address) done([server, address[1]]);
    });
    server.on('exit', () => fail(new Error(said)));
  });
}

/** Without this VS Code switches its chat extension off until somebody has signed in. */
const signedIn = () => new Promise((done, fail) => {
  const open = indexedDB.open('vscode-web-state-db-global', 1);
  open.onupgradeneeded = () => open.result.createObjectStore('ItemTable');
  open.onerror = () => fail(open.error);
  open.onsuccess = () => {
    const change = open.result.transaction('ItemTable', 'readwrite');
    change.objectStore('ItemTable').put('true', 'builtinChatExtensionEnablementMigration');
    change.oncomplete = () => { open.result.close(); done(); };
  };
});

const [server, address] = await serve();
const browser = await playwright.chromium.launchPersistentContext(path.join(home, 'browser'), {
  executablePath: chromium, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'], headless: true,
  viewport: { width: 720, height: 560 },
});
const page = browser.pages()[0];

/** Says the prompt in the folder, answers what is asked, and tells what was shown. */
async function play({ folder, prompt, person, shots }) {
  await page.goto(`${address}/?folder=${encodeURIComponent(folder)}`, patient);
  await page.locator('.chat-input-picker-item, .action-label', { hasText: 'Scripted' }).first().waitFor(patient);
  await page.locator('.interactive-input-part .monaco-editor').first().click(patient);
  await page.keyboard.type(prompt);
  await page.keyboard.press('Enter');
  const working = page.locator('.interactive-input-part .codicon-stop-circle:visible');
  await working.first().waitFor(patient);
  const take = (name) => shots && page.locator('.interactive-session').first().screenshot({ path: path.join(shots, `vscode-${name}.png`) });
  const questions = [];
  let asked = false;
  for (let idle = 0, last = ''; idle < 4;) {
    await sleep(250);
    const box = page.locator('.chat-confirmation-widget-container:visible, .chat-confirmation-widget2:visible').last();
    const words = await box.innerText({ timeout: 200 }).catch(() => '');
    const ours = person && words.replace(/\s/g, '').includes(person.question);
    const answer = ours && person.answer === 'Yes' ? /^\s*(Allow|Continue)\s*$/ : /^\s*Skip\s*$/;
    const button = page.locator('.monaco-button:visible').filter({ hasText: answer });
    // Its text is drawn bit by bit.
    const drawn = words && words === last;
    last = words;
    if (drawn && await button.count()) {
      if (ours) asked = true;
      else questions.push(words);
      await take('asks');
      await button.first().click({ timeout: 2000 }).catch(() => {});
    }
    idle = await working.count() ? 0 : idle + 1;
  }
  // Steps are folded once they are over, and what a hook said is folded inside them.
  const collapsed = '.chat-used-context-collapsed > .chat-used-context-label .monaco-button';
  for (const folded of ['.completed-response-summary', collapsed, collapsed]) {
    for (const label of await page.locator(`.interactive-session ${folded}`).all()) await label.click({ timeout: 1000 }).catch(() => {});
  }
  await sleep(500);
  await take('denies');
  return { asked, questions, chat: await page.locator('.interactive-session').first().innerText() };
}

try {
  await page.goto(`${address}/healthz`, patient);
  await page.evaluate(signedIn);
  for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(await play(JSON.parse(line))));
} finally {
  await browser.close().catch(() => {});
  server.kill();
}
