import { invalidParams, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { optional, readInteger, readLimit, readText } from '../../json-rpc/read-params.js';
import type { RpcMethod } from '../rpc-method.js';
import { showCheckpoint } from './show-checkpoint.js';

const MAX_PAGE = 100;

export const getCheckpoint: RpcMethod = {
  name: 'iota_getCheckpoint',
  params: ['id'],
  summary: 'One checkpoint by sequence number or digest.',
  run({ view, profile }, [id]) {
    const text = typeof id === 'number' ? String(id) : readText(id, 'id');
    const found = view.getCheckpoint(/^\d+$/.test(text) ? Number(text) : text);
    if (found === null) {
      const name = /^\d+$/.test(text) ? 'sequence number' : 'digest';
      throw new JsonRpcError(
        JsonRpcCode.invalidRequest,
        `Verified checkpoint not found for ${name}: ${text}`,
      );
    }
    return showCheckpoint(found, profile);
  },
};

export const getCheckpoints: RpcMethod = {
  name: 'iota_getCheckpoints',
  params: ['cursor', 'limit', 'descending_order'],
  summary: 'Checkpoints, page by page; the cursor is exclusive.',
  run({ view, profile }, [cursor, limit, descending]) {
    const after = optional(cursor, 'cursor', readInteger);
    const count = readPageSize(limit);
    const found = view.listCheckpoints({
      limit: count + 1,
      descending: descending === true,
      ...(after !== null && { after: Number(after) }),
    });
    const data = found.slice(0, count);
    const last = data.at(-1)?.sequenceNumber;
    return {
      data: data.map((checkpoint) => showCheckpoint(checkpoint, profile)),
      nextCursor: last === undefined ? null : String(last),
      hasNextPage: found.length > count,
    };
  },
};

/** Other pages are cut to their limit; too large a page of checkpoints is refused. */
function readPageSize(limit: unknown): number {
  const asked = optional(limit, 'limit', readInteger);
  if (asked !== null && asked > BigInt(MAX_PAGE)) {
    throw invalidParams(`Page size limit ${asked} exceeds max limit ${MAX_PAGE}`);
  }
  return readLimit(limit, MAX_PAGE);
}

export const getLatestCheckpointSequenceNumber: RpcMethod = {
  name: 'iota_getLatestCheckpointSequenceNumber',
  params: [],
  summary: 'Number of the newest checkpoint.',
  run: ({ view }) => String(view.latestCheckpoint.sequenceNumber),
};

export const getTotalTransactionBlocks: RpcMethod = {
  name: 'iota_getTotalTransactionBlocks',
  params: [],
  summary: 'Number of transactions ever executed.',
  run: ({ view }) => String(view.transactionCount),
};
