import type { ExecuteTransactionItem, Transaction } from '@forecourt/ledger/node-messages';
import { TransactionDataBuilder } from '@iota/iota-sdk/transactions';
import { toBase58, toBase64 } from '@iota/iota-sdk/utils';
import { decodeTransaction } from '../engine/transaction-data.js';
import { invalidField, missingField } from './grpc-status.js';

const DIGEST_BYTES = 32;
/** Lengths of signatures whose first byte, the scheme, is its place in this list. */
const LENGTHS = [97, 98, 98];
const NAMES = ['ed25519', 'secp256k1', 'secp256r1'];
/** Multisig, zkLogin, passkey and Move authenticator, whose lengths vary. */
const OTHER_SCHEMES: ReadonlySet<number> = new Set([3, 5, 6, 7]);

/**
 * The bytes of a transaction. Throws `GrpcFailure`, or `EngineError` for bytes that are not a transaction.
 */
export function readTransaction(transaction: Transaction | undefined): Uint8Array {
  if (!transaction) throw missingField('transaction');
  const bytes = transaction.bcs?.data;
  if (!bytes) throw missingField('transaction.bcs', 'transaction BCS is required');
  decodeTransaction(bytes);
  if (transaction.digest) checkDigest(transaction.digest.digest, bytes);
  return bytes;
}

function checkDigest(digest: Uint8Array, bytes: Uint8Array): void {
  if (digest.length !== DIGEST_BYTES) {
    throw invalidField('transaction.digest', 'digest must be exactly 32 bytes');
  }
  const provided = toBase58(digest);
  const computed = TransactionDataBuilder.getDigestFromBytes(bytes);
  if (provided === computed) return;
  const text = `provided digest does not match computed digest: provided=${provided}, computed=${computed}`;
  throw invalidField('transaction.digest', text);
}

/** The signatures in base64, as JSON-RPC has them. Throws `GrpcFailure`. */
export function readSignatures({ signatures }: ExecuteTransactionItem): string[] {
  if (!signatures) throw missingField('signatures');
  return signatures.signatures.map(({ bcs }, index) => {
    const field = `signatures[${index}]`;
    if (!bcs) throw missingField(field, 'signature BCS is required');
    const read = readSignature(bcs.data);
    if (typeof read !== 'string') return toBase64(read);
    throw invalidField(field, `invalid signature: ${read}`);
  });
}

/** BCS of a byte vector: its length, then the signature. A text names the fault of other bytes. */
function readSignature(bytes: Uint8Array): Uint8Array | string {
  let length = 0;
  let offset = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[offset++];
    if (byte === undefined) return 'unexpected end of input';
    length += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) break;
  }
  if (offset + length > bytes.length) return 'unexpected end of input';
  const signature = bytes.subarray(offset, offset + length);
  const fault = faultOf(signature);
  if (fault !== null) return `error deserializing bytes: ${fault}`;
  return offset + length < bytes.length ? 'remaining input' : signature;
}

function faultOf(signature: Uint8Array): string | null {
  const [scheme] = signature;
  if (scheme === undefined) return 'missing signature scheme flag';
  const length = LENGTHS[scheme];
  if (length !== undefined) {
    return signature.length === length ? null : `invalid ${NAMES[scheme]} signature`;
  }
  const hex = scheme.toString(16).padStart(2, '0');
  return OTHER_SCHEMES.has(scheme) ? null : `invalid signature scheme: ${hex}`;
}
