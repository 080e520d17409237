/** BCS bytes, as an array or in base64. */
export type TransactionBytes = Uint8Array | string;

const ADDRESS_BYTES = 32;
const ADDRESS = /^0x[0-9a-f]{1,64}$/i;

/** In base64 with padding. `name`: the name of the bytes in messages. Throws `TypeError`. */
export function toBase64(bytes: TransactionBytes, name: string): string {
  return encode(toBytes(bytes, name));
}

/** `name`: the name of the bytes in messages. Throws `TypeError`. */
export function toBytes(bytes: TransactionBytes, name: string): Uint8Array {
  if (ArrayBuffer.isView(bytes)) return bytes;
  try {
    return Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0));
  } catch {
    throw new TypeError(`${name} must be bytes or base64`);
  }
}

/** The 32 bytes of an address. `name`: its name in messages. Throws `TypeError`. */
export function addressBytes(address: string, name: string): Uint8Array {
  if (!ADDRESS.test(address)) {
    throw new TypeError(
      `${name} must be an address, 0x and up to 64 hex digits; got ${JSON.stringify(address)}`,
    );
  }
  const digits = address.slice(2).padStart(2 * ADDRESS_BYTES, '0');
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function encode(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The content of a transaction without its gas. */
export type UnpaidTransaction =
  | {
      /** BCS bytes of a `TransactionKind`. */
      readonly kind: TransactionBytes;
    }
  | {
      /** BCS bytes of a `TransactionData`, whose gas data are not used. */
      readonly transaction: TransactionBytes;
    };

/** Its form in a request's body. Throws `TypeError` for anything but bytes and base64. */
export function inBody(unpaid: UnpaidTransaction): object {
  return 'kind' in unpaid
    ? { kind_bytes: toBase64(unpaid.kind, 'kind') }
    : { tx_bytes: toBase64(unpaid.transaction, 'transaction') };
}
