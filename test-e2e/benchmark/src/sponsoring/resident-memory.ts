import { readFileSync } from 'node:fs';
import type { System } from '@forecourt/testing/system';

/** Resident memory of the services in MiB (Linux). */
export function residentMiB({ processes }: System): number {
  const kib = processes
    .filter(({ app }) => app !== 'devnet')
    .map(({ pid }) =>
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    );
  return kib.reduce((sum, one) => sum + one, 0) / 1_024;
}
