import { encodeBase58 } from '../../../base58/index.js';
import { InvalidTransactionBytes } from '../../../invalid-transaction-bytes.js';

const ADDRESS_BYTES = 32;
const DIGEST_BYTES = 32;
const U64_BYTES = 8;
/** Longer than any encoded 32-bit length. */
const MAX_ULEB_BYTES = 5;
const IDENTIFIER = /^(?:[a-z]\w*|_\w+)$/i;
const LONGEST_QUOTE = 64;

/** The ledger's `TypeTag`, in the order of its variants. */
const TYPE_TAGS = [
  'bool',
  'u8',
  'u64',
  'u128',
  'address',
  'signer',
  'vector',
  'struct',
  'u16',
  'u32',
  'u256',
] as const;
export type TypeTag = (typeof TYPE_TAGS)[number];

/**
 * Reads BCS in its only canonical form: bytes that are read to their end without an error are the
 * one serialization of their value (lengths and variants in the fewest bytes, booleans 0 or 1, no
 * trailing bytes; "Binary Canonical Serialization", https://github.com/diem/bcs). Memory is never
 * allocated by a declared length. Every method throws `InvalidTransactionBytes`.
 */
export class StrictReader {
  readonly #bytes: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes read so far. */
  get position(): number {
    return this.#offset;
  }

  /** The number of elements or bytes that follow; each takes at least a byte. */
  readLength(): number {
    const length = this.readUleb();
    if (length > this.#bytes.length - this.#offset) {
      throw new InvalidTransactionBytes('declared length exceeds the input');
    }
    return length;
  }

  /** The number of elements that follow, named `name`. Refuses more than `most` before it reads one. */
  readCount(most: number, name: string): number {
    const count = this.readLength();
    if (count <= most) return count;
    throw new InvalidTransactionBytes(`${count} ${name} exceed the ledger's limit of ${most}`);
  }

  /** The index of an enum's variant among `count`; `name` is the enum's. */
  readVariant(count: number, name: string): number {
    const variant = this.readUleb();
    if (variant < count) return variant;
    throw new InvalidTransactionBytes(`unknown variant ${variant} of ${name}`);
  }

  /** Throws `InvalidTransactionBytes` for a tag that the ledger does not have. */
  readTypeTag(): TypeTag {
    return TYPE_TAGS[this.readVariant(TYPE_TAGS.length, 'TypeTag')]!;
  }

  readBoolean(): boolean {
    const value = this.#bytes[this.advance(1)]!;
    if (value > 1) throw new InvalidTransactionBytes('not in canonical form: a boolean is 0 or 1');
    return value === 1;
  }

  readByte(): number {
    return this.#bytes[this.advance(1)]!;
  }

  readU16(): number {
    return this.#bytes.readUInt16LE(this.advance(2));
  }

  readU32(): number {
    return this.#bytes.readUInt32LE(this.advance(4));
  }

  readU64(): bigint {
    return this.#bytes.readBigUInt64LE(this.advance(U64_BYTES));
  }

  /** The version of an object, below 2^53. */
  readVersion(): number {
    const start = this.advance(U64_BYTES);
    const version = this.#bytes.readUInt32LE(start + 4) * 2 ** 32 + this.#bytes.readUInt32LE(start);
    if (Number.isSafeInteger(version)) return version;
    const exact = this.#bytes.readBigUInt64LE(start);
    throw new InvalidTransactionBytes(`object version ${exact} is out of range`);
  }

  /** An address or object id, in full form. */
  readAddress(): string {
    const start = this.advance(ADDRESS_BYTES);
    return `0x${this.#bytes.toString('hex', start, start + ADDRESS_BYTES)}`;
  }

  /** Base58. */
  readDigest(): string {
    if (this.readLength() !== DIGEST_BYTES) {
      throw new InvalidTransactionBytes('an object digest is not 32 bytes long');
    }
    const start = this.advance(DIGEST_BYTES);
    return encodeBase58(this.#bytes.subarray(start, start + DIGEST_BYTES));
  }

  /** A text of any characters. */
  readText(): string {
    return this.readBytes(this.readLength()).toString('utf8');
  }

  /** The name of a module, function or type. */
  readIdentifier(): string {
    const length = this.readLength();
    const start = this.advance(length);
    const name = this.#bytes.toString('latin1', start, start + length);
    if (IDENTIFIER.test(name)) return name;
    // Nodes repeat such a name in their refusal, where it could look like another refusal's text.
    const text = this.#bytes.toString('utf8', start, start + length);
    throw new InvalidTransactionBytes(`${quote(text)} is not a Move identifier`);
  }

  /** The next bytes, without a copy. */
  readBytes(count: number): Buffer {
    const start = this.advance(count);
    return this.#bytes.subarray(start, start + count);
  }

  /** Skips a number of bytes. */
  skip(count: number): void {
    this.advance(count);
  }

  /** Skips bytes that are preceded by their length. */
  skipBytes(): void {
    this.advance(this.readLength());
  }

  /** Must be called last. */
  expectEnd(): void {
    if (this.#offset < this.#bytes.length) {
      throw new InvalidTransactionBytes('further bytes follow the transaction');
    }
  }

  /** A number of at most 32 bits in the fewest bytes of seven bits each. */
  readUleb(): number {
    const first = this.#bytes[this.advance(1)]!;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let place = 1; place < MAX_ULEB_BYTES; place++) {
      const byte = this.#bytes[this.advance(1)]!;
      value += (byte & 0x7f) * 2 ** (7 * place);
      if (byte >= 0x80) continue;
      if (byte > 0) return value;
      throw new InvalidTransactionBytes('not in canonical form: a length is padded');
    }
    throw new InvalidTransactionBytes('declared length exceeds the input');
  }

  /** Position of the next `length` bytes, which then count as read. */
  private advance(count: number): number {
    const start = this.#offset;
    if (count > this.#bytes.length - start) throw new InvalidTransactionBytes('truncated');
    this.#offset = start + count;
    return start;
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
