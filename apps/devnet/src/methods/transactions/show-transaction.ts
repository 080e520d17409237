import { bcs } from '@iota/iota-sdk/bcs';
import { toBase64 } from '@iota/iota-sdk/utils';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import type {
  BalanceChange,
  EngineInterface,
  ExecutedTransaction,
  ObjectChange,
} from '../../engine/engine-interface.js';
import { renderEffects } from '../../engine/describe-effects.js';
import type { CallContext } from '../call-context.js';
import { showEvent } from '../../events/show-event.js';
import { encodeEffects } from './encode-effects.js';
import { showTransactionData } from './show-transaction-data.js';
import { readFlags } from '../../json-rpc/read-params.js';

/** A transaction in a node's JSON: its digest, and the requested parts. */
export function showTransaction(
  engine: EngineInterface,
  transaction: ExecutedTransaction,
  options: TransactionOptions,
): Record<string, unknown> {
  const { digest, bytes, data, signatures, effects, events } = transaction;
  return {
    digest,
    ...(options.showInput && {
      transaction: {
        data: showTransactionData(data, engine),
        txSignatures: signatures,
      },
    }),
    ...(options.showRawInput && { rawTransaction: encodeSigned(bytes, signatures) }),
    ...(options.showEffects && { effects: renderEffects(effects) }),
    ...(options.showRawEffects && { rawEffects: [...encodeEffects(engine, effects)] }),
    ...(options.showEvents && { events: events.map(showEvent) }),
    ...(options.showObjectChanges && {
      objectChanges: availableChanges(engine, transaction).map(showObjectChange),
    }),
    ...(options.showBalanceChanges && {
      balanceChanges: transaction.balanceChanges.map(showBalanceChange),
    }),
  };
}

/**
 * The same with the fields of reads only: its time, and its checkpoint once it is sealed. Throws -32603 for a
 * transaction that the node cannot show.
 */
export function showTransactionRead(
  context: CallContext,
  transaction: ExecutedTransaction,
  options: TransactionOptions,
): object {
  const { faults } = context.node;
  const isThis = (digest: string | undefined) => digest === transaction.digest;
  if (faults.take('unconvertible', context.method, ({ digest }) => isThis(digest)) !== null) {
    throw new JsonRpcError(
      JsonRpcCode.internal,
      `Failed to convert transaction ${transaction.digest}: type layout could not be resolved`,
    );
  }
  const answer = showTransaction(context.engine, transaction, options);
  const omits =
    options.showObjectChanges &&
    faults.take('omitChanges', context.method, ({ digest }) =>
      isThis(digest ?? transaction.digest),
    );
  if (omits) {
    delete answer['objectChanges'];
    answer['errors'] = [`Failed to read object changes of ${transaction.digest}: object not found`];
  }
  return {
    ...answer,
    timestampMs: String(transaction.timestampMs),
    ...(transaction.checkpoint !== null && { checkpoint: String(transaction.checkpoint) }),
  };
}

/** A pruned node does not show a deletion without the deleted version. */
function availableChanges(
  engine: EngineInterface,
  { objectChanges, sequence }: ExecutedTransaction,
): readonly ObjectChange[] {
  if (sequence >= engine.deletionsShownFrom) return objectChanges;
  return objectChanges.filter(({ type }) => type !== 'deleted' && type !== 'wrapped');
}

export function showObjectChange(change: ObjectChange): object {
  return {
    ...change,
    version: String(change.version),
    ...(change.type === 'mutated' && { previousVersion: String(change.previousVersion) }),
  };
}

export function showBalanceChange({ owner, coinType, amount }: BalanceChange): object {
  return { owner, coinType, amount: String(amount) };
}

/** BCS of the sender-signed data: one intent message (three zero bytes first) and its signatures. */
function encodeSigned(bytes: Uint8Array, signatures: readonly string[]): string {
  const list = bcs
    .vector(bcs.vector(bcs.U8))
    .serialize(signatures.map((one) => Uint8Array.from(Buffer.from(one, 'base64'))))
    .toBytes();
  return toBase64(Uint8Array.from([1, 0, 0, 0, ...bytes, ...list]));
}

const OPTIONS = [
  'showInput',
  'showRawInput',
  'showEffects',
  'showRawEffects',
  'showEvents',
  'showObjectChanges',
  'showBalanceChanges',
] as const;

/** The parts of a transaction that a response shows; only its digest by default. */
export type TransactionOptions = Readonly<Record<(typeof OPTIONS)[number], boolean>>;

export const readTransactionOptions = (value: unknown): TransactionOptions =>
  readFlags(value, 'options', OPTIONS);
