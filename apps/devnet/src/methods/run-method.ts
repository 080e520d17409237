import type { CallContext as Transport } from '@forecourt/json-rpc';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { isKnown, type RpcMethod } from './rpc-method.js';
import { type NodeDependencies, CallContext } from './call-context.js';
import { METHODS } from './method-table.js';

/** Methods of an IOTA node that devnet does not serve, by subject. */
export const UNAVAILABLE: Readonly<Record<string, readonly string[]>> = {
  'balances, metadata and supply of coin types': [
    'iotax_getAllBalances',
    'iotax_getCoinMetadata',
    'iotax_getTotalSupply',
  ],
  'counts and indexing of transactions': [
    'iota_getTotalTransactionBlocks',
    'iota_isTransactionIndexedOnNode',
  ],
  'dynamic fields': ['iotax_getDynamicFields', 'iotax_getDynamicFieldObject'],
  staking: [
    'iotax_getStakes',
    'iotax_getStakesByIds',
    'iotax_getTimelockedStakes',
    'iotax_getTimelockedStakesByIds',
    'iotax_getValidatorsApy',
    'iotax_getCommitteeInfo',
  ],
  names: [
    'iotax_iotaNamesLookup',
    'iotax_iotaNamesReverseLookup',
    'iotax_iotaNamesFindAllRegistrationNFTs',
  ],
  'view calls': ['iota_view'],
  'subscriptions to transactions': ['iotax_subscribeTransaction', 'iotax_unsubscribeTransaction'],
  'past versions of objects': [
    'iota_tryGetPastObject',
    'iota_tryGetObjectBeforeVersion',
    'iota_tryMultiGetPastObjects',
  ],
  'descriptions of structs, modules and packages': [
    'iota_getMoveFunctionArgTypes',
    'iota_getNormalizedMoveModule',
    'iota_getNormalizedMoveModulesByPackage',
    'iota_getNormalizedMoveStruct',
  ],
  indexer: [
    'iotax_getAllEpochAddressMetrics',
    'iotax_getCheckpointAddressMetrics',
    'iotax_getCirculatingSupply',
    'iotax_getCurrentEpoch',
    'iotax_getEpochMetrics',
    'iotax_getEpochs',
    'iotax_getLatestAddressMetrics',
    'iotax_getMoveCallMetrics',
    'iotax_getNetworkMetrics',
    'iotax_getParticipationMetrics',
    'iotax_getTotalTransactions',
  ],
};

const TOPICS: ReadonlyMap<string, string> = new Map(
  Object.entries(UNAVAILABLE).flatMap(([topic, names]) => names.map((name) => [name, topic])),
);

/** -32601: the text of a node, or the name of the part that devnet lacks. */
function unknownMethod(name: string): JsonRpcError {
  const topic = TOPICS.get(name);
  const message =
    topic === undefined
      ? 'Method not found'
      : `Method not available in devnet: ${name}. devnet has no ${topic}; use a node of a network instead`;
  return new JsonRpcError(JsonRpcCode.methodNotFound, message);
}

const BY_NAME: ReadonlyMap<string, RpcMethod> = new Map(
  METHODS.map((method) => [method.name, method]),
);

/**
 * Runs one method by name; parameters may be given by position or by name. Throws `JsonRpcError`,
 * `EngineError` and `ConnectionDropped`.
 */
export async function runMethod(
  node: NodeDependencies,
  name: string,
  params: unknown,
  transport: Transport,
): Promise<unknown> {
  const method = BY_NAME.get(name);
  if (method === undefined || !isKnown(method, node.profiles.current)) throw unknownMethod(name);
  return method.run(new CallContext(node, name, transport), byPosition(method, params));
}

function byPosition(method: RpcMethod, params: unknown): readonly unknown[] {
  if (Array.isArray(params)) return params;
  const named = (params ?? {}) as Record<string, unknown>;
  return method.params.map((name) => named[name]);
}
