const MAGIC = 0xa11ceb0b;
const MODULE_HANDLES = 0x1;
const IDENTIFIERS = 0x7;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The name of a compiled module. The binary begins with its magic, a version and the table headers; the
 * tables are followed by the index of the module's own handle, which refers to an identifier. Throws
 * `TypeError` for other bytes.
 */
export function readModuleName(bytes: Uint8Array): string {
  const reader = new BinaryReader(bytes);
  if (reader.u32BigEndian() !== MAGIC) throw new TypeError('bad magic');
  reader.skip(4);
  const tables = new Map<number, { offset: number; length: number }>();
  let contents = 0;
  for (let left = reader.length(); left > 0; left--) {
    const kind = reader.byte();
    const table = { offset: reader.length(), length: reader.length() };
    if (tables.has(kind)) throw new TypeError('duplicate table');
    tables.set(kind, table);
    contents = Math.max(contents, table.offset + table.length);
  }
  const start = reader.offset;
  const seek = (kind: number) => {
    const table = tables.get(kind);
    if (!table) throw new TypeError('missing table');
    return new BinaryReader(
      bytes.subarray(start + table.offset, start + table.offset + table.length),
    );
  };
  const own = new BinaryReader(bytes.subarray(start + contents)).length();
  const handles = seek(MODULE_HANDLES);
  for (let index = 0; index < own; index++) {
    handles.length();
    handles.length();
  }
  handles.length();
  const nameIndex = handles.length();
  const identifiers = seek(IDENTIFIERS);
  for (let index = 0; index < nameIndex; index++) identifiers.skip(identifiers.length());
  const name = Buffer.from(identifiers.take(identifiers.length())).toString('utf8');
  if (!NAME.test(name)) throw new TypeError('invalid identifier');
  return name;
}

class BinaryReader {
  offset = 0;

  constructor(private readonly bytes: Uint8Array) {}

  byte(): number {
    const value = this.bytes[this.offset++];
    if (value === undefined) throw new TypeError('unexpected end');
    return value;
  }

  u32BigEndian(): number {
    let value = 0;
    for (let index = 0; index < 4; index++) value = value * 256 + this.byte();
    return value;
  }

  /** ULEB128. */
  length(): number {
    let value = 0;
    for (let factor = 1; factor < 2 ** 35; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new TypeError('length out of range');
  }

  take(count: number): Uint8Array {
    if (this.offset + count > this.bytes.length) throw new TypeError('unexpected end');
    this.offset += count;
    return this.bytes.subarray(this.offset - count, this.offset);
  }

  skip(count: number): void {
    this.take(count);
  }
}
