import { JsonRpcCode } from '@forecourt/contracts';
import {
  addressOf,
  type Dialect,
  type EventsConfig,
  type UpstreamAddress,
} from '../config/events-config.js';
import { createCallNode, type NodeOptions, NodePause } from './call-node.js';
import type { EventSource } from './event-source.js';
import { createIotaSource } from './iota/iota-source.js';
import { createLegacySource, readEventPage } from './legacy-source.js';
import { SERVICE_SESSION } from './node-calls.js';
import { NodeRefused } from './upstream-errors.js';

/** The configured nodes in order of preference: those of EVENTS_UPSTREAMS, otherwise those of LEDGER_URL. */
export function listUpstreams({ upstreams, ledgerUrls }: EventsConfig): readonly UpstreamAddress[] {
  return upstreams.length > 0 ? upstreams : ledgerUrls.map(addressOf);
}

/** Creates a source for each configured node, which reports to `observer`. */
export function createSources(
  config: EventsConfig,
  observer: Pick<NodeOptions, 'onCall' | 'onFault'>,
): readonly EventSource[] {
  const { legacyPrefix, ledgerTimeoutMs: timeoutMs } = config;
  // Only IOTA's dialect has the attributes that the methods under an alias return for new and deleted objects.
  const detection = { legacyPrefix, prefersIota: config.methodAliases.length > 0 };
  // Other nodes never get the ledger's headers, which may hold the key of another provider.
  const headers = config.upstreams.length > 0 ? config.upstreamHeaders : config.ledgerHeaders;
  return listUpstreams(config).map(({ dialect, url }) => {
    const node = { url, headers, timeoutMs, pause: new NodePause(), ...observer };
    const create = (known: Dialect) =>
      known === 'legacy'
        ? createLegacySource({ ...node, methodPrefix: legacyPrefix })
        : createIotaSource(node, known);
    return dialect === null ? createDetectedSource(node, detection, create) : create(dialect);
  });
}

interface DetectionOptions {
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
    firstTransactionOf: async (checkpoint) => (await detect()).firstTransactionOf(checkpoint),
    ledgerIdentity: async () => (await detect()).ledgerIdentity(),
    async *follow(from, signal, chain) {
      yield* (await detect()).follow(from, signal, chain);
    },
    async *checkpoints(first, last) {
      yield* (await detect()).checkpoints(first, last);
    },
  };
}

function isMethodUnknown(error: unknown): boolean {
  return error instanceof NodeRefused && error.code === JsonRpcCode.methodNotFound;
}
