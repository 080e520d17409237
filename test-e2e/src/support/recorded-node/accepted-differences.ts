/** Calls, and why their answers may differ. */
export interface AcceptedDifference {
  readonly calls: readonly string[];
  readonly reason: string;
}

/** Calls that devnet answers differently by intention. docs/devnet.md describes them by topic. */
export const ACCEPTED_DIFFERENCES: readonly AcceptedDifference[] = [
  {
    calls: ['api-version', 'is-indexed', 'system-state-v2'],
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
    reason: 'the data of invalid parameters name the parameter; code and message are the node’s',
  },
  {
    calls: ['coins-unknown-type'],
    reason: 'the recorded call names its owner in short form, which devnet accepts',
  },
  {
    calls: ['query-changed', 'query-from-and-to', 'query-input', 'query-kind'],
    reason:
      'older nodes, and nodes with an indexer, answer these filters; devnet answers every one',
  },
  {
    calls: ['equivocation-b', 'equivocation-b-again'],
    reason:
      'a race of two transactions over one coin, which sequential calls cannot repeat; locks have the newer text',
  },
  {
    calls: ['events-all', 'events-time'],
    reason: 'a page without events has no cursor; a real network has events from its beginning',
  },
  {
    calls: ['coin-metadata', 'total-supply', 'normalized-module-unknown'],
    reason: 'no part of the project uses these methods, and devnet does not serve them',
  },
  {
    calls: ['normalized-function-unknown'],
    reason:
      'behind the node’s words, devnet says that it executes no Move code and what to use instead',
  },
  {
    calls: ['move-abort'],
    reason: 'devnet runs no bytecode and cannot name the instruction that aborts',
  },
  {
    calls: ['multi-get-tx-unknown'],
    reason: 'the node’s text is about balance changes of a transaction that does not exist',
  },
  {
    calls: ['protocol-config'],
    reason:
      'only the attributes that devnet enforces or clients read, and those of its protocol version',
  },
];

/** Names of the calls in the table. */
export const ACCEPTED_CALLS: ReadonlySet<string> = new Set(
  ACCEPTED_DIFFERENCES.flatMap(({ calls }) => calls),
);
