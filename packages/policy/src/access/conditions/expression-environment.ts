import type { ArgumentValue, CallArgument, DecodedTransaction } from '@forecourt/ledger';
import { Environment } from '@marcbachmann/cel-js';
import type { AccessSubject } from '../access-subject.js';
import type { ExpressionLiterals } from './inspect-expression.js';
import type { MatchCall } from './move-call-conditions.js';

/**
 * The variables and functions of expressions. Every type is declared, so that an unknown field is found when the file
 * is loaded, and an expression can access only these records.
 */
export function expressionEnvironment(literals: ExpressionLiterals): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 1_000, maxDepth: 64, maxListElements: 1_000 },
  })
    .registerType('Argument', {
      ctor: ExpressionArgument,
      fields: { kind: 'string', type: 'string', value: 'dyn', objectId: 'string', use: 'string' },
    })
    .registerType('Call', {
      ctor: ExpressionCall,
      fields: {
        packageId: 'string',
        module: 'string',
        name: 'string',
        typeArguments: 'list<string>',
        args: 'list<Argument>',
      },
    })
    .registerType('Transaction', {
      ctor: ExpressionTransaction,
      fields: {
        digest: 'string',
        sender: 'string',
        gasOwner: 'string',
        gasBudget: 'int',
        gasPrice: 'int',
        commandKinds: 'list<string>',
        calls: 'list<Call>',
        ownedObjects: 'list<string>',
        sharedObjects: 'list<string>',
        receivedObjects: 'list<string>',
      },
    })
    .registerVariable('tx', 'Transaction')
    .registerVariable({ name: 'reservation', schema: { gasBudget: 'int', durationSecs: 'int' } })
    .registerVariable('token', 'string')
    .registerVariable('now', 'google.protobuf.Timestamp')
    .registerFunction('matches(string, string): bool', (text: string, pattern: string) =>
      literals.patterns.get(pattern)!.matcher(text).find(),
    )
    .registerFunction(
      'onlyCalls(Transaction, list<string>): bool',
      (tx: ExpressionTransaction, functions: readonly string[]) =>
        onlyCalls(
          tx,
          functions.map((text) => literals.functions.get(text)!),
        ),
    )
    .registerFunction('onlyCommands(Transaction, list<string>): bool', onlyCommands);
}

/** The values of the variables for one transaction. `calls`: the arguments of its calls; empty: not asked for. */
export function expressionValues(
  { transaction, reservation, caller, at }: AccessSubject,
  calls: readonly (readonly CallArgument[])[],
): Record<string, unknown> {
  return {
    tx: new ExpressionTransaction(transaction, calls),
    reservation: {
      gasBudget: BigInt(reservation.gasBudget),
      durationSecs: BigInt(reservation.durationSecs),
    },
    token: caller,
    now: at,
  };
}

/** The length of the longest list that an expression can iterate over. */
export function longestList(
  { transaction }: AccessSubject,
  calls: readonly (readonly CallArgument[])[],
): number {
  const { moveCalls, commandKinds, ownedInputs, sharedInputs, receivedInputs } = transaction;
  return Math.max(
    commandKinds.length,
    ownedInputs.length,
    sharedInputs.length,
    receivedInputs.length,
    ...moveCalls.map(({ typeArguments }) => typeArguments.length),
    ...calls.map(longestOfArguments),
  );
}

function longestOfArguments(call: readonly CallArgument[]): number {
  const values = call.map((one) => (one.kind === 'pure' ? longestOfValue(one.value) : 0));
  return values.reduce((most, length) => Math.max(most, length), call.length);
}

function longestOfValue(value: ArgumentValue | undefined): number {
  if (!Array.isArray(value)) return 0;
  const elements = value as readonly ArgumentValue[];
  return elements.reduce<number>((most, one) => Math.max(most, longestOfValue(one)), value.length);
}

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

/** Whether a transaction has commands, and each is of one of these kinds. */
export function onlyCommands(tx: ExpressionTransaction, kinds: readonly string[]): boolean {
  return tx.commandKinds.length > 0 && tx.commandKinds.every((kind) => kinds.includes(kind));
}

/** The representation of a Move call in expressions. */
export class ExpressionCall {
  constructor(
    readonly packageId: string,
    readonly module: string,
    readonly name: string,
    readonly typeArguments: readonly string[],
    readonly args: readonly ExpressionArgument[],
  ) {}
}

/** The representation of an argument in expressions. A field that it does not have fails the expression. */
class ExpressionArgument {
  constructor(private readonly argument: CallArgument) {}

  get kind(): string {
    return this.argument.kind;
  }

  get type(): string {
    return known(this.argument.type ?? undefined);
  }

  get value(): ArgumentValue {
    return known(this.argument.kind === 'pure' ? this.argument.value : undefined);
  }

  get objectId(): string {
    return known(this.argument.kind === 'object' ? this.argument.objectId : undefined);
  }

  get use(): string {
    return known(this.argument.kind === 'object' ? this.argument.use : undefined);
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the argument has no such field, or it is not known');
  return value;
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

  constructor(transaction: DecodedTransaction, calls: readonly (readonly CallArgument[])[]) {
    this.digest = transaction.digest;
    this.sender = transaction.sender;
    this.gasOwner = transaction.gasOwner;
    this.gasBudget = asInt(transaction.gasBudget);
    this.gasPrice = asInt(transaction.gasPrice);
    this.commandKinds = transaction.commandKinds;
    this.calls = transaction.moveCalls.map(
      ({ packageId, module, function: name, typeArguments }, at) => {
        const args = (calls[at] ?? []).map((one) => new ExpressionArgument(one));
        return new ExpressionCall(packageId, module, name, typeArguments, args);
      },
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
