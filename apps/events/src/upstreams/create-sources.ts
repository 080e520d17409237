import { eventMethods, JsonRpcCode } from '@forecourt/contracts';
import {
  addressOf,
  type Dialect,
  type EventsConfig,
  type UpstreamAddress,
} from '../config/events-config.js';
import { type CallNode, createCallNode, type NodeOptions } from './call-node.js';
import { NodePause } from './node-pause.js';
import type { EventSource } from './event-source.js';
import { createIotaSource } from './iota/iota-source.js';
import { createLegacySource, readEventPage } from './legacy-source.js';
import { SERVICE_SESSION } from './node-calls.js';
import { NodeRefused } from './node-refused.js';
import { UpstreamFailed } from './upstream-failed.js';

const IOTA_METHOD = 'iota_getChainIdentifier';

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
  // Other nodes never get the ledger's headers, which may hold the key of another provider.
  const headers = config.upstreams.length > 0 ? config.upstreamHeaders : config.ledgerHeaders;
  return listUpstreams(config).map(({ dialect, url }) => {
    const node = { url, headers, timeoutMs, pause: new NodePause(), ...observer };
    const create = (known: Dialect) =>
      known === 'legacy'
        ? createLegacySource({ ...node, methodPrefix: legacyPrefix })
        : createIotaSource(node, known);
    return dialect === null ? createDetectedSource(node, legacyPrefix, create) : create(dialect);
  });
}

/**
 * A node whose dialect is detected on first use, again whenever it is followed anew, as after an upgrade of
 * the node, and after an answer that it does not know a method.
 */
export function createDetectedSource(
  node: NodeOptions,
  legacyPrefix: string,
  create: (dialect: Dialect) => EventSource,
): EventSource {
  const call = createCallNode(node)(SERVICE_SESSION);
  let current: { readonly dialect: Dialect; readonly source: EventSource } | null = null;
  let isCertain = false;

  const detect = async (): Promise<EventSource> => {
    if (current && isCertain) return current.source;
    const dialect = await detectDialect(call, `${legacyPrefix}_${eventMethods.getEvents}`);
    if (current?.dialect !== dialect) current = { dialect, source: create(dialect) };
    isCertain = true;
    return current.source;
  };

  const use = async <T>(run: (source: EventSource) => Promise<T>): Promise<T> => {
    const source = await detect();
    try {
      return await run(source);
    } catch (error) {
      if (isMethodUnknown(error)) isCertain = false;
      throw error;
    }
  };

  return {
    get name() {
      return current?.source.name ?? new URL(node.url).host;
    },
    getEvents: (request, session) => use((source) => source.getEvents(request, session)),
    newest: () => use((source) => source.newest()),
    latestCheckpoint: () => use((source) => source.latestCheckpoint()),
    lowestCheckpoint: () => use((source) => source.lowestCheckpoint()),
    firstTransactionOf: (checkpoint) => use((source) => source.firstTransactionOf(checkpoint)),
    ledgerIdentity: () => use((source) => source.ledgerIdentity()),
    async *follow(from, signal, chain) {
      isCertain = false;
      yield* (await detect()).follow(from, signal, chain);
    },
    async *checkpoints(first, last) {
      yield* (await detect()).checkpoints(first, last);
    },
  };
}

/**
 * IOTA's where the node says its chain identifier, also if it speaks both. The legacy one where it does not
 * know that method and returns a page of events. Throws `UpstreamFailed` for any other answer, which decides
 * nothing.
 */
async function detectDialect(call: CallNode, legacyQuery: string): Promise<Dialect> {
  try {
    const identifier = await call<unknown>(IOTA_METHOD, []);
    if (typeof identifier === 'string') return 'iota';
    throw new UpstreamFailed(`${IOTA_METHOD}: the result is not a chain identifier`);
  } catch (error) {
    if (!isMethodUnknown(error)) throw error;
  }
  try {
    readEventPage(await call<unknown>(legacyQuery, ['All', null, 1, false]), legacyQuery);
    return 'legacy';
  } catch (error) {
    if (!isMethodUnknown(error)) throw error;
    throw new UpstreamFailed(
      `ledger node knows neither ${IOTA_METHOD} nor ${legacyQuery}: it serves no events, or not at this path`,
    );
  }
}

function isMethodUnknown(error: unknown): boolean {
  return error instanceof NodeRefused && error.code === JsonRpcCode.methodNotFound;
}
