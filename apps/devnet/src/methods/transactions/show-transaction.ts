import { bcs } from '@iota/iota-sdk/bcs';
import { toBase64 } from '@iota/iota-sdk/utils';
import type {
  BalanceChange,
  EngineInterface,
  ExecutedTransaction,
  ObjectChange,
} from '../../engine/engine-interface.js';
import { renderEffects } from '../../engine/render-effects.js';
import { showEvent } from '../events/show-event.js';
import { pureTypesFrom } from '../move/pure-type-of.js';
import { encodeEffects } from './encode-effects.js';
import type { TransactionOptions } from './read-transaction-options.js';
import { showTransactionData } from './show-transaction-data.js';

/** A transaction as a node shows it: its digest, and what the options ask for. */
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
        data: showTransactionData(data, pureTypesFrom(engine)),
        txSignatures: signatures,
      },
    }),
    ...(options.showRawInput && { rawTransaction: encodeSigned(bytes, signatures) }),
    ...(options.showEffects && { effects: renderEffects(effects) }),
    ...(options.showRawEffects && { rawEffects: [...encodeEffects(engine, effects)] }),
    ...(options.showEvents && { events: events.map(showEvent) }),
    ...(options.showObjectChanges && {
      objectChanges: transaction.objectChanges.map(showObjectChange),
    }),
    ...(options.showBalanceChanges && {
      balanceChanges: transaction.balanceChanges.map(showBalanceChange),
    }),
  };
}

/** The same with what only reads tell: its time, and its checkpoint once it is sealed. */
export function showTransactionRead(
  engine: EngineInterface,
  transaction: ExecutedTransaction,
  options: TransactionOptions,
): object {
  return {
    ...showTransaction(engine, transaction, options),
    timestampMs: String(transaction.timestampMs),
    ...(transaction.checkpoint !== null && { checkpoint: String(transaction.checkpoint) }),
  };
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
