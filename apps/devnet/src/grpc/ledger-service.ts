import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  CheckpointDataSchema,
  EpochSchema,
  type GetCheckpointRequest,
  type GetEpochRequest,
  GetEpochResponseSchema,
  GetHealthResponseSchema,
  type GetObjectsRequest,
  GetObjectsResponseSchema,
  type GetServiceInfoRequest,
  GetServiceInfoResponseSchema,
  type GetTransactionsRequest,
  GetTransactionsResponseSchema,
  ObjectResultSchema,
  type StreamCheckpointsRequest,
  TransactionResultSchema,
} from '@forecourt/node-messages';
import { status, type UntypedServiceImplementation } from '@grpc/grpc-js';
import { showProtocolConfig } from '../methods/chain/chain.js';
import { protocolVersionOf } from '../node/node-profile.js';
import { chooseView, type LedgerView } from '../views/lagging-view.js';
import { readCheckpoint, streamCheckpoints } from './checkpoint-stream.js';
import { encodeDigest } from './encode-transaction.js';
import type { GrpcCalls } from './grpc-calls.js';
import { EQUIVALENTS, type ServedNode } from './served-node.js';
import { failure } from './grpc-status.js';
import { inMessages, messageLimit } from './message-size.js';
import { readObjects, readTransactions } from './read-items.js';
import { ReadMask } from './read-mask.js';

const SERVER = 'forecourt-devnet';

/** The methods of `LedgerService`. */
export function ledgerService(calls: GrpcCalls, node: ServedNode): UntypedServiceImplementation {
  const { fullNode, faultyCalls } = node;
  const guarded = <T>(name: string, run: (view: LedgerView) => T): Promise<T> =>
    faultyCalls.run(name, [], async () => run(chooseView(fullNode, faultyCalls.faults, name)));
  return {
    GetHealth: calls.unary(EQUIVALENTS.GetHealth, GetHealthResponseSchema, () =>
      guarded(EQUIVALENTS.GetHealth, ({ latestCheckpoint }) => ({
        executedCheckpointHeight: BigInt(latestCheckpoint.sequenceNumber),
      })),
    ),
    GetServiceInfo: calls.unary(
      nameOfInfo,
      GetServiceInfoResponseSchema,
      (request: GetServiceInfoRequest) =>
        guarded(nameOfInfo(request), (view) => describeService(node, view, request)),
    ),
    GetEpoch: calls.unary(
      EQUIVALENTS.GetEpoch,
      GetEpochResponseSchema,
      (request: GetEpochRequest) =>
        guarded(EQUIVALENTS.GetEpoch, () => describeEpoch(node, request)),
    ),
    GetObjects: calls.stream(
      EQUIVALENTS.GetObjects,
      GetObjectsResponseSchema,
      async function* (request: GetObjectsRequest) {
        const results = await guarded(EQUIVALENTS.GetObjects, (view) =>
          readObjects(node, view, request),
        );
        const limit = messageLimit(request.maxMessageSizeBytes);
        for (const [objects, hasNext] of inMessages(ObjectResultSchema, results, limit)) {
          yield { objects, hasNext };
        }
      },
    ),
    GetTransactions: calls.stream(
      EQUIVALENTS.GetTransactions,
      GetTransactionsResponseSchema,
      async function* (request: GetTransactionsRequest) {
        const results = await guarded(EQUIVALENTS.GetTransactions, (view) =>
          readTransactions(node, view, request),
        );
        const limit = messageLimit(request.maxMessageSizeBytes);
        for (const [transactionResults, hasNext] of inMessages(
          TransactionResultSchema,
          results,
          limit,
        )) {
          yield { transactionResults, hasNext };
        }
      },
    ),
    GetCheckpoint: calls.stream(
      EQUIVALENTS.GetCheckpoint,
      CheckpointDataSchema,
      async function* (request: GetCheckpointRequest) {
        yield* await guarded(EQUIVALENTS.GetCheckpoint, (view) =>
          readCheckpoint(node, view, request),
        );
      },
    ),
    StreamCheckpoints: calls.stream(
      EQUIVALENTS.StreamCheckpoints,
      CheckpointDataSchema,
      async function* (request: StreamCheckpointsRequest, cancelled) {
        await guarded(EQUIVALENTS.StreamCheckpoints, () => undefined);
        yield* streamCheckpoints(node, request, cancelled);
      },
    ),
  };
}

/** Callers that ask for nothing else identify the chain. */
function nameOfInfo({ readMask }: GetServiceInfoRequest): string {
  const isIdentity = readMask?.paths.length === 1 && readMask.paths[0] === 'chain_id';
  return isIdentity ? EQUIVALENTS.GetChainId : EQUIVALENTS.GetServiceInfo;
}

function describeService(
  { engine, fullNode }: ServedNode,
  view: LedgerView,
  { readMask }: GetServiceInfoRequest,
): MessageInitShape<typeof GetServiceInfoResponseSchema> {
  const usual = [
    'chain_id',
    'epoch',
    'executed_checkpoint_height',
    'executed_checkpoint_timestamp',
    'lowest_available_checkpoint',
    'lowest_available_checkpoint_objects',
  ];
  const mask = ReadMask.read(readMask, usual, GetServiceInfoResponseSchema);
  const { sequenceNumber, timestampMs } = view.latestCheckpoint;
  const [first] = engine.listTransactions({ after: engine.deletionsShownFrom - 1, limit: 1 });
  return mask.pick(GetServiceInfoResponseSchema, {
    chainId: encodeDigest(engine.chainDigest),
    chain: 'unknown',
    epoch: fullNode.systemState().epoch,
    executedCheckpointHeight: BigInt(sequenceNumber),
    executedCheckpointTimestamp: timestampFromMs(timestampMs),
    lowestAvailableCheckpoint: BigInt(engine.oldestCheckpoint),
    lowestAvailableCheckpointObjects: BigInt(first?.checkpoint ?? engine.oldestCheckpoint),
    server: SERVER,
  });
}

/** The engine knows the current epoch only. */
function describeEpoch(
  { engine, fullNode, profiles }: ServedNode,
  { epoch: asked, readMask }: GetEpochRequest,
): MessageInitShape<typeof GetEpochResponseSchema> {
  const usual = [
    'epoch',
    'first_checkpoint',
    'last_checkpoint',
    'start',
    'end',
    'reference_gas_price',
    'protocol_config.protocol_version',
  ];
  const mask = ReadMask.read(readMask, usual, EpochSchema);
  const { epoch, epochStartMs, referenceGasPrice } = fullNode.systemState();
  if (asked !== undefined && asked !== epoch) {
    throw failure(status.NOT_FOUND, `Epoch ${asked} not found`);
  }
  const version = protocolVersionOf(profiles.current);
  const { featureFlags, attributes } = showProtocolConfig(version, version);
  return {
    epoch: mask.pick(EpochSchema, {
      epoch,
      firstCheckpoint: BigInt(firstCheckpointOf(epoch, engine)),
      start: timestampFromMs(epochStartMs),
      referenceGasPrice,
      protocolConfig: {
        protocolVersion: BigInt(version),
        featureFlags: { flags: featureFlags },
        attributes: {
          attributes: Object.fromEntries(
            Object.entries(attributes).map(([name, value]) => [name, Object.values(value)[0]!]),
          ),
        },
      },
    }),
  };
}

/** By bisection: epochs of checkpoints ascend. */
function firstCheckpointOf(epoch: bigint, engine: ServedNode['engine']): number {
  let low = engine.oldestCheckpoint;
  let high = engine.latestCheckpoint.sequenceNumber + 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((engine.getCheckpoint(middle)?.epoch ?? epoch) < epoch) low = middle + 1;
    else high = middle;
  }
  return low;
}
