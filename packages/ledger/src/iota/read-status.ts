import type { IotaClient } from '@iota/iota-sdk/client';
import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from './limits.js';
import type { AskedStatus } from './status-cache.js';

const SOFT_LOCK_MS = 12_000;

/** Asks a node for epoch, gas price and times. */
export async function readStatus(client: IotaClient): Promise<AskedStatus> {
  const state = await client.getLatestIotaSystemState();
  const epochStartedAt = Number(state.epochStartTimestampMs);
  return {
    epoch: BigInt(state.epoch),
    referenceGasPrice: BigInt(state.referenceGasPrice),
    epochStartedAt,
    epochEndsAt: epochStartedAt + Number(state.epochDurationMs),
    objectLockMs:
      Number(state.protocolVersion) < FIRST_PROTOCOL_WITHOUT_CERTIFICATES ? null : SOFT_LOCK_MS,
  };
}
