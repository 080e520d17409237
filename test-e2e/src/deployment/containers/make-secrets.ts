import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSponsorKey, DATA, ROOT } from '@forecourt/testing/system';
import { IMAGE } from './compose-project.js';

const FORECOURT = join(ROOT, 'packages', 'launcher', 'bin', 'forecourt.mjs');
const APPS = ['devnet', 'coin-pool', 'executor', 'events', 'history', 'gateway'];

export interface Secrets {
  readonly folder: string;
  /** A Compose file that replaces the secrets in .data with these. */
  readonly override: string;
  readonly sponsor: string;
  readonly token: string;
  /** The password of the Redis user `operator`. */
  readonly operatorPassword: string;
}

/** Creates the secrets that docs/operations/deployment.md lists, in a new folder. */
export function makeSecrets(): Secrets {
  mkdirSync(DATA, { recursive: true });
  // Not in the folder of temporary files, because some engines cannot mount files from there.
  const folder = mkdtempSync(join(DATA, 'verify-containers-'));
  chmodSync(folder, 0o700);
  const users = join(folder, 'redis-users');
  execFileSync(process.execPath, [FORECOURT, 'redis-users', '--out', users], { stdio: 'ignore' });
  const sponsor = createSponsorKey();
  const token = randomBytes(24).toString('base64');
  const write = (name: string, text: string) => {
    const file = join(folder, name);
    // The folder keeps other users out; the users in the containers must read the file.
    writeFileSync(file, `${text}\n`, { mode: 0o644 });
    return { file };
  };
  const databasePassword = randomBytes(24).toString('hex');
  const secrets = {
    'postgres-password': write('postgres-password', databasePassword),
    'database-url': write(
      'database-url',
      `postgres://forecourt:${databasePassword}@postgres:5432/forecourt`,
    ),
    'sponsor-keys': write('sponsor-keys', sponsor.secret),
    tokens: write('tokens', token),
    'fleet-secret': write('fleet-secret', randomBytes(32).toString('base64')),
    'redis-users': { file: join(users, 'users.acl') },
    'coin-pool-redis-url': { file: join(users, 'coin-pool.url') },
    'executor-redis-url': { file: join(users, 'executor.url') },
    'history-redis-url': { file: join(users, 'history.url') },
    'gateway-redis-url': { file: join(users, 'gateway.url') },
  };
  const services = Object.fromEntries(APPS.map((app) => [app, { image: IMAGE }]));
  // JSON is YAML.
  const { file: override } = write('compose.yaml', JSON.stringify({ services, secrets }));
  const operator = new URL(readFileSync(join(users, 'operator.url'), 'utf8').trim());
  return {
    folder,
    override,
    token,
    sponsor: sponsor.address,
    operatorPassword: operator.password,
  };
}
