import { type ArgumentValue, decodeValue } from '@forecourt/ledger';

/** Type names of IOTA's gas station, and the Move types that they stand for. */
const TYPES = new Map(
  ['string', 'u8', 'u16', 'u32', 'u64', 'bool', 'address'].flatMap((name) => {
    const type = name === 'string' ? '0x1::string::String' : name;
    return [
      [name, type],
      [`vector_${name}`, `vector<${type}>`],
    ] as const;
  }),
);

/**
 * `bcs.decode_typed` of IOTA's gas station: the value of a pure input, from its bytes and the name of its
 * type. Returns JSON, because only its text can hold every u64. Throws `Error`, which ends the policy's
 * evaluation, for another type, and for bytes that are not the one encoding of a value.
 */
export function decodeTyped(bytes: unknown, type: unknown): string {
  const move = TYPES.get(String(type));
  if (move === undefined)
    throw new Error(`bcs.decode_typed does not know the type ${String(type)}`);
  if (!Array.isArray(bytes) || !bytes.every(isByte)) {
    throw new Error('bcs.decode_typed needs a list of bytes');
  }
  const value = decodeValue(Uint8Array.from(bytes), move);
  if (value === undefined)
    throw new Error(`bcs.decode_typed: the bytes do not encode ${String(type)}`);
  return write(value);
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < 256;
}

function write(value: ArgumentValue): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return `[${value.join(',')}]`;
  if (Array.isArray(value)) return `[${(value as readonly ArgumentValue[]).map(write).join(',')}]`;
  return JSON.stringify(value);
}
