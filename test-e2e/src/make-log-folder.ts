import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from '@forecourt/testing/system';

const LOGS = join(DATA, 'test-logs');

/** A new folder for logs. It is kept after the run, for whoever has to find out why it failed. */
export function makeLogFolder(name: string): string {
  mkdirSync(LOGS, { recursive: true });
  return mkdtempSync(join(LOGS, `${name}-`));
}
