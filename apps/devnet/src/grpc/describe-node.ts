import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import {
  EpochSchema,
  type GetEpochRequest,
  type GetEpochResponseSchema,
  type GetHealthRequest,
  type GetHealthResponseSchema,
  type GetServiceInfoRequest,
  GetServiceInfoResponseSchema,
} from '@forecourt/ledger/node-messages';
import { fromBase64 } from '@iota/iota-sdk/utils';
import { showProtocolConfig } from '../methods/chain/chain.js';
import { VALIDATOR_KEY, VALIDATOR_POWER } from '../methods/chain/show-system-state.js';
import { type NodeProfile, protocolVersionOf } from '../node/node-profile.js';
import type { LedgerView } from '../views/lagging-view.js';
import { encodeDigest } from './encode-transaction.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import { ReadMask } from './read-mask.js';
import type { ServedNode } from './served-node.js';

/** Nodes know the names of public networks only. */
export const CHAIN_NAME = 'unknown';
const HEALTHY_MS = 5_000;

/** As nodes call themselves: their version, and here what they are. */
export function serverName({ version }: NodeProfile): string {
  return `iota-node/${version === '2026' ? '1.36.0' : '1.21.0'}-devnet`;
}

/** The first checkpoint whose transactions are shown with all of their objects. */
export function lowestObjectsCheckpoint({ engine }: ServedNode): number {
  const [first] = engine.listTransactions({ after: engine.deletionsShownFrom - 1, limit: 1 });
  return first?.checkpoint ?? engine.oldestCheckpoint;
}

/** Throws `GrpcFailure` for a node whose newest checkpoint is too old. */
export function describeHealth(
  { latestCheckpoint }: LedgerView,
  { thresholdMs }: GetHealthRequest,
): MessageInitShape<typeof GetHealthResponseSchema> {
  const threshold = thresholdMs ?? BigInt(HEALTHY_MS);
  if (BigInt(Date.now() - latestCheckpoint.timestampMs) > threshold) {
    const text = `Latest checkpoint timestamp is beyond the threshold of ${threshold}ms`;
    throw failure(GrpcCode.unavailable, text);
  }
  return { executedCheckpointHeight: BigInt(latestCheckpoint.sequenceNumber) };
}

export function describeService(
  node: ServedNode,
  view: LedgerView,
  { readMask }: GetServiceInfoRequest,
): MessageInitShape<typeof GetServiceInfoResponseSchema> {
  const { engine, fullNode, profiles } = node;
  const usual = [
    'chain_id',
    'epoch',
    'executed_checkpoint_height',
    'executed_checkpoint_timestamp',
    'lowest_available_checkpoint',
    'lowest_available_checkpoint_objects',
  ];
  const mask = ReadMask.read(readMask, usual, GetServiceInfoResponseSchema, profiles.current);
  const { sequenceNumber, timestampMs } = view.latestCheckpoint;
  return mask.pick(GetServiceInfoResponseSchema, {
    chainId: encodeDigest(engine.chainDigest),
    chain: CHAIN_NAME,
    epoch: fullNode.systemState().epoch,
    executedCheckpointHeight: BigInt(sequenceNumber),
    executedCheckpointTimestamp: timestampFromMs(timestampMs),
    lowestAvailableCheckpoint: BigInt(engine.oldestCheckpoint),
    lowestAvailableCheckpointObjects: BigInt(lowestObjectsCheckpoint(node)),
    server: serverName(profiles.current),
  });
}

/** A future epoch shows only its number. Throws `GrpcFailure` if the caller asks for its committee. */
export function describeEpoch(
  { engine, fullNode, profiles }: ServedNode,
  { epoch: requestedEpoch, readMask }: GetEpochRequest,
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
  const mask = ReadMask.read(readMask, usual, EpochSchema, profiles.current);
  const current = fullNode.systemState().epoch;
  const epoch = requestedEpoch ?? current;
  const known = epoch <= current ? engine.findEpoch(epoch) : null;
  if (!known) {
    if (mask.asks('committee')) {
      const text = `failed to merge epoch: Committee for epoch ${epoch} not found`;
      throw failure(GrpcCode.notFound, text);
    }
    return { epoch: mask.pick(EpochSchema, { epoch }) };
  }
  const isOver = epoch < current;
  return {
    epoch: mask.pick(EpochSchema, {
      epoch,
      committee: {
        epoch,
        members: {
          members: [{ publicKey: fromBase64(VALIDATOR_KEY), weight: BigInt(VALIDATOR_POWER) }],
        },
      },
      firstCheckpoint: BigInt(known.firstCheckpoint),
      ...(isOver && {
        lastCheckpoint: BigInt(known.lastCheckpoint!),
        end: timestampFromMs(known.endMs!),
      }),
      start: timestampFromMs(known.startMs),
      referenceGasPrice: known.referenceGasPrice,
      protocolConfig: protocolConfigFor(mask.under('protocol_config'), profiles.current),
    }),
  };
}

/** Flags and attributes are shown only if they are asked for by name. */
function protocolConfigFor(mask: ReadMask, profile: NodeProfile) {
  const version = protocolVersionOf(profile);
  const { featureFlags, attributes } = showProtocolConfig(version, version);
  const values = Object.entries(attributes).map(([name, value]): [string, string] => [
    name,
    Object.values(value)[0]!,
  ]);
  return {
    protocolVersion: BigInt(version),
    ...(mask.names('feature_flags') && {
      featureFlags: {
        flags: pickEntries(mask.under('feature_flags'), Object.entries(featureFlags)),
      },
    }),
    ...(mask.names('attributes') && {
      attributes: { attributes: pickEntries(mask.under('attributes'), values) },
    }),
  };
}

function pickEntries<T>(mask: ReadMask, entries: readonly [string, T][]): Record<string, T> {
  return Object.fromEntries(entries.filter(([name]) => mask.asks(name)));
}
