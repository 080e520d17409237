import { JsonRpcCode } from '@forecourt/json-rpc';
import { createCallNode, type NodeOptions, NodeRefused } from './call-node.js';
import type { EventSource } from './event-source.js';
import { SERVICE_SESSION } from './node-session.js';
import type { Dialect } from './parse-upstreams.js';
import { readEventPage } from './read-event-page.js';

export interface DetectionOptions {
  /** The node's prefix of `_getEvents`. */
  readonly legacyPrefix: string;
  /** If a node speaks both dialects, use IOTA's, which contains more about objects. */
  readonly prefersIota: boolean;
}

/**
 * A node whose dialect is detected on first use: a node that returns a page of the legacy query speaks the legacy
 * dialect, one that does not know the method speaks IOTA's. No other answer decides; the next use tries again.
 */
export function createDetectedSource(
  node: NodeOptions,
  { legacyPrefix, prefersIota }: DetectionOptions,
  create: (dialect: Dialect) => EventSource,
): EventSource {
  const call = createCallNode(node)(SERVICE_SESSION);
  const method = `${legacyPrefix}_getEvents`;
  let detected: EventSource | null = null;

  const knowsIota = async (): Promise<boolean> => {
    try {
      return typeof (await call<unknown>('iota_getChainIdentifier', [])) === 'string';
    } catch (error) {
      if (isMethodUnknown(error)) return false;
      throw error;
    }
  };

  const detect = async (): Promise<EventSource> => {
    if (detected) return detected;
    try {
      readEventPage(await call<unknown>(method, ['All', null, 1, false]), method);
      const dialect = prefersIota && (await knowsIota()) ? 'iota' : 'legacy';
      return (detected ??= create(dialect));
    } catch (error) {
      if (!isMethodUnknown(error)) throw error;
      return (detected ??= create('iota'));
    }
  };

  return {
    get name() {
      return detected?.name ?? new URL(node.url).host;
    },
    getEvents: async (request, session) => (await detect()).getEvents(request, session),
    newest: async () => (await detect()).newest(),
    latestCheckpoint: async () => (await detect()).latestCheckpoint(),
    lowestCheckpoint: async () => (await detect()).lowestCheckpoint(),
    ledgerIdentity: async () => (await detect()).ledgerIdentity(),
    async *follow(from, signal) {
      yield* (await detect()).follow(from, signal);
    },
  };
}

function isMethodUnknown(error: unknown): boolean {
  return error instanceof NodeRefused && error.code === JsonRpcCode.methodNotFound;
}
