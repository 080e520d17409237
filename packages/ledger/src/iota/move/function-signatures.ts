import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { ArgumentsOfCalls } from '../../call-argument.js';
import type { DecodedTransaction, MoveCall } from '../../decoded-transaction.js';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import type { CallSender } from '../transport/node-transport.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { CallArguments, keyOf } from './call-arguments.js';
import type { DefinedType, Parameter } from './read-module.js';
import { isSystemPackage } from './read-package.js';
import { RecentValues } from './recent-values.js';

const CACHE_BYTES = 8 * 2 ** 20;
/** Of a type with its parts, and of a signature with its name. */
const MEMORY_PER_TYPE = 200;
const MEMORY_OF_SIGNATURE = 500;
/** How nodes say that there is no such package, module or function, by code or by text. */
const INVALID_PARAMS = -32_602;
/** A package may be published, or reach this node, at any time. */
const ABSENT_FOR_MS = 10_000;
const ABSENT = /does not exist|no (?:module|function)(?: was)? found|not found/i;

type FunctionName = Pick<MoveCall, 'packageId' | 'module' | 'function'>;

/** Of a transaction; each may cost a read. */
const MOST_FUNCTIONS = 32;

interface Signature {
  /** Null: there is no such function. */
  readonly parameters: readonly Parameter[] | null;
  /** The time, as `performance.now()` tells it. */
  readonly endsAt: number;
  readonly memory: number;
}

/**
 * The parameters of Move functions. A package never changes, its upgrade is another one; only system packages
 * change, at the end of an epoch.
 */
export class FunctionSignatures {
  readonly #known = new RecentValues<Signature>(CACHE_BYTES);
  readonly #arguments = new WeakMap<DecodedTransaction, CallArguments>();

  constructor(
    private readonly node: CallSender,
    private readonly readEpoch: () => Promise<bigint>,
  ) {}

  /** See `LedgerReader.readArguments`. */
  async readArguments(
    transaction: DecodedTransaction,
    isRelevant: (call: MoveCall) => boolean,
  ): Promise<ArgumentsOfCalls> {
    let known = this.#arguments.get(transaction);
    if (!known) this.#arguments.set(transaction, (known = new CallArguments(transaction)));
    const decoded = known;
    const functions = [...decoded.functionsFor(isRelevant)].slice(0, MOST_FUNCTIONS);
    await Promise.all(
      functions.map(async ([key, call]) => {
        const parameters = await this.parametersOf(call);
        if (parameters) decoded.learn(key, parameters);
      }),
    );
    return (index) => decoded.of(index);
  }

  /** See `LedgerReader.hasFunction`. */
  async has(named: FunctionName): Promise<boolean> {
    return (await this.parametersOf(named)) !== null;
  }

  /** Null: the ledger has no such function, or not yet at this node. Rejects with `LedgerUnreachable`. */
  private async parametersOf(named: FunctionName): Promise<readonly Parameter[] | null> {
    const { packageId, module, function: name } = named;
    const epoch = isSystemPackage(packageId) ? await this.readEpoch() : '';
    const key = `${keyOf(named)} ${epoch}`;
    const known = this.#known.get(key);
    if (known && performance.now() < known.endsAt) return known.parameters;
    const parameters = await this.read([packageId, module, name]);
    const types = JSON.stringify(parameters).split('{').length;
    const memory = MEMORY_OF_SIGNATURE + key.length + MEMORY_PER_TYPE * types;
    const endsAt = parameters ? Infinity : performance.now() + ABSENT_FOR_MS;
    this.#known.set(key, { parameters, endsAt, memory });
    return parameters;
  }

  private async read(params: readonly string[]): Promise<readonly Parameter[] | null> {
    try {
      const shown = await this.node.send({ method: 'iota_getNormalizedMoveFunction', params });
      return (shown as { readonly parameters: readonly NormalizedType[] }).parameters.map(
        parameterOf,
      );
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const { code, message } = error;
      if (code === INVALID_PARAMS || ABSENT.test(message)) return null;
      throw new LedgerUnreachable(`the function ${params.join('::')}: ${message}`, {
        cause: error,
      });
    }
  }
}

/** A type as a node's normalized functions show it. */
type NormalizedType =
  | string
  | { readonly Vector: NormalizedType }
  | { readonly TypeParameter: number }
  | { readonly Reference: NormalizedType }
  | { readonly MutableReference: NormalizedType }
  | { readonly Struct: NormalizedStruct };

interface NormalizedStruct {
  readonly address: string;
  readonly module: string;
  readonly name: string;
  readonly typeArguments: readonly NormalizedType[];
}

/** Throws `TypeError` for another form. */
function parameterOf(normalized: NormalizedType): Parameter {
  if (typeof normalized === 'string') return { type: ofShown(normalized), isMutable: false };
  if ('Reference' in normalized) return { type: ofShown(normalized.Reference), isMutable: false };
  const isMutable = 'MutableReference' in normalized;
  return { type: ofShown(isMutable ? normalized.MutableReference : normalized), isMutable };
}

/** Throws `TypeError` for a reference, which only a whole parameter can be, and for another form. */
function ofShown(type: NormalizedType): DefinedType {
  if (typeof type === 'string') return type.toLowerCase() as Extract<DefinedType, string>;
  if ('Vector' in type) return { vector: ofShown(type.Vector) };
  if ('TypeParameter' in type) return { parameter: type.TypeParameter };
  if (!('Struct' in type)) throw new TypeError('a reference within a type');
  const { address, module, name, typeArguments } = type.Struct;
  const inner = typeArguments.map(ofShown);
  return { package: normalizeIotaAddress(address), module, name, typeArguments: inner };
}

/** As `parameterOf` reads it. */
export function showNormalized({ type, isMutable }: Parameter): NormalizedType {
  return isMutable ? { MutableReference: showType(type) } : showType(type);
}

function showType(type: DefinedType): NormalizedType {
  if (typeof type === 'string') return type;
  if ('vector' in type) return { Vector: showType(type.vector) };
  if ('parameter' in type) return { TypeParameter: type.parameter };
  const { package: address, module, name, typeArguments } = type;
  return { Struct: { address, module, name, typeArguments: typeArguments.map(showType) } };
}
