import { bcs } from '@iota/iota-sdk/bcs';
import { base58 } from '@scure/base';

const NO_DIGEST = base58.encode(new Uint8Array(32));
const TIME = 1_790_000_000_000;

const V1 = bcs.struct('CheckpointSummary', {
  epoch: bcs.u64(),
  sequenceNumber: bcs.u64(),
  networkTotalTransactions: bcs.u64(),
  contentsDigest: bcs.ObjectDigest,
  previousDigest: bcs.option(bcs.ObjectDigest),
  gasCosts: bcs.fixedArray(5, bcs.u64()),
  timestampMs: bcs.u64(),
  commitments: bcs.vector(bcs.u8()),
  endsEpoch: bcs.bool(),
});
const Summary = bcs.enum('VersionedCheckpointSummary', { V1 });

/**
 * The summary of a checkpoint as a node over gRPC sends it. `network` distinguishes the digests of networks.
 */
export function summaryOf(number: number, perCheckpoint: number, network: number) {
  const data = Summary.serialize({
    V1: {
      epoch: 0,
      sequenceNumber: number,
      networkTotalTransactions: perCheckpoint * (number + 1),
      contentsDigest: NO_DIGEST,
      previousDigest: number === 0 ? null : base58.encode(digestOf(number - 1, network)),
      gasCosts: [0, 0, 0, 0, 0],
      timestampMs: TIME + 1_000 * number,
      commitments: [],
      endsEpoch: false,
    },
  }).toBytes();
  return { bcs: { data }, digest: { digest: digestOf(number, network) } };
}

function digestOf(number: number, network: number): Uint8Array {
  const digest = new Uint8Array(32).fill(network);
  new DataView(digest.buffer).setUint32(28, number);
  return digest;
}
