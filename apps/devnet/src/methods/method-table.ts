import {
  getChainIdentifier,
  getLatestSystemState,
  getLatestSystemStateV2,
  getProtocolConfig,
  getReferenceGasPrice,
} from './chain/get-chain.js';
import {
  getCheckpoint,
  getCheckpoints,
  getLatestCheckpointSequenceNumber,
  getTotalTransactionBlocks,
} from './checkpoints/get-checkpoints.js';
import { getAllBalances, getBalance } from './coins/get-balance.js';
import { getCoinMetadata, getTotalSupply } from './coins/get-coin-metadata.js';
import { getAllCoins, getCoins } from './coins/get-coins.js';
import { discoverMethod, getRpcApiVersion } from './discover.js';
import {
  getLedgerEvents,
  subscribeLedgerEvent,
  unsubscribeLedgerEvent,
} from './events/ledger-events.js';
import { getEvents, queryEvents } from './events/query-events.js';
import { subscribeEvent, unsubscribeEvent } from './events/subscribe-event.js';
import { getNormalizedMoveFunction, getNormalizedMoveModule } from './move/get-normalized.js';
import { getObject, multiGetObjects } from './objects/get-object.js';
import { getOwnedObjects } from './objects/get-owned-objects.js';
import type { RpcMethod } from './rpc-method.js';
import { devInspectTransactionBlock } from './transactions/dev-inspect-transaction-block.js';
import { dryRunTransactionBlock } from './transactions/dry-run-transaction-block.js';
import { executeTransactionBlock } from './transactions/execute-transaction-block.js';
import {
  getTransactionBlock,
  isTransactionIndexed,
  multiGetTransactionBlocks,
} from './transactions/get-transaction-block.js';
import { queryTransactionBlocks } from './transactions/query-transaction-blocks.js';

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
  getAllBalances,
  getCoinMetadata,
  getTotalSupply,

  getObject,
  multiGetObjects,
  getOwnedObjects,

  devInspectTransactionBlock,
  dryRunTransactionBlock,
  executeTransactionBlock,
  getTransactionBlock,
  multiGetTransactionBlocks,
  isTransactionIndexed,
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
  getTotalTransactionBlocks,

  getNormalizedMoveFunction,
  getNormalizedMoveModule,
];

/** All methods of the node. */
export const METHODS: readonly RpcMethod[] = [...LEDGER_METHODS, discoverMethod(LEDGER_METHODS)];
