import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './prepare.mjs';

/** The variables of the system that `npm start` runs; none when it does not run. */
export function readRunning() {
  const running = join(root, '.data', 'running.json');
  return existsSync(running) ? JSON.parse(readFileSync(running, 'utf8')).variables : {};
}
