import { create } from '@bufbuild/protobuf';
import { type Checkpoint, CheckpointSchema } from '@forecourt/ledger/node-messages';
import { bcs } from '@iota/iota-sdk/bcs';
import { fromBase64 } from '@iota/iota-sdk/utils';
import type { CheckpointRecord, ExecutedTransaction } from '../engine/engine-interface.js';
import { digestOf } from '../engine/hash.js';
import { VALIDATOR_KEY, VALIDATOR_STAKE } from '../methods/chain/show-system-state.js';
import { versioned } from './encode-object.js';
import { encodeDigest } from './encode-transaction.js';
import type { ReadMask } from './read-mask.js';

const GasCosts = bcs.struct('GasCostSummary', {
  computationCost: bcs.u64(),
  computationCostBurned: bcs.u64(),
  storageCost: bcs.u64(),
  storageRebate: bcs.u64(),
  nonRefundableStorageFee: bcs.u64(),
});

const EndOfEpoch = bcs.struct('EndOfEpochData', {
  nextEpochCommittee: bcs.vector(
    bcs.struct('ValidatorCommitteeMember', { publicKey: bcs.byteVector(), stake: bcs.u64() }),
  ),
  nextEpochProtocolVersion: bcs.u64(),
  epochCommitments: bcs.vector(bcs.u8()),
  epochSupplyChange: bcs.u64(),
});

const Summary = bcs.struct('CheckpointSummary', {
  epoch: bcs.u64(),
  sequenceNumber: bcs.u64(),
  networkTotalTransactions: bcs.u64(),
  contentsDigest: bcs.ObjectDigest,
  previousDigest: bcs.option(bcs.ObjectDigest),
  epochRollingGasCostSummary: GasCosts,
  timestampMs: bcs.u64(),
  checkpointCommitments: bcs.vector(bcs.u8()),
  endOfEpochData: bcs.option(EndOfEpoch),
  versionSpecificData: bcs.byteVector(),
});

const Contents = bcs.enum('CheckpointContents', {
  V1: bcs.struct('CheckpointContentsV1', {
    digests: bcs.vector(
      bcs.struct('ExecutionDigests', { transaction: bcs.ObjectDigest, effects: bcs.ObjectDigest }),
    ),
    signatures: bcs.vector(bcs.vector(bcs.byteVector())),
  }),
});

const Signature = bcs.struct('ValidatorAggregatedSignature', {
  epoch: bcs.u64(),
  signature: bcs.fixedArray(48, bcs.u8()),
  bitmap: bcs.byteVector(),
});

/** An empty bitmap of signers: a devnet's single validator signs nothing. */
const NO_SIGNERS = Uint8Array.from([0x3a, 0x30, 0, 0, 0, 0, 0, 0]);

/** A checkpoint's header, with the parts that the mask asks for. */
export function encodeCheckpoint(
  checkpoint: CheckpointRecord,
  transactions: readonly ExecutedTransaction[],
  protocolVersion: number,
  mask: ReadMask,
): Checkpoint {
  const contents = encodeContents(transactions);
  const contentsDigest = digestOf('CheckpointContents', contents);
  const summary = () => encodeSummary(checkpoint, contentsDigest, protocolVersion);
  const message = create(CheckpointSchema, {
    ...(mask.asks('summary') && {
      summary: { digest: encodeDigest(checkpoint.digest), bcs: { data: summary() } },
    }),
    ...(mask.asks('contents') && {
      contents: { digest: encodeDigest(contentsDigest), bcs: { data: contents } },
    }),
    ...(mask.asks('signature') && { signature: { bcs: { data: noSignature(checkpoint) } } }),
  });
  const masked = mask.applyTo(CheckpointSchema, message);
  // Clients need it to put the parts of a checkpoint together.
  masked.sequenceNumber = BigInt(checkpoint.sequenceNumber);
  return masked;
}

function encodeSummary(
  checkpoint: CheckpointRecord,
  contentsDigest: string,
  protocolVersion: number,
): Uint8Array {
  const member = { publicKey: fromBase64(VALIDATOR_KEY), stake: VALIDATOR_STAKE };
  const summary = {
    epoch: checkpoint.epoch,
    sequenceNumber: checkpoint.sequenceNumber,
    networkTotalTransactions: checkpoint.networkTotalTransactions,
    contentsDigest,
    previousDigest: checkpoint.previousDigest,
    epochRollingGasCostSummary: checkpoint.epochRollingGasCostSummary,
    timestampMs: checkpoint.timestampMs,
    checkpointCommitments: [],
    endOfEpochData: checkpoint.endOfEpoch
      ? {
          nextEpochCommittee: [member],
          nextEpochProtocolVersion: protocolVersion,
          epochCommitments: [],
          epochSupplyChange: 0,
        }
      : null,
    versionSpecificData: new Uint8Array(0),
  };
  return versioned(Summary.serialize(summary).toBytes());
}

function encodeContents(transactions: readonly ExecutedTransaction[]): Uint8Array {
  return Contents.serialize({
    V1: {
      digests: transactions.map(({ digest, effects }) => ({
        transaction: digest,
        effects: effects.digest,
      })),
      signatures: transactions.map(({ signatures }) => signatures.map((one) => fromBase64(one))),
    },
  }).toBytes();
}

function noSignature({ epoch }: CheckpointRecord): Uint8Array {
  const signature = { epoch, signature: new Array<number>(48).fill(0), bitmap: NO_SIGNERS };
  return versioned(Signature.serialize(signature).toBytes());
}
