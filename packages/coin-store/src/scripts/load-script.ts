import { readFileSync } from 'node:fs';

const LUA = new URL('../../lua/', import.meta.url);
const INCLUDE = /^--@include ([a-z-]+)$/gm;

/** A script's text, with each `--@include name` line replaced by `lua/includes/name.lua`. Throws when a file is missing. */
export function loadScript(name: string): string {
  const read = (file: string) => readFileSync(new URL(file, LUA), 'utf8');
  return read(`${name}.lua`).replace(INCLUDE, (_line, include: string) =>
    read(`includes/${include}.lua`),
  );
}
