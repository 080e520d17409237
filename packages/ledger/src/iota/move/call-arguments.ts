import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ArgumentValue, CallArgument, RawArgument } from '../../call-argument.js';
import type { DecodedTransaction, MoveCall } from '../../decoded-transaction.js';
import { readCallArguments } from '../transactions/decoding/decode-transaction.js';
import { type ArgumentType, ArgumentTypes, nameOf } from './argument-types.js';
import { MOST_EFFORT, readPure } from './decode-value.js';
import { Effort } from './effort.js';
import { TooMuchEffort } from './too-much-effort.js';
import type { Parameter } from './read-module.js';

const CONTEXT = `${normalizeIotaAddress('0x2')}::tx_context::TxContext`;

type PureInput = Extract<RawArgument, { kind: 'pure' }>;

/**
 * The arguments of one transaction's calls. Decodes each input once for each type, when a rule first reads
 * its value. An argument beyond the bound on effort has no type and no value.
 */
export class CallArguments {
  readonly #effort = new Effort(MOST_EFFORT);
  readonly #types = new ArgumentTypes(this.#effort);
  readonly #raws: readonly (readonly RawArgument[])[];
  readonly #calls: readonly MoveCall[];
  /** The calls that take a pure input. */
  readonly #takers: ReadonlyMap<RawArgument, readonly number[]>;
  readonly #known = new Map<string, readonly Parameter[]>();
  readonly #arguments = new Map<number, readonly CallArgument[]>();
  #changedBy: ReadonlyMap<RawArgument, number> | undefined;
  readonly #values = new Map<RawArgument, Map<ArgumentType, ArgumentValue | undefined>>();

  constructor({ bytes, moveCalls }: DecodedTransaction) {
    this.#raws = readCallArguments(bytes);
    this.#calls = moveCalls;
    this.#takers = findTakers(this.#raws);
  }

  /** The units of work that decoding has taken. */
  get effort(): number {
    return this.#effort.spent;
  }

  /**
   * The functions that decide about the values of wanted calls: their own, then those that may change their
   * inputs.
   */
  functionsFor(isRelevant: (call: MoveCall) => boolean): ReadonlyMap<string, MoveCall> {
    const calls = this.#calls;
    const relevant = calls.flatMap((call, index) => (isRelevant(call) ? [index] : []));
    const inputs = new Map<RawArgument, number>();
    for (const index of relevant) for (const raw of this.#raws[index]!) inputs.set(raw, index);
    const earlier = [...inputs].flatMap(([raw, last]) =>
      (this.#takers.get(raw) ?? []).filter((index) => index < last),
    );
    return new Map([...relevant, ...earlier].map((index) => [keyOf(calls[index]!), calls[index]!]));
  }

  /** `parameters`: of a function by its key, without the transaction context. */
  learn(key: string, parameters: readonly Parameter[]): void {
    if (this.#known.has(key)) return;
    const taken = parameters.filter(({ type }) => nameOf(type) !== CONTEXT);
    this.#known.set(key, taken);
    this.#arguments.clear();
    this.#changedBy = undefined;
  }

  of(index: number): readonly CallArgument[] {
    let found = this.#arguments.get(index);
    if (!found) {
      found = this.describe(index);
      this.#arguments.set(index, found);
    }
    return found;
  }

  private describe(index: number): CallArgument[] {
    const parameters = this.#known.get(keyOf(this.#calls[index]!)) ?? null;
    const raws = this.#raws[index]!;
    // The ledger refuses any other number of arguments.
    const fitting = parameters?.length === raws.length ? parameters : null;
    const typeArguments = once(() =>
      this.#calls[index]!.typeArguments.map((one) => this.#types.parse(one)),
    );
    return raws.map((raw, position): CallArgument => {
      const typeOf = once(
        () =>
          fitting &&
          this.attempt(() => this.#types.fillIn(fitting[position]!.type, typeArguments())),
      );
      const textOf = () => {
        const type = typeOf();
        return type && this.attempt(() => this.#types.textOf(type));
      };
      const described = {
        ...raw,
        get type() {
          return textOf();
        },
      };
      if (raw.kind !== 'pure') return described as CallArgument;
      const valueOf = () => {
        const type = this.isChangedBefore(raw, index) ? null : typeOf();
        return type ? this.valueOf(raw, type) : undefined;
      };
      return {
        kind: 'pure',
        isLent: fitting?.[position]!.isMutable ?? true,
        get type() {
          return textOf();
        },
        get value() {
          return valueOf();
        },
      };
    });
  }

  /** A pure input that is lent as `&mut` keeps its new value for later commands. */
  private isChangedBefore(raw: RawArgument, index: number): boolean {
    this.#changedBy ??= this.findChanges();
    return (this.#changedBy.get(raw) ?? index) < index;
  }

  /** The first call that may change a pure input: it lends it as `&mut`, or its function is not known. */
  private findChanges(): Map<RawArgument, number> {
    const changedBy = new Map<RawArgument, number>();
    for (const [index, raws] of this.#raws.entries()) {
      const parameters = this.#known.get(keyOf(this.#calls[index]!));
      for (const [position, raw] of raws.entries()) {
        const mayChange = parameters?.[position]?.isMutable ?? true;
        if (mayChange && raw.kind === 'pure' && !changedBy.has(raw)) changedBy.set(raw, index);
      }
    }
    return changedBy;
  }

  private valueOf(raw: PureInput, type: ArgumentType): ArgumentValue | undefined {
    let values = this.#values.get(raw);
    if (!values) {
      values = new Map<ArgumentType, ArgumentValue | undefined>();
      this.#values.set(raw, values);
    }
    if (!values.has(type)) {
      const read = this.attempt(() => ({ value: readPure(raw.bytes, type, this.#effort) }));
      values.set(type, read?.value);
    }
    return values.get(type);
  }

  /** Null: it takes too much effort. */
  private attempt<T>(work: () => T): T | null {
    try {
      return work();
    } catch (error) {
      if (error instanceof TooMuchEffort) return null;
      throw error;
    }
  }
}

export function keyOf({
  packageId,
  module,
  function: name,
}: Pick<MoveCall, 'packageId' | 'module' | 'function'>): string {
  return `${packageId}::${module}::${name}`;
}

function findTakers(
  calls: readonly (readonly RawArgument[])[],
): ReadonlyMap<RawArgument, readonly number[]> {
  const takers = new Map<RawArgument, number[]>();
  for (const [index, raws] of calls.entries()) {
    for (const raw of raws) {
      if (raw.kind !== 'pure') continue;
      const known = takers.get(raw);
      if (!known) takers.set(raw, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  }
  return takers;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
