import type { AcceptedDifference } from '../accepted-differences.js';

/** Calls that devnet answers differently by intention. docs/devnet.md describes them by topic. */
export const ACCEPTED_GRPC_DIFFERENCES: readonly AcceptedDifference[] = [
  {
    calls: ['epoch/bcs_system_state'],
    lines: /^node only: \.epoch\.bcs_system_state\.data$/,
    reason: 'devnet has no system state in the form of Move, which no part of the project reads',
  },
  {
    calls: ['simulate/success-return-values', 'epochs-net/simulate-expired-epoch'],
    lines: /^node only: .*\.command_results\.results\[\]\./,
    reason: 'devnet returns no results of commands; no part of the project reads them',
  },
  {
    calls: ['simulate/move-abort-everything', 'simulate/out-of-gas', 'simulate/missing-function'],
    lines: /^node only: .*\.execution_error\.bcs_kind\.data$/,
    reason:
      'devnet describes the failure of a simulation in words and in the effects only, which are what the project reads',
  },
  {
    calls: ['pruned-net/transaction-below-lowest-objects'],
    lines: /^devnet only: .*\.executed_transaction\.(checkpoint|timestamp)$/,
    reason:
      'the node shows a transaction for a while after it has dropped its checkpoint; devnet drops both together',
  },
  {
    calls: ['objects/50-in-one-call', 'objects/2000-in-one-call'],
    lines: /^node only: \.objects\[\d+\]\.object\.reference\./,
    reason: 'some of these objects were made before the recording, and devnet does not have them',
  },
];

const bothOf = (cases: readonly string[]) =>
  cases.flatMap((name) => [`execute/${name}`, `transaction/${name}`]);

/**
 * Calls that are not sent to devnet. The recorded answers themselves are read, as the services read them, by
 * `grpc-node.recorded.test.ts` and `grpc-transactions.recorded-refusals.test.ts` of the package ledger.
 */
export const NOT_REPLAYED: readonly Omit<AcceptedDifference, 'lines'>[] = [
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

/** Names of the calls in the table. */
export const NOT_REPLAYED_CALLS: ReadonlySet<string> = new Set(
  NOT_REPLAYED.flatMap(({ calls }) => calls),
);
