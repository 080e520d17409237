import type { TransactionEffects } from '../../executed-transaction.js';
import type { ExpectedPayment } from '../../expected-payment.js';
import type { BalanceChange, SimulatedTransaction } from '../../ledger.js';
import type { ShownTransaction } from '../client/node-client.js';
import { readPayment } from '../transactions/decoding/read-payment.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import type { NodeAnswer } from './node-answer.js';
import { readEffects } from './read-effects.js';

/**
 * A transaction that was asked for by its digest: a proxy in front of a node may mix answers up, and a node
 * may lie. Throws `NodeFailure`, as the others.
 */
export function readTransaction(
  answer: NodeAnswer,
  digest: string,
  payment?: ExpectedPayment,
): ShownTransaction<TransactionEffects> {
  answer.field('digest').expect(digest);
  checkBalanceChanges(answer);
  const effects = answer.field('effects');
  if (!effects.isAbsent) readEffects(effects, digest, payment);
  return answer.raw as ShownTransaction<TransactionEffects>;
}

/** Some of the transactions that were asked for by these digests, each once, with parts not validated yet. */
export function readTransactions(
  answer: NodeAnswer,
  digests: readonly string[],
): (ShownTransaction | null)[] {
  const left = new Set(digests);
  return answer.items().map((item) => {
    if (item.isAbsent) return null;
    const digest = item.field('digest');
    if (!left.delete(digest.text())) throw digest.another('one of those asked for');
    return item.raw as ShownTransaction;
  });
}

/** The effects of a transaction whose bytes were sent. */
export function readExecution(effects: NodeAnswer, bytes: Uint8Array): TransactionEffects {
  return readEffects(effects, transactionDigest(bytes), readPayment(bytes));
}

/** A simulation of a transaction whose bytes were sent. */
export function readSimulation(answer: NodeAnswer, bytes: Uint8Array): SimulatedTransaction {
  const effects = readExecution(answer.field('effects'), bytes);
  checkBalanceChanges(answer);
  const { events, objectChanges, balanceChanges } = answer.raw as SimulatedTransaction;
  return { effects, events, objectChanges, balanceChanges };
}

/** Over gRPC, a node that leaves out objects shows none. */
function checkBalanceChanges(answer: NodeAnswer): void {
  const changes = answer.field('balanceChanges');
  if (!changes.isAbsent) readShownChanges(changes);
}

/** Balance changes as a node shows them, the gas included. */
export function readShownChanges(changes: NodeAnswer): BalanceChange[] {
  return changes.items().map((change) => ({
    owner: change.field('owner').owner(),
    coinType: change.field('coinType').structTag(),
    amount: change.field('amount').difference(),
  }));
}
