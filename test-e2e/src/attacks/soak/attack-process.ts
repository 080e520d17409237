import { choose } from './attackers/index.js';
import { type AttackResult, runAttackers } from './run-attackers.js';
import type { Target } from './target.js';

/** Messages from the parent: the target of the attack, then its end. */
export type AttackOrder =
  { readonly target: Target; readonly only: readonly string[] } | { readonly stop: true };
/** The final message to the parent. */
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
// The parent is gone: the attack ends with it.
process.on('disconnect', () => process.exit());
