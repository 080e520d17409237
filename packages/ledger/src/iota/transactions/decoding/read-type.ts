import { InvalidTransactionBytes } from '../../../ledger.js';
import { MAX_TYPE_ARGUMENTS } from '../../limits.js';
import type { StrictReader } from './strict-reader.js';

/** The ledger's `TypeTag`, in the order of its variants. */
const TYPES = [
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

/**
 * Limit of nested containers in the ledger's own decoder (`MAX_CONTAINER_DEPTH` of the `bcs`
 * crate).
 */
const DEEPEST = 500;

/**
 * A type tag as text, addresses in full form, without spaces; adds the packages that it names.
 * Throws `InvalidTransactionBytes`.
 */
export function readType(reader: StrictReader, packages: Set<string>, depth = 0): string {
  if (depth > DEEPEST) throw new InvalidTransactionBytes('types are nested too deeply');
  const type = TYPES[reader.readVariant(TYPES.length, 'TypeTag')]!;
  if (type === 'vector') return `vector<${readType(reader, packages, depth + 1)}>`;
  if (type !== 'struct') return type;
  const address = reader.readAddress();
  packages.add(address);
  const name = `${address}::${reader.readIdentifier()}::${reader.readIdentifier()}`;
  const parameters = readTypes(reader, packages, depth + 1);
  return parameters.length === 0 ? name : `${name}<${parameters.join(',')}>`;
}

/** Reads a counted list of type tags. Throws `InvalidTransactionBytes`. */
export function readTypes(reader: StrictReader, packages: Set<string>, depth = 0): string[] {
  const types: string[] = [];
  for (let left = reader.readCount(MAX_TYPE_ARGUMENTS, 'type arguments'); left > 0; left--) {
    types.push(readType(reader, packages, depth));
  }
  return types;
}
