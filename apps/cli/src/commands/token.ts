import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { collect } from '../terminal/read-arguments.js';

interface TokenOptions {
  readonly name?: string;
  readonly role?: string[];
  readonly expires?: string;
  readonly userKeys?: boolean;
}

const DAY_MS = 86_400_000;
const ROLES = ['sponsor', 'operator', 'auditor'];

/** `token`: makes a token, or a key for tokens of users. */
export function tokenCommand(): Command {
  return (
    new Command('token')
      // Not a required option, which would be reported before an unknown one.
      .option(
        '--name <name>',
        'names the caller in logs and rules: 1 to 64 letters, digits, dots, dashes and underscores',
      )
      .option(
        '--role <role>',
        'sponsor (reserve and execute; the default), operator (reload, health check, inspect, pause, drain, withdraw) or auditor (reads what an operator may read); may be given several times',
        collect,
      )
      .option(
        '--expires <date>',
        'when it expires: 90d, or 2027-01-31T00:00:00Z; without it, never',
      )
      .option(
        '--user-keys',
        'instead of a token, make a key with which an application’s backend signs tokens for its users; the private key is printed as PKCS #8 in PEM',
      )
      .addHelpText(
        'after',
        `
Makes a token and prints it, this once, with the entry for the file that TOKENS_FILE names.

A second token for the same caller is a second hash in its entry, so that both are valid during a rotation:
  hash: [<old>, <new>]`,
      )
      .action((options: TokenOptions) => console.log(makeEntry(options)))
  );
}

function makeEntry({ name, role = ['sponsor'], expires, userKeys = false }: TokenOptions): string {
  if (name === undefined || !/^[\w.-]{1,64}$/.test(name)) {
    throw new Error('--name must be 1 to 64 letters, digits, dots, dashes and underscores');
  }
  const wrong = role.find((one) => !ROLES.includes(one));
  if (wrong !== undefined) throw new Error(`--role must be ${ROLES.join(', ')}, not ${wrong}`);
  if (userKeys && role.some((one) => one !== 'sponsor')) {
    throw new Error('--user-keys makes tokens for users, who may only have the role sponsor');
  }
  const roles = role.length === 1 ? role[0]! : `[${role.join(', ')}]`;
  const expiry = expires === undefined ? [] : [`expires: ${readExpiry(expires)}`];
  const { secret, line } = userKeys ? makeUserKey() : makeToken();
  const entry = [`- name: ${name}`, line, `role: ${roles}`, ...expiry].join('\n    ');
  return `${secret}\n\n  ${entry}`;
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
  const expiry = days === undefined ? Date.parse(text) : Date.now() + Number(days) * DAY_MS;
  if (Number.isNaN(expiry)) throw new Error('--expires must be days, such as 90d, or a date');
  if (expiry <= Date.now()) throw new Error('--expires is in the past');
  return new Date(expiry).toISOString();
}
