import type { CallArgument } from '@forecourt/ledger';
import { Environment } from '@marcbachmann/cel-js';
import type { AccessSubject } from '../access-subject.js';
import type { ExpressionWork } from './expression-work.js';
import type { ExpressionLiterals } from './inspect-expression.js';
import type { MatchCall } from './move-call-conditions.js';
import { ExpressionTransaction } from './expression-transaction.js';
import { ExpressionArgument } from './expression-argument.js';
import { ExpressionCall } from './expression-call.js';

/**
 * The variables and functions of expressions. Every type is declared, so that an unknown field is found when
 * the file is loaded, and an expression can access only these records.
 */
export function expressionEnvironment(
  literals: ExpressionLiterals,
  work: ExpressionWork,
): Environment {
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
    .registerFunction('matches(string, string): bool', (text: string, pattern: string) => {
      work.spend(UNITS_OF_MATCHED_CHARACTER * text.length);
      return literals.patterns.get(pattern)!.matcher(text).find();
    })
    .registerFunction(
      'onlyCalls(Transaction, list<string>): bool',
      (tx: ExpressionTransaction, functions: readonly string[]) => {
        work.spend(UNITS_OF_COMPARISON * tx.calls.length * functions.length);
        return onlyCalls(
          tx,
          functions.map((text) => literals.functions.get(text)!),
        );
      },
    )
    .registerFunction(
      'onlyCommands(Transaction, list<string>): bool',
      (tx: ExpressionTransaction, kinds: readonly string[]) => {
        work.spend(tx.commandKinds.length * kinds.length);
        return onlyCommands(tx, kinds);
      },
    );
}

/**
 * The values of the variables for one transaction. `argumentsOf`: the arguments of a call; null: not asked
 * for.
 */
export function expressionValues(
  { transaction, reservation, caller, time }: AccessSubject,
  argumentsOf: (call: number) => readonly CallArgument[] | null,
  work: ExpressionWork,
): Record<string, unknown> {
  return {
    tx: new ExpressionTransaction(transaction, argumentsOf, work),
    reservation: {
      gasBudget: BigInt(reservation.gasBudget),
      durationSecs: BigInt(reservation.durationSecs),
    },
    token: caller,
    now: time,
  };
}

/** RE2's programs take about this many times as long as other operations on text. */
const UNITS_OF_MATCHED_CHARACTER = 8;
/** Of a call with a function that a rule names. */
const UNITS_OF_COMPARISON = 4;

/** Whether a transaction has commands, and each is a call of one of these functions. */
function onlyCalls(tx: ExpressionTransaction, functions: readonly MatchCall[]): boolean {
  return (
    tx.calls.length > 0 &&
    tx.calls.length === tx.commandKinds.length &&
    tx.calls.every(({ packageId, module, name }) =>
      functions.some((matches) => matches({ packageId, module, function: name })),
    )
  );
}

/** Whether a transaction has commands, and each is of one of these kinds. */
function onlyCommands(tx: ExpressionTransaction, kinds: readonly string[]): boolean {
  return tx.commandKinds.length > 0 && tx.commandKinds.every((kind) => kinds.includes(kind));
}
