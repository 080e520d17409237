import type { ArgumentsOfCalls } from '../../call-argument.js';
import type { DecodedTransaction, MoveCall } from '../../decoded-transaction.js';
import { LedgerUnreachable } from '../../ledger-unreachable.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { CallArguments, keyOf } from './call-arguments.js';
import type { Parameter } from './read-module.js';
import { isSystemPackage } from './read-package.js';
import { RecentValues } from './recent-values.js';

const CACHE_BYTES = 8 * 2 ** 20;
/** Of a type with its parts, and of a signature with its name. */
const MEMORY_PER_TYPE = 200;
const MEMORY_OF_SIGNATURE = 500;
/** A package may be published, or reach this node, at any time. */
const ABSENT_FOR_MS = 10_000;

type FunctionName = Pick<MoveCall, 'packageId' | 'module' | 'function'>;

/** Of a transaction; each may cost a read. */
const MOST_FUNCTIONS = 32;

/** See `NodeClient.getParameters`. */
type AskParameters = (
  packageId: string,
  module: string,
  name: string,
) => Promise<readonly Parameter[] | null>;

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
    private readonly ask: AskParameters,
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
    const parameters = await this.read(packageId, module, name);
    const types = JSON.stringify(parameters).split('{').length;
    const memory = MEMORY_OF_SIGNATURE + key.length + MEMORY_PER_TYPE * types;
    const endsAt = parameters ? Infinity : performance.now() + ABSENT_FOR_MS;
    this.#known.set(key, { parameters, endsAt, memory });
    return parameters;
  }

  private async read(...named: Parameters<AskParameters>): Promise<readonly Parameter[] | null> {
    try {
      return await this.ask(...named);
    } catch (error) {
      if (!(error instanceof NodeRefusal)) throw error;
      const message = `the function ${named.join('::')}: ${error.message}`;
      throw new LedgerUnreachable(message, { cause: error });
    }
  }
}
