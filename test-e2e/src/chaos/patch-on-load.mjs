/**
 * Preloaded into a service (`node --import`), replaces parts of its code as it is read: of modules and of Lua
 * scripts. FORECOURT_PATCHES: JSON list of {file, find, replace}, `file` being the end of a path. A text that
 * is not found ends the process, so that no patch can go stale unseen.
 */
import fs from 'node:fs';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

const patches = JSON.parse(process.env.FORECOURT_PATCHES);

/** Patched texts: Node may read a module with `readFileSync` before it passes it to the hook. */
const made = new Set();

function patched(path, text) {
  if (made.has(text)) return text;
  const changed = patches
    .filter(({ file }) => path.endsWith(file))
    .reduce((before, { file, find, replace }) => {
      if (before.includes(find)) return before.replace(find, () => replace);
      process.stderr.write(`${file} does not contain ${find}\n`);
      return process.exit(1);
    }, text);
  made.add(changed);
  return changed;
}

const { readFileSync } = fs;
fs.readFileSync = (file, ...rest) => {
  const content = readFileSync(file, ...rest);
  if (!patches.some((patch) => String(file).endsWith(patch.file))) return content;
  const text = patched(String(file), String(content));
  return typeof content === 'string' ? text : Buffer.from(text);
};
syncBuiltinESMExports();

registerHooks({
  /** Patches name compiled modules; a bundle holds copies of them. */
  resolve(specifier, context, next) {
    return next(specifier.replace('/dist/bundle/main.js', '/dist/main.js'), context);
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!patches.some(({ file }) => url.endsWith(file))) return loaded;
    return { ...loaded, source: patched(url, String(loaded.source)) };
  },
});
