import { Environment } from '@marcbachmann/cel-js';
import type { AccessSubject } from '../access-subject.js';
import { ExpressionCall, ExpressionTransaction } from './expression-transaction.js';
import type { ExpressionLiterals } from './inspect-expression.js';
import { onlyCalls } from './only-calls.js';
import { onlyCommands } from './only-commands.js';

/**
 * The variables and functions of expressions. Every type is declared, so that an unknown field is found when the file
 * is loaded, and an expression can access only these records.
 */
export function expressionEnvironment(literals: ExpressionLiterals): Environment {
  return new Environment({
    unlistedVariablesAreDyn: false,
    limits: { maxAstNodes: 1_000, maxDepth: 64, maxListElements: 1_000 },
  })
    .registerType('Call', {
      ctor: ExpressionCall,
      fields: {
        packageId: 'string',
        module: 'string',
        name: 'string',
        typeArguments: 'list<string>',
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

/** The values of the variables for one transaction. */
export function expressionValues({
  transaction,
  reservation,
  caller,
  at,
}: AccessSubject): Record<string, unknown> {
  return {
    tx: new ExpressionTransaction(transaction),
    reservation: {
      gasBudget: BigInt(reservation.gasBudget),
      durationSecs: BigInt(reservation.durationSecs),
    },
    token: caller,
    now: at,
  };
}

/** The length of the longest list that an expression can iterate over. */
export function longestList({ transaction }: AccessSubject): number {
  const { moveCalls, commandKinds, ownedInputs, sharedInputs, receivedInputs } = transaction;
  return Math.max(
    commandKinds.length,
    ownedInputs.length,
    sharedInputs.length,
    receivedInputs.length,
    ...moveCalls.map(({ typeArguments }) => typeArguments.length),
  );
}
