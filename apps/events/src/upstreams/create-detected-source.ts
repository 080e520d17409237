import { JsonRpcCode } from '@forecourt/json-rpc';
import { createCallNode, type NodeOptions, NodeRefused } from './call-node.js';
import type { EventSource } from './event-source.js';
import { OWN_WORK } from './node-work.js';
import type { Dialect } from './parse-upstreams.js';

/** A node whose dialect is asked for when it is needed first: one that knows the legacy query speaks the legacy dialect. */
export function createDetectedSource(
  node: NodeOptions,
  legacyPrefix: string,
  create: (dialect: Dialect) => EventSource,
): EventSource {
  const call = createCallNode(node)(OWN_WORK);
  let found: EventSource | null = null;

  const detect = async (): Promise<EventSource> => {
    if (found) return found;
    let dialect: Dialect = 'legacy';
    try {
      await call(`${legacyPrefix}_getEvents`, ['All', null, 1, false]);
    } catch (error) {
      if (!(error instanceof NodeRefused)) throw error;
      if (error.code === JsonRpcCode.methodNotFound) dialect = 'iota';
    }
    return (found ??= create(dialect));
  };

  return {
    get name() {
      return found?.name ?? new URL(node.url).host;
    },
    getEvents: async (request, work) => (await detect()).getEvents(request, work),
    newest: async () => (await detect()).newest(),
    latestCheckpoint: async () => (await detect()).latestCheckpoint(),
    ledgerIdentity: async () => (await detect()).ledgerIdentity(),
    async *follow(from, signal) {
      yield* (await detect()).follow(from, signal);
    },
  };
}
