import { JsonRpcCode } from '@forecourt/json-rpc';
import { createCallNode, type NodeOptions, NodeRefused } from './call-node.js';
import type { EventSource } from './event-source.js';
import { SERVICE_SESSION } from './node-session.js';
import type { Dialect } from './parse-upstreams.js';

/** A node whose dialect is detected on first use: a node that knows the legacy query speaks the legacy dialect. */
export function createDetectedSource(
  node: NodeOptions,
  legacyPrefix: string,
  create: (dialect: Dialect) => EventSource,
): EventSource {
  const call = createCallNode(node)(SERVICE_SESSION);
  let detected: EventSource | null = null;

  const detect = async (): Promise<EventSource> => {
    if (detected) return detected;
    let dialect: Dialect = 'legacy';
    try {
      await call(`${legacyPrefix}_getEvents`, ['All', null, 1, false]);
    } catch (error) {
      if (!(error instanceof NodeRefused)) throw error;
      if (error.code === JsonRpcCode.methodNotFound) dialect = 'iota';
    }
    return (detected ??= create(dialect));
  };

  return {
    get name() {
      return detected?.name ?? new URL(node.url).host;
    },
    getEvents: async (request, session) => (await detect()).getEvents(request, session),
    newest: async () => (await detect()).newest(),
    latestCheckpoint: async () => (await detect()).latestCheckpoint(),
    ledgerIdentity: async () => (await detect()).ledgerIdentity(),
    async *follow(from, signal) {
      yield* (await detect()).follow(from, signal);
    },
  };
}
