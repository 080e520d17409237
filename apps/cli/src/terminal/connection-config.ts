import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

const DEFAULT_URL = 'http://127.0.0.1:9527';

/** Where the gas station is, and the token it is called with. */
export interface Connection {
  readonly url: string;
  readonly token: string | undefined;
}

/**
 * From the environment (`FORECOURT_URL`, `FORECOURT_TOKEN`), otherwise from `~/.config/forecourt` (lines of
 * the same names), otherwise a gas station on this machine. A token is never an argument: other users can
 * read a command's arguments.
 */
export function readConnection(
  environment: NodeJS.ProcessEnv = process.env,
  home = homedir(),
): Connection {
  const file = { ...readFileOf(environment, home), ...environment };
  return { url: file['FORECOURT_URL'] || DEFAULT_URL, token: file['FORECOURT_TOKEN'] || undefined };
}

function readFileOf(environment: NodeJS.ProcessEnv, home: string): NodeJS.Dict<string> {
  const folder = environment['XDG_CONFIG_HOME'] || join(home, '.config');
  try {
    return parseEnv(readFileSync(join(folder, 'forecourt'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
