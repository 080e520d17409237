import {
  getChainIdentifier,
  getCommitteeInfo,
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
import {
  getCirculatingSupply,
  getCoinMetadata,
  getTotalSupply,
} from './coins/get-coin-metadata.js';
import { getAllCoins, getCoins } from './coins/get-coins.js';
import { discoverMethod, getRpcApiVersion } from './discover.js';
import {
  getLedgerEvents,
  subscribeLedgerEvent,
  unsubscribeLedgerEvent,
} from './events/ledger-events.js';
import { getEvents, queryEvents } from './events/query-events.js';
import { subscribeEvent, unsubscribeEvent } from './events/subscribe-event.js';
import {
  getMoveFunctionArgTypes,
  getNormalizedMoveFunction,
  getNormalizedMoveModule,
  getNormalizedMoveModulesByPackage,
  getNormalizedMoveStruct,
} from './move/get-normalized.js';
import { getObject, multiGetObjects } from './objects/get-object.js';
import { getOwnedObjects } from './objects/get-owned-objects.js';
import { tryGetPastObject, tryMultiGetPastObjects } from './objects/try-get-past-object.js';
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
  getCommitteeInfo,
  getRpcApiVersion,

  getCoins,
  getAllCoins,
  getBalance,
  getAllBalances,
  getCoinMetadata,
  getTotalSupply,
  getCirculatingSupply,

  getObject,
  multiGetObjects,
  getOwnedObjects,
  tryGetPastObject,
  tryMultiGetPastObjects,

  dryRunTransactionBlock,
  devInspectTransactionBlock,
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
  getNormalizedMoveModulesByPackage,
  getNormalizedMoveStruct,
  getMoveFunctionArgTypes,
];

/** Everything the node serves. */
export const METHODS: readonly RpcMethod[] = [...LEDGER_METHODS, discoverMethod(LEDGER_METHODS)];
