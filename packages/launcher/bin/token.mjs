#!/usr/bin/env node
import { createHash, randomBytes } from 'node:crypto';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';

const HELP = `npm run token -- --name <name> [--role sponsor|operator]... [--expires <days>d|<date>]

Makes a token and prints it, this once, with the entry for the file that TOKENS_FILE names.

  --name     names the caller in logs and rules: letters, digits, dots and dashes
  --role     sponsor (reserve and execute; the default) or operator (reload, deep health check)
  --expires  when it ends: 90d, or 2027-01-31T00:00:00Z; without it, never

Another token for the same caller is another hash in its entry, so that both serve while it is changed:
  hash: [<old>, <new>]`;

const DAY_MS = 86_400_000;

await runCommand(async () => {
  const values = readOptions(HELP, {
    name: { type: 'string' },
    role: { type: 'string', multiple: true, default: ['sponsor'] },
    expires: { type: 'string' },
  });
  if (values === null) return 0;
  if (!values.name) throw new Failure(HELP);
  if (!/^[\w.-]{1,64}$/.test(values.name)) {
    throw new Failure('--name must be letters, digits, dots and dashes');
  }
  const wrong = values.role.find((role) => !['sponsor', 'operator'].includes(role));
  if (wrong !== undefined) throw new Failure(`--role must be sponsor or operator, not ${wrong}`);
  const expires = values.expires === undefined ? null : readExpiry(values.expires);
  const token = `fc_${randomBytes(32).toString('base64url')}`;
  const hash = createHash('sha256').update(token).digest('hex');
  process.stdout.write(`${token}

  - name: ${values.name}
    hash: ${hash}
    role: ${values.role.length === 1 ? values.role[0] : `[${values.role.join(', ')}]`}
${expires === null ? '' : `    expires: ${expires}\n`}`);
  return 0;
});

function readExpiry(text) {
  const days = /^(\d{1,5})d$/.exec(text);
  const at = days ? Date.now() + Number(days[1]) * DAY_MS : Date.parse(text);
  if (Number.isNaN(at)) throw new Failure('--expires must be days, such as 90d, or a date');
  if (at <= Date.now()) throw new Failure('--expires is over already');
  return new Date(at).toISOString();
}
