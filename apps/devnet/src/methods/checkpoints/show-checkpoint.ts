import type { CheckpointRecord } from '../../engine/engine-interface.js';
import type { NodeProfile } from '../../node/node-profile.js';
import { protocolVersionOf } from '../../node/protocol-version.js';
import { VALIDATOR_KEY, VALIDATOR_STAKE } from '../chain/show-system-state.js';

/** Length of an aggregated BLS signature; a devnet's single validator does not make one. */
const NO_SIGNATURE = Buffer.alloc(48).toString('base64');

/** A checkpoint as a node shows it; counts and totals are strings. */
export function showCheckpoint(checkpoint: CheckpointRecord, profile: NodeProfile): object {
  const gas = checkpoint.epochRollingGasCostSummary;
  return {
    epoch: String(checkpoint.epoch),
    sequenceNumber: String(checkpoint.sequenceNumber),
    digest: checkpoint.digest,
    networkTotalTransactions: String(checkpoint.networkTotalTransactions),
    ...(checkpoint.previousDigest !== null && { previousDigest: checkpoint.previousDigest }),
    epochRollingGasCostSummary: {
      computationCost: String(gas.computationCost),
      computationCostBurned: String(gas.computationCostBurned),
      storageCost: String(gas.storageCost),
      storageRebate: String(gas.storageRebate),
      nonRefundableStorageFee: String(gas.nonRefundableStorageFee),
    },
    timestampMs: String(checkpoint.timestampMs),
    ...(checkpoint.endOfEpoch && {
      endOfEpochData: {
        nextEpochCommittee: [[VALIDATOR_KEY, VALIDATOR_STAKE]],
        nextEpochProtocolVersion: String(protocolVersionOf(profile)),
        epochCommitments: [],
        epochSupplyChange: 0,
      },
    }),
    transactions: checkpoint.transactions,
    checkpointCommitments: [],
    validatorSignature: NO_SIGNATURE,
  };
}
