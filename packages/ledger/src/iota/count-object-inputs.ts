import { BcsReader } from '@iota/bcs';

/** Places in the ledger's own enums. */
const PURE = 0;
const SHARED_OBJECT = 1;
const ID_AND_VERSION_BYTES = 32 + 8;

/**
 * How many of a programmable transaction's inputs are objects, found by stepping over them: to decode one costs several
 * conversions to and from base58. 0 for bytes that cannot be stepped through; decoding them says why.
 */
export function countObjectInputs(bytes: Uint8Array): number {
  const reader = new BcsReader(bytes);
  try {
    const isFirstVersion = reader.readULEB() === 0;
    const isProgram = reader.readULEB() === 0;
    if (!isFirstVersion || !isProgram) return 0;
    let objects = 0;
    for (let left = reader.readULEB(); left > 0; left--) {
      if (reader.readULEB() === PURE) {
        reader.shift(reader.readULEB());
        continue;
      }
      objects += 1;
      const kind = reader.readULEB();
      reader.shift(ID_AND_VERSION_BYTES);
      reader.shift(kind === SHARED_OBJECT ? 1 : reader.readULEB());
    }
    return objects;
  } catch {
    return 0;
  }
}
