import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DATA } from '@forecourt/testing/system';

const LOGS = join(DATA, 'test-logs');

/** A new folder for logs, kept after the run for the analysis of a failure. */
export function makeLogFolder(name: string): string {
  mkdirSync(LOGS, { recursive: true });
  return mkdtempSync(join(LOGS, `${name}-`));
}
