import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Failure } from './failure.js';
import { environment } from './workspace-config.js';

/**
 * Sets the variables that a file of lines `NAME=value` holds. A variable that the environment has, by its
 * name or as `NAME_FILE`, comes first. A file that is named in this one is found from its folder. Returns the
 * names that the file has. Throws `Failure`.
 */
export function loadConfigFile(path: string): readonly string[] {
  const file = resolve(path);
  const variables = readConfigFile(file);
  for (const [name, value = ''] of Object.entries(variables)) {
    const isFile = name.endsWith('_FILE');
    const other = isFile ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
    if (value === '' || given.has(name) || given.has(other)) continue;
    environment[name] = isFile ? resolve(dirname(file), value) : value;
  }
  return Object.keys(variables);
}

function readConfigFile(file: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Failure(`The configuration cannot be read: ${(error as Error).message}`);
  }
}

/** Variables with a value before any file was read. */
const given = new Set(
  Object.entries(environment).flatMap(([name, value]) => (value ? [name] : [])),
);
