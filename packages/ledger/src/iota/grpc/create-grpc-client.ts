import { toHex } from '@iota/iota-sdk/utils';
import { LedgerService } from '../../node-messages/index.js';
import type { NodeClient } from '../client/node-client.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { fetchCheckpoint, fetchCheckpoints } from './grpc-checkpoints.js';
import { fetchSystemState } from './grpc-epochs.js';
import { countCoins, fetchObjects, listCoins } from './grpc-objects.js';
import {
  executeTransaction,
  fetchTransaction,
  fetchTransactions,
  simulateTransaction,
} from './grpc-transactions.js';
import { naturalOf } from './natural.js';
import type { CalledNode } from './node-layouts.js';

const NO_METHOD = -32_601;
/** A network is identified by this many bytes of the digest of its first checkpoint. */
const CHAIN_BYTES = 4;

/** Asks a node over gRPC. Rejects with other errors too for an answer that cannot be decoded. */
export function createGrpcClient(node: CalledNode): NodeClient {
  const { channel, layouts, endsAt } = node;
  const readInfo = (path: string) => {
    const request = { readMask: { paths: [path] } };
    return channel.unary(LedgerService.method.getServiceInfo, request, endsAt);
  };
  return {
    async getChainIdentifier() {
      const digest = (await readInfo('chain_id')).chainId?.digest ?? [];
      if (digest.length < CHAIN_BYTES) throw new Error('no digest of the first checkpoint');
      return toHex(Uint8Array.from(digest.slice(0, CHAIN_BYTES)));
    },
    async getLatestCheckpoint() {
      return naturalOf((await readInfo('executed_checkpoint_height')).executedCheckpointHeight);
    },
    getSystemState: () => fetchSystemState(node),
    getCheckpoint: (number) => fetchCheckpoint(node, number),
    getCheckpoints: (...page) => fetchCheckpoints(node, ...page),
    getObjects: (ids, _parts, knownVersions) => fetchObjects(node, ids, knownVersions),
    getParameters: (...named) => layouts.parametersOf(...named),
    getCoins: (owner, cursor) => listCoins(node, owner, cursor),
    countCoins: (owner) => countCoins(node, owner),
    getTransaction: (...wanted) => fetchTransaction(node, ...wanted),
    getTransactions: (...wanted) => fetchTransactions(node, ...wanted),
    queryTransactions: () => refuse('queryTransactions'),
    queryEvents: () => refuse('queryEvents'),
    dryRun: (bytes) => simulateTransaction(node, bytes),
    execute: (bytes, signatures) => executeTransaction(node, bytes, signatures),
  };
}

async function refuse(call: keyof NodeClient): Promise<never> {
  throw new NodeRefusal(`${call} is not available over gRPC`, NO_METHOD, undefined);
}
