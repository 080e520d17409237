import type { AttackSoakReport } from './run-attack-soak.js';

const MOST_MEMORY_RATIO = 1.5;

/** Services whose resident memory under attack exceeds what the long run allows. */
export function findMemoryGrowth({ memory }: Pick<AttackSoakReport, 'memory'>): string[] {
  return Object.entries(memory.most).flatMap(([name, most]) => {
    const quiet = memory.quiet[name] ?? null;
    if (quiet === null || most === null || most <= MOST_MEMORY_RATIO * quiet) return [];
    return [
      `${name}: ${most} MiB under attack is ${(most / quiet).toFixed(2)} times the quiet ${quiet} MiB, ` +
        `more than ${MOST_MEMORY_RATIO}`,
    ];
  });
}
