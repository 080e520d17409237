import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Failure } from './command.js';
import { CALLER_FOLDER, environment } from './workspace-config.js';

/**
 * Sets the variables that a file of lines `NAME=value` holds. A variable that the environment has, by its name or as
 * `NAME_FILE`, comes first. Paths are relative to the folder of the command. Throws `Failure`.
 */
export function loadConfigFile(path: string): void {
  for (const [name, value] of Object.entries(readConfigFile(path))) {
    const other = name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
    if (given.has(name) || given.has(other)) continue;
    environment[name] = value;
  }
}

/** The variables of a file, by name. Throws `Failure`. */
export function readConfigFile(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(resolve(CALLER_FOLDER, path), 'utf8'));
  } catch (error) {
    throw new Failure(`The configuration cannot be read: ${(error as Error).message}`);
  }
}

/** Variables with a value before any file was read. */
const given = new Set(
  Object.entries(environment).flatMap(([name, value]) => (value ? [name] : [])),
);
