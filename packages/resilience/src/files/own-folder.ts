import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { UnsafePlace } from './unsafe-place.js';

const OWNER_ONLY = 0o700;
const OTHERS_WRITE = 0o022;

/**
 * Makes a folder that only its owner can open, or makes an existing one so. Throws `UnsafePlace` for a link
 * or another user's folder.
 */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY });
  requireOwner(folder, refuseLink(folder)!);
  try {
    chmodSync(folder, OWNER_ONLY);
  } catch (error) {
    // In a container whose root is read-only, the folder holds nothing but volumes, which other containers
    // mount alone.
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
  }
}

/**
 * Throws `UnsafePlace` unless the folder belongs to this process's user, and no other user can put files into
 * it.
 */
export function requireOwnFolder(folder: string): void {
  const stats = refuseLink(folder);
  if (!stats?.isDirectory())
    throw new UnsafePlace(`${folder} is not a folder; remove what has its name`);
  requireOwner(folder, stats);
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    throw new UnsafePlace(
      `other users can write into ${folder}: chmod go-w, or name another folder`,
    );
  }
}

/** The file or folder that has this path; undefined: none. Throws `UnsafePlace` for a link. */
export function refuseLink(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() !== true) return stats;
  throw new UnsafePlace(`${path} is a link; remove it, or name the place to which it leads`);
}

function requireOwner(folder: string, { uid }: Stats): void {
  const own = process.getuid?.() ?? uid;
  if (uid === own) return;
  throw new UnsafePlace(
    `${folder} belongs to user ${uid}, not to ${own}; name a folder of your own`,
  );
}
