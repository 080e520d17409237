import type { Connections } from '../support/node-relay.js';
import type { Seeded } from '../support/seeded.js';

const EXECUTE = 'iota_executeTransactionBlock';

/** A fault in the format of devnet's control interface. */
export type LedgerFault = Readonly<Record<string, unknown>>;

/** Errors that a node or a balancer can also return after the transaction has been executed. */
const AFTER_EXECUTION = [
  'deadline',
  'certificate-expired',
  'size-limit',
  'not-supported',
  'invalid-params',
  'payload-too-large',
  'internal',
  'locked',
  'equivocated',
  'stale',
  'missing',
];
const FIRST_ANSWERS = ['timeout', 'no-finality', 'gateway-timeout', 'dropped'];
/** After an unknown outcome, a refusal does not tell whether the first submission was executed. */
const MEANWHILE = [
  'locked',
  'equivocated',
  'stale',
  'missing',
  'missing-package',
  'low-balance',
  'gas-price',
  'duplicate',
  'shared-version',
  'frozen',
  'wrong-sender',
  'verification-timeout',
  'bad-signature',
  'internal',
];

/** A fault of the ledger's node that lasts for some time or affects some submissions. */
export function planLedgerFault(seeded: Seeded): LedgerFault {
  const times = seeded.integer(1, 4);
  const ms = seeded.integer(200, 1_500);
  const forMs = seeded.integer(500, 2_500);
  return seeded.pick<LedgerFault>([
    { kind: 'loseReply', times },
    { kind: 'transient', when: 'before', times },
    { kind: 'transient', when: 'after', times },
    { kind: 'transient', when: 'later', afterMs: ms, times },
    { kind: 'transient', when: 'never', times },
    { kind: 'latency', minMs: 0, maxMs: ms, forMs },
    { kind: 'latency', ms: 7_000, times: 1, method: EXECUTE },
    { kind: 'mixAnswers', times },
    { kind: 'mixAnswers', times, method: EXECUTE },
    { kind: 'outOfRange', times },
    { kind: 'endless', times: 1 },
    { kind: 'lag', ms, forMs },
    { kind: 'down', mode: 'refuse', forMs: ms },
    { kind: 'down', mode: 'reset', forMs: ms },
    { kind: 'rateLimit', as: 'status', retryAfterSecs: 1, times },
    { kind: 'rateLimit', as: 'error', retryAfterSecs: 1, times },
    { kind: 'httpReply', status: 502, times },
    { kind: 'httpReply', status: 200, times, method: EXECUTE },
    { kind: 'refuse', method: EXECUTE, code: -32603, message: 'x', times },
    planFalseAnswer(seeded),
    planFalseAnswer(seeded),
    planLateLanding(seeded),
    planLateLanding(seeded),
  ]);
}

/** Transactions execute, but the answer is an error that reads like a refusal. */
export function planFalseAnswer(seeded: Seeded): LedgerFault {
  return {
    kind: 'misreport',
    preset: seeded.pick(AFTER_EXECUTION),
    times: seeded.integer(1, 4),
  };
}

/** The outcome is unknown, the transaction lands later, and the node refuses it in between. */
export function planLateLanding(seeded: Seeded): LedgerFault {
  return {
    kind: 'refuseMeanwhile',
    first: seeded.pick(FIRST_ANSWERS),
    preset: seeded.pick(MEANWHILE),
    afterMs: seeded.integer(200, 4_000),
    times: seeded.integer(1, 4),
  };
}

/** The node's address leads to another network for some time. */
export interface Detour {
  readonly connections: Connections;
  readonly forMs: number;
}

export function planDetour(seeded: Seeded, connections: Connections): Detour {
  return { connections, forMs: seeded.integer(200, 3_000) };
}
