import { StrictReader } from '../transactions/decoding/strict-reader.js';
import { UnreadableMove } from './unreadable-move.js';
import { type Definition, readModule } from './read-module.js';

/** The types of a package, and how they are named. */
export interface MovePackage {
  readonly id: string;
  /** The first version of the package, under which its own modules know it. */
  readonly firstId: string;
  /** By `module::name`. */
  readonly definitions: ReadonlyMap<string, Definition>;
  /** The version of the package that has introduced a type, by `module::name`. */
  readonly origins: ReadonlyMap<string, string>;
  /** First version of another package → the version that this one is linked to. */
  readonly linkage: ReadonlyMap<string, string>;
  /** An upper estimate, in bytes. */
  readonly memory: number;
}

/** Versions, variants: of the object itself, of a package among objects. */
const OBJECT_VERSIONS = 1;
const KINDS_OF_OBJECTS = 2;
const PACKAGE = 1;

/** Without its types, and of its names of types for each byte that they take. */
const MEMORY_OF_PACKAGE = 1_000;
const MEMORY_PER_NAME_BYTE = 4;
/**
 * Short ids, which no hash has. These packages change under the same id, and all their types are named by it.
 */
const SYSTEM_ID = /^0x0{48}/;

export function isSystemPackage(id: string): boolean {
  return SYSTEM_ID.test(id);
}

/** Whether the BCS of an object over gRPC is a package. */
export function isPackage(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === PACKAGE;
}

/** Reads a package from the BCS of an object over gRPC. Throws `UnreadableMove`. */
export function readPackage(bytes: Uint8Array): MovePackage {
  try {
    return read(new StrictReader(bytes));
  } catch (cause) {
    if (cause instanceof UnreadableMove) throw cause;
    throw new UnreadableMove(`malformed package: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The bytes of a module in a package's BCS over gRPC; null: it has none of this name. Throws
 * `UnreadableMove`.
 */
export function findModule(bytes: Uint8Array, name: string): Uint8Array | null {
  const reader = new StrictReader(bytes);
  try {
    readHead(reader);
    for (let left = reader.readLength(); left > 0; left--) {
      const module = reader.readIdentifier();
      const code = reader.readBytes(reader.readLength());
      if (module === name) return code;
    }
    return null;
  } catch (cause) {
    throw new UnreadableMove(`malformed package: ${(cause as Error).message}`, { cause });
  }
}

/** Returns the package's id. */
function readHead(reader: StrictReader): string {
  reader.readVariant(OBJECT_VERSIONS, 'VersionedObject');
  if (reader.readVariant(KINDS_OF_OBJECTS, 'Data') !== PACKAGE) throw new Error('another object');
  const id = reader.readAddress();
  reader.readU64();
  return id;
}

function read(reader: StrictReader): MovePackage {
  const id = readHead(reader);
  const definitions = new Map<string, Definition>();
  let firstId = id;
  let memory = MEMORY_OF_PACKAGE;
  for (let left = reader.readLength(); left > 0; left--) {
    reader.readIdentifier();
    const module = readModule(reader.readBytes(reader.readLength()));
    for (const [name, definition] of module.definitions) {
      definitions.set(`${module.name}::${name}`, definition);
    }
    firstId = module.package;
    memory += module.memory;
  }
  const start = reader.position;
  const origins = readMap(reader, () => [
    `${reader.readIdentifier()}::${reader.readIdentifier()}`,
    reader.readAddress(),
  ]);
  const linkage = readMap(reader, () => {
    const linked: [string, string] = [reader.readAddress(), reader.readAddress()];
    reader.readU64();
    return linked;
  });
  return {
    id,
    firstId,
    definitions,
    origins,
    linkage,
    memory: memory + MEMORY_PER_NAME_BYTE * (reader.position - start),
  };
}

function readMap(reader: StrictReader, readEntry: () => [string, string]): Map<string, string> {
  const map = new Map<string, string>();
  for (let left = reader.readLength(); left > 0; left--) map.set(...readEntry());
  return map;
}
