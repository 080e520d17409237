import type { Difference } from './replay-recording.js';

/** Calls, and why their answers may differ. */
export interface AcceptedDifference {
  readonly calls: readonly string[];
  /** The lines that may differ: all others are compared. */
  readonly lines: RegExp;
  readonly reason: string;
}

const UNKNOWN_METHOD = /^(node: \{"code":-32601|devnet: (a result$|\{"code":-32601))/;

/** Calls that devnet answers differently by intention. docs/devnet.md describes them by topic. */
export const ACCEPTED_DIFFERENCES: readonly AcceptedDifference[] = [
  {
    calls: ['api-version', 'is-indexed', 'system-state-v2'],
    lines: UNKNOWN_METHOD,
    reason: 'newer nodes have these methods, and the SDK calls them',
  },
  {
    calls: [
      'bytes-not-base64',
      'coins-bad-address',
      'get-object-bad',
      'get-tx-bad-digest',
      'params-missing',
      'request-type-unknown',
    ],
    lines: /^(node|devnet): \{"code":-32602,"message":"Invalid params","data":"/,
    reason: 'the data of invalid parameters name the parameter; code and message are the node’s',
  },
  {
    calls: ['coins-unknown-type'],
    lines: /^(node: \{"code":-32602|devnet: a result$)/,
    reason: 'the recorded call names its owner in short form, which devnet accepts',
  },
  {
    calls: ['query-changed', 'query-from-and-to', 'query-input', 'query-kind'],
    lines: /^(node: .*: Unsupported\(|devnet: a result$)/,
    reason:
      'older nodes, and nodes with an indexer, answer these filters; devnet answers every one',
  },
  {
    calls: ['equivocation-b', 'equivocation-b-again'],
    lines: /^(node: \{"code":-32002|devnet: a result$)/,
    reason:
      'a race of two transactions over one coin, which sequential calls cannot repeat; locks have the newer text',
  },
  {
    calls: ['events-all', 'events-time'],
    lines: / only: \.nextCursor[.:]/,
    reason: 'a page without events has no cursor; a real network has events from its beginning',
  },
  {
    calls: ['coin-metadata', 'total-supply', 'normalized-module-unknown'],
    lines: /^(node: (a result$|.*Package object does not exist)|devnet: \{"code":-32601)/,
    reason: 'no part of the project uses these methods, and devnet does not serve them',
  },
  {
    calls: ['normalized-function-unknown'],
    lines: /: \{"code":-32602,"message":"No function was found with function name nope/,
    reason:
      'behind the node’s words, devnet says that it executes no Move code and what to use instead',
  },
  {
    calls: ['move-abort'],
    lines:
      / only: \.effects\.status\.error: MoveAbort\(MoveLocation .*"balance".*, function: 7, instruction: \d+/,
    reason: 'devnet runs no bytecode and cannot name the instruction that aborts',
  },
  {
    calls: ['multi-get-tx-unknown'],
    lines: /^(node|devnet): \{"code":-32602/,
    reason: 'the node’s text is about balance changes of a transaction that does not exist',
  },
  {
    calls: ['protocol-config'],
    lines: /^(node|devnet) only: \.(attributes|featureFlags)\./,
    reason:
      'only the attributes that devnet enforces or clients read, and those of its protocol version',
  },
];

/** The lines that no entry of the table accepts, and the calls in the table that do not differ. */
export function findUnaccepted(
  table: readonly AcceptedDifference[],
  differences: readonly Difference[],
): readonly Difference[] {
  const differing = new Set(differences.map(({ name }) => name));
  const alike = table.flatMap(({ calls }) => calls).filter((name) => !differing.has(name));
  return [
    ...differences.flatMap(({ name, lines }) => {
      const accepted = table.find(({ calls }) => calls.includes(name));
      const others = accepted ? lines.filter((line) => !accepted.lines.test(line)) : lines;
      return others.length > 0 ? [{ name, lines: others }] : [];
    }),
    ...alike.map((name) => ({ name, lines: ['accepted without a difference'] })),
  ];
}
