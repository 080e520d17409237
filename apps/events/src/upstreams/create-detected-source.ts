import { JsonRpcCode } from '@forecourt/json-rpc';
import { createCallNode, NodeRefused } from './call-node.js';
import type { EventSource } from './event-source.js';
import type { Dialect } from './parse-upstreams.js';

/** A node whose dialect is asked for when it is needed first: one that knows the legacy query speaks the legacy dialect. */
export function createDetectedSource(
  url: string,
  options: { readonly legacyPrefix: string; readonly ledgerTimeoutMs: number },
  create: (dialect: Dialect, url: string) => EventSource,
): EventSource {
  const call = createCallNode(url, options.ledgerTimeoutMs);
  let found: EventSource | null = null;

  const detect = async (): Promise<EventSource> => {
    if (found) return found;
    let dialect: Dialect = 'legacy';
    try {
      await call(`${options.legacyPrefix}_getEvents`, ['All', null, 1, false]);
    } catch (error) {
      if (!(error instanceof NodeRefused)) throw error;
      if (error.code === JsonRpcCode.methodNotFound) dialect = 'iota';
    }
    return (found ??= create(dialect, url));
  };

  return {
    get name() {
      return found?.name ?? new URL(url).host;
    },
    getEvents: async (request) => (await detect()).getEvents(request),
    newest: async () => (await detect()).newest(),
    latestCheckpoint: async () => (await detect()).latestCheckpoint(),
    ledgerIdentity: async () => (await detect()).ledgerIdentity(),
    async *follow(from, signal) {
      yield* (await detect()).follow(from, signal);
    },
  };
}
