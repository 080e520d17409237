import type { EventsConfig } from '../config/events-config.js';
import type { NodeOptions } from './call-node.js';
import { createDetectedSource } from './create-detected-source.js';
import type { EventSource } from './event-source.js';
import { createIotaSource } from './iota/create-iota-source.js';
import { createLegacySource } from './legacy/create-legacy-source.js';
import { NodePause } from './node-pause.js';
import type { Dialect, UpstreamAddress } from './parse-upstreams.js';

/** The configured nodes in order of preference: those of EVENTS_UPSTREAMS, otherwise those of LEDGER_URL. */
export function listUpstreams({ upstreams, ledgerUrls }: EventsConfig): readonly UpstreamAddress[] {
  return upstreams.length > 0 ? upstreams : ledgerUrls.map((url) => ({ dialect: null, url }));
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
      known === 'iota'
        ? createIotaSource(node)
        : createLegacySource({ ...node, methodPrefix: legacyPrefix });
    return dialect === null ? createDetectedSource(node, detection, create) : create(dialect);
  });
}
