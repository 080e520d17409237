import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makePrivateFolder, refuseLink, writeSecret } from '@forecourt/resilience/files';
import { createSponsorKey, readSponsorKey } from '@forecourt/testing/system';
import { Command } from 'commander';
import { DATA_FOLDER, environment } from '../workspace/workspace-config.js';
import { createRedisUsers } from './redis-users-command.js';
import { sponsorKeyCommand } from './sponsor-key-command.js';

/** Written last: with it, all others are there. */
const LAST = 'redis/users.acl';

/** `secrets`, which Compose runs before everything else. */
export function secretsCommand(): Command {
  return new Command('secrets')
    .option(
      '--out <folder>',
      'the folder; Redis and PostgreSQL are reached as redis:6379 and postgres:5432',
      join(DATA_FOLDER, 'secrets'),
    )
    .addHelpText(
      'after',
      `
Makes the secrets of a fleet, in a folder for each service that holds what this service alone may read. Where there are
secrets already, it changes nothing. SPONSOR_KEYS and GAS_STATION_AUTH of the environment are used instead of generated ones.`,
    )
    .action(makeSecrets)
    .addCommand(sponsorKeyCommand());
}

function makeSecrets(options: { readonly out: string }): void {
  const out = resolve(options.out);
  if (existsSync(join(out, LAST))) {
    process.stdout.write(`${out} has the secrets of an earlier start\n`);
    return;
  }
  const { files, sponsors } = createSecrets();
  makePrivateFolder(out);
  for (const [path, text] of Object.entries(files)) {
    const file = join(out, path);
    refuseLink(dirname(file));
    mkdirSync(dirname(file), { recursive: true });
    // Containers read them as other users, each from a volume. Only the owner of the folder above can open
    // it.
    writeSecret(file, `${text}\n`, 0o644);
  }
  process.stdout.write(`${out} has the secrets of the fleet. Sponsors: ${sponsors.join(', ')}\n`);
}

/** `<service>/<name>` → the text, in the order of writing. */
function createSecrets() {
  const secret = () => randomBytes(32).toString('hex');
  const keys = environment['SPONSOR_KEYS'] || createSponsorKey().secret;
  const tokens = environment['GAS_STATION_AUTH'] || secret();
  const fleet = secret();
  const password = secret();
  const database = `postgres://forecourt:${password}@postgres:5432/forecourt`;
  const { acl, urls } = createRedisUsers('redis://redis:6379');
  // The address of a key service is known to the service alone.
  const sponsors = keys
    .split(/[,\s]+/)
    .filter((key) => !URL.canParse(key))
    .map((key) => readSponsorKey(key).address);
  const files = {
    'postgres/postgres-password': password,
    'coin-pool/redis-url': urls.get('coin-pool')!,
    'coin-pool/sponsor-keys': keys,
    'coin-pool/fleet-secret': fleet,
    'executor/redis-url': urls.get('executor')!,
    'executor/sponsor-keys': keys,
    'history/redis-url': urls.get('history')!,
    'history/database-url': database,
    'history/fleet-secret': fleet,
    'events/database-url': database,
    'events/fleet-secret': fleet,
    'gateway/redis-url': urls.get('gateway')!,
    'gateway/tokens': tokens,
    'gateway/fleet-secret': fleet,
    'redis/operator-url': urls.get('operator')!,
    'first-coins/sponsors': sponsors.join('\n'),
    'first-transaction/forecourt': `FORECOURT_URL=http://gateway:9527\nFORECOURT_TOKEN=${tokens.split(',')[0]!}`,
    [LAST]: acl,
  };
  return { files, sponsors };
}
