import type { ExpressionTransaction } from './expression-transaction.js';

/** Whether a transaction has commands, and each is of one of these kinds. */
export function onlyCommands(tx: ExpressionTransaction, kinds: readonly string[]): boolean {
  return tx.commandKinds.length > 0 && tx.commandKinds.every((kind) => kinds.includes(kind));
}
