#!/usr/bin/env node
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './prepare.mjs';
import { Failure, runCommand } from './progress.mjs';
import { readOptions } from './read-options.mjs';

const HELP = `npm run redis-users -- [--url redis://redis:6379] [--out .data/redis-users]

Makes a password for each user of docker/redis/users.acl.template and writes into a folder that only its owner can open:

  <out>/users.acl     the users, with hashes of the passwords, for the aclfile of Redis
  <out>/<user>.url    REDIS_URL of that user, for the service of the same name

  --url  where the services reach Redis; rediss:// for TLS
  --out  the folder; what is there already is not replaced`;

const TEMPLATE = join(root, 'docker', 'redis', 'users.acl.template');
const PLACE = '{password}';

await runCommand(async () => {
  const options = readOptions(HELP, {
    url: { type: 'string', default: 'redis://redis:6379' },
    out: { type: 'string', default: join(root, '.data', 'redis-users') },
  });
  if (options === null) return 0;
  const { url, out } = options;
  if (!/^rediss?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new Failure(`--url must begin with redis:// or rediss://, not ${url}`);
  }
  const folder = resolve(process.env.INIT_CWD ?? root, out);
  if (existsSync(join(folder, 'users.acl'))) {
    throw new Failure(`${folder} has users already: remove it to have new passwords made`);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lines = readFileSync(TEMPLATE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('user '))
    .map((line) => {
      if (!line.includes(PLACE)) return line;
      const [, user] = line.split(' ');
      const password = randomBytes(32).toString('base64url');
      const own = Object.assign(new URL(url), { username: user, password });
      write(join(folder, `${user}.url`), own.href.replace(/\/$/, ''));
      return line.replace(PLACE, `#${createHash('sha256').update(password).digest('hex')}`);
    });
  write(join(folder, 'users.acl'), lines.join('\n'));
  process.stdout.write(`${folder} has the users of Redis and the URL of each service\n`);
  return 0;
});

/** The folder keeps other users out. The files are readable by all, because containers mount them for users of their own. */
function write(file, text) {
  writeFileSync(file, `${text}\n`, { mode: 0o644 });
}
