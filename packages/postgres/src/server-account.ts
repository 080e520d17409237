import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The user as which the programs run; empty: as this process. */
export interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

const USERS = '/etc/passwd';
const POSTGRES = 'postgres';
/** Every system has a user with this id, who owns no files. */
const UNPRIVILEGED = '65534';
const ANYBODY_ENTERS = 0o001;

/** PostgreSQL refuses to run as root: root starts it as another user. Throws `Error` if the system lacks such a user. */
export function chooseAccount(uid = process.getuid?.()): Account {
  if (uid !== 0) return {};
  const users = readFileSync(USERS, 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , id, group] =
    users.find(([name]) => name === POSTGRES) ??
    users.find((user) => user[2] === UNPRIVILEGED) ??
    [];
  if (id === undefined) throw new Error(`${USERS} has no user ${POSTGRES} to run PostgreSQL as`);
  return { uid: Number(id), gid: Number(group) };
}

/** Whether any user may enter the folder: each folder above it lets others through. */
export function isOpenToAll(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { mode } = existsSync(path) ? statSync(path) : { mode: ANYBODY_ENTERS };
    if ((mode & ANYBODY_ENTERS) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/**
 * A folder for data in which the account may work: the given one, otherwise one in its stead that outlives a restart of the machine.
 */
export function reachableFolder(folder: string, account: Account): string {
  if (account.uid === undefined || isOpenToAll(folder)) return folder;
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return join('/var/tmp', `forecourt-postgres-${name}`);
}

/**
 * A folder of programs that the account may enter: the given one, otherwise a copy of its installation below `copies`.
 */
export function reachablePrograms(folder: string, account: Account, copies: string): string {
  if (account.uid === undefined || isOpenToAll(folder)) return folder;
  const copy = join(copies, 'programs');
  const installation = dirname(folder);
  if (!existsSync(copy)) cpSync(installation, copy, { recursive: true, verbatimSymlinks: true });
  return join(copy, 'bin');
}
