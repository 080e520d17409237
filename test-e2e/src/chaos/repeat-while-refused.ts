import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './sponsored-call.js';
import type { ClientParts } from './sponsor-once.js';

const MAX_ATTEMPTS = 8;
const PAUSE_MS = 150;

/**
 * Acts like real clients after a refusal: they take it as final and build a new transaction for the same
 * action. Returns the last answer; null if there is none, or if no new transaction may begin.
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
