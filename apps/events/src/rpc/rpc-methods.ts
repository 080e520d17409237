import {
  aliasFormat,
  eventMethods,
  type MethodFormat,
  specifiedFormat,
} from '@forecourt/contracts';
import {
  type CallContext,
  type CallMethod,
  JsonRpcCode,
  JsonRpcError,
  RawJson,
} from '@forecourt/json-rpc';
import { type Metrics, startStopwatch } from '@forecourt/runtime/metrics';
import type { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import type { NodeCalls } from '../upstreams/node-calls.js';
import type { EventQueries } from './event-queries.js';
import { describeMethods } from './openrpc-document.js';

type Handle = (params: unknown, context: CallContext) => Promise<unknown>;

/** Longest part of an unknown method's name that an error repeats. */
const LONGEST_NAME = 100;

/** Every method by its full name, once for each prefix: `ledger` and the configured aliases. */
export class RpcMethods {
  readonly #byName = new Map<string, Handle>();

  constructor(
    private readonly queries: EventQueries,
    private readonly subscriptions: SubscriptionsService,
    private readonly nodeCalls: NodeCalls,
    private readonly aliases: readonly string[],
  ) {
    for (const alias of aliases) this.add(alias, aliasFormat);
    this.add('ledger', specifiedFormat);
    const document = JSON.stringify(describeMethods());
    this.#byName.set('rpc.discover', async (_params, { origin }) => {
      this.nodeCalls.chargeAnswer(origin.client, document.length);
      return new RawJson([document]);
    });
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Throws -32601 for an unknown method, and the errors of the method. */
  readonly call: CallMethod = async (name, params, context) => {
    const handle = this.#byName.get(name);
    if (handle === undefined) {
      throw new JsonRpcError(JsonRpcCode.methodNotFound, this.describeUnknown(name));
    }
    return handle(params, context);
  };

  private add(prefix: string, format: MethodFormat): void {
    const called = (method: keyof typeof eventMethods) => ({ name: `${prefix}_${method}`, format });
    const { queries, subscriptions } = this;
    const [get, subscribe, unsubscribe] = [
      called('getEvents'),
      called('subscribeEvent'),
      called('unsubscribeEvent'),
    ];
    this.#byName
      .set(get.name, (params, context) => queries.getEvents(params, context, get))
      .set(subscribe.name, (params, context) => subscriptions.subscribe(params, context, subscribe))
      .set(unsubscribe.name, (params, context) =>
        subscriptions.unsubscribe(params, context, unsubscribe),
      );
  }

  /** For programs that use an alias and may call other methods of that time, the error lists the methods served. */
  private describeUnknown(name: string): string {
    const prefix = this.aliases.find((alias) => name.startsWith(`${alias}_`));
    if (prefix === undefined) return 'Method not found';
    const served = this.names.filter((one) => one.startsWith(`${prefix}_`));
    return `Method not found: ${name.slice(0, LONGEST_NAME)}; this service has ${served.join(', ')}`;
  }
}

/** Counts and times calls by method; all methods that are not served count as `unknown`. */
export function measureCalls(metrics: Metrics, { names, call }: RpcMethods): CallMethod {
  const served = new Set(names);
  const calls = metrics.counter<{ method: string; outcome: 'answered' | 'failed' }>({
    name: 'rpc_calls_total',
    labels: ['method', 'outcome'],
    help: 'JSON-RPC calls by method: answered, or failed with any error.',
    known: names.map((method) => ({ method, outcome: 'answered' })),
  });
  const duration = metrics.histogram<{ method: string }>({
    name: 'rpc_call_duration_seconds',
    labels: ['method'],
    help: 'Duration of JSON-RPC calls.',
  });
  return async (name, params, context) => {
    const method = served.has(name) ? name : 'unknown';
    const seconds = startStopwatch();
    try {
      const result = await call(name, params, context);
      calls.add({ method, outcome: 'answered' });
      return result;
    } catch (error) {
      calls.add({ method, outcome: 'failed' });
      throw error;
    } finally {
      duration.observe({ method }, seconds());
    }
  };
}
