import { choose } from './attackers/index.js';
import { type AttackResult, runAttackers } from './run-attackers.js';
import type { Target } from './target.js';

/** What the parent says: whom to attack, then that it is over. */
export type AttackOrder =
  { readonly target: Target; readonly only: readonly string[] } | { readonly stop: true };
/** What it is told in the end. */
export interface AttackReport {
  readonly results: readonly AttackResult[];
}

const over = new AbortController();

process.on('message', (order: AttackOrder) => {
  if ('stop' in order) return over.abort();
  void runAttackers(order.target, choose(order.only), over.signal).then((results) => {
    const report: AttackReport = { results };
    process.send!(report, () => process.disconnect());
  });
});
// Nobody is left to be told: the attack ends with the one who ordered it.
process.on('disconnect', () => process.exit());
