import type { DecodedTransaction } from '@forecourt/ledger';

/** The representation of a Move call in expressions. */
export class ExpressionCall {
  constructor(
    readonly packageId: string,
    readonly module: string,
    readonly name: string,
    readonly typeArguments: readonly string[],
  ) {}
}

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

  constructor(transaction: DecodedTransaction) {
    this.digest = transaction.digest;
    this.sender = transaction.sender;
    this.gasOwner = transaction.gasOwner;
    this.gasBudget = asInt(transaction.gasBudget);
    this.gasPrice = asInt(transaction.gasPrice);
    this.commandKinds = transaction.commandKinds;
    this.calls = transaction.moveCalls.map(
      ({ packageId, module, function: name, typeArguments }) =>
        new ExpressionCall(packageId, module, name, typeArguments),
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
