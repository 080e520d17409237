import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { DefinedType } from './read-module.js';
import type { Effort } from './effort.js';

/** The ledger nests types less deeply. */
const DEEPEST = 32;
/** Each parameter may repeat a type argument, which may be as long as the transaction. */
const LONGEST_TYPE = 4_096;
const UNITS_OF_TYPE = 4;

/** A type without parameters. `length`: the characters of its text. */
export interface ArgumentType {
  readonly id: number;
  /** A primitive's name, `vector`, or a struct's name in full. */
  readonly name: string;
  /** Of a vector, its element. */
  readonly inner: readonly ArgumentType[];
  readonly depth: number;
  readonly length: number;
}

/**
 * The types of one transaction's arguments: each exists once, so that a type that repeats another takes no
 * memory.
 */
export class ArgumentTypes {
  readonly #types = new Map<string, ArgumentType>();
  readonly #parsed = new Map<string, ArgumentType | null>();
  readonly #texts = new Map<ArgumentType, string>();

  constructor(private readonly effort: Effort) {}

  /**
   * A type argument as transactions state it; null: it is not a type, or nested too deeply. Throws
   * `TooMuchEffort`.
   */
  parse(text: string): ArgumentType | null {
    let type = this.#parsed.get(text);
    if (type === undefined) {
      type = text.length > LONGEST_TYPE ? null : new TypeParser(text, this).parse();
      this.#parsed.set(text, type);
    }
    return type;
  }

  /**
   * The type with type arguments for its parameters; null: one is missing, or it is nested too deeply. Throws
   * `TooMuchEffort`.
   */
  fillIn(
    type: DefinedType,
    typeArguments: readonly (ArgumentType | null)[],
    depth = 0,
  ): ArgumentType | null {
    if (depth > DEEPEST) return null;
    if (typeof type === 'string') return this.make(type, []);
    if ('parameter' in type) return typeArguments[type.parameter] ?? null;
    const isVector = 'vector' in type;
    const inner: ArgumentType[] = [];
    for (const one of isVector ? [type.vector] : type.typeArguments) {
      const filled = this.fillIn(one, typeArguments, depth + 1);
      if (filled === null) return null;
      inner.push(filled);
    }
    return this.make(isVector ? 'vector' : nameOf(type), inner);
  }

  /** Throws `TooMuchEffort`. */
  make(name: string, inner: readonly ArgumentType[]): ArgumentType | null {
    this.effort.spend(UNITS_OF_TYPE);
    const key = `${name}<${inner.map(({ id }) => id).join()}`;
    const known = this.#types.get(key);
    if (known) return known;
    const depth = inner.reduce((deepest, one) => Math.max(deepest, one.depth + 1), 0);
    if (depth > DEEPEST) return null;
    const length = inner.reduce((sum, one) => sum + one.length + 1, name.length + 1);
    const type = { id: this.#types.size, name, inner, depth, length };
    this.#types.set(key, type);
    return type;
  }

  /** Addresses in full form, without spaces; null: it is too long. Throws `TooMuchEffort`. */
  textOf(type: ArgumentType): string | null {
    if (type.length > LONGEST_TYPE) return null;
    let text = this.#texts.get(type);
    if (text === undefined) {
      this.effort.spend(type.length);
      text = write(type);
      this.#texts.set(type, text);
    }
    return text;
  }
}

function write({ name, inner }: ArgumentType): string {
  return inner.length === 0 ? name : `${name}<${inner.map(write).join(',')}>`;
}

/** The name of a struct in full; of another type, empty. */
export function nameOf(type: DefinedType): string {
  if (typeof type === 'string' || !('name' in type)) return '';
  return `${type.package}::${type.module}::${type.name}`;
}

/** Names end before these. */
const NAME = /[^<>, ]+/y;

class TypeParser {
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly types: ArgumentTypes,
  ) {}

  parse(): ArgumentType | null {
    const type = this.read(0);
    return this.#position === this.text.length ? type : null;
  }

  private read(depth: number): ArgumentType | null {
    NAME.lastIndex = this.#position;
    const name = NAME.exec(this.text)?.[0];
    if (name === undefined || depth > DEEPEST) return null;
    this.#position += name.length;
    const inner: ArgumentType[] = [];
    if (this.text[this.#position] === '<') {
      do {
        this.#position += 1;
        const one = this.read(depth + 1);
        if (one === null) return null;
        inner.push(one);
      } while (this.text[this.#position] === ',');
      if (this.text[this.#position] !== '>') return null;
      this.#position += 1;
    }
    const separator = name.indexOf('::');
    const full =
      separator < 0 ? name : normalizeIotaAddress(name.slice(0, separator)) + name.slice(separator);
    return this.types.make(full, inner);
  }
}
