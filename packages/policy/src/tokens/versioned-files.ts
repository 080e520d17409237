import { open } from 'node:fs/promises';
import type { BigIntStats } from 'node:fs';

/** Reads files and records the version of each, so that any later change is noticed. */
export class VersionedFiles {
  readonly #versions = new Map<string, string>();

  /** File → the version that was read. */
  get versions(): ReadonlyMap<string, string> {
    return this.#versions;
  }

  /** Throws like `readFile`; a file that cannot be opened has the version of an absent one. */
  async read(path: string): Promise<Buffer> {
    this.#versions.set(path, ABSENT);
    const file = await open(path);
    try {
      this.#versions.set(path, versionOf(await file.stat({ bigint: true })));
      return await file.readFile();
    } finally {
      await file.close();
    }
  }
}

export const ABSENT = 'absent';

export function versionOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}
