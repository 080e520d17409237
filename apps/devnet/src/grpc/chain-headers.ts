import { CHAIN_NAME, lowestObjectsCheckpoint, serverName } from './describe-node.js';
import type { ServedNode } from './served-node.js';

/** The headers of every successful answer: what the node knows at this moment. */
export function chainHeaders(node: ServedNode): Readonly<Record<string, string>> {
  const { engine, fullNode, profiles } = node;
  const { sequenceNumber, timestampMs } = fullNode.latestCheckpoint;
  return {
    'x-iota-chain-id': engine.chainDigest,
    'x-iota-chain': CHAIN_NAME,
    'x-iota-epoch': String(fullNode.systemState().epoch),
    'x-iota-checkpoint-height': String(sequenceNumber),
    'x-iota-timestamp-ms': String(timestampMs),
    'x-iota-timestamp': new Date(timestampMs).toISOString(),
    'x-iota-lowest-available-checkpoint': String(engine.oldestCheckpoint),
    'x-iota-lowest-available-checkpoint-objects': String(lowestObjectsCheckpoint(node)),
    'x-iota-server': serverName(profiles.current),
  };
}
