import { bcs } from '@iota/iota-sdk/bcs';

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
/** With its version, and without the data about the end of an epoch. */
export const CheckpointSummary = bcs.enum('VersionedCheckpointSummary', { V1 });
