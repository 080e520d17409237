import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { type Datatype, type FieldLayout, type Layout, showType } from './value-type.js';
import { MoveTooLarge } from './move-too-large.js';
import { UnreadableMove } from './unreadable-move.js';

const WIDE_BYTES = { u128: 16, u256: 32 } as const;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes that may still be spent on types and names in the JSON of values. */
export interface Allowance {
  left: number;
}

/**
 * A value as JSON-RPC shows it (`IotaMoveValue::to_json_value`): numbers beyond 32 bits as text, fields in
 * the order of their names. Within an `Option`, structs and enums have their type beside their fields. Throws
 * `UnreadableMove` for bytes of another layout, and `MoveTooLarge`.
 */
export function showValue(bytes: Uint8Array, layout: Layout, allowance: Allowance): unknown {
  const reader = new StrictReader(bytes);
  const values = new ValueReader(reader, allowance);
  try {
    const value = values.read(layout, false);
    if (reader.position < bytes.length) throw new Error('further bytes follow');
    return value;
  } catch (cause) {
    if (cause instanceof MoveTooLarge) throw cause;
    const message = `the bytes of a value do not have the layout of its type: ${(cause as Error).message}`;
    throw new UnreadableMove(message, { cause });
  }
}

class ValueReader {
  constructor(
    private readonly reader: StrictReader,
    private readonly allowance: Allowance,
  ) {}

  read(layout: Layout, isTyped: boolean): unknown {
    const { reader } = this;
    if (typeof layout === 'string') return this.readPrimitive(layout);
    switch (layout.kind) {
      case 'vector':
        return this.readVector(layout.of, isTyped);
      case 'struct': {
        this.spend(layout.cost);
        const fields = this.readFields(layout.fields, isTyped);
        return isTyped ? { type: showType(layout.type), fields } : fields;
      }
      case 'enum': {
        const { type, variants } = layout;
        const {
          name: variant,
          fields,
          cost,
        } = variants[reader.readVariant(variants.length, 'enum')]!;
        this.spend(cost);
        const content = { variant, fields: this.readFields(fields, isTyped) };
        return isTyped ? { type: showType(type), ...content } : content;
      }
      case 'option':
        this.spend(layout.cost);
        return reader.readBoolean() ? this.read(layout.of, true) : null;
      case 'text':
        this.spend(layout.cost);
        return this.readText(layout.type, isTyped);
      case 'uid':
        this.spend(layout.cost);
        return { id: reader.readAddress() };
      case 'transparent':
        this.spend(layout.cost);
        return this.read(layout.of, isTyped);
    }
  }

  private readPrimitive(type: Extract<Layout, string>): unknown {
    const { reader } = this;
    switch (type) {
      case 'bool':
        return reader.readBoolean();
      case 'u8':
        return reader.readByte();
      case 'u16':
        return reader.readU16();
      case 'u32':
        return reader.readU32();
      case 'u64':
        return String(reader.readU64());
      case 'u128':
      case 'u256': {
        const bigEndian = Buffer.from(reader.readBytes(WIDE_BYTES[type])).reverse();
        return String(BigInt(`0x${bigEndian.toString('hex')}`));
      }
      case 'address':
      case 'signer':
        return reader.readAddress();
    }
  }

  private readVector(of: Layout, isTyped: boolean): unknown[] {
    const length = this.reader.readLength();
    if (of === 'u8') return Array.from(this.reader.readBytes(length));
    const values: unknown[] = [];
    for (let left = length; left > 0; left--) values.push(this.read(of, isTyped));
    return values;
  }

  /** Names may be any identifier, `__proto__` included. */
  private readFields(fields: readonly FieldLayout[], isTyped: boolean): Record<string, unknown> {
    const entries = fields.map(({ name, layout }): [string, unknown] => [
      name,
      this.read(layout, isTyped),
    ]);
    return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  /** Bytes that are not UTF-8 are shown as those of any other struct. */
  private readText(type: Datatype, isTyped: boolean): unknown {
    const bytes = this.reader.readBytes(this.reader.readLength());
    try {
      return utf8.decode(bytes);
    } catch {
      const fields = { bytes: Array.from(bytes) };
      return isTyped ? { type: showType(type), fields } : fields;
    }
  }

  private spend(cost: number): void {
    this.allowance.left -= cost;
    if (this.allowance.left < 0) throw new MoveTooLarge('the JSON of a value is too large');
  }
}
