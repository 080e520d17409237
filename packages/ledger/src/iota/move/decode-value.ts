import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ArgumentValue } from '../../call-argument.js';
import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { type ArgumentType, ArgumentTypes } from './argument-types.js';
import { Effort } from './effort.js';
import { TooMuchEffort } from './too-much-effort.js';

const UNITS_OF_VALUE = 4;
/** Of a transaction: 65 536 values, or 256 KiB of text: at most ten milliseconds. */
export const MOST_EFFORT = 65_536 * UNITS_OF_VALUE;
const WIDE_BYTES = { u128: 16, u256: 32 } as const;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ASCII = /^[\0-\x7f]*$/;

const address = (short: string) => normalizeIotaAddress(short);
const STRING = `${address('0x1')}::string::String`;
const ASCII_STRING = `${address('0x1')}::ascii::String`;
const OPTION = `${address('0x1')}::option::Option`;
const OBJECT_ID = `${address('0x2')}::object::ID`;

/** Types whose values are shown as addresses. */
export const ADDRESS_TYPES: ReadonlySet<string> = new Set(['address', OBJECT_ID]);

/**
 * The value of a type, such as `vector<u64>`, that the bytes encode; undefined: none, or decoding it takes
 * too long.
 */
export function decodeValue(bytes: Uint8Array, type: string): ArgumentValue | undefined {
  const effort = new Effort(MOST_EFFORT);
  try {
    const parsed = new ArgumentTypes(effort).parse(type);
    return parsed ? readPure(bytes, parsed, effort) : undefined;
  } catch (error) {
    if (error instanceof TooMuchEffort) return undefined;
    throw error;
  }
}

/**
 * The value that the bytes encode; undefined: they are not the one encoding of a value of the type. Throws
 * `TooMuchEffort`.
 */
export function readPure(
  bytes: Uint8Array,
  type: ArgumentType,
  effort: Effort,
): ArgumentValue | undefined {
  const reader = new StrictReader(bytes);
  try {
    const value = new PureReader(reader, effort).read(type);
    reader.expectEnd();
    return value;
  } catch (error) {
    if (error instanceof TooMuchEffort) throw error;
    return undefined;
  }
}

class PureReader {
  constructor(
    private readonly reader: StrictReader,
    private readonly effort: Effort,
  ) {}

  /** Throws `Error` for a type that has no pure values, and for bytes that are not canonical. */
  read(type: ArgumentType): ArgumentValue {
    const { reader, effort } = this;
    const { name } = type;
    effort.spend(UNITS_OF_VALUE);
    switch (name) {
      case 'bool':
        return reader.readBoolean();
      case 'u8':
        return BigInt(reader.readByte());
      case 'u16':
        return BigInt(reader.readU16());
      case 'u32':
        return BigInt(reader.readU32());
      case 'u64':
        return reader.readU64();
      case 'u128':
      case 'u256': {
        const bigEndian = Buffer.from(reader.readBytes(WIDE_BYTES[name])).reverse();
        return BigInt(`0x${bigEndian.toString('hex')}`);
      }
      case 'address':
      case OBJECT_ID:
        return reader.readAddress();
      case STRING:
        return utf8.decode(this.readBytes());
      case ASCII_STRING: {
        const text = utf8.decode(this.readBytes());
        if (!ASCII.test(text)) throw new Error('not ASCII');
        return text;
      }
      case OPTION:
        return reader.readBoolean() ? this.read(innerOf(type)) : null;
      case 'vector':
        return this.readVector(innerOf(type));
      default:
        throw new Error('the type has no pure values');
    }
  }

  private readVector(element: ArgumentType): ArgumentValue {
    if (element.name === 'u8') return this.readBytes();
    const values: ArgumentValue[] = [];
    for (let left = this.reader.readLength(); left > 0; left--) values.push(this.read(element));
    return values;
  }

  private readBytes(): Uint8Array {
    const length = this.reader.readLength();
    this.effort.spend(length);
    return this.reader.readBytes(length);
  }
}

function innerOf({ inner: [inner] }: ArgumentType): ArgumentType {
  if (inner === undefined) throw new Error('a type without its argument');
  return inner;
}
