import { type WasmMemory, WebAssembly } from './web-assembly.js';

const PAGE = 65_536;
/**
 * Of one policy. OPA needs about twenty times the length of its input, which has at most some hundreds of
 * kilobytes.
 */
const MOST_PAGES = 1_024;
const MOST_FUNCTION_REFERENCES = 65_536;

const TYPES = 1;
const IMPORTS = 2;
const TABLES = 4;
const MEMORIES = 5;
/** Sections with a higher number declare exceptions and other objects that no memory bounds. */
const LAST_SECTION = 12;

const FUNCTION_TYPE = 0x60;
/** i32, i64, f32 and f64. */
const NUMBER_TYPES = [0x7f, 0x7e, 0x7d, 0x7c];
const FUNCTION_REFERENCE = 0x70;
const FUNCTION = 0;
const MEMORY = 2;

/**
 * Makes the memory for a WebAssembly module before Node compiles the module. This memory bounds what the
 * module's functions, its start function included, can take. Throws `Error` with the problem for a module
 * that declares its own memory, tables without a bound, or objects outside its memory.
 */
export function createPolicyMemory(source: Uint8Array): WasmMemory {
  const sections = readSections(source);
  for (const reader of sections.get(TYPES) ?? []) requireFunctionTypes(reader);
  for (const reader of sections.get(TABLES) ?? []) requireSmallTables(reader);
  for (const reader of sections.get(MEMORIES) ?? []) {
    if (reader.number() > 0) throw new Error('it declares a memory; it must import env.memory');
  }
  const limits = (sections.get(IMPORTS) ?? []).flatMap(readMemoryImports);
  const [{ least, most } = NO_MEMORY] = limits;
  if (limits.length !== 1) throw new Error('it must import one memory, env.memory');
  if (least > MOST_PAGES) {
    throw new Error(
      `it needs ${least} pages of memory (${PAGE} bytes each); at most ${MOST_PAGES} are given`,
    );
  }
  return new WebAssembly.Memory({ initial: least, maximum: Math.min(most, MOST_PAGES) });
}

interface Limits {
  readonly least: number;
  /** Infinity: the module declares none. */
  readonly most: number;
}

const NO_MEMORY: Limits = { least: 0, most: 0 };

/** The known sections of a module, by number. */
function readSections(source: Uint8Array): Map<number, ModuleReader[]> {
  const reader = new ModuleReader(source.subarray(8));
  const sections = new Map<number, ModuleReader[]>();
  while (!reader.isAtEnd) {
    const id = reader.byte();
    const content = new ModuleReader(reader.bytes(reader.number()));
    if (id > LAST_SECTION) throw new Error(`it has a section ${id}, which OPA does not write`);
    sections.set(id, [...(sections.get(id) ?? []), content]);
  }
  return sections;
}

function requireFunctionTypes(reader: ModuleReader): void {
  for (let left = reader.number(); left > 0; left--) {
    const isFunction = reader.byte() === FUNCTION_TYPE;
    const values = isFunction ? [...reader.vector(), ...reader.vector()] : [];
    if (isFunction && values.every((type) => NUMBER_TYPES.includes(type))) continue;
    throw new Error('it uses types that OPA does not write, whose values no memory bounds');
  }
}

function requireSmallTables(reader: ModuleReader): void {
  let size = 0;
  for (let left = reader.number(); left > 0; left--) {
    const isOfFunctions = reader.byte() === FUNCTION_REFERENCE;
    size += isOfFunctions ? reader.limits().most : Infinity;
    if (size <= MOST_FUNCTION_REFERENCES) continue;
    throw new Error(
      `its tables may hold more than ${MOST_FUNCTION_REFERENCES} references to functions`,
    );
  }
}

function readMemoryImports(reader: ModuleReader): Limits[] {
  const memories: Limits[] = [];
  for (let left = reader.number(); left > 0; left--) {
    const name = `${reader.text()}.${reader.text()}`;
    const kind = reader.byte();
    if (kind === FUNCTION) reader.number();
    else if (kind === MEMORY) memories.push(reader.limits());
    else throw new Error(`it imports ${name}, which is neither a function nor a memory`);
  }
  return memories;
}

/** Reads the numbers of WebAssembly's binary format. Throws `Error` at the end. */
class ModuleReader {
  #offset = 0;

  constructor(private readonly source: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.#offset === this.source.length;
  }

  byte(): number {
    return this.bytes(1)[0]!;
  }

  bytes(length: number): Uint8Array {
    const end = this.#offset + length;
    if (end > this.source.length) throw new Error('it is cut off');
    const bytes = this.source.subarray(this.#offset, end);
    this.#offset = end;
    return bytes;
  }

  /** LEB128 of at most 32 bits. */
  number(): number {
    let value = 0;
    for (let scale = 1; scale < 2 ** 32; scale *= 128) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    throw new Error('it has a number of more than 32 bits');
  }

  vector(): Uint8Array {
    return this.bytes(this.number());
  }

  text(): string {
    return Buffer.from(this.vector()).toString();
  }

  limits(): Limits {
    const flags = this.byte();
    if (flags > 1) throw new Error('it has a memory or table that is shared, or of 64 bits');
    return { least: this.number(), most: flags === 0 ? Infinity : this.number() };
  }
}
