import { eventMethods } from '@forecourt/contracts';
import type { CallContext, ServedClients } from '@forecourt/json-rpc';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.js';
import type { ReplayParts } from '../subscriptions/replay-events.js';
import { discover } from './discover.js';
import { getEvents } from './get-events.js';
import { subscribeEvent } from './subscribe-event.js';
import { unsubscribeEvent } from './unsubscribe-event.js';
import type { FilterLimits } from '@forecourt/contracts';

/** What the methods work with. */
export interface RpcParts extends ReplayParts {
  readonly clients: ClientSubscriptions;
  readonly served: ServedClients;
  readonly filterLimits: FilterLimits;
}

export type RpcMethod = (
  parts: RpcParts,
  params: unknown,
  context: CallContext,
  /** As it was called: an alias keeps its name. */
  name: string,
) => Promise<unknown>;

/** Every method by its full name, once for each prefix (`ledger`, and the configured aliases). */
export function createMethodTable(prefixes: readonly string[]): ReadonlyMap<string, RpcMethod> {
  const own: [string, RpcMethod][] = prefixes.flatMap((prefix) => [
    [`${prefix}_${eventMethods.getEvents}`, getEvents],
    [`${prefix}_${eventMethods.subscribeEvent}`, subscribeEvent],
    [`${prefix}_${eventMethods.unsubscribeEvent}`, unsubscribeEvent],
  ]);
  return new Map([...own, ['rpc.discover', discover]]);
}
