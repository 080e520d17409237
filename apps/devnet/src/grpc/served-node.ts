import type { EngineInterface } from '../engine/engine-interface.js';
import type { FullNode } from '../engine/full-node.js';
import type { FaultyCalls } from '../faults/faulty-calls.js';
import type { NodeProfiles } from '../node/node-profiles.js';

/** The node that the gRPC services serve. */
export interface ServedNode {
  readonly engine: EngineInterface;
  readonly fullNode: FullNode;
  readonly profiles: NodeProfiles;
  readonly faultyCalls: FaultyCalls;
}

/**
 * The JSON-RPC method that a method of gRPC stands for: faults, counters and lags name the calls of both
 * dialects by it.
 */
export const EQUIVALENTS = {
  GetChainId: 'iota_getChainIdentifier',
  GetServiceInfo: 'iota_getLatestCheckpointSequenceNumber',
  GetObjects: 'iota_multiGetObjects',
  GetTransactions: 'iota_getTransactionBlock',
  GetCheckpoint: 'iota_getCheckpoint',
  GetEpoch: 'iotax_getLatestIotaSystemState',
  ListCoins: 'iotax_getCoins',
  ListOwnedObjects: 'iotax_getOwnedObjects',
  ExecuteTransactions: 'iota_executeTransactionBlock',
  SimulateTransactions: 'iota_dryRunTransactionBlock',
  GetHealth: 'GetHealth',
  GetCoinInfo: 'GetCoinInfo',
  ListDynamicFields: 'ListDynamicFields',
  ListPackageVersions: 'ListPackageVersions',
  StreamCheckpoints: 'StreamCheckpoints',
} as const;
