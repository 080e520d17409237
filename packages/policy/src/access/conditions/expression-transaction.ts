import type { CallArgument, DecodedTransaction } from '@forecourt/ledger';
import type { ExpressionWork } from './expression-work.js';
import { ExpressionCall } from './expression-call.js';

/** The representation of a transaction in expressions; lists keep the transaction's order. */
export class ExpressionTransaction {
  readonly digest: string;
  readonly sender: string;
  readonly gasOwner: string;
  readonly gasBudget: bigint;
  readonly gasPrice: bigint;
  readonly commandKinds: readonly string[];
  readonly calls: readonly ExpressionCall[];
  readonly ownedObjects: readonly string[];
  readonly sharedObjects: readonly string[];
  readonly receivedObjects: readonly string[];

  constructor(
    transaction: DecodedTransaction,
    argumentsOf: (call: number) => readonly CallArgument[] | null,
    work: ExpressionWork,
  ) {
    this.digest = transaction.digest;
    this.sender = transaction.sender;
    this.gasOwner = transaction.gasOwner;
    this.gasBudget = asInt(transaction.gasBudget);
    this.gasPrice = asInt(transaction.gasPrice);
    this.commandKinds = transaction.commandKinds;
    this.calls = transaction.moveCalls.map(
      (call, index) => new ExpressionCall(call, () => argumentsOf(index), work),
    );
    this.ownedObjects = idsOf(transaction.ownedInputs);
    this.sharedObjects = idsOf(transaction.sharedInputs);
    this.receivedObjects = idsOf(transaction.receivedInputs);
  }
}

const MAX_INT = 2n ** 63n - 1n;
const asInt = (amount: bigint) => (amount > MAX_INT ? MAX_INT : amount);

const idsOf = (objects: readonly { readonly objectId: string }[]) =>
  objects.map(({ objectId }) => objectId);
