import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for the files of one test file, such as its rules and tokens. */
export class TemporaryFolder {
  constructor(readonly path = mkdtempSync(join(tmpdir(), 'forecourt-test-'))) {
    mkdirSync(path, { recursive: true });
  }

  pathOf(name: string): string {
    return join(this.path, name);
  }

  /** Writes a file, or replaces its content, and returns its path. */
  write(name: string, content: string | Uint8Array): string {
    writeFileSync(this.pathOf(name), content);
    return this.pathOf(name);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
