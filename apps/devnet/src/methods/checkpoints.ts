import { invalidParams, JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { optional, readInteger, readLimit, readText } from '../json-rpc/read-params.js';
import type { RpcMethod } from './rpc-method.js';
import type { CheckpointRecord } from '../engine/engine-interface.js';
import { type NodeProfile, protocolVersionOf } from '../node/node-profile.js';
import { VALIDATOR_KEY, VALIDATOR_STAKE } from './chain/show-system-state.js';

const MAX_PAGE = 100;

export const getCheckpoint: RpcMethod = {
  name: 'iota_getCheckpoint',
  params: ['id'],
  summary: 'One checkpoint by sequence number or digest.',
  run({ view, profile }, [id]) {
    const text = typeof id === 'number' ? String(id) : readText(id, 'id');
    const checkpoint = view.getCheckpoint(/^\d+$/.test(text) ? Number(text) : text);
    if (checkpoint === null) {
      const name = /^\d+$/.test(text) ? 'sequence number' : 'digest';
      throw new JsonRpcError(
        JsonRpcCode.invalidRequest,
        `Verified checkpoint not found for ${name}: ${text}`,
      );
    }
    return showCheckpoint(checkpoint, profile);
  },
};

export const getCheckpoints: RpcMethod = {
  name: 'iota_getCheckpoints',
  params: ['cursor', 'limit', 'descending_order'],
  summary: 'Checkpoints, page by page; the cursor is exclusive.',
  run({ view, profile }, [cursor, limit, descending]) {
    const after = optional(cursor, 'cursor', readInteger);
    const count = readPageSize(limit);
    const checkpoints = view.listCheckpoints({
      limit: count + 1,
      descending: descending === true,
      ...(after !== null && { after: Number(after) }),
    });
    const data = checkpoints.slice(0, count);
    const last = data.at(-1)?.sequenceNumber;
    return {
      data: data.map((checkpoint) => showCheckpoint(checkpoint, profile)),
      nextCursor: last === undefined ? null : String(last),
      hasNextPage: checkpoints.length > count,
    };
  },
};

/** Other pages are cut to their limit; too large a page of checkpoints is refused. */
function readPageSize(limit: unknown): number {
  const pageSize = optional(limit, 'limit', readInteger);
  if (pageSize !== null && pageSize > BigInt(MAX_PAGE)) {
    throw invalidParams(`Page size limit ${pageSize} exceeds max limit ${MAX_PAGE}`);
  }
  return readLimit(limit, MAX_PAGE);
}

export const getLatestCheckpointSequenceNumber: RpcMethod = {
  name: 'iota_getLatestCheckpointSequenceNumber',
  params: [],
  summary: 'Number of the newest checkpoint.',
  run: ({ view }) => String(view.latestCheckpoint.sequenceNumber),
};

/** Length of an aggregated BLS signature; a devnet's single validator does not make one. */
const NO_SIGNATURE = Buffer.alloc(48).toString('base64');

/** A checkpoint as a node shows it; counts and totals are strings. */
function showCheckpoint(checkpoint: CheckpointRecord, profile: NodeProfile): object {
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
