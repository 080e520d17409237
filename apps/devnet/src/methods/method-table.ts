import {
  getChainIdentifier,
  getLatestSystemState,
  getLatestSystemStateV2,
  getProtocolConfig,
  getReferenceGasPrice,
} from './chain/chain.js';
import { getCheckpoint, getCheckpoints, getLatestCheckpointSequenceNumber } from './checkpoints.js';
import { getBalance, getAllCoins, getCoins } from './coin-methods.js';
import {
  getLedgerEvents,
  subscribeLedgerEvent,
  unsubscribeLedgerEvent,
  subscribeEvent,
  unsubscribeEvent,
} from './events/subscriptions.js';
import { getEvents, queryEvents } from './events/query-events.js';
import { getNormalizedMoveFunction } from './move/normalized-functions.js';
import { getObject, multiGetObjects, getOwnedObjects } from './objects/objects.js';
import { isKnown, type RpcMethod } from './rpc-method.js';
import {
  devInspectTransactionBlock,
  dryRunTransactionBlock,
} from './transactions/simulate-transactions.js';
import { executeTransactionBlock } from './transactions/execute-transaction-block.js';
import {
  getTransactionBlock,
  multiGetTransactionBlocks,
  queryTransactionBlocks,
} from './transactions/read-transactions.js';

/** Version of the node software that has this interface. */
const API_VERSION = '1.15.0';

/** `rpc.discover` for these methods: an OpenRPC document without schemas. */
function discoverMethod(methods: readonly RpcMethod[]): RpcMethod {
  return {
    name: 'rpc.discover',
    params: [],
    summary: 'This document.',
    run: ({ profile }) => ({
      openrpc: '1.2.6',
      info: { title: 'Forecourt devnet JSON-RPC', version: API_VERSION },
      methods: methods
        .filter((method) => isKnown(method, profile))
        .map(({ name, params, summary }) => ({
          name,
          description: summary,
          params: params.map((param) => ({ name: param, schema: {} })),
          result: { name: 'result', schema: {} },
        })),
    }),
  };
}

const getRpcApiVersion: RpcMethod = {
  name: 'iota_getRpcApiVersion',
  params: [],
  summary: 'The version of this interface.',
  run: () => API_VERSION,
};

const LEDGER_METHODS: readonly RpcMethod[] = [
  getChainIdentifier,
  getReferenceGasPrice,
  getLatestSystemState,
  getLatestSystemStateV2,
  getProtocolConfig,
  getRpcApiVersion,

  getCoins,
  getAllCoins,
  getBalance,

  getObject,
  multiGetObjects,
  getOwnedObjects,

  devInspectTransactionBlock,
  dryRunTransactionBlock,
  executeTransactionBlock,
  getTransactionBlock,
  multiGetTransactionBlocks,
  queryTransactionBlocks,

  getEvents,
  queryEvents,
  subscribeEvent,
  unsubscribeEvent,
  getLedgerEvents,
  subscribeLedgerEvent,
  unsubscribeLedgerEvent,

  getCheckpoint,
  getCheckpoints,
  getLatestCheckpointSequenceNumber,

  getNormalizedMoveFunction,
];

/** All methods of the node. */
export const METHODS: readonly RpcMethod[] = [...LEDGER_METHODS, discoverMethod(LEDGER_METHODS)];
