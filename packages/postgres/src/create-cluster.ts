import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, rmSync } from 'node:fs';
import { writeSecret } from '@forecourt/resilience/files';
import { POSTGRES_USER } from './postgres-user.js';
import type { Account } from './server-account.js';

/** Fills an empty data folder. Throws `Error` with the output of the program. */
export async function createCluster(
  initdb: string,
  data: string,
  password: string,
  { account, isDurable }: { readonly account: Account; readonly isDurable: boolean },
): Promise<void> {
  const passwordFile = `${data}.password`;
  writeSecret(passwordFile, `${password}\n`);
  try {
    if (account.uid !== undefined) chownSync(passwordFile, account.uid, account.gid!);
    await run(initdb, account, [
      `--pgdata=${data}`,
      `--username=${POSTGRES_USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      ...(isDurable ? [] : ['--no-sync']),
    ]);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

async function run(program: string, account: Account, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, {
    ...account,
    cwd: '/',
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} failed:\n${output.trimEnd()}`);
}
