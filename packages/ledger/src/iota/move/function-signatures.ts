import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { CallArgument } from '../../call-argument.js';
import type { DecodedTransaction, MoveCall } from '../../decoded-transaction.js';
import { LedgerUnreachable } from '../../ledger.js';
import { type CallSender, NodeRefusal } from '../transport/node-transport.js';
import { readCallArguments } from '../transactions/decoding/decode-transaction.js';
import { decodeArguments } from './decode-arguments.js';
import type { DefinedType } from './read-module.js';
import { isSystemPackage } from './read-package.js';
import { RecentValues } from './recent-values.js';

const CACHE_BYTES = 8 * 2 ** 20;
/** Of a type with its parts, and of a signature with its name. */
const MEMORY_PER_TYPE = 200;
const MEMORY_OF_SIGNATURE = 500;
/** How nodes say that there is no such package, module or function, by code or by text. */
const INVALID_PARAMS = -32_602;
const ABSENT = /does not exist|no (?:module|function)(?: was)? found|not found/i;

type FunctionName = Pick<MoveCall, 'packageId' | 'module' | 'function'>;

/** Of a transaction; each may cost a read. */
const MOST_FUNCTIONS = 32;

interface Signature {
  readonly parameters: readonly DefinedType[];
  readonly memory: number;
}

/**
 * The parameters of Move functions. A package never changes, its upgrade is another one; only system packages change,
 * at the end of an epoch.
 */
export class FunctionSignatures {
  readonly #known = new RecentValues<Signature>(CACHE_BYTES);

  constructor(
    private readonly node: CallSender,
    private readonly readEpoch: () => Promise<bigint>,
  ) {}

  /** See `LedgerReader.readArguments`. */
  async readArguments(
    { bytes, moveCalls }: DecodedTransaction,
    isAsked: (call: MoveCall) => boolean,
  ): Promise<CallArgument[][]> {
    const raws = readCallArguments(bytes);
    const asked = new Map(moveCalls.filter(isAsked).map((call) => [keyOf(call), call]));
    const functions = [...asked].slice(0, MOST_FUNCTIONS);
    const found = new Map(
      await Promise.all(
        functions.map(async ([key, call]) => [key, await this.parametersOf(call)] as const),
      ),
    );
    return moveCalls.map((call, at) =>
      decodeArguments(raws[at]!, found.get(keyOf(call)) ?? null, call.typeArguments),
    );
  }

  /** Null: the ledger has no such function, or not yet at this node. Rejects with `LedgerUnreachable`. */
  private async parametersOf(named: FunctionName): Promise<readonly DefinedType[] | null> {
    const { packageId, module, function: name } = named;
    const epoch = isSystemPackage(packageId) ? await this.readEpoch() : '';
    const key = `${keyOf(named)} ${epoch}`;
    const known = this.#known.get(key);
    if (known) return known.parameters;
    const parameters = await this.read([packageId, module, name]);
    if (parameters === null) return null;
    const memory =
      MEMORY_OF_SIGNATURE + MEMORY_PER_TYPE * JSON.stringify(parameters).split('{').length;
    this.#known.set(key, { parameters, memory });
    return parameters;
  }

  private async read(params: readonly string[]): Promise<readonly DefinedType[] | null> {
    try {
      const shown = await this.node.send({ method: 'iota_getNormalizedMoveFunction', params });
      return (shown as { readonly parameters: readonly NormalizedType[] }).parameters.map(ofShown);
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

function keyOf({ packageId, module, function: name }: FunctionName): string {
  return `${packageId}::${module}::${name}`;
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

/** References as the types that they refer to. Throws `TypeError` for another form. */
function ofShown(type: NormalizedType): DefinedType {
  if (typeof type === 'string') return type.toLowerCase() as Extract<DefinedType, string>;
  if ('Vector' in type) return { vector: ofShown(type.Vector) };
  if ('TypeParameter' in type) return { parameter: type.TypeParameter };
  if ('Reference' in type) return ofShown(type.Reference);
  if ('MutableReference' in type) return ofShown(type.MutableReference);
  const { address, module, name, typeArguments } = type.Struct;
  const inner = typeArguments.map(ofShown);
  return { package: normalizeIotaAddress(address), module, name, typeArguments: inner };
}

/** As `ofShown` reads it. */
export function showNormalized(type: DefinedType): NormalizedType {
  if (typeof type === 'string') return type;
  if ('vector' in type) return { Vector: showNormalized(type.vector) };
  if ('parameter' in type) return { TypeParameter: type.parameter };
  const { package: address, module, name, typeArguments } = type;
  return { Struct: { address, module, name, typeArguments: typeArguments.map(showNormalized) } };
}
