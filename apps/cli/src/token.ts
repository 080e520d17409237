import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { EXIT } from './terminal/exit-codes.js';
import { readOptions } from './terminal/read-options.js';
import { runMain } from './terminal/run-main.js';

const HELP = `npm run token -- --name <name> [--role sponsor|operator]... [--expires <days>d|<date>]
npm run token -- --name <name> --user-keys [--expires <days>d|<date>]

Makes a token and prints it, this once, with the entry for the file that TOKENS_FILE names.

  --name       names the caller in logs and rules: 1 to 64 letters, digits, dots, dashes and
               underscores
  --role       sponsor (reserve and execute; the default) or operator (reload, health check, inspect,
               pause, drain, withdraw)
  --expires    when it expires: 90d, or 2027-01-31T00:00:00Z; without it, never
  --user-keys  instead of a token, makes a key with which an application's backend signs tokens for its
               users; the private key is printed as PKCS #8 in PEM

A second token for the same caller is a second hash in its entry, so that both are valid during a rotation:
  hash: [<old>, <new>]`;

const DAY_MS = 86_400_000;
const ROLES = ['sponsor', 'operator'];

function main(): number {
  const options = readOptions(HELP, {
    name: { type: 'string' },
    role: { type: 'string', multiple: true, default: ['sponsor'] },
    expires: { type: 'string' },
    'user-keys': { type: 'boolean', default: false },
  });
  if (options === null) return EXIT.ok;
  const { values } = options;
  const { name, role } = values;
  if (name === undefined) throw new Error(`--name is missing\n\n${HELP}`);
  if (!/^[\w.-]{1,64}$/.test(name)) {
    throw new Error('--name must be 1 to 64 letters, digits, dots, dashes and underscores');
  }
  const wrong = role.find((one) => !ROLES.includes(one));
  if (wrong !== undefined) throw new Error(`--role must be sponsor or operator, not ${wrong}`);
  if (values['user-keys'] && role.includes('operator')) {
    throw new Error('--user-keys makes tokens for users, who may only have the role sponsor');
  }
  const roles = role.length === 1 ? role[0]! : `[${role.join(', ')}]`;
  const expires = values.expires === undefined ? [] : [`expires: ${readExpiry(values.expires)}`];
  const made = values['user-keys'] ? makeUserKey() : makeToken();
  const entry = [`- name: ${name}`, made.line, `role: ${roles}`, ...expires].join('\n    ');
  console.log(`${made.secret}\n\n  ${entry}`);
  return EXIT.ok;
}

interface Made {
  /** Printed this once. */
  readonly secret: string;
  /** For the file of tokens. */
  readonly line: string;
}

function makeToken(): Made {
  const secret = `fc_${randomBytes(32).toString('base64url')}`;
  return { secret, line: `hash: ${createHash('sha256').update(secret).digest('hex')}` };
}

function makeUserKey(): Made {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
  return { secret, line: `user-keys: ${publicKey.export({ format: 'jwk' }).x}` };
}

function readExpiry(text: string): string {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  const at = days === undefined ? Date.parse(text) : Date.now() + Number(days) * DAY_MS;
  if (Number.isNaN(at)) throw new Error('--expires must be days, such as 90d, or a date');
  if (at <= Date.now()) throw new Error('--expires is in the past');
  return new Date(at).toISOString();
}

await runMain(main);
