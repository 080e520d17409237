import {
  type DecodedTransaction,
  InvalidTransactionBytes,
  type LedgerCodec,
} from '@forecourt/ledger';

/**
 * Decodes a request's `tx_bytes`. Throws `InvalidTransactionBytes`, which names `kind_bytes` if they belong
 * there.
 */
export function decodeTxBytes(codec: LedgerCodec, base64: string): DecodedTransaction {
  const bytes = Buffer.from(base64, 'base64');
  try {
    return codec.decodeTransaction(bytes);
  } catch (error) {
    if (!isDecoded(() => decodeKind(codec, bytes))) throw error;
    throw new InvalidTransactionBytes(
      'tx_bytes is only the kind of a transaction, without sender and gas data: routes that take kind_bytes take it there',
      { cause: error },
    );
  }
}

/**
 * A request's `kind_bytes`. Throws `InvalidTransactionBytes`, which names `tx_bytes` if they belong there.
 */
export function readKindBytes(codec: LedgerCodec, base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  try {
    decodeKind(codec, bytes);
    return bytes;
  } catch (error) {
    if (!isDecoded(() => codec.decodeTransaction(bytes))) throw error;
    const message = 'kind_bytes is a whole transaction: give it as tx_bytes';
    throw new InvalidTransactionBytes(message, { cause: error });
  }
}

const ANYBODY = '0x0';

function decodeKind(codec: LedgerCodec, kindBytes: Uint8Array): DecodedTransaction {
  const gas = { owner: ANYBODY, payment: [], price: 0n, budget: 0n };
  const transaction = { kindBytes, sender: ANYBODY, gas, expirationEpoch: null };
  return codec.decodeTransaction(codec.assembleTransaction(transaction));
}

function isDecoded(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof InvalidTransactionBytes) return false;
    throw error;
  }
}
