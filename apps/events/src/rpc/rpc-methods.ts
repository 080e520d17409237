import { Inject, Injectable } from '@nestjs/common';
import { type CallContext, JsonRpcCode, JsonRpcError, RawJson } from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { aliasDialect } from '../dialects/alias-dialect.js';
import type { EventDialect } from '../dialects/event-dialect.js';
import { specifiedDialect } from '../dialects/specified-dialect.js';
import { NodeCalls } from '../upstreams/node-calls.js';
import { describeMethods } from './describe-methods.js';
import type { RpcHandler } from './rpc-handler.js';

/** Injection token of the `RpcHandler`s to serve. */
export const RPC_HANDLERS = Symbol('RPC_HANDLERS');

type Handle = (params: unknown, context: CallContext) => Promise<unknown>;

/** Longest part of an unknown method's name that an error repeats. */
const LONGEST_NAME = 100;

/** Every method by its full name, once for each prefix: `ledger` and the configured ones. */
@Injectable()
export class RpcMethods {
  readonly #byName = new Map<string, Handle>();
  readonly #aliases: readonly string[];

  constructor(
    @Inject(RPC_HANDLERS) handlers: readonly RpcHandler[],
    @Inject(EVENTS_CONFIG) { methodAliases }: EventsConfig,
    nodeCalls: NodeCalls,
  ) {
    this.#aliases = methodAliases;
    for (const prefix of this.#aliases) this.add(prefix, handlers, aliasDialect);
    this.add('ledger', handlers, specifiedDialect);
    const text = JSON.stringify(describeMethods(handlers));
    const document = new RawJson([text]);
    this.#byName.set('rpc.discover', async (_params, { origin }) => {
      nodeCalls.chargeAnswer(origin.client, text.length);
      return document;
    });
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Throws -32601 for an unknown method, and what the method's handler throws. */
  async call(name: string, params: unknown, context: CallContext): Promise<unknown> {
    const handle = this.#byName.get(name);
    if (handle === undefined) {
      throw new JsonRpcError(JsonRpcCode.methodNotFound, this.describeUnknown(name));
    }
    return handle(params, context);
  }

  /** Programs that use an alias may call other methods of that time: they are told which ones are served. */
  private describeUnknown(name: string): string {
    const prefix = this.#aliases.find((alias) => name.startsWith(`${alias}_`));
    if (prefix === undefined) return 'Method not found';
    const served = this.names.filter((one) => one.startsWith(`${prefix}_`));
    return `Method not found: ${name.slice(0, LONGEST_NAME)}; this service has ${served.join(', ')}`;
  }

  private add(prefix: string, handlers: readonly RpcHandler[], dialect: EventDialect): void {
    for (const handler of handlers) {
      const called = { name: `${prefix}_${handler.name}`, dialect };
      this.#byName.set(called.name, (params, context) => handler.handle(params, context, called));
    }
  }
}
