import {
  type RebuildDependencies,
  returnWithheld,
  suspendIfIncomplete,
} from '../audit/rebuild-pool.js';
import type { UpkeepStepOptions } from './upkeep-step.js';

const LOOK_EVERY_MS = 1_000;
const WITHHELD_CHECK_MS = 10_000;

/**
 * A leader's steps for keys that Redis has lost: each look counts the coins; the whole pool is checked when the
 * counts disagree, and once in each term, as the lead is taken. `terms`: number of times the lead was taken.
 */
export function lostKeySteps(
  dependencies: RebuildDependencies,
  sponsor: string,
  terms: () => number,
): UpkeepStepOptions[] {
  let examined = 0;
  return [
    {
      name: 'look for lost keys',
      everyMs: LOOK_EVERY_MS,
      isDue: ({ isWhole, suspendedMs }) =>
        suspendedMs === null && (!isWhole || examined !== terms()),
      run: async () => {
        const term = terms();
        await suspendIfIncomplete(dependencies, sponsor);
        examined = term;
      },
    },
    {
      name: 'return withheld coins',
      everyMs: WITHHELD_CHECK_MS,
      isDue: ({ suspendedMs, totals }) => suspendedMs === null && totals.coins.maintenance > 0n,
      run: () => returnWithheld(dependencies, sponsor),
    },
  ];
}
