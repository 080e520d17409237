import { NodeFailure } from '../transport/node-errors.js';

const NATURAL = /^(0|[1-9]\d*)$/;

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

  /** Converts the result of an SDK call. The SDK itself may throw on a malformed response. */
  static async to(method: string, ask: () => Promise<unknown>): Promise<NodeAnswer> {
    try {
      return new NodeAnswer(method, await ask());
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      throw malformed(`${method}: ${error.message}`, error);
    }
  }

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

  /** A list; `count`: its required length. */
  items(count?: number): readonly NodeAnswer[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.malformed('a list');
    if (count !== undefined && value.length !== count) throw this.malformed(`a list of ${count}`);
    return value.map((item, at) => new NodeAnswer(this.method, item, `${this.path}[${at}]`));
  }

  text(): string {
    if (typeof this.value !== 'string' || this.value === '') throw this.malformed('a text');
    return this.value;
  }

  /** A non-negative integer, as JSON number or decimal text. */
  amount(): bigint {
    const { value } = this;
    const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
    if (isNumber) return BigInt(value);
    if (typeof value === 'string' && NATURAL.test(value)) return BigInt(value);
    throw this.malformed('a whole number');
  }

  /** An amount that a JavaScript number represents exactly. */
  natural(): number {
    const value = Number(this.amount());
    if (!Number.isSafeInteger(value)) throw this.malformed('a safe whole number');
    return value;
  }

  private malformed(wanted: string): NodeFailure {
    return malformed(`${this.method}: ${this.path} is not ${wanted}`);
  }
}

function malformed(what: string, cause?: unknown): NodeFailure {
  return new NodeFailure(`malformed response to ${what}`, { mayBeProcessed: true, cause });
}
