import { ForecourtError } from '@forecourt/contracts';
import type { RestartGuard } from '../pool/restart-guard.js';
import type { UpkeepStepOptions } from './upkeep-step.js';

/** Skips a step that makes coins available, or signs for them, while coins are suspended. */
export function unlessSuspended(
  guard: Pick<RestartGuard, 'check'>,
  run: UpkeepStepOptions['run'],
): UpkeepStepOptions['run'] {
  return async (due) => {
    try {
      await guard.check();
    } catch (error) {
      if (error instanceof ForecourtError && error.code === 'POOL_REFUSED') return;
      throw error;
    }
    await run(due);
  };
}
