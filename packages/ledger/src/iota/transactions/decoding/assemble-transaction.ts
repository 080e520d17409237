import { bcs } from '@iota/iota-sdk/bcs';
import type { UnsignedTransaction } from '../../../ledger.js';

/** The ledger's only version of `TransactionData`. */
const V1 = 0;

/** See `Ledger.assembleTransaction`. */
export function assembleTransaction(transaction: UnsignedTransaction): Uint8Array {
  const { kindBytes, sender, gas, expirationEpoch } = transaction;
  const expiration = expirationEpoch === null ? { None: true } : { Epoch: expirationEpoch };
  // In the order of the ledger's `TransactionDataV1`.
  return Buffer.concat([
    Uint8Array.of(V1),
    kindBytes,
    bcs.Address.serialize(sender).toBytes(),
    bcs.GasData.serialize({ ...gas, payment: [...gas.payment] }).toBytes(),
    bcs.TransactionExpiration.serialize(expiration as { None: true }).toBytes(),
  ]);
}
