import { open, stat } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';

/** Reads files and keeps which version of each was read, so that a later change is noticed whenever it happened. */
export class VersionedFiles {
  readonly #versions = new Map<string, string>();

  /** File → the version that was read. */
  get versions(): ReadonlyMap<string, string> {
    return this.#versions;
  }

  /** Throws as `readFile` does; a file that cannot be read has the version of one that is not there. */
  async read(path: string): Promise<Buffer> {
    this.#versions.set(path, ABSENT);
    const file = await open(path);
    try {
      this.#versions.set(path, describe(await file.stat({ bigint: true })));
      return await file.readFile();
    } finally {
      await file.close();
    }
  }
}

const ABSENT = 'absent';

/** The version of a file that is there now: another one after each change of its content, also by a link to another file. */
export async function findFileVersion(path: string): Promise<string> {
  try {
    return describe(await stat(path, { bigint: true }));
  } catch {
    return ABSENT;
  }
}

function describe({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
