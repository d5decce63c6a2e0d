// Reads hook files with VS Code's own code: node read_hooks.mjs FOLDER '[["PATH IN A PROJECT", "TEXT"], …]'.
import path from 'node:path';

const [folder, files] = process.argv.slice(2);
const { parseHooksFromFile } = await import(path.join(folder, 'workbench/contrib/chat/common/promptSyntax/hookCompatibility.js'));
const { parse } = await import(path.join(folder, 'base/common/json.js'));
const { URI } = await import(path.join(folder, 'base/common/uri.js'));

console.log(JSON.stringify(JSON.parse(files).map(([file, text]) => {
  const { hooks } = parseHooksFromFile(URI.file(`/p/${file}`), parse(text), URI.file('/p'), '/home/u');
  return [...hooks].flatMap(([event, { hooks: entries }]) => entries.map((entry) =>
    [event, ...['linux', 'osx', 'windows'].map((system) => entry[system] ?? entry.command ?? null), entry.timeout ?? 30]));
})));
