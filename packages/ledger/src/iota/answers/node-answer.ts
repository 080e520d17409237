import { normalizeIotaAddress, normalizeStructTag } from '@iota/iota-sdk/utils';
import { NodeFailure } from '../transport/node-failure.js';

const NATURAL = /^(0|[1-9]\d{0,19})$/;
const DIFFERENCE = /^(0|-?[1-9]\d{0,19})$/;
/** Of a struct tag; the SDK reads its type arguments. */
const STRUCT_TAG = /^0x[\da-f]{1,64}::[A-Za-z_]\w*::[A-Za-z_]\w*(<[\w:<>, ]+>)?$/;
const LARGEST_AMOUNT = 2n ** 64n - 1n;
const LONGEST_SHOWN = 80;
const OBJECT_ID = /^0x[0-9a-f]{1,64}$/;
/** 32 bytes in base58. */
const DIGEST = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/**
 * A node's answer or a part of it, not validated yet. Every reader throws `NodeFailure` with the
 * method and the field when a value has another type than required.
 */
export class NodeAnswer {
  constructor(
    private readonly method: string,
    private readonly value: unknown,
    private readonly path = 'result',
  ) {}

  /** The raw value, not validated. */
  get raw(): unknown {
    return this.value;
  }

  /** True for an absent value and for null. */
  get isAbsent(): boolean {
    return this.value === undefined || this.value === null;
  }

  /** A field of an object; may be absent. */
  field(name: string): NodeAnswer {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw this.malformed('an object');
    }
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return new NodeAnswer(this.method, part, `${this.path}.${name}`);
  }

  /** A field of an object; null where there is no object. */
  partOf(name: string): NodeAnswer | null {
    return this.isAbsent ? null : this.field(name);
  }

  /** A list; `count`: its required length. */
  items(count?: number): readonly NodeAnswer[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.malformed('a list');
    if (count !== undefined && value.length !== count) throw this.malformed(`a list of ${count}`);
    return value.map((item, index) => new NodeAnswer(this.method, item, `${this.path}[${index}]`));
  }

  text(): string {
    if (typeof this.value !== 'string' || this.value === '') throw this.malformed('a text');
    return this.value;
  }

  /** Throws unless it is this text, or a number with these digits. */
  expect(expected: string): void {
    const { value } = this;
    const text = typeof value === 'number' ? String(value) : this.text();
    if (text !== expected) throw this.another(expected);
  }

  objectId(): string {
    const text = this.text();
    if (!OBJECT_ID.test(text)) throw this.malformed('an object id');
    return text;
  }

  digest(): string {
    const text = this.text();
    if (!DIGEST.test(text)) throw this.malformed('a digest');
    return text;
  }

  /** A non-negative integer of 64 bits, as JSON number or decimal text. */
  amount(): bigint {
    const { value } = this;
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    if (isNumber) return BigInt(value);
    if (typeof value === 'string' && NATURAL.test(value)) {
      const amount = BigInt(value);
      if (amount <= LARGEST_AMOUNT) return amount;
    }
    throw this.malformed('a whole number of 64 bits');
  }

  /** The difference of two amounts, as decimal text. */
  difference(): bigint {
    const { value } = this;
    if (typeof value === 'string' && DIFFERENCE.test(value)) {
      const difference = BigInt(value);
      if (difference <= LARGEST_AMOUNT && difference >= -LARGEST_AMOUNT) return difference;
    }
    throw this.malformed('a difference of amounts of 64 bits');
  }

  /** The type of a struct, with addresses in full form, without spaces. */
  structTag(): string {
    const text = this.text();
    try {
      if (STRUCT_TAG.test(text)) return normalizeStructTag(text);
    } catch {
      // Its type arguments are malformed.
    }
    throw this.malformed('the type of a struct');
  }

  /** An owner: the address or the object's id, in full form; null: the object is shared or immutable. */
  owner(): string | null {
    if (this.value === 'Immutable') return null;
    for (const kind of ['AddressOwner', 'ObjectOwner']) {
      const id = this.field(kind);
      if (!id.isAbsent) return normalizeIotaAddress(id.objectId());
    }
    const shared = this.field('Shared');
    if (shared.isAbsent) throw this.malformed('an owner');
    shared.field('initial_shared_version').natural();
    return null;
  }

  /** An amount that a JavaScript number represents exactly. */
  natural(): number {
    const value = Number(this.amount());
    if (!Number.isSafeInteger(value)) throw this.malformed('a safe whole number');
    return value;
  }

  /** The failure of an answer whose value is not as wanted. */
  malformed(wanted: string): NodeFailure {
    return malformed(`${this.method}: ${this.path} is not ${wanted}`);
  }

  /** The failure of an answer to another call, as a proxy gives that mixes answers up. */
  another(wanted: string): NodeFailure {
    const given = String(this.value).slice(0, LONGEST_SHOWN);
    const message = `${this.method}: answer to another call: ${this.path} is ${given}, not ${wanted}`;
    return new NodeFailure(message, { mayBeProcessed: true, isInvalid: true });
  }
}

function malformed(what: string): NodeFailure {
  return new NodeFailure(`malformed response to ${what}`, {
    mayBeProcessed: true,
    isInvalid: true,
  });
}
