import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { requireOwnFolder, writeSecret } from '@forecourt/resilience/files';
import type { PostgresPrograms } from './find-programs.js';

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
const ENTERED_BY_ALL = 0o755;

/**
 * PostgreSQL refuses to run as root: root starts it as another user. Throws `Error` if the system lacks such
 * a user.
 */
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
function isOpenToAll(folder: string): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const { mode } = existsSync(path) ? statSync(path) : { mode: ANYBODY_ENTERS };
    if ((mode & ANYBODY_ENTERS) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

/** Keeps the path of the folder that stands in for this one. */
const PLACE = 'place';
/** Outlives a restart of the machine. */
const TEMPORARY = '/var/tmp';

/**
 * A folder for data and programs in which the account may work, and other users cannot: the given one,
 * otherwise one in its stead with a random name. Throws `Error` for a folder that other users may change.
 */
export function reachableFolder(folder: string, account: Account): string {
  mkdirSync(folder, { recursive: true, mode: ENTERED_BY_ALL });
  if (account.uid === undefined) return folder;
  requireOwnFolder(folder);
  if (isOpenToAll(folder)) return folder;
  const place = join(folder, PLACE);
  if (!existsSync(place)) {
    const made = mkdtempSync(join(TEMPORARY, 'forecourt-postgres-'));
    chmodSync(made, ENTERED_BY_ALL);
    writeSecret(place, made);
  }
  const stead = readFileSync(place, 'utf8').trim();
  if (!existsSync(stead)) {
    throw new Error(
      `${stead}, the folder of PostgreSQL, is missing: restore it, or remove ${place}`,
    );
  }
  requireOwnFolder(stead);
  return stead;
}

/**
 * A folder of programs that the account may enter: the given one, otherwise a copy of its installation below
 * `own`, which `reachableFolder` has returned.
 */
export function reachablePrograms(
  { folder, version }: PostgresPrograms,
  account: Account,
  own: string,
): string {
  if (account.uid === undefined || isOpenToAll(folder)) return folder;
  const copy = join(own, `programs-${version}`);
  if (!existsSync(copy)) {
    // Has its name when it is complete.
    const part = mkdtempSync(`${copy}-`);
    cpSync(dirname(folder), part, { recursive: true, verbatimSymlinks: true });
    chmodSync(part, ENTERED_BY_ALL);
    renameSync(part, copy);
  }
  requireOwnFolder(copy);
  return join(copy, 'bin');
}
