import { FIRST_PROTOCOL_WITHOUT_CERTIFICATES } from '../limits.js';
import { NodeAnswer } from '../answers/node-answer.js';
import type { LedgerStatus } from '../../ledger.js';
import type { CallSender } from '../transport/node-transport.js';

const SOFT_LOCK_MS = 12_000;

/**
 * Reads epoch, gas price and times from one node: the method depends on its version. Throws `NodeFailure` for
 * a response that lacks one of them.
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
