import { base58, base64 } from '@scure/base';

const ADDRESS = /^0x[0-9a-f]{1,64}$/i;
const DIGEST_BYTES = 32;

/** An address or object id in the full form, `0x` and 64 lower-case hex digits; null for anything else. */
export function canonicalAddress(value: unknown): string | null {
  if (typeof value !== 'string' || !ADDRESS.test(value)) return null;
  return value.length === 66 && value === value.toLowerCase()
    ? value
    : `0x${value.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** A transaction digest in base64, from base64 or base58; null for anything else. */
export function canonicalDigest(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64) return null;
  for (const coder of [base64, base58]) {
    try {
      const bytes = coder.decode(value);
      if (bytes.length === DIGEST_BYTES) return base64.encode(bytes);
    } catch {
      // Not in this encoding.
    }
  }
  return null;
}

/** A digest as today's nodes write it. `digest` is base64 of 32 bytes. */
export function digestInBase58(digest: string): string {
  return base58.encode(base64.decode(digest));
}

/** A digest as event records write it. `digest` is base58 of 32 bytes. */
export function digestInBase64(digest: string): string {
  return base64.encode(base58.decode(digest));
}

const PRIMITIVES = new Set([
  'bool',
  'address',
  'signer',
  'u8',
  'u16',
  'u32',
  'u64',
  'u128',
  'u256',
]);
const WORD = /[^<>,\s]+/y;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Move's own limit on the nesting of types. */
const MAX_DEPTH = 16;
const MAX_LENGTH = 4_096;

export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 128 && IDENTIFIER.test(value);
}

/**
 * A struct tag with its addresses in the full form and without white space, type parameters included:
 * `0x2::coin::Coin<0x2::iota::IOTA>`. Null for anything that is not a struct tag.
 */
export function canonicalStructTag(value: unknown): string | null {
  const type = canonicalType(value);
  return type?.includes('::') && !type.startsWith('vector<') ? type : null;
}

/** Any type in the same form, primitive types and vectors too. Null for anything that is not a type. */
export function canonicalType(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return null;
  const reader = new TypeReader(value);
  const type = reader.type(0);
  return reader.atEnd ? type : null;
}

class TypeReader {
  #position = 0;

  constructor(private readonly text: string) {}

  get atEnd(): boolean {
    this.skipSpace();
    return this.#position === this.text.length;
  }

  type(depth: number): string | null {
    if (depth > MAX_DEPTH) return null;
    this.skipSpace();
    WORD.lastIndex = this.#position;
    const word = WORD.exec(this.text)?.[0];
    if (word === undefined) return null;
    this.#position += word.length;
    if (PRIMITIVES.has(word)) return word;
    const head = word === 'vector' ? word : canonicalHead(word);
    if (head === null) return null;
    const parameters = this.parameters(depth);
    if (parameters === null) return null;
    if (word === 'vector') return parameters.length === 1 ? `vector<${parameters[0]}>` : null;
    return parameters.length === 0 ? head : `${head}<${parameters.join(',')}>`;
  }

  private parameters(depth: number): string[] | null {
    if (!this.take('<')) return [];
    const texts: string[] = [];
    do {
      const type = this.type(depth + 1);
      if (type === null) return null;
      texts.push(type);
    } while (this.take(','));
    return this.take('>') ? texts : null;
  }

  private take(sign: string): boolean {
    this.skipSpace();
    if (this.text[this.#position] !== sign) return false;
    this.#position += 1;
    return true;
  }

  private skipSpace(): void {
    while (this.text[this.#position] === ' ') this.#position += 1;
  }
}

/** `0x2::coin::Coin`, the address in the full form. */
function canonicalHead(word: string): string | null {
  const [address, module, name, ...rest] = word.split('::');
  const full = canonicalAddress(address);
  if (full === null || rest.length > 0 || !isIdentifier(module) || !isIdentifier(name)) return null;
  return `${full}::${module}::${name}`;
}
