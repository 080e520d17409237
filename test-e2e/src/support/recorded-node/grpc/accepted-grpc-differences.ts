import type { AcceptedDifference } from '../accepted-differences.js';

/** Calls that devnet answers differently by intention. docs/devnet.md describes them by topic. */
export const ACCEPTED_GRPC_DIFFERENCES: readonly AcceptedDifference[] = [
  {
    calls: ['epoch/bcs_system_state'],
    reason: 'devnet has no system state in the form of Move',
  },
  {
    calls: ['simulate/success-return-values', 'epochs-net/simulate-expired-epoch'],
    reason: 'devnet returns no results of commands; no part of the project reads them',
  },
  {
    calls: ['simulate/move-abort-everything', 'simulate/out-of-gas', 'simulate/missing-function'],
    reason: 'devnet describes the failure of a simulation in words and in the effects only',
  },
  {
    calls: ['pruned-net/transaction-below-lowest-objects'],
    reason:
      'the node shows a transaction for a while after it has dropped its checkpoint; devnet drops both together',
  },
];

const bothOf = (cases: readonly string[]) =>
  cases.flatMap((name) => [`execute/${name}`, `transaction/${name}`]);

/** Calls that are not sent to devnet. */
export const NOT_REPLAYED: readonly AcceptedDifference[] = [
  {
    calls: [
      ...bothOf([
        'receive',
        'wrap',
        'unwrap',
        'wrap-again',
        'unwrap-then-delete',
        'add-child-object',
        'remove-child-object',
        'add-dynamic-field',
        'created-and-wrapped',
        'create-objects',
        'delete-shared',
        'use-deleted-shared',
        'coin-into-balance-and-back',
        'arithmetic-error',
        'stake',
      ]),
      'objects/owned-by-object',
      'owned/child-objects-of-object',
      'objects/wrapped-then-deleted',
      'objects/deleted-shared',
      'stream/wrapped-and-deleted',
      'simulate/arithmetic-error',
    ],
    reason:
      'devnet executes no Move bytecode, and none of its built-in functions has these effects',
  },
  {
    calls: ['transactions/system-in-checkpoint'],
    reason: 'devnet has no transactions of the consensus',
  },
  {
    calls: ['wait/120000-clamped-to-60000'],
    reason: 'it takes a minute; a unit test of devnet asserts the limit',
  },
  {
    calls: [
      'shutdown/SIGTERM-during-stream',
      'shutdown/SIGTERM-during-execution',
      'shutdown/SIGTERM-call-after',
      'shutdown/SIGKILL-during-stream',
      'shutdown/SIGKILL-during-execution',
      'shutdown/SIGKILL-call-after',
    ],
    reason: 'the node ends meanwhile; unit tests of devnet assert how its calls end',
  },
];

const namesIn = (table: readonly AcceptedDifference[]): ReadonlySet<string> =>
  new Set(table.flatMap(({ calls }) => calls));

/** Names of the calls in the tables. */
export const ACCEPTED_GRPC_CALLS = namesIn(ACCEPTED_GRPC_DIFFERENCES);
export const NOT_REPLAYED_CALLS = namesIn(NOT_REPLAYED);
