import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { residentMib } from '@forecourt/testing/figures';
import type { ServiceProcess } from '@forecourt/testing/system';

const LOOK_EVERY_MS = 250;
/** The heap grows and is collected as it likes within this, whatever clients do. */
const ALLOWANCE_MIB = 64;

/** Memory and descriptors of a process. */
export interface Figures {
  readonly residentMib: number;
  readonly openFiles: number;
}

/** Reads them from the system, whether or not the process answers. */
export function figuresOf({ pid }: ServiceProcess): Figures {
  return {
    residentMib: Math.round(residentMib(pid!)),
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** The most that a process takes until `over` is settled. */
export async function mostUntil(service: ServiceProcess, over: Promise<unknown>): Promise<Figures> {
  let most = figuresOf(service);
  let isOver = false;
  void over.finally(() => (isOver = true)).catch(() => undefined);
  while (!isOver) {
    await delay(LOOK_EVERY_MS);
    const now = figuresOf(service);
    most = {
      residentMib: Math.max(most.residentMib, now.residentMib),
      openFiles: Math.max(most.openFiles, now.openFiles),
    };
  }
  await over;
  return most;
}

/** The resident memory, in MiB, that a process may reach under attack. */
export function memoryBound(quiet: Figures): number {
  return 1.5 * quiet.residentMib + ALLOWANCE_MIB;
}
