import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './sponsored-call.js';
import type { ClientParts } from './sponsor-once.js';

const MAX_ATTEMPTS = 8;
const PAUSE_MS = 150;

/**
 * Does what real clients do that are refused: they take the refusal as final and make a new transaction for the same action.
 * Returns the last answer; null when there is none, or when no new transaction is to be begun.
 */
export async function repeatWhileRefused(
  { stopping }: Pick<ClientParts, 'stopping'>,
  attemptOnce: (attempt: number) => Promise<Answer | null>,
): Promise<Answer | null> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const answer = await attemptOnce(attempt);
    if (answer?.kind !== 'refused') return answer;
    if (stopping.aborted) return null;
    await delay(PAUSE_MS);
  }
  return null;
}
