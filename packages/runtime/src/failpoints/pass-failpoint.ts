import { writeSync } from 'node:fs';
import type { Failpoint } from './failpoints.js';

const STANDARD_ERROR = 2;

const armed = new Map<Failpoint, number>();

/** Makes this process kill itself when it passes a failpoint for the n-th time (n ≥ 1). */
export function armFailpoints(points: ReadonlyMap<Failpoint, number>): void {
  for (const [point, nth] of points) armed.set(point, nth);
}

/**
 * Does nothing unless the failpoint is armed and this is its n-th passage: then the process prints its name
 * on standard error and kills itself with SIGKILL.
 */
export function passFailpoint(point: Failpoint): void {
  const left = armed.get(point);
  if (left === undefined) return;
  if (left > 1) {
    armed.set(point, left - 1);
    return;
  }
  writeSync(STANDARD_ERROR, `failpoint ${point}\n`);
  process.kill(process.pid, 'SIGKILL');
}
