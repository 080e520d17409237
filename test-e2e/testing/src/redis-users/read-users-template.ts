import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../processes/paths.js';

const TEMPLATE = join(ROOT, 'docker', 'redis', 'users.acl.template');

/** Users who have a password. */
export type RedisUser =
  'gateway' | 'coin-pool' | 'executor' | 'history' | 'station' | 'scaler' | 'operator';

/**
 * The lines of `docker/redis/users.acl.template`, one for each user, with `{password}` where the password
 * belongs.
 */
export function readUsersTemplate(): readonly string[] {
  return readFileSync(TEMPLATE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('user '));
}
