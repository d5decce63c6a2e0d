// A program on the Copilot SDK, as small as its README's: node play.mjs FOLDER-OF-THE-PACKAGE MODE PROMPT. It says yes to what
// it is asked, or with MODE `ask` no, and prints what a person would see.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, mode, prompt] = process.argv.slice(2);
const { CopilotClient, RuntimeConnection, approveAll } = await import(pathToFileURL(path.join(folder, 'node_modules/@github/copilot-sdk/dist/index.js')));
const { PROVIDER_URL: baseUrl, PROVIDER_KEY: apiKey, COPILOT_HOME: baseDirectory } = process.env;

const client = new CopilotClient({ workingDirectory: process.cwd(), baseDirectory });
const session = await client.createSession({
  model: 'claude-sonnet-4.5',
  workingDirectory: process.cwd(),
  provider: { type: 'openai', wireApi: 'completions', baseUrl, apiKey },
  onPermissionRequest: mode === 'ask' ? () => ({ kind: 'reject' }) : approveAll,
});
session.on('assistant.message', (event) => console.log(event.data.content));
session.on('tool.execution_complete', (event) => console.log(JSON.stringify(event.data.error ?? event.data.result?.content ?? '')));
session.on('session.error', (event) => console.error(JSON.stringify(event.data)));
const idle = new Promise((resolve) => session.on('session.idle', resolve));
await session.send({ prompt });
await idle;
await session.disconnect();
await client.stop();
process.exit(0);
