import type { LedgerStatus } from '../../ledger.js';
import type { NodeClient } from '../client/node-client.js';
import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';

const SOFT_LOCK_MS = 12_000;

/** Reads epoch, gas price and times from one node. */
export async function readStatus(node: NodeClient): Promise<LedgerStatus> {
  const state = await node.getSystemState();
  const { epoch, referenceGasPrice, epochStartedAt, epochDurationMs, protocolVersion } = state;
  return {
    epoch,
    referenceGasPrice,
    epochStartedAt,
    epochEndsAt: epochStartedAt + epochDurationMs,
    objectLockMs: protocolVersion < FIRST_PROTOCOL_WITHOUT_CERTIFICATES ? null : SOFT_LOCK_MS,
  };
}

/** See `Ledger.checkpointTime`. */
export async function readCheckpointTime(node: NodeClient): Promise<number> {
  const { timestampMs } = await node.getCheckpoint(await node.getLatestCheckpoint());
  return Number(timestampMs);
}
