import { setImmediate as nextTurn } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import {
  aliasFormat,
  type CalledMethod,
  type EventMethod,
  JsonRpcCode,
  JsonRpcError,
  type MethodFormat,
  specifiedFormat,
  type WrittenPage,
} from '@forecourt/contracts';
import { type CallContext, type CallMethod, RawJson } from '@forecourt/json-rpc';
import { Metrics } from '@forecourt/runtime/metrics';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { PositionCheck } from '../subscriptions/position-check.js';
import { SubscriptionsService } from '../subscriptions/subscriptions.service.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { PAST_EVENTS, type PastEvents } from '../upstreams/past-events.js';
import { describeMethods } from './openrpc-document.js';

type Call = (params: unknown, context: CallContext) => Promise<unknown>;
type Handle = (params: unknown, context: CallContext, called: CalledMethod) => Promise<unknown>;

/** Longest part of an unknown method's name that an error repeats. */
const LONGEST_NAME = 100;

/** Every method by its full name, once for each prefix: `ledger` and the configured aliases. */
@Injectable()
export class RpcMethods {
  readonly #byName = new Map<string, Call>();
  readonly #aliases: readonly string[];
  readonly #queries: EventQueries;

  /** Throws -32601 for an unknown method, and the errors of the method. */
  readonly call: CallMethod;

  constructor(
    @Inject(PAST_EVENTS) past: PastEvents,
    private readonly subscriptions: SubscriptionsService,
    private readonly nodeCalls: NodeCalls,
    positions: PositionCheck,
    @Inject(EVENTS_CONFIG) { methodAliases }: EventsConfig,
    metrics: Metrics,
  ) {
    this.#queries = new EventQueries(past, positions, nodeCalls);
    this.#aliases = methodAliases;
    for (const alias of this.#aliases) this.add(alias, aliasFormat);
    this.add('ledger', specifiedFormat);
    const document = JSON.stringify(describeMethods());
    const bytes = Buffer.byteLength(document);
    this.#byName.set('rpc.discover', async (_params, { origin }) => {
      this.nodeCalls.chargeAnswer(origin.client, bytes);
      return new RawJson([document]);
    });
    this.call = measureCalls(metrics, [...this.#byName.keys()], (name, params, context) =>
      this.find(name)(params, context),
    );
  }

  private find(name: string): Call {
    const handle = this.#byName.get(name);
    if (handle !== undefined) return handle;
    throw new JsonRpcError(JsonRpcCode.methodNotFound, this.describeUnknown(name));
  }

  private add(prefix: string, format: MethodFormat): void {
    const { subscriptions } = this;
    const serve = (method: EventMethod, handle: Handle) => {
      const called = { name: `${prefix}_${method}`, format };
      this.#byName.set(called.name, (params, context) => handle(params, context, called));
    };
    serve('getEvents', (...call) => this.#queries.getEvents(...call));
    serve('subscribeEvent', (...call) => subscriptions.subscribe(...call));
    serve('unsubscribeEvent', (...call) => subscriptions.unsubscribe(...call));
  }

  /**
   * For programs that use an alias and may call other methods of that time, the error lists the methods
   * served.
   */
  private describeUnknown(name: string): string {
    const prefix = this.#aliases.find((alias) => name.startsWith(`${alias}_`));
    if (prefix === undefined) return 'Method not found';
    const served = [...this.#byName.keys()].filter((one) => one.startsWith(`${prefix}_`));
    return `Method not found: ${name.slice(0, LONGEST_NAME)}; this service has ${served.join(', ')}`;
  }
}

/** Counts calls by method; all methods that are not served count as `unknown`. */
function measureCalls(metrics: Metrics, names: readonly string[], call: CallMethod): CallMethod {
  const served = new Set(names);
  const calls = metrics.counter<{ method: string; outcome: 'answered' | 'failed' }>({
    name: 'rpc_calls_total',
    labels: ['method', 'outcome'],
    help: 'JSON-RPC calls by method: answered, or failed with any error.',
    known: names.map((method) => ({ method, outcome: 'answered' })),
  });
  return async (name, params, context) => {
    const method = served.has(name) ? name : 'unknown';
    try {
      const result = await call(name, params, context);
      calls.add({ method, outcome: 'answered' });
      return result;
    } catch (error) {
      calls.add({ method, outcome: 'failed' });
      throw error;
    }
  };
}

/**
 * Records that are written in one turn of the event loop, so that a large page does not delay other clients.
 */
const RECORDS_PER_TURN = 100;

/** The method that returns past events. */
class EventQueries {
  constructor(
    private readonly past: PastEvents,
    private readonly positions: PositionCheck,
    private readonly nodeCalls: NodeCalls,
  ) {}

  /**
   * Throws -32602 naming the param, also for a cursor that the ledger does not have; -32000 when no node
   * responds, none has the beginning of the page, one has left out an attribute of the format, or the query
   * needs too many node calls; -32009 when the client has caused too many node calls; and -32702 when the
   * page is too big.
   */
  async getEvents(
    params: unknown,
    context: CallContext,
    { format }: CalledMethod,
  ): Promise<RawJson> {
    const { anchor, ...request } = format.readGetEvents(params);
    const session = this.nodeCalls.openSession(context.origin, context);
    try {
      const text = new PageText();
      let { cursor, limit } = request;
      if (cursor !== null) {
        await this.positions.require({ id: cursor, anchor }, 'position 2 (cursor)', session);
      }
      for (;;) {
        const part = { ...request, cursor, limit };
        const page = await this.past.query((source) => source.getEvents(part, session));
        session.addMemory(await text.add(format.writePage(page)));
        if (!page.goesOn || page.nextCursor === null) return text.toJson();
        cursor = page.nextCursor;
        limit -= page.data.length;
      }
    } finally {
      session.end();
    }
  }
}

/** A page as JSON, written part by part: the objects of a part can be freed once it is text. */
class PageText {
  readonly #records: string[] = [];
  #nextCursor: unknown = null;

  /** Adds the next part of the page. Returns the number of bytes it takes. */
  async add({ data, nextCursor }: WrittenPage): Promise<number> {
    let bytes = 0;
    for (let index = 0; index < data.length; index += RECORDS_PER_TURN) {
      if (index > 0) await nextTurn();
      const text = JSON.stringify(data.slice(index, index + RECORDS_PER_TURN)).slice(1, -1);
      if (this.#records.length > 0) this.#records.push(',');
      this.#records.push(text);
      bytes += Buffer.byteLength(text);
    }
    this.#nextCursor = nextCursor;
    return bytes;
  }

  toJson(): RawJson {
    const nextCursor = JSON.stringify(this.#nextCursor);
    return new RawJson(['{"data":[', ...this.#records, `],"nextCursor":${nextCursor}}`]);
  }
}
