import type { IotaClient } from '@iota/iota-sdk/client';
import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';
import { NodeAnswer } from './node-answer.js';
import type { AskedStatus } from './status-cache.js';

const SOFT_LOCK_MS = 12_000;

/**
 * Reads epoch, gas price and times from a node. Throws `NodeFailure` for a response that lacks one
 * of them.
 */
export async function readStatus(client: IotaClient): Promise<AskedStatus> {
  const state = await NodeAnswer.to('iotax_getLatestIotaSystemState', () =>
    client.getLatestIotaSystemState(),
  );
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
