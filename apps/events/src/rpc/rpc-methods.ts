import { Inject, Injectable } from '@nestjs/common';
import { type CallContext, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { EVENTS_CONFIG } from '../config/events-config.module.js';
import type { EventsConfig } from '../config/events-config.js';
import { describeMethods } from './describe-methods.js';
import type { RpcHandler } from './rpc-handler.js';

/** Injection token of the `RpcHandler`s to serve. */
export const RPC_HANDLERS = Symbol('RPC_HANDLERS');

type Handle = RpcHandler['handle'];

/** Every method by its full name, once for each prefix: `ledger` and the configured ones. */
@Injectable()
export class RpcMethods {
  readonly #byName = new Map<string, Handle>();

  constructor(
    @Inject(RPC_HANDLERS) handlers: readonly RpcHandler[],
    @Inject(EVENTS_CONFIG) { methodAliases }: EventsConfig,
  ) {
    for (const prefix of ['ledger', ...methodAliases]) {
      for (const handler of handlers) {
        this.#byName.set(`${prefix}_${handler.name}`, handler.handle.bind(handler));
      }
    }
    const document = describeMethods(handlers);
    this.#byName.set('rpc.discover', async () => document);
  }

  get names(): readonly string[] {
    return [...this.#byName.keys()];
  }

  /** Throws -32601 for an unknown method, and what the method's handler throws. */
  async call(name: string, params: unknown, context: CallContext): Promise<unknown> {
    const handle = this.#byName.get(name);
    if (handle === undefined) {
      throw new JsonRpcError(JsonRpcCode.methodNotFound, 'Method not found');
    }
    return handle(params, context, name);
  }
}
