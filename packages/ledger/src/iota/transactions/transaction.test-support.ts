import { randomBytes } from 'node:crypto';
import { Transaction } from '@iota/iota-sdk/transactions';
import { toBase58 } from '@iota/iota-sdk/utils';
import type { ObjectReference } from '../../object-reference.js';

export const anAddress = () => `0x${randomBytes(32).toString('hex')}`;

export function aReference(over: Partial<ObjectReference> = {}): ObjectReference {
  return { objectId: anAddress(), version: 7, digest: toBase58(randomBytes(32)), ...over };
}

/** Bytes of a sponsored transaction, and its parts. */
export async function aTransaction(
  fill: (tx: Transaction) => void = (tx) => {
    tx.makeMoveVec({ type: 'u8', elements: [] });
  },
) {
  const sender = anAddress();
  const sponsor = anAddress();
  const payment = [aReference(), aReference()];
  const tx = new Transaction();
  tx.setSender(sender);
  tx.setGasOwner(sponsor);
  tx.setGasPayment(payment.map((coin) => ({ ...coin })));
  tx.setGasBudget(5_000_000);
  tx.setGasPrice(1000);
  fill(tx);
  return { bytes: await tx.build(), sender, sponsor, payment };
}
