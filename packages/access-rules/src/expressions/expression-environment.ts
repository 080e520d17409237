import { Environment } from '@marcbachmann/cel-js';
import { RE2JS } from 're2js';
import type { AccessSubject } from '../access-subject.js';

/** A Move call as expressions see it. */
export class ExpressionCall {
  constructor(
    readonly packageId: string,
    readonly module: string,
    readonly name: string,
    readonly typeArguments: readonly string[],
  ) {}
}

const MOST_INT = 2n ** 63n - 1n;
const asInt = (amount: bigint) => (amount > MOST_INT ? MOST_INT : amount);

/**
 * What an expression can name. Every type is declared, so that a field that does not exist is found when the file is
 * loaded, and values are plain records that lead nowhere else.
 */
export function expressionEnvironment(patterns: ReadonlyMap<string, RE2JS>): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 1_000, maxDepth: 64, maxListElements: 1_000 },
  })
    .registerType('Call', {
      ctor: ExpressionCall,
      fields: {
        ...{ packageId: 'string', module: 'string', name: 'string' },
        typeArguments: 'list<string>',
      },
    })
    .registerVariable({
      name: 'tx',
      schema: {
        ...{ digest: 'string', sender: 'string', gasOwner: 'string' },
        ...{ gasBudget: 'int', gasPrice: 'int', commandKinds: 'list<string>' },
        calls: 'list<Call>',
        ...{ ownedObjects: 'list<string>', sharedObjects: 'list<string>' },
        receivedObjects: 'list<string>',
      },
    })
    .registerVariable({ name: 'reservation', schema: { gasBudget: 'int', durationSecs: 'int' } })
    .registerVariable('token', 'string')
    .registerVariable('now', 'google.protobuf.Timestamp')
    .registerFunction('matches(string, string): bool', (text: string, pattern: string) =>
      patterns.get(pattern)!.matcher(text).find(),
    );
}

/** The values of those names for one transaction. */
export function expressionValues({
  transaction,
  reservation,
  caller,
  at,
}: AccessSubject): Record<string, unknown> {
  const { digest, sender, gasOwner, gasBudget, gasPrice, commandKinds } = transaction;
  const ids = (objects: readonly { readonly objectId: string }[]) =>
    objects.map(({ objectId }) => objectId);
  return {
    tx: {
      ...{ digest, sender, gasOwner, commandKinds },
      ...{ gasBudget: asInt(gasBudget), gasPrice: asInt(gasPrice) },
      calls: transaction.moveCalls.map(
        ({ packageId, module, function: name, typeArguments }) =>
          new ExpressionCall(packageId, module, name, typeArguments),
      ),
      ownedObjects: ids(transaction.ownedInputs),
      sharedObjects: ids(transaction.sharedInputs),
      receivedObjects: ids(transaction.receivedInputs),
    },
    reservation: {
      gasBudget: BigInt(reservation.gasBudget),
      durationSecs: BigInt(reservation.durationSecs),
    },
    token: caller,
    now: at,
  };
}

/** The longest list that an expression can go through. */
export function longestList({ transaction }: AccessSubject): number {
  const { moveCalls, commandKinds, ownedInputs, sharedInputs, receivedInputs } = transaction;
  return Math.max(
    ...[commandKinds.length, ownedInputs.length, sharedInputs.length, receivedInputs.length],
    ...moveCalls.map(({ typeArguments }) => typeArguments.length),
  );
}
