import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';
import { NodeAnswer } from '../answers/node-answer.js';
import type { LedgerStatus } from '../../ledger.js';
import type { CallSender } from '../transport/node-transport.js';

/** Interval of reads after the planned end of an epoch, until the next one begins. */
const OVERDUE_MS = 1_000;

/** Caches a node's status: neither epoch nor gas price changes before the epoch ends. */
export class StatusCache {
  #latest: { readonly status: Promise<LedgerStatus>; readonly askedAt: number } | null = null;
  #known: LedgerStatus | null = null;

  constructor(
    private readonly ask: () => Promise<LedgerStatus>,
    private readonly maxAgeMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** At most `maxAgeMs` old, if that is less than the cache allows. Rejects as `ask` does. */
  read(maxAgeMs = this.maxAgeMs): Promise<LedgerStatus> {
    const now = this.now();
    if (this.#latest && now - this.#latest.askedAt < Math.min(maxAgeMs, this.allowedAge(now))) {
      return this.#latest.status;
    }
    const status = this.ask();
    this.#latest = { status, askedAt: now };
    status.then(
      (answer) => (this.#known = answer),
      () => {
        if (this.#latest?.status === status) this.#latest = null;
      },
    );
    return status;
  }

  /**
   * Reports that a transaction was executed in this epoch: a cached status of an earlier one is
   * stale.
   */
  noteEpoch(epoch: bigint): void {
    if (this.#known && epoch > this.#known.epoch) this.#latest = null;
  }

  private allowedAge(now: number): number {
    const isOverdue = this.#known !== null && now >= this.#known.epochEndsAt;
    return isOverdue ? Math.min(OVERDUE_MS, this.maxAgeMs) : this.maxAgeMs;
  }
}

const SOFT_LOCK_MS = 12_000;

/**
 * Reads epoch, gas price and times from one node: the method depends on its version. Throws `NodeFailure` for a response
 * that lacks one of them.
 */
export async function readStatus(node: CallSender): Promise<LedgerStatus> {
  const state = await readSystemState(node);
  const epochStartedAt = state.field('epochStartTimestampMs').natural();
  const protocol = state.field('protocolVersion').natural();
  return {
    epoch: state.field('epoch').amount(),
    referenceGasPrice: state.field('referenceGasPrice').amount(),
    epochStartedAt,
    epochEndsAt: epochStartedAt + state.field('epochDurationMs').natural(),
    objectLockMs: protocol < FIRST_PROTOCOL_WITHOUT_CERTIFICATES ? null : SOFT_LOCK_MS,
  };
}

/** Nodes of this protocol and later ones show the state in a second version. */
const FIRST_PROTOCOL_OF_SECOND_STATE = 5;

async function readSystemState(node: CallSender): Promise<NodeAnswer> {
  // Nodes choose the present version of the protocol where none is given.
  const config = await NodeAnswer.to({ method: 'iota_getProtocolConfig', params: [null] }, node);
  const newest = Number(config.partOf('maxSupportedProtocolVersion')?.raw);
  const method = 'iotax_getLatestIotaSystemState';
  if (newest >= FIRST_PROTOCOL_OF_SECOND_STATE) {
    const state = await NodeAnswer.to({ method: `${method}V2`, params: [] }, node);
    return state.field('V2').isAbsent ? state.field('V1') : state.field('V2');
  }
  return NodeAnswer.to({ method, params: [] }, node);
}

/** See `Ledger.checkpointTime`. */
export async function readCheckpointTime(node: CallSender): Promise<number> {
  const newest = { method: 'iota_getLatestCheckpointSequenceNumber', params: [] };
  const params = [String(await node.send(newest))];
  const checkpoint = await NodeAnswer.to({ method: 'iota_getCheckpoint', params }, node);
  return checkpoint.field('timestampMs').natural();
}
