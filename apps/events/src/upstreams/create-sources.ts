import type { EventsConfig } from '../config/events-config.js';
import type { NodeOptions } from './call-node.js';
import { createDetectedSource } from './create-detected-source.js';
import type { EventSource } from './event-source.js';
import { createIotaSource } from './iota/create-iota-source.js';
import { createLegacySource } from './legacy/create-legacy-source.js';
import type { Dialect } from './parse-upstreams.js';

/** The configured nodes in order of preference; `onCall` is called after every call to them. */
export function createSources(
  config: EventsConfig,
  onCall: NodeOptions['onCall'],
): readonly EventSource[] {
  const { legacyPrefix, ledgerUrls, ledgerTimeoutMs: timeoutMs, upstreams } = config;
  const addresses =
    upstreams.length > 0 ? upstreams : ledgerUrls.map((url) => ({ dialect: null, url }));
  return addresses.map(({ dialect, url }) => {
    const node = { url, timeoutMs, onCall };
    const create = (known: Dialect) =>
      known === 'iota'
        ? createIotaSource(node)
        : createLegacySource({ ...node, methodPrefix: legacyPrefix });
    return dialect === null ? createDetectedSource(node, legacyPrefix, create) : create(dialect);
  });
}
