import type { MatchCall } from '../conditions/read-function-pattern.js';
import type { ExpressionTransaction } from './expression-transaction.js';

/** Whether a transaction has commands, and each is a call of one of these functions. */
export function onlyCalls(tx: ExpressionTransaction, functions: readonly MatchCall[]): boolean {
  return (
    tx.calls.length > 0 &&
    tx.calls.length === tx.commandKinds.length &&
    tx.calls.every(({ packageId, module, name }) =>
      functions.some((matches) => matches({ packageId, module, function: name })),
    )
  );
}
