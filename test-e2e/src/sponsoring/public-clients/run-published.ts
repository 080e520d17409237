import { execFile } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Command, PublishedClient } from './published-clients.js';

/** The programs that use the clients. */
const SOURCE = fileURLToPath(new URL('../../../public-clients/', import.meta.url));
/**
 * Outside of the repository, so that nothing of it is found in place of what is installed; kept, because
 * building takes minutes.
 */
const FOLDER = join(homedir(), '.cache', 'forecourt-public-clients');
const RUN_MS = 120_000;

export const installedFolder = ({ folder }: PublishedClient): string => join(FOLDER, folder);

/** Installs a client and answers null, or answers why that is impossible. */
export async function install(client: PublishedClient): Promise<string | null> {
  const cwd = installedFolder(client);
  mkdirSync(cwd, { recursive: true });
  cpSync(SOURCE, cwd, { recursive: true });
  try {
    for (const command of client.install) await execute(cwd, command);
    return null;
  } catch (error) {
    return describe(error);
  }
}

/**
 * Runs an installed client and answers the digest that it writes. Throws `Error` with what it says instead.
 */
export async function runPublished(
  client: PublishedClient,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    return (await execute(installedFolder(client), client.run, env)).trim();
  } catch (error) {
    throw new Error(describe(error));
  }
}

/** With everything inherited, as package managers must to find their registries. */
async function execute(
  cwd: string,
  [program, ...args]: Command,
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, {
    cwd,
    ...(env && { env: { ...process.env, ...env }, timeout: RUN_MS }),
  });
  return stdout;
}

/** The last line of what a command writes as its error, or why it cannot be started. */
function describe(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message: string };
  const lines = (stderr?.trim() || message).split('\n');
  return lines.at(-1)!;
}
