import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makePrivateFolder, writeSecret } from '@forecourt/resilience/files';
import { Command } from 'commander';
import { Failure } from '../workspace/failure.js';
import { DATA_FOLDER, ROOT } from '../workspace/workspace-config.js';

const TEMPLATE = join(ROOT, 'docker', 'redis', 'users.acl.template');
const PLACE = '{password}';

/** `redis-users`: the users of Redis, and the URL of each. */
export function redisUsersCommand(): Command {
  return new Command('redis-users')
    .option(
      '--url <url>',
      'where the services reach Redis; rediss:// for TLS',
      'redis://redis:6379',
    )
    .option(
      '--out <folder>',
      'the folder; what is there already is not replaced',
      join(DATA_FOLDER, 'redis-users'),
    )
    .addHelpText(
      'after',
      `
Makes a password for each user of docker/redis/users.acl.template and writes into a folder that only its owner can open:

  <out>/users.acl     the users, with hashes of the passwords, for the aclfile of Redis
  <out>/<user>.url    REDIS_URL of that user, for the service of the same name`,
    )
    .action(makeRedisUsers);
}

function makeRedisUsers({ url, out }: { readonly url: string; readonly out: string }): void {
  if (!/^rediss?:\/\/[^/]/.test(url) || !URL.parse(url)?.hostname) {
    throw new Failure(`--url must be redis://<host> or rediss://<host>, not ${url}`);
  }
  const folder = resolve(out);
  if (existsSync(join(folder, 'users.acl'))) {
    throw new Failure(`${folder} has users already: remove it to have new passwords made`);
  }
  const { acl, urls } = createRedisUsers(url);
  makePrivateFolder(folder);
  write(join(folder, 'users.acl'), acl);
  for (const [user, text] of urls) write(join(folder, `${user}.url`), text);
  process.stdout.write(`${folder} has the users of Redis and the URL of each service\n`);
}

/** The ACL file of Redis, with a new password for each user, and user → `REDIS_URL`. */
export function createRedisUsers(redisUrl: string) {
  const urls = new Map<string, string>();
  const lines = readFileSync(TEMPLATE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('user '))
    .map((line) => {
      if (!line.includes(PLACE)) return line;
      const [, user = ''] = line.split(' ');
      const password = randomBytes(32).toString('base64url');
      const url = Object.assign(new URL(redisUrl), { username: user, password });
      urls.set(user, url.href.replace(/\/$/, ''));
      return line.replace(PLACE, `#${createHash('sha256').update(password).digest('hex')}`);
    });
  return { acl: lines.join('\n'), urls };
}

/**
 * Every user may read the files, because containers mount them for other users; the folder itself is private.
 */
function write(file: string, text: string): void {
  writeSecret(file, `${text}\n`, 0o644);
}
