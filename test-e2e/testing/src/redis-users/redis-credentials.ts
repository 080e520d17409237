import { createHash, randomBytes } from 'node:crypto';
import type { RedisUser } from './read-users-template.js';

const PLACE = '{password}';

/** The users of one Redis, with new random passwords. */
export class RedisCredentials {
  readonly #passwords = new Map<string, string>();
  /** The lines of an ACL file. It holds hashes of the passwords. */
  readonly aclLines: readonly string[];

  /** `template`: the users, as returned by `readUsersTemplate`. */
  constructor(template: readonly string[]) {
    this.aclLines = template.map((line) => {
      if (!line.includes(PLACE)) return line;
      const [, user] = line.split(' ') as [string, string];
      const password = randomBytes(32).toString('base64url');
      this.#passwords.set(user, password);
      return line.replace(PLACE, `#${createHash('sha256').update(password).digest('hex')}`);
    });
  }

  /** `url` with a user and its password. Throws `Error` for a user without one. */
  urlOf(user: RedisUser, url: string): string {
    const password = this.#passwords.get(user);
    if (password === undefined) throw new Error(`the Redis user ${user} has no password`);
    const own = new URL(url);
    own.username = user;
    own.password = password;
    return own.href.replace(/\/$/, '');
  }
}
