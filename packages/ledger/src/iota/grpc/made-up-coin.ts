import { assembleTransaction } from '../transactions/decoding/assemble-transaction.js';
import { decodeTransaction, readKindBytes } from '../transactions/decoding/decode-transaction.js';
import { transactionDigest } from '../transactions/decoding/transaction-digest.js';
import type { EffectsBcs } from './effects-reader.js';

/**
 * The effects of a simulation with the digest of the bytes that were sent, as over JSON-RPC. Over gRPC, nodes
 * put a gas coin that they make up into a transaction without payment, and name the digest of the transaction
 * with that coin. Effects of any other transaction keep their digest. Throws `InvalidTransactionBytes`.
 */
export function withDigestOf(sent: Uint8Array, effects: EffectsBcs): EffectsBcs {
  const digest = transactionDigest(sent);
  if (effects.transactionDigest === digest) return effects;
  const paid = payWithMadeUpCoin(sent, effects);
  if (paid === null || effects.transactionDigest !== transactionDigest(paid)) return effects;
  return { ...effects, transactionDigest: digest };
}

/** Null for a transaction that has a payment, and for effects without a gas coin. */
function payWithMadeUpCoin(sent: Uint8Array, effects: EffectsBcs): Uint8Array | null {
  const coin = effects.changedObjects[effects.gasObjectIndex ?? -1];
  const existed = coin?.[1].inputState.Exist;
  const decoded = decodeTransaction(sent);
  if (!existed || decoded.gasPayment.length > 0) return null;
  const [[version, digest]] = existed;
  const { sender, gasOwner: owner, gasPrice: price, gasBudget: budget, expirationEpoch } = decoded;
  const payment = [{ objectId: coin[0], version: Number(version), digest }];
  const gas = { owner, payment, price, budget };
  return assembleTransaction({ kindBytes: readKindBytes(sent), sender, gas, expirationEpoch });
}
